//go:build !race

package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestBrowse compares lists of positions with the counts of the manifest, and asks for each position.
func TestBrowse(t *testing.T) {
	s := newServer(t, fixture(t))
	type found struct {
		Value     string
		Complete  bool
		Positions []struct {
			Index uint64
			db.Answer
		}
	}
	m := get[db.Manifest](t, s, "/api/v1/tictactoe/stats")
	compared := 0
	for _, c := range m.Content.Total().Counts {
		unfinished := c.Positions - c.Finished
		if unfinished == 0 {
			continue
		}
		w := httptest.NewRequest(http.MethodGet, "/api/v1/tictactoe/positions", nil)
		q := w.URL.Query()
		q.Set("value", c.Value.String())
		q.Set("limit", "100")
		w.URL.RawQuery = q.Encode()
		l := get[found](t, s, w.URL.String())
		require.Equal(t, c.Value.String(), l.Value)
		require.Len(t, l.Positions, int(min(unfinished, 100)), l.Value)
		require.Equal(t, unfinished < 100, l.Complete)
		for _, p := range l.Positions {
			a := get[db.Answer](t, s, "/api/v1/tictactoe?position="+p.Position)
			require.Equal(t, p.Category, a.Category)
			require.Equal(t, p.DTM, a.DTM)
			compared++
		}
	}
	require.Greater(t, compared, 100)

	seen := map[string]bool{}
	for range 50 {
		a := get[struct {
			Index uint64
			db.Answer
		}](t, s, "/api/v1/tictactoe/random")
		require.False(t, a.Finished)
		seen[a.Position] = true
	}
	require.Greater(t, len(seen), 10)
	require.Equal(t, 404, ask(s, "/api/v1/first/random").Code)
	require.Equal(t, 404, ask(s, "/api/v1/tictactoe/positions?value=win_in_99").Code)
}

// TestBrowseCompact goes through a compact database, whose values need the moves.
func TestBrowseCompact(t *testing.T) {
	full := source(t, "awari:stones=4", retro.All)
	u, err := full.Game.Universe()
	require.NoError(t, err)
	dir := t.TempDir()
	m, err := store.Compact(t.Context(), dir, full.Database.DB(), u, false, store.WriteOptions{})
	require.NoError(t, err)
	require.True(t, m.Content.IsCompact())
	small := opened(t, full.Game, dir)
	s := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(small)}})
	for range 50 {
		a := get[server.Indexed](t, s, "/api/v1/awari/random")
		p, err := full.Database.Position(a.Index)
		require.NoError(t, err)
		want, err := full.Database.Evaluate(p, [2]int{})
		require.NoError(t, err)
		require.Equal(t, want.Position, a.Position)
		require.Equal(t, want.Score, a.Score)
	}
}

// TestNoIndex asks a game without a database for the number of a position.
func TestNoIndex(t *testing.T) {
	s := newServer(t, server.Config{Searches: []server.Search{played(t, "awari")}})
	for _, what := range []string{"board", "move", "review"} {
		w := ask(s, "/api/v1/awari/"+what+"?index=7")
		require.Equal(t, 400, w.Code, what)
		require.Contains(t, w.Body.String(), "index 7: awari has no database")
	}
}

// TestBrowseResults goes through a compact database of results as through the ordinary one.
func TestBrowseResults(t *testing.T) {
	const game = "/api/v1/dobutsu:size=3x3"
	src := source(t, "dobutsu:size=3x3", retro.Reachable)
	full := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(src)}})
	u, err := src.Game.Universe()
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = store.Compact(t.Context(), dir, src.Database.DB(), u, true, store.WriteOptions{})
	require.NoError(t, err)
	small := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(opened(t, src.Game, dir))}})
	for range 20 {
		a := get[server.Indexed](t, small, game+"/random")
		b := get[db.Answer](t, full, game+"?position="+url.QueryEscape(a.Position))
		require.False(t, a.Finished)
		require.Equal(t, b.Category, a.Category)
	}
	require.Equal(t, 200, ask(small, game+"/positions?value=draw&limit=1&zugzwang=1").Code)
}

// TestNames leaves rule options out.
func TestNames(t *testing.T) {
	c := fixture(t)
	s := newServer(t, c)
	require.Equal(t, get[db.Answer](t, s, "/api/v1/awari:stones=4"), get[db.Answer](t, s, "/api/v1/awari"))
	require.Equal(t, 200, ask(s, `POST /api/v1/awari {"positions":["startpos"]}`).Code)
	c.Databases = append(c.Databases, server.NewDatabase(source(t, "awari:stones=3", retro.All)))
	s = newServer(t, c)
	w := ask(s, "/api/v1/awari")
	require.Equal(t, 404, w.Code, "there are two")
	require.Contains(t, w.Body.String(), `\"awari\" is one of awari:stones=4, awari:stones=3: say which`)
	require.Equal(t, get[db.Answer](t, s, "/api/v1/awari:stones=3"), get[db.Answer](t, s, "/api/v1/Awari:stones=3"))
	require.Equal(t, 404, ask(s, "/api/v1/awari:stones=7").Code)
	require.Equal(t, 404, ask(s, "/api/v1/awari:stones=3,size=2").Code)
	require.Equal(t, get[server.ProofNode](t, s, "/api/v1/proof/draw.proof/node"), get[server.ProofNode](t, s, "/api/v1/proof/draw/node"))
}

// TestAllow has methods that paths do not take. Those of the answer are taken.
func TestAllow(t *testing.T) {
	c := fixture(t)
	c.Databases = c.Databases[:1]
	c.Searches = append(c.Searches, played(t, "awari"))
	s := newServer(t, c)
	for path, want := range map[string]string{
		"/": "GET, HEAD", "/index.html": "GET, HEAD", "/api/v1/games": "GET, HEAD", "/api/v1/tictactoe": "GET, HEAD, POST",
		"/api/v1/awari": "GET, HEAD", "/api/v1/tictactoe/board": "GET, HEAD, POST", "/api/v1/tictactoe/line": "GET, HEAD", "/metrics": "GET, HEAD",
	} {
		w := record(s, httptest.NewRequest(http.MethodPut, path, nil))
		require.Equal(t, 405, w.Code, path)
		require.Equal(t, want, w.Header().Get("Allow"), path)
	}
	require.Equal(t, 404, record(s, httptest.NewRequest(http.MethodPut, "/api/v1/nim", nil)).Code, "there is no such game")
}
