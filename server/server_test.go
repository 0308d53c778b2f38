package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver"
)

// openGame opens a game of families, which may be a part of the whole game.
func openGame(t *testing.T, spec string) *app.Game {
	name, _, _ := strings.Cut(spec, ":")
	list := families()
	f := list[slices.IndexFunc(list, func(f *app.Family) bool { return f.Name == name })]
	r, err := f.Rules(spec)
	require.NoError(t, err)
	g, err := f.Under(r, r.Whole())
	require.NoError(t, err)
	return g
}

// source solves a game into a directory and opens the database.
func source(t *testing.T, spec string, positions retro.Positions) server.Source {
	g := openGame(t, spec)
	u, err := g.Universe()
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "test.db")
	_, _, err = retro.Solve(context.Background(), u, dir, retro.Config{Positions: positions})
	require.NoError(t, err)
	return opened(t, g, dir)
}

// opened opens the database of a game in a directory.
func opened(t *testing.T, g *app.Game, dir string) server.Source {
	files, err := store.Open(dir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, files.Close()) })
	d, err := g.Database(files)
	require.NoError(t, err)
	e, err := g.Asked.Evaluation()
	require.NoError(t, err)
	return server.Source{Game: g, Name: dir, Database: d, Evaluation: e}
}

// played is a game without a database.
func played(t *testing.T, spec string) server.Search {
	g := openGame(t, spec)
	e, err := g.Evaluation()
	require.NoError(t, err)
	return server.NewSearch(server.SearchSource{Name: g.Name(), Title: g.Family.Title, Game: g, Evaluation: e})
}

// drawn is the proof of tic-tac-toe's value, which has two claims.
func drawn(t *testing.T) server.Proof { return newProof(t, proofSource(t, drawnFile(t))) }

// drawnFile is its file.
func drawnFile(t *testing.T) *os.File {
	ctx, g := context.Background(), tictactoe.Game{}
	s, err := solver.New(g, nil, g.Start(), solver.Config{Nodes: 10_000})
	require.NoError(t, err)
	_, err = s.Solve(ctx)
	require.NoError(t, err)
	f, err := os.Create(filepath.Join(t.TempDir(), "draw.proof"))
	require.NoError(t, err)
	w, err := proof.NewWriter(f, s.Header())
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(ctx, w))
	require.NoError(t, w.Close())
	return f
}

// proofSource is a proof file of tic-tac-toe.
func proofSource(t *testing.T, f *os.File) *server.ProofSource {
	g := tictactoe.Game{}
	info, err := f.Stat()
	require.NoError(t, err)
	graph, err := proof.OpenGraph(t.Context(), f, info.Size())
	require.NoError(t, err)
	return &server.ProofSource{
		Name: filepath.Base(f.Name()), File: f, Graph: graph, Game: openGame(t, "tictactoe"),
		Check: func(ctx context.Context, r *proof.Reader) error {
			_, err := proof.Check(ctx, r, g, proof.CheckOptions{})
			return err
		},
	}
}

// recording returns a game that reads records by read.
func recording(g *app.Game, read func(g *app.Game, text []byte) iter.Seq2[app.Recorded, error]) *app.Game {
	x, f := *g, *g.Family
	f.Records = []*app.RecordFormat{{Recognise: func([]byte) bool { return true }}}
	x.Family, x.Asked = &f, &x
	x.Records = []app.GameFormat{{RecordFormat: f.Records[0], Read: func(text []byte) iter.Seq2[app.Recorded, error] { return read(&x, text) }}}
	return &x
}

// firstMoves is a search of tic-tac-toe, which finds the first legal moves.
func firstMoves(t *testing.T, run func(ctx context.Context) error) server.Search {
	g := recording(openGame(t, "tictactoe"), func(g *app.Game, text []byte) iter.Seq2[app.Recorded, error] {
		return func(yield func(app.Recorded, error) bool) {
			moves, _, err := games.ParseMoves(g.Board, g.Start(), []string{string(text)})
			if err != nil {
				yield(app.Recorded{}, errors.New("line 1: not a game"))
				return
			}
			yield(app.Recorded{Title: "X - O", From: g.Start(), Moves: moves}, errors.New("line 2: no move"))
		}
	})
	return server.NewSearch(server.SearchSource{
		Name: "first", Title: "First moves", Game: g,
		Finder: &app.Finder{
			Asks: []string{app.AskShortest, app.AskJudge},
			Run: func(ctx context.Context, p app.Position, o app.SearchOptions) (app.Found, error) {
				return app.Found{From: p, Line: g.AppendMoves(nil, p)[:1], Result: o}, run(ctx)
			},
		},
		With: func(spec string) (server.Search, error) {
			_, err := tictactoe.Family.Rules(spec)
			return nil, err
		},
	})
}

