//go:build !race

package server_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestAnnotated writes records of games that were played and of those in a text.
func TestAnnotated(t *testing.T) {
	s := newServer(t, server.Config{
		Databases: []server.Database{server.NewDatabase(source(t, "connect4:size=4x4", retro.Reachable))},
		Searches:  []server.Search{played(t, "dobutsu"), firstMoves(t, nil)},
	})
	write := func(game, body string) (format, file string) {
		t.Helper()
		w := ask(s, "POST /api/v1/"+game+"/annotated "+body)
		require.Equal(t, 200, w.Code, w.Body)
		var a server.AnnotatedRecord
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &a))
		return a.Format, string(a.File)
	}
	format, file := write("connect4:size=4x4", `{"moves":["a","b","c"],"remarks":[{"ply":1,"mark":"?!","comment":"a\nb","instead":["d","a"]},{"ply":3,"comment":"end"}]}`)
	require.Equal(t, "pgn", format)
	require.True(t, strings.HasSuffix(file, "1. a b?! {yomikiri: ?! a b} ({yomikiri} 1... d 2. a) 2. c {yomikiri: end} *\n\n"), file)
	again := get[struct{ Records []server.RecordedGame }](t, s, "POST /api/v1/connect4:size=4x4/records "+file)
	require.Equal(t, []string{"a", "b", "c"}, again.Records[0].Moves)

	record := func(text string) string { return `"record":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"` }
	_, file = write("connect4:size=4x4", "{"+record(file+strings.Replace(file, `"?"`, `"A"`, 1))+`,"number":2,"remarks":[{"ply":0,"mark":"??"}]}`)
	require.Contains(t, file, "[First \"A\"]")
	require.True(t, strings.HasSuffix(file, "1. a?? {yomikiri: ??} 1... b 2. c *\n\n"), file)

	list := get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games
	at := slices.IndexFunc(list, func(g server.Game) bool { return g.Name == "connect4:size=4x4" })
	require.Equal(t, []string{"pgn", "moves"}, list[at].Formats)

	for body, want := range map[string]string{
		`{"moves":["a"],"format":"kif"}`:                        `format \"kif\": want one of pgn, moves`,
		`{"moves":["a"],"remarks":[{"ply":2}]}`:                 "remark 1: ply 2: want 0 to 1",
		`{"moves":["a","b"],"remarks":[{"ply":1},{"ply":1}]}`:   "remark 2: ply 1: want 2 to 2",
		`{"moves":["a"],"remarks":[{"ply":0,"mark":"#"}]}`:      `remark 1: mark \"#\": want one of ?! ?`,
		`{"moves":["a"],"remarks":[{"ply":0,"instead":["z"]}]}`: "remark 1: move 1",
		`{"moves":["z"]}`:                        "move",
		`{"position":"x"}`:                       "want",
		`{"moves":["a"],` + record(file) + `}`:   "record and the moves of a game are given",
		`{"number":2,` + record(file) + `}`:      "number 2: want 1 to 1",
		`{` + record("startpos moves a z") + `}`: "line 1: ",
		`{` + record("startpos moves zz") + `}`:  "line 1: ",
		`{"record":"!"}`:                         "body: ",
	} {
		w := ask(s, "POST /api/v1/connect4:size=4x4/annotated "+body)
		require.Equal(t, 400, w.Code, body)
		require.Contains(t, w.Body.String(), want, body)
	}
	w := ask(s, `POST /api/v1/dobutsu/annotated {"moves":[`+strings.Repeat(`"c4c3","a1a2","c3c4","a2a1",`, 500)+`"c4c3"]}`)
	require.Equal(t, 400, w.Code)
	require.Contains(t, w.Body.String(), "a game of 2001 moves: want at most 2000")
	w = ask(s, `POST /api/v1/first/annotated {"moves":["a1"],"remarks":[{"ply":0,"mark":"!"}]}`)
	require.Equal(t, 200, w.Code, w.Body)
}
