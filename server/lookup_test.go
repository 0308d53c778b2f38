//go:build !race

package server_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// handlerOf opens the handler of a database without package app, as a browser does.
func handlerOf[G games.Game[P, M], P, M comparable](t *testing.T, f *games.Family[G], src server.Source) *lookup.Handler {
	t.Helper()
	rules, err := f.Rules(src.Game.Name())
	require.NoError(t, err)
	h, err := lookup.Open(t.Context(), games.Game[P, M](f.New(rules)), games.Game[P, M](f.New(rules.Whole())), src.Database.DB())
	require.NoError(t, err)
	return h
}

// TestLookupHandler compares what a handler answers with what the server answers, byte by byte: of a game with an index, of
// one that is numbered, and of a part of a game.
func TestLookupHandler(t *testing.T) {
	small := source(t, "dobutsu:size=3x3", retro.Reachable)
	numbered := source(t, "connect4:size=3x4", retro.Reachable)
	part := source(t, "checkers:size=4x4,pieces=3", retro.All)
	for _, c := range []struct {
		src server.Source
		h   *lookup.Handler
		own []string // requests
	}{
		{small, handlerOf(t, dobutsu.Family, small), []string{
			"GET ?moves=c3c2,a1a2&board=1", "GET ?moves=c3c9", "GET /positions?value=loss_in_2&limit=3", "GET /positions?value=win_in_99",
			"GET /line?moves=c3c2", "GET /board?moves=c3c2", "GET /board?hands=x",
		}},
		{numbered, handlerOf(t, connect4.Family, numbered), []string{"GET ?moves=a,b", "POST {\"line\":{\"position\":\"startpos\",\"moves\":[\"a\",\"b\"]},\"moves\":true}"}},
		{part, handlerOf(t, checkers.Family, part), []string{
			"GET ?position=B:WK2,5:BK4,K7", "GET ?position=B:WK2:BK7&board=1", "POST {\"positions\":[\"B:WK2,5:BK4,K7\",\"B:WK2:BK7\"],\"moves\":true}",
			"GET /positions?value=draw&zugzwang=1",
		}},
	} {
		c.src.Evaluation = nil
		s := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(c.src)}})
		name := c.src.Game.Name()
		for _, q := range append([]string{
			"GET ", "GET ?board=1", "GET /line", "GET /board?board=1", "GET /stats", "GET ?index=1", "GET ?index=x", "GET ?position=nonsense", "GET ?unknown=1",
			"GET ?position=" + strings.Repeat("é", 2000),
			"GET /positions?value=x", "GET /positions?value=draw&limit=0", "POST {}", "POST {\"positions\":[\"startpos\"]}", "POST [", "POST /board {\"pieces\":[]}",
		}, c.own...) {
			method, rest, _ := strings.Cut(q, " ")
			body := ""
			if method == "POST" {
				path, after, found := strings.Cut(rest, " ")
				if found && strings.HasPrefix(path, "/") {
					rest, body = path, after
				} else {
					rest, body = "", rest
				}
			}
			path, query, _ := strings.Cut(rest, "?")
			path = url.PathEscape(name) + path
			status, answer := c.h.Serve(t.Context(), lookup.Request{Method: method, Path: path, Query: query, Body: []byte(body)})
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(method, "/api/v1/"+path+"?"+query, strings.NewReader(body)))
			require.Equal(t, w.Code, status, "%s %s", name, q)
			require.Equal(t, w.Body.String(), string(answer), "%s %s", name, q)
		}
		_, long := c.h.Serve(t.Context(), lookup.Request{Method: "GET", Path: name, Query: "position=" + strings.Repeat("x", 5000)})
		require.Less(t, len(long), 1500, "messages are short")
		status, answer := c.h.Serve(t.Context(), lookup.Request{Method: "GET", Path: name + "/random"})
		require.Equal(t, 200, status)
		require.Contains(t, string(answer), `"index":`)
		for _, path := range []string{"chess", name + "/metrics", "%", name + "/", name + "/line/", name + "//line"} {
			status, answer := c.h.Serve(t.Context(), lookup.Request{Method: "GET", Path: path})
			require.Equal(t, 404, status)
			require.Contains(t, string(answer), `"code":"not_found"`)
		}
	}
}