func quick(context.Context) error { return nil }

// fixture serves one thing of every kind.
func fixture(t *testing.T) server.Config {
	awari := source(t, "awari:stones=4", retro.All)
	awari.Puzzles = puzzles
	return server.Config{
		Databases: []server.Database{
			server.NewDatabase(source(t, "tictactoe", retro.Reachable)),
			server.NewDatabase(awari),
		},
		Proofs:   []server.Proof{drawn(t)},
		Searches: []server.Search{firstMoves(t, quick)},
	}
}

func newServer(t *testing.T, c server.Config) *server.Server {
	s, err := server.New(c)
	require.NoError(t, err)
	return s
}

// ask sends a request: a method unless it is GET, a path, and perhaps a body.
func ask(h http.Handler, request string, headers ...string) *httptest.ResponseRecorder {
	method, target := http.MethodGet, request
	if m, rest, ok := strings.Cut(request, " "); ok {
		method, target = m, rest
	}
	target, body, _ := strings.Cut(target, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return record(h, r)
}

// record returns what a handler answers.
func record(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// get returns an answer.
func get[T any](t *testing.T, h http.Handler, request string) T {
	w := ask(h, request)
	require.Equal(t, http.StatusOK, w.Code, "%s: %s", request, w.Body)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var v T
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&v), request)
	return v
}

func TestGames(t *testing.T) {
	s := newServer(t, fixture(t))
	list := get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games
	require.Len(t, list, 4)
	require.Equal(t, "tictactoe", list[0].Name)
	require.Equal(t, uint64(765), list[0].Positions, "mirror images are one")
	require.Equal(t, "awari:stones=4", list[1].Name)
	require.Equal(t, "4", list[1].Rules["stones"])
	require.Equal(t, "score", list[1].Order)
	require.Equal(t, []string{"database", "database", "search", "proof"}, []string{list[0].Kind, list[1].Kind, list[2].Kind, list[3].Kind})
	require.Equal(t, []string{"other holds", "mover holds"}, list[3].Claims)
	require.Empty(t, list[0].Section)
}

func TestAnswer(t *testing.T) {
	s := newServer(t, fixture(t))
	for _, c := range []struct {
		query, position, category string
		dtm, score                *int
		best                      string
	}{
		{"tictactoe", ".../.../...", "draw", nil, nil, "a1"},
		{"tictactoe?moves=b2,a2", ".../ox./...", "win", ptr(5), nil, "a1"},
		{"tictactoe?position=xo./xx./.oo", "xo./xx./.oo", "win", ptr(1), nil, "a1"},
		{"tictactoe?position=xo./xx./.oo&moves=c3", "xox/xx./.oo", "win", ptr(1), nil, ""},
		{"awari:stones=4?position=0,0,0,0,0,2,1,1,0,0,0,0", "0,0,0,0,0,2,1,1,0,0,0,0", "win", nil, ptr(4), "F×4"},
		{"awari:stones=4?position=0_0_0_0_0_2_1_1_0_0_0_0&score=0,44", "0,0,0,0,0,2,1,1,0,0,0,0", "loss", nil, ptr(4), "F×4"},
	} {
		a := get[db.Answer](t, s, "/api/v1/"+c.query)
		require.Equal(t, c.position, a.Position, c.query)
		require.Equal(t, c.category, a.Category, c.query)
		if c.dtm != nil {
			require.Equal(t, *c.dtm, *a.DTM, c.query)
		}
		if c.score != nil {
			require.Equal(t, *c.score, *a.Score, c.query)
		}
		if c.best != "" {
			require.Equal(t, c.best, a.Moves[0].Move, c.query)
			require.True(t, a.Moves[0].Optimal && a.Moves[0].Preserves, c.query)
		}
	}
}

func ptr(n int) *int { return &n }

func TestLine(t *testing.T) {
	s := newServer(t, fixture(t))
	l := get[db.LineAnswer](t, s, "/api/v1/tictactoe/line?moves=b2,a2")
	require.Len(t, l.Moves, 5)
	require.Len(t, l.Positions, 5)
	require.Equal(t, db.LineOver, l.End)
	last := get[db.Answer](t, s, "/api/v1/tictactoe?position="+l.Positions[4])
	require.True(t, last.Finished)
	require.Equal(t, "loss", last.Category)
	m := get[db.Manifest](t, s, "/api/v1/tictactoe/stats")
	require.Equal(t, "tictactoe", m.Content.Game)
}

