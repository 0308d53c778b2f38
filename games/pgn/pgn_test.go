package pgn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// TestGames splits texts into games: their tags, words, comments with the number of words before them, and results.
func TestGames(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"1. e4 e5 {a} 2. Nf3!? $1 ; b\n1-0": "1 [] e4 e5 Nf3 {2 a} {3 b} 1-0",
		"[A \"x\"]\n[B \"y\\\"\"]\n\n1.e4(1.d4{)}) *":  `1 [{A x} {B y"}] e4 *`,
		"1. 0-0 O-O-O 0-0-0+ -- N@f3 +P@e5 0-1":        "1 [] 0-0 O-O-O 0-0-0+ -- N@f3 +P@e5 0-1",
		"1 e4 e5 resigns += 1 - 0":                     "1 [] 1 e4 e5 1-0",
		"1. e4 1-0 1. d4 0-1":                          "1 [] e4 1-0|1 [] d4 0-1",
		"[A \"x\"]\n[A \"z\"] 1. e4\n[B \"y\"]":        "1 [{A x} {A z}] e4|3 [{B y}]",
		"[A \"x\"]\n\n[B \"y\"]\n\n[A \"z\"]\n\n1. e4": "1 [{A x} {B y}]|5 [{A z}] e4",
		"[A \"x y]\n[B \"z\"]\n1. e4":                  "1 [{A x y} {B z}] e4",
		"[A \"x]\" y]\n1. e4":                          `1 [{ }] PGN line 1: tag "[A \"x]\" y]": want a name and a quoted value, as in [Event "Match"]`,
		"1. e4 {":                                      "1 [] e4 PGN line 1: a comment is not closed",
	} {
		var got []string
		for game, err := range Chess.Games(text) {
			line := ""
			if game != nil {
				tags := []Tag{}
				for _, tag := range game.Tags {
					tags = append(tags, tag.Tag)
				}
				line = fmt.Sprint(game.Line, " ", tags)
				for _, w := range game.Words {
					line += " " + w.Text
				}
				for _, c := range game.Comments {
					line += fmt.Sprint(" ", c)
				}
				if game.Result != "" {
					line += " " + game.Result
				}
			}
			if err != nil {
				line += " " + err.Error()
			}
			got = append(got, line)
		}
		require.Equal(t, want, strings.Join(got, "|"), text)
	}
}

// TestAppend writes games.
func TestAppend(t *testing.T) {
	text := Text{Tags: []Tag{{Name: "Event", Value: "a \"b\"\nc"}}, Result: "1-0", Moves: []string{"e4", "e5", "Nf3"}, Asides: movetext.Asides{Comments: [][]string{{"x}"}, nil, {"y", "z"}}}}
	require.Equal(t, "[Event \"a \\\"b\\\" c\"]\n[Result \"1-0\"]\n\n;x}\n1. e4 e5 {y} {z} 2. Nf3 1-0\n", string(Chess.Append(nil, &text)))
	text = Text{Result: "lost", Start: "p", Before: 1, Moves: []string{"e5", "Nf3"}}
	require.Equal(t, "[Result \"lost\"]\n[SetUp \"1\"]\n[FEN \"p\"]\n\n1... e5 2. Nf3 *\n", string(Chess.Append(nil, &text)))
	text = Text{Result: "*", Moves: strings.Fields(strings.Repeat("Nf3 ", 100))}
	for line := range strings.Lines(string(Chess.Append(nil, &text))) {
		require.LessOrEqual(t, len(line), 81)
	}
}

// TestAsides has what stands beside the moves, with the number of words before it.
func TestAsides(t *testing.T) {
	for text, want := range map[string]string{
		"1. e4 $1 !? e5 += {a} 2. Nf3 Nc6 +-{b} = 3. a3 +-+":        "[{1 $1} {1 !?} {2 $14} {4 $18} {4 $10}] [{2 a} {4 b}] []",
		"1. e4 ± ∓ ⩲ ⩱ ∞ += +/= =+ =/+ +/- -/+ -+":                  "[{1 $16} {1 $17} {1 $14} {1 $15} {1 $13} {1 $14} {1 $14} {1 $15} {1 $15} {1 $16} {1 $17} {1 $19}] [] []",
		"1. exd6 e.p.{a} resigned;b\n(1. d4\n% ( {\n 1... d5 ;c\n)": "[] [{1 a} {1 b}] [{1 (1. d4 1... d5 {c})}]",
	} {
		for game, err := range Chess.Games(text) {
			require.NoError(t, err, text)
			require.Equal(t, want, fmt.Sprint(game.Marks, game.Comments, game.Variations), text)
		}
	}
}

