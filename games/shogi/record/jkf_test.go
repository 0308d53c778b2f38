package record

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// jkfFile has headers, comments, times, a capture, forks within a fork, and an ending.
const jkfFile = `{"header": {"棋戦": "x", "先手": "A", "後手": "B", "手合割": "平手"}, "initial": {"preset": "HIRATE"},
"moves": [{"comments": ["before", "two\nlines"]},
 {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "color": 0, "piece": "FU"}, "time": {"now": {"m": 1, "s": 5}, "total": {"h": 0, "m": 1, "s": 5}}},
 {"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "color": 1, "piece": "FU"}, "comments": ["good"],
  "forks": [[{"move": {"from": {"x": 8, "y": 3}, "to": {"x": 8, "y": 4}, "color": 1, "piece": "FU"}},
             {"move": {"from": {"x": 2, "y": 7}, "to": {"x": 2, "y": 6}, "color": 0, "piece": "FU"},
              "forks": [[{"move": {"from": {"x": 6, "y": 7}, "to": {"x": 6, "y": 6}, "color": 0, "piece": "FU"}}]]}],
            [{"move": {"from": {"x": 9, "y": 3}, "to": {"x": 9, "y": 4}, "color": 1, "piece": "FU"}}, {"special": "CHUDAN"}]]},
 {"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "color": 0, "piece": "KA", "promote": true, "capture": "KA"}},
 {"move": {"from": {"x": 3, "y": 1}, "same": true, "to": {"x": 2, "y": 2}, "piece": "GI", "capture": "UM", "promote": null}},
 {"move": {"to": {"x": 5, "y": 5}, "piece": "KA", "relative": "H"}},
 {"special": "TORYO"}]}
`

func TestParseJKF(t *testing.T) {
	require.True(t, IsJKF(jkfFile))
	list, err := ParseJKF([]byte(jkfFile), shogi.UsualHands)
	require.NoError(t, err)
	require.Len(t, list, 1)
	r := &list[0]
	require.NoError(t, r.Err)
	require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b B*5e", usi(r.Moves))
	require.Equal(t, [2]string{"A", "B"}, r.Names)
	require.Equal(t, []Tag{{"棋戦", "x"}}, r.Tags)
	require.Equal(t, []string{"before", "two", "lines"}, r.Comments[0])
	require.Equal(t, []string{"good"}, r.Comments[2])
	require.Equal(t, 65*time.Second, r.Times[0])
	require.Equal(t, Resigned, r.Ending)
	require.Equal(t, BlackWins, r.Result)
	require.Len(t, r.Variations, 3)
	for i, want := range []string{"8c8d 2g2f", "6g6f", "9c9d"} {
		require.Equal(t, want, usi(r.Variations[i].Moves))
	}
	require.Equal(t, 1, r.Variations[1].Leaves)
	require.Equal(t, 2, r.Variations[1].Ply)
	require.Equal(t, Interrupted, r.Variations[2].Ending)
	requireSame(t, r)

	// Another start position, and two records.
	other := `{"header":{},"initial":{"preset":"OTHER","data":{"color":0,"board":[[],[],[],[],[{"color":1,"kind":"OU"},{},{"color":0,"kind":"FU"}]],"hands":[{"KI":1},{}]}},"moves":[{},{"move":{"to":{"x":5,"y":2},"piece":"KI"}}]}`
	list, err = ParseJKF([]byte(other+"\n"+`{"header":{},"initial":{"preset":"2"},"moves":[]}`), shogi.UsualHands)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.NoError(t, list[0].Err)
	require.Equal(t, "G*5b", usi(list[0].Moves))
	require.Equal(t, shogi.White, list[1].Start.Turn())
	requireSame(t, &list[1])
}

// requireSame requires that a record is the same when it is written and read again.
func requireSame(t *testing.T, r *Record) {
	text := r.AppendJKF(nil)
	again, err := ParseJKF(text, shogi.GivenHands)
	require.NoError(t, err, "%s", text)
	require.Len(t, again, 1)
	require.NoError(t, again[0].Err, "%s", text)
	require.Equal(t, string(text), string(again[0].AppendJKF(nil)))
	require.Equal(t, r.Start, again[0].Start)
	require.Equal(t, r.Moves, again[0].Moves)
	require.Len(t, again[0].Variations, len(r.Variations), "%s", text)
	for i, v := range r.Variations {
		w := again[0].Variations[i]
		require.Equal(t, v.Moves, w.Moves)
		require.Equal(t, []int{v.Leaves, v.Ply}, []int{w.Leaves, w.Ply}, "%s", text)
	}
}

func TestParseJKFErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"header\":":                                                                                     "JKF: line 2: the record is cut off",
		"{\"header\":{},\n\"moves\":3}":                                                                      "JKF: line 2: moves: a number, want",
		`{"header":[],"moves":[]}`:                                                                           "JKF: header: want an object",
		`{"header":{"a":1},"moves":[]}`:                                                                      `header "a": want a text`,
		`{"initial":{"preset":"X"}}`:                                                                         `JKF: the start position: preset "X"`,
		`{"initial":{"preset":"OTHER"}}`:                                                                     "OTHER without data",
		`{"initial":{"preset":"OTHER","data":{"color":3}}}`:                                                  "color 3, want 0 (sente) or 1 (gote)",
		`{"initial":{"preset":"OTHER","data":{"hands":[{"FU":99}]}}}`:                                        "99 FU in hand",
		`{"initial":{"preset":"OTHER","data":{"board":[[{"kind":"X"}]]}}}`:                                   `"X" is not a piece`,
		`{"moves":[{},{"move":{"to":{"x":7,"y":6}}}]}`:                                                       `JKF: move 1: "" is not a piece`,
		`{"moves":[{},{"move":{"piece":"FU"}}]}`:                                                             "JKF: move 1: to is missing",
		`{"moves":[{},{"move":{"piece":"FU","to":{"x":0,"y":6}}}]}`:                                          "square 0,6: want x and y from 1 to 9",
		`{"moves":[{},{"move":{"piece":"FU","from":{"x":7,"y":7},"to":{"x":7,"y":5}}}]}`:                     "the pawn on 7g cannot go to 7e",
		`{"moves":[{},{"move":{"piece":"KI","from":{"x":7,"y":7},"to":{"x":7,"y":6}}}]}`:                     "piece KI, but on 7g is a pawn",
		`{"moves":[{},{"move":{"piece":"FU","color":1,"from":{"x":7,"y":7},"to":{"x":7,"y":6}}}]}`:           "color 1, but black is to move",
		`{"moves":[{},{"special":"TORYO"},{"move":{"piece":"FU","from":{"x":7,"y":7},"to":{"x":7,"y":6}}}]}`: "a move after the end of the game",
	} {
		list, err := ParseJKF([]byte(text), shogi.UsualHands)
		if err == nil {
			err = list[0].Err
		}
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParseJKF(f *testing.F) {
	f.Add([]byte(jkfFile))
	f.Add([]byte(`{"header":{},"initial":{"preset":"OTHER","data":{"color":1,"board":[[{"color":1,"kind":"OU"}]],"hands":[{"KI":1},{}]}},"moves":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := ParseJKF(data, shogi.UsualHands)
		for i := range list {
			if list[i].Start != (shogi.Position{}) {
				requireSame(t, &list[i])
			}
		}
	})
}

// TestJKFDetails has times whose milliseconds are no binary fractions, and a first move where only comments belong.
func TestJKFDetails(t *testing.T) {
	for _, c := range []struct {
		entries string
		time    time.Duration
	}{
		{`{},{"move":{"piece":"FU","from":{"x":7,"y":7},"to":{"x":7,"y":6}},"time":{"now":{"m":0,"s":1.001}}}`, 1001 * time.Millisecond},
		{`{"move":{"piece":"FU","from":{"x":7,"y":7},"to":{"x":7,"y":6}},"time":{"now":{"m":0,"s":2}}}`, 2 * time.Second},
	} {
		list, err := ParseJKF([]byte(`{"header":{},"moves":[`+c.entries+`]}`), shogi.UsualHands)
		require.NoError(t, err)
		require.NoError(t, list[0].Err)
		require.Equal(t, "7g7f", usi(list[0].Moves))
		require.Equal(t, []time.Duration{c.time}, list[0].Times)
	}
}