func TestBatch(t *testing.T) {
	s := newServer(t, fixture(t))
	type answers struct{ Answers []db.Answer }
	a := get[answers](t, s, `POST /api/v1/awari:stones=4 {"positions":["4,4,4,4,4,4,4,4,4,4,4,4","0,0,0,0,0,2,1,1,0,0,0,0","5,0,0,0,0,0,0,0,0,0,0,0"]}`).Answers
	require.Len(t, a, 3)
	require.Equal(t, []string{"unknown", "win", "unknown"}, []string{a[0].Category, a[1].Category, a[2].Category})
	require.Equal(t, "0,0,0,0,0,2,1,1,0,0,0,0", a[1].Position)
	require.Nil(t, a[1].Moves)
	require.Contains(t, a[2].Reason, "does not hold")
	a = get[answers](t, s, `POST /api/v1/tictactoe {"positions":["xo./xx./.oo"],"moves":true}`).Answers
	require.Equal(t, get[db.Answer](t, s, "/api/v1/tictactoe?position=xo./xx./.oo"), a[0])

	a = get[answers](t, s, `POST /api/v1/tictactoe {"line":{"position":"xo./xx./.oo","moves":["c3","a1","c2"]},"moves":true,"board":true}`).Answers
	require.Len(t, a, 3, "the game is over")
	for i, moves := range []string{"", "c3", "c3,a1"} {
		require.Equal(t, get[db.Answer](t, s, "/api/v1/tictactoe?board=1&position=xo./xx./.oo&moves="+moves), a[i])
	}
	require.Len(t, get[answers](t, s, `POST /api/v1/tictactoe {"line":{"position":"startpos"}}`).Answers, 1)
}

// TestCodes has a request for each code of an error.
func TestCodes(t *testing.T) {
	c := fixture(t)
	refuse := func(context.Context) error { return app.InputError{Err: errors.New("not a problem")} }
	c.Searches[0] = firstMoves(t, refuse)
	c.Limits = server.Limits{Body: 50}
	s := newServer(t, c)
	for request, want := range map[string]string{
		"/api/v1/tictactoe?x=1":                        "bad_request",
		"/api/v1/tictactoe?position=xx./.../...":       "bad_position",
		"/api/v1/first":                                "bad_position",
		`POST /api/v1/tictactoe/board {"pieces":[{}]}`: "bad_position",
		"/api/v1/tictactoe?moves=d4":                   "bad_move",
		"/api/v1/proof/draw.proof/node?path=d4":        "bad_move",
		"/api/v1/nim":                                  "not_found",
		"/api/v1/tictactoe?index=99999999999":          "not_held",
		`POST /api/v1/tictactoe {"positions":["startpos","startpos","startpos","startpos"]}`: "too_large",
	} {
		require.Contains(t, ask(s, request).Body.String(), `{"error":{"code":"`+want+`"`, request)
	}
}