// TestDecode reads old encodings.
func TestDecode(t *testing.T) {
	require.Equal(t, "Müller", Decode([]byte("Müller")))
	require.Equal(t, "Müller", Decode([]byte("M\xfcller")))
}

// TestIsChess knows chess by the first game that tells, whatever is wrong with its tags.
func TestIsChess(t *testing.T) {
	for text, want := range map[string]bool{
		"[A \"x\"]\n*\n[A \"y\"]\n1. e4": true, "[A x\n[B \"y\"]\n1. e4": true, "\n[A\n\n[B\n1. Nf3": true, "[A \"x\"]\n*\n": false, "[ECO \"A00\"]\n*": true,
		"1. c3-d4": false, "1. cb4 ba5": false, "1. f6:g5": false, "1. d2-d4": true, "1. b1c3": true, "1. Nc3": true, "1. g1h3": true,
		"[A x\n1. 11-15": false, strings.Repeat("[A\n", 2*mostBrokenTags) + "1. e4": false, "[A": false, "": false,
	} {
		require.Equal(t, want, IsChess(text), text)
	}
}

// TestResults reads results as people write them.
func TestResults(t *testing.T) {
	for text, want := range map[string]string{
		"½-½": "1/2-1/2", "½": "1/2-1/2", "1/2": "1/2-1/2", "1/2–1/2": "1/2-1/2", "½ - ½": "1/2-1/2", "1:0": "1-0", "0—1": "0-1", "+--": "1-0",
		"--+": "0-1", "1-0": "1-0", "*": "*", "+-": "", "-+": "", "+/-": "",
	} {
		n := 0
		for game, err := range Chess.Games("1. e4 e5 " + text + "\n\n[Event \"x\"]\n1. d4 *") {
			require.NoError(t, err, text)
			if n == 0 {
				require.Equal(t, want, game.Result, text)
				require.Len(t, game.Words, 2, text)
			}
			n++
		}
		require.Equal(t, 2, n, text)
		if want != "" {
			require.Equal(t, want, ResultOf(text))
		}
	}
	require.Equal(t, "White won", ResultOf("White won"))
}

// TestTimes reads what moves took from clocks in comments.
func TestTimes(t *testing.T) {
	for _, c := range []struct{ control, text, want string }{
		{"60", "1. e4 {[%clk 0:00:59]} e5 {[%clk 0:00:58.5]} 2. a3 {x [%clk 0:00:50]} a6 {[%eval 0.1] [%clk 0:00:58.5]}", "[1s 1.5s 9s 0s]"},
		{"60+2", "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. a3 {[%clk 0:00:55]} a6 {[%clk 0:01:40]}", "[0s 0s 7s 0s]"},
		{"", "1. e4 {[%clk 1:00:00]} e5 2. a3 {[%clk 0:59:59]} a6 {[%clk 0:01]} 3. a4", "[0s 0s 1s 0s 0s]"},
		{"40/60", "1. e4 {[%emt 0:00:05]} e5 {[%emt 1:02]}", "[5s 1m2s]"},
		{"60", "1. e4 {[%clk 0:00:59]} e5 2. a3 a6 3. a4 {[%clk 0:00:40]} a5 {[%clk 0:00:30]}", "[1s 0s 0s 0s 0s 0s]"},
		{"60", "1. e4 {[%clk 0:01:00]} e5 {[%clk x]}", "[]"},
	} {
		for game, err := range Chess.Games(c.text) {
			require.NoError(t, err)
			var made []int // by words
			moves := 0
			for n := range len(game.Words) + 1 {
				made = append(made, moves)
				if n < len(game.Words) && !IsNumber(game.Words[n].Text) {
					moves++
				}
			}
			asides := game.Place(made, moves)
			require.Equal(t, c.want, fmt.Sprint(Times(&asides, moves, c.control)), c.text)
		}
	}
	require.Equal(t, []string{"", "a - ?", "? - b", ""}, []string{Title("", ""), Title("a", ""), Title("", "b"), Title("?", "?")})
}