// TestErrors has requests that are to blame themselves.
func TestErrors(t *testing.T) {
	c := fixture(t)
	c.Limits = server.Limits{Body: 200, Positions: 2, SearchNodes: 10}
	s := newServer(t, c)
	for _, c := range []struct {
		request string
		status  int
		want    string
	}{
		{"/nosuch", 404, `no path "/nosuch"; there are / /api/v1/games /api/v1/openapi.json /api/v1/proof/{name}/line /api/v1/proof/{name}/node /api/v1/{game} /api/v1/{game}/annotated /api/v1/{game}/board`},
		{"/api/v1/tictactoe/nosuch", 404, `no path "/api/v1/tictactoe/nosuch"; there are / /api/v1/games`},
		{"/api/v1/nim", 404, `no game "nim"; there are tictactoe, awari:stones=4, first`},
		{"/api/v1/nim/line", 404, `no database of a game "nim"; there are tictactoe, awari:stones=4`},
		{"/api/v1/first/line", 404, `no database of a game "first"`},
		{"/api/v1/proof/nim/node", 404, `no proof "nim"; there are draw.proof`},
		{"/api//v1/games", 404, "no path"},
		{"/api/v1/../v1/games", 404, "no path"},
		{"/web/index.html", 404, "no path"},
		{"DELETE /api/v1/tictactoe", 405, "want GET or HEAD or POST"},
		{"POST /api/v1/games", 405, "want GET or HEAD"},
		{"POST /api/v1/openapi.json", 405, "want GET or HEAD"},
		{`POST /api/v1/first {"positions":["startpos"]}`, 405, "want GET or HEAD"},
		{"POST /api/v1/nim", 404, `no database of a game "nim"`},
		{"POST /healthz", 405, "want GET or HEAD"},
		{"/api/v1/games?x=1", 400, `parameter "x": none is known here`},
		{"/api/v1/tictactoe?positions=1", 400, "known are position, index, moves, score, board"},
		{"/api/v1/tictactoe/move?level=0", 400, `level "0": want 1 to 10`},
		{"/api/v1/tictactoe/move?level=11", 400, `level "11": want 1 to 10`},
		{"/api/v1/tictactoe/move?level=strong", 400, `level "strong": want 1 to 10`},
		{"/api/v1/tictactoe/move?jitter=0", 400, `jitter "0": want 1 to 100000`},
		{"/api/v1/tictactoe/move?jitter=5&budget=5", 400, "jitter and budget are given: want one of them"},
		{"/api/v1/tictactoe/move?seed=x", 400, `seed "x": want a whole number`},
		{"/api/v1/tictactoe/move?nodes=5", 400, `parameter "nodes": known are position, index, moves, level, jitter, budget, seed`},
		{"/api/v1/tictactoe/move?position=xxx/oo./...", 400, "the game is over"},
		{"/api/v1/tictactoe/move?position=xx./.../...", 400, `position "xx./.../..."`},
		{"/api/v1/tictactoe/move?moves=b2,b2", 400, "move 2: "},
		{"/api/v1/awari:stones=4/move?index=99999999999", 404, "there is no position with index"},
		{"/api/v1/first/move", 404, "first has no opponent, since there is no evaluation"},
		{"/api/v1/nim/move", 404, `no game "nim"`},
		{"/api/v1/tictactoe?position=a&position=b", 400, "parameter position is given 2 times"},
		{"/api/v1/tictactoe?position=%zz", 400, "invalid URL escape"},
		{"/api/v1/tictactoe?position=", 400, `position ""`},
		{"/api/v1/tictactoe?position=xx./.../...", 400, `position "xx./.../..."`},
		{"/api/v1/tictactoe?moves=b2,b2", 400, "move 2: "},
		{"/api/v1/tictactoe?moves=b2+", 400, `move "b2+"`},
		{"/api/v1/tictactoe?index=x", 400, `index "x"`},
		{"/api/v1/tictactoe?index=1&position=", 400, "index and position are given: want one of them"},
		{"/api/v1/tictactoe?index=1&position=startpos", 400, "index and position are given: want one of them"},
		{"/api/v1/tictactoe?index=99999999999", 404, "there is no position with index 99999999999"},
		{"/api/v1/tictactoe?score=1,2", 400, "are not scores"},
		{"/api/v1/tictactoe?board=2", 400, `board "2"`},
		{"/api/v1/awari:stones=4?position=4,4,4,4,4,4,4,4,4,4,4,4", 404, "does not hold the position"},
		{"/api/v1/awari:stones=4?score=1", 400, "want S,N"},
		{`POST /api/v1/tictactoe {"positions":["startpos"`, 400, "body: unexpected EOF"},
		{`POST /api/v1/tictactoe {"position":["startpos"]}`, 400, "unknown field"},
		{`POST /api/v1/tictactoe`, 400, "body: it is empty, want JSON"},
		{`POST /api/v1/tictactoe []`, 400, `body: want no array at "", byte 1`},
		{`POST /api/v1/tictactoe {"positions":"startpos"}`, 400, `body: want no string at "positions", byte 23`},
		{`POST /api/v1/tictactoe {"positions":["startpos"]}{}`, 400, "something follows"},
		{`POST /api/v1/tictactoe {"positions":[]}`, 400, "0 positions: want 1 to 2"},
		{`POST /api/v1/tictactoe {"positions":["startpos","startpos","startpos"]}`, 400, "3 positions: want 1 to 2"},
		{`POST /api/v1/tictactoe {"line":{"position":"startpos","moves":["a1","a2"]}}`, 400, "3 positions: want 1 to 2"},
		{`POST /api/v1/tictactoe {"positions":[],"line":{"position":"startpos"}}`, 400, "positions and line are given: want one of them"},
		{`POST /api/v1/tictactoe {"line":{"position":"startpos","moves":["d4"]}}`, 400, `position 2: move 1: move "d4"`},
		{`POST /api/v1/tictactoe {"positions":["startpos","x"]}`, 400, `position 2: position "x"`},
		{`POST /api/v1/tictactoe {"positions":["` + strings.Repeat("x", 300) + `"]}`, 413, "more than 200 bytes"},
		{`POST /api/v1/tictactoe/board {"turn":1,"pieces":[{"kind":"king","side":1,"square":"a1"}]}`, 400, "king"},
		{"/api/v1/first?ask=record", 400, `ask "record": want some of shortest, judge`},
		{"/api/v1/first?ask=shortest,judge", 400, "judge is asked alone"},
		{"/api/v1/first?intended=b2", 400, "intended: it goes with ask=judge only"},
		{"/api/v1/first?rules=phone", 400, "rules: they go with ask=judge only"},
		{"POST /api/v1/first/records", 400, "body: it is empty, want the text of a game"},
		{"POST /api/v1/first/records z9", 400, "line 1: not a game"},
		{"POST /api/v1/tictactoe/records b2", 400, "line 1: "},
		{"POST /api/v1/first/records " + strings.Repeat("x", 300), 413, "more than 200 bytes"},
		{"/api/v1/first?nodes=11", 400, `nodes "11": want 1 to 10`},
		{"/api/v1/first?time=1h", 400, `time "1h": want a time such as 500ms, at most 10s`},
		{"/api/v1/first?position=xxx/oo./...", 400, "the game is over"},
		{"/api/v1/first:size=3", 400, "no rule options"},
		{"/api/v1/proof/draw.proof/node?claim=mover_wins", 400, `claim "mover_wins": the proof has other holds, mover holds (_ stands for a space)`},
		{"/api/v1/proof/draw.proof/node?claim=", 400, "the proof has other holds, mover holds"},
		{"/api/v1/proof/draw.proof/node?path=a1,a1", 400, "move 2: "},
	} {
		w := ask(s, c.request)
		require.Equal(t, c.status, w.Code, "%s: %s", c.request, w.Body)
		var e struct {
			Error struct{ Code, Message, ID string }
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e), c.request)
		require.Contains(t, e.Error.Message, c.want, c.request)
		require.NotEmpty(t, e.Error.Code, c.request)
		require.Empty(t, e.Error.ID)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	}
	require.Equal(t, "GET, HEAD", ask(s, "POST /healthz").Header().Get("Allow"))
}

// TestProof walks through a whole proof: every reply of the other side leads on, until the
// game is over as claimed.
func TestProof(t *testing.T) {
	s := newServer(t, fixture(t))
	s.Check(t.Context())
	g := tictactoe.Game{}
	visited := map[string]bool{}
	kinds := map[string]int{}
	var walk func(claim string, claimant bool, path []string)
	walk = func(claim string, claimant bool, path []string) {
		n := get[server.ProofNode](t, s, "/api/v1/proof/draw.proof/node?claim="+claim+"&path="+strings.Join(path, ","))
		if visited[claim+n.Position] {
			return
		}
		visited[claim+n.Position] = true
		kinds[n.Kind]++
		p, err := g.ParsePosition(n.Position)
		require.NoError(t, err)
		require.Len(t, n.MoveKinds, len(n.Moves))
		if n.Finished {
			require.Equal(t, "finished", n.Kind)
			require.Empty(t, n.Moves)
			require.NotEqual(t, map[bool]string{true: "loss", false: "win"}[claimant], n.Category, "the claimant holds")
			return
		}
		proves := map[bool]string{true: "win or draw", false: "loss or draw"}[claimant]
		if len(path) == 0 {
			proves = "draw" // by both claims
		}
		require.Equal(t, proves, n.Proves)
		if claimant {
			require.Len(t, n.Moves, 1, path)
		} else {
			require.Len(t, n.Moves, len(g.AppendMoves(nil, p)), path)
		}
		for i, m := range n.Moves {
			require.NotEmpty(t, n.MoveKinds[i])
			walk(claim, !claimant, append(path[:len(path):len(path)], m.Move))
		}
	}
	walk("mover_holds", true, nil)
	walk("other_holds", false, nil)
	require.Greater(t, kinds["move"], 50)
	require.Greater(t, kinds["replies"], 50)
	require.Greater(t, kinds["finished"], 10)
	w := ask(s, "/api/v1/proof/draw.proof/node?path=zz")
	require.Equal(t, 400, w.Code)
}

func TestSearch(t *testing.T) {
	s := newServer(t, fixture(t))
	f := get[server.Found](t, s, "/api/v1/first?moves=b2&nodes=7&time=2s&board=1")
	require.Equal(t, ".../.x./...", f.Position)
	require.Equal(t, []string{"a1"}, f.Line)
	require.Equal(t, []string{".../.x./o.."}, f.Positions)
	require.Equal(t, map[string]any{"Nodes": 7., "Time": 2e9, "Memory": 64. * (1 << 20), "Hands": "", "Ask": nil, "Intended": nil, "Rules": ""}, f.Result)
	require.Equal(t, 2, f.Turn)
	a := get[server.Place](t, s, "/api/v1/first/board?moves=b2")
	require.Nil(t, a.Verdict)
	require.Len(t, a.Moves, 8)
	set := get[struct{ Position string }](t, s, `POST /api/v1/first/board {"turn":2,"pieces":[{"kind":"mark","side":1,"square":"b2"}]}`)
	require.Equal(t, ".../.x./...", set.Position)
}

// TestHeaders checks what lets browsers keep answers, and read them elsewhere.
func TestHeaders(t *testing.T) {
	c := fixture(t)
	s := newServer(t, c)
	require.Equal(t, "no-cache", ask(s, "/api/v1/tictactoe").Header().Get("Cache-Control"), "it may turn out to be damaged")
	s.Check(t.Context())
	w := ask(s, "/api/v1/tictactoe")
	tag := w.Header().Get("ETag")
	require.NotEmpty(t, tag)
	require.Contains(t, w.Header().Get("Cache-Control"), "max-age")
	require.Equal(t, 304, ask(s, "/api/v1/tictactoe", "If-None-Match", `"x", `+tag).Code)
	require.Equal(t, 200, ask(s, "/api/v1/tictactoe", "If-None-Match", `"x"`).Code)
	require.Equal(t, 400, ask(s, "/api/v1/tictactoe?position=", "If-None-Match", tag).Code)
	c.Version = "2"
	require.NotEqual(t, tag, ask(newServer(t, c), "/api/v1/tictactoe").Header().Get("ETag"))

	zipped := ask(s, "/api/v1/awari:stones=4/stats", "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	r, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, ask(s, "/api/v1/awari:stones=4/stats").Body.String(), string(text))

	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, 405, ask(s, "OPTIONS /api/v1/tictactoe").Code)
	c.Origin = "https://example.com"
	s = newServer(t, c)
	require.Equal(t, "https://example.com", ask(s, "/api/v1/tictactoe").Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, 204, ask(s, "OPTIONS /api/v1/tictactoe").Code)
}

// TestPage checks that the page's files, and no others, can be read.
func TestPage(t *testing.T) {
	s := newServer(t, fixture(t))
	w := ask(s, "/")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	policy := w.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'; script-src 'self';")
	require.NotContains(t, policy, "unsafe")
	require.Equal(t, 304, ask(s, "/", "If-None-Match", w.Header().Get("ETag")).Code)
	require.Equal(t, 200, ask(s, "HEAD /").Code)
	for _, path := range []string{"/server.go", "/../server.go", "/..%2fserver.go", "/%2e%2e/server.go", "/web", "/web/", "//", "/./", "/index.html/", "/C:/x", "/etc/passwd"} {
		require.Equal(t, 404, ask(s, path).Code, path)
	}
}

func TestNew(t *testing.T) {
	c := fixture(t)
	c.Databases = append(c.Databases, c.Databases[0])
	_, err := server.New(c)
	require.ErrorContains(t, err, "both have the name tictactoe: serve one of them")

	g, refused := openGame(t, "tictactoe"), 0
	for _, route := range newServer(t, server.Config{}).Table() {
		for name := range strings.SplitSeq(strings.TrimPrefix(route.Path, "/api/v1/"), "/") {
			if name == "" || name[0] == '{' || route.Path[1] != 'a' {
				continue
			}
			_, err := server.New(server.Config{Searches: []server.Search{server.NewSearch(server.SearchSource{Name: name, Game: g})}})
			require.ErrorContains(t, err, "the API has a path of this name", name)
			refused++
		}
	}
	require.Positive(t, refused)
}

func logged(c *server.Config) *bytes.Buffer {
	var log bytes.Buffer
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	return &log
}
