package checkers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/pgn"
)

// summaries returns a line for each game of a text in PDN: where it begins, its result, and its
// moves; or what is wrong with it.
func summaries(g *Game, text string) (list []string) {
	for r, err := range g.ParsePDN(text) {
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		summary := fmt.Sprintf("%d %s:", r.Line, r.Result)
		p := r.Start
		for _, m := range r.Moves {
			summary += " " + string(g.AppendMove(nil, p, m))
			p = g.Play(p, m)
		}
		list = append(list, summary)
	}
	return list
}

func TestParsePDN(t *testing.T) {
	g := open(t, "checkers")
	const opening = "11-15 23-19 8-11 22-17"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", " \n{only a comment}\n; another\n%and another\n", ""},
		{"numbers of moves", "1. 11-15 23-19 2.8-11 2... 22-17", "1 *: " + opening},
		{"numbers with blanks and one character for dots", "1 . 11-15 1… 23-19 8-11 22-17", "1 *: " + opening},
		{"numbers without full stops", "1 11-15 23-19 2 8-11 22-17", "1 *: " + opening},
		{"numbers from 85", "85. 11-15 23-19 86. 8-11 22-17", "1 *: " + opening},
		{"separators", "11 - 15 23:19 8 x 11 22–17", "1 *: " + opening},
		{"zeros", "11-15 23-19 08-11 22-17", "1 *: " + opening},
		{"a move over two lines", "11-\n15 23\n-19 8-11 22-17", "1 *: " + opening},
		{"compact moves", "1115 2319 811 2217", "1 *: " + opening},
		{"compact moves with zeros", "1. 1115 2319 2. 0811 2217", "1 *: " + opening},
		{"marks", "11-15* 23-19! 8-11?! $3 22-17 !? $14", "1 *: " + opening},
		{"marks in parentheses", "11-15(!) 23-19 (?) 8-11(!?!!!) 22-17", "1 *: " + opening},
		{"words", "11-15 23-19 8-11 is usual. 22-17 Black resigned\n1-0", "1 1-0: " + opening},
		{"comments", "{a} 11-15 {(} 23-19 ; ) } {\n8-11 {[%clk 1] ;}22-17{b}", "1 *: " + opening},
		{"a line that begins with %", "11-15 23-19\n%(\n8-11 22-17", "1 *: " + opening},
		{"variations", "11-15 (9-13 22-18 (1. 1-2 ((x)) ) {:-) } ; :-(\n ) 23-19 8-11 22-17", "1 *: " + opening},
		{"ends of lines", "%\r\n[Site \"x\"]\r\n11-15 ; a\r\n23-19 8-11 22-17 0-1\r\n", "2 0-1: " + opening},
		{"ends of lines, before 2001", "%\r[Site \"x\"]\r11-15 ; a\r23-19 8-11 22-17 0-1\r", "2 0-1: " + opening},
		{"a byte order mark", "\ufeff[Site \"x\"]\n11-15 23-19", "1 *: 11-15 23-19"},
		{"no result", "[Result \"\"]\n11-15", "1 *: 11-15"},
		{"no value", "[Result]\n11-15", "1 *: 11-15"},
		{"result without quotes", "[Result 1-0]\n11-15", "1 1-0: 11-15"},
		{"result of its own kind", "[Result \"forfeit\"]\n11-15 *", "1 forfeit: 11-15"},
		{"result in the tag only", "[Result \"2-0\"]\n11-15 *", "1 2-0: 11-15"},
		{"result after the moves only", "11-15 1/2-1/2", "1 1/2-1/2: 11-15"},
		{"two results", "[Event \"x\"] 11-15 * 1-0 [Event \"y\"] 11-16", "1 1-0: 11-15|1 *: 11-16"},
		{"another half", "11-15 ½–½", "1 1/2-1/2: 11-15"},
		{"half a result", "11-15 1/2", "1 1/2-1/2: 11-15"},
		{"results with blanks", "11-15 1/2 - 1/2 11-16 1 - 0", "1 1/2-1/2: 11-15|1 1-0: 11-16"},
		{"all results", "11-15 1-0 11-15 0-1 11-15 2-0 11-15 0-2 11-15 1-1 11-15 0-0 11-15 *",
			"1 1-0: 11-15|1 0-1: 11-15|1 2-0: 11-15|1 0-2: 11-15|1 1-1: 11-15|1 0-0: 11-15|1 *: 11-15"},
		{"two tags on a line, and moves", `[Event "a"] [Result "1-0"] 11-15`, "1 1-0: 11-15"},
		{"games without moves", "[Event \"a\"] 1-0\n[Event \"b\"]\n\n0-1\n[FEN \"B:W21:B1\"] *", "1 1-0:|2 0-1:|5 *:"},
		{"a capture of which squares are left out", "[FEN \"B:W6,14,15:B2\"]\n1. 2x18", "1 *: 2x9x18"},
		{"a capture in several words", "[FEN \"B:W6,7,15:B2,12\"]\n1. 2x11 2. 11x18 6-2", "1 *: 2x11x18 6-2"},
		{"moves after a capture tell its route", "[FEN \"W:W22,K26:B9,10,17,18,K25\"]\n22x6 9-13", "1 *: 22x15x6 9-13"},
		{"ranges and numbers of moves", "[FEN \"W:W21-32:B1-12:H0:F1\"]\n[SetUp \"1\"]\n1... 22-18 2. 9-13", "1 *: 22-18 9-13"},
		{"no position", "[FEN \"\"]\n11-15", "1 *: 11-15"},
		{"White begins", "[FEN \"W:W18:B3.\"]\n1. 18-15 3-7 2. 15-11", "1 *: 18-15 3-7 15-11"},
		{"type of the game", "[GameType \"21,B,8,8,N1,0\"]\n11-15", "1 *: 11-15"},
		{"type of the game, as White sees the board", "[GameType \"21,B,8,8,N2,0\"]\n11-15", "1 *: 11-15"},
		{"names of squares", "[GameType \"21,B,8,8,A0,0\"]\n1. c3-d4 d6c5 2. B2xc3 f6:g5 1-0", "1 1-0: " + opening},
		{"names of squares, from the other side", "[GameType \"21, b, 8, 8, A3\"]\nf6-e5 e3f4 g7-f6 c3-b4", "1 *: " + opening},
		{"names of squares on a server", "[Variant \"American/English\"]\n1. c3-d4 b6-c5 2. d4xb6 a7xc5 0-1", "1 0-1: 11-15 24-19 15x24 28x19"},
		{"names of squares in a position", "[FEN \"W:Wf6,Kd8:Ba1,b8\"]\n[GameType \"21,B,8,8,A3,0\"]\nf6g7", "PDN line 1: position \"W:W11,K2:B29,1\": Black has a man in the last row, where it would be a king"},
		{"names of squares in a position of kings", "[FEN \"W:Wf6,Kd8:BKa1,Kb8\"]\n[GameType \"21,B,8,8,A3,0\"]\n1. f6g7 a1b2", "1 *: 11-8 29-25"},
	} {
		require.Equal(t, c.want, strings.Join(summaries(g, c.text), "|"), c.name)
	}
}

func TestParsePDNErrors(t *testing.T) {
	g := open(t, "checkers")
	const wantMove = "want a move, a result, or a comment in braces"
	for _, c := range []struct{ text, want string }{
		{"[Event \"a\n11-15\n[Event \"b\"]\n11-15", `PDN line 1: tag "[Event \"a": want a name and a quoted value, as in [Event "Match"]|3 *: 11-15`},
		{"[ \"a\"]", `PDN line 1: tag "[ \"a\"]": want a name and a quoted value, as in [Event "Match"]`},
		{"[FEN \"B\"]\n", `PDN line 1: position "B": want 3 fields, got 1: side to move, White's squares and Black's, as in B:W21,K30:B1,2`},
		{"[FEN \"B:W21:B1\"]\n[FEN \"W:W21:B1\"]", `PDN line 2: a second tag FEN, after "B:W21:B1"`},
		// Something is not closed, and the next game is read.
		{"[Event \"a\"]\n1. 11-15 {\n[Event \"b\"]\n11-16 {x}", "PDN line 2: a comment is not closed|3 *: 11-16"},
		{"[Event \"a\"]\n1. 11-15 (23-19 {)}\n[Event \"b\"]\n11-16 (x)", "PDN line 2: a variation is not closed|3 *: 11-16"},
		{"11-15 {", "PDN line 1: a comment is not closed"},
		{"11-15 ({)", "PDN line 1: a variation is not closed"},
		// A word with a digit may be a move.
		{"11-15 a9 1-0 11-16 }) 0-1", `PDN line 1: "a9": ` + wantMove + `|PDN line 1: "}": ` + wantMove},
		{"11-15\n/FEN \"W:W21:B1\"/ 21-17 * 11-16", `PDN line 2: "/FEN": ` + wantMove + "|2 *: 11-16"},
		{"11-15\n22 - ", `PDN line 2: "-": ` + wantMove},
		{"11-15\n22", `PDN line 2: ply 2: move "22": not one of the legal moves: 24-20 23-19 22-18 21-17 24-19 23-18 22-17`},
		{"99999999999999999999-15", `PDN line 1: "99999999999999999999-15": ` + wantMove},
		{"11-15 23-19 8-11 22-17 12-20 1-0 9-14", `PDN line 1: ply 5: move "12-20": not one of the legal moves: 4-8 9-13 10-14 12-16 15-18 3-8 9-14 11-16|1 *: 9-14`},
		{"\n1. 11-15\n11-16", `PDN line 3: ply 2: move "11-16": not one of the legal moves: 24-20 23-19 22-18 21-17 24-19 23-18 22-17`},
		{"[FEN \"B:W6,7,15:B2,12\"]\n1. 2x11 6-2", `PDN line 2: ply 1: move "6-2": not one of the legal moves: 2x9 2x11x18`},
		{"[FEN \"B:W6,7,15:B2,12\"]\n1. 2x11", `PDN line 2: ply 1: move "2x11": not one of the legal moves: 2x9 2x11x18`},
		// 15 may be the number or the move.
		{"[FEN \"B:W32:B1\"]\n1 1-6 32-28 15 6-10", `PDN line 2: ply 3: move "15": not one of the legal moves: 6-9 6-10`},
		{"[FEN \"B:W32:BK1\"]\n15 32-28", "1 *: 1-5 32-28"},
		{"[FEN \"B:W32:BK1\"]\n14 1-6 32-28", `PDN line 2: ply 1: move "14": not one of the legal moves: 1-5 1-6`},
		{"[FEN \"B:W32:B1,K22\"]\n1 22-17 32-28 2 17-22 28-24 3 22-17 24-20 4 17-22 20-16 5 22-17 16-12 6 17-22 12-8 7 22-17 8-4 8 17-22 4-8 " +
			"9 22-17 8-4 10 17-22 4-8 11 22-17 8-4 12 17-22 4-8 13 22-17 8-4 14 17-22 4-8 15 22-17",
			`PDN line 2: ply 29: 15 may be the number of a move, or the move 1-5: want a full stop after the number, or - or x between the squares`},
		// The moves that follow do not tell the route.
		{"[FEN \"W:W22,K26:B9,10,17,18,K25\"]\n1. 22x6", `PDN line 2: ply 1: move "22x6": several routes: 22x15x6 22x13x6`},
		{"[FEN \"W:W22,K26:B9,10,17,18,K25\"]\n1. 22x6 25-30", `PDN line 2: ply 1: move "22x6": several routes: 22x15x6 22x13x6`},
		{"[FEN \"W:W22,K26:B9,10,17,18,K25\"]\n1. 22x6 9-14 26-22 14-9", `PDN line 2: ply 4: move "14-9": not one of the legal moves: 17x26 25x18`},
		{"[Variant \"American Pool\"]\n1. c3-d4", `PDN line 2: ply 1: move "c3-d4": squares have numbers, unless there is a tag such as [GameType "21,B,8,8,A0,0"]; Russian draughts and other kinds are not read`},
		{"1. c3-d4", `PDN line 1: ply 1: move "c3-d4": squares have numbers, unless there is a tag such as [GameType "21,B,8,8,A0,0"]; Russian draughts and other kinds are not read`},
		{"[GameType \"21,B,8,8,A0,0\"]\nc3-d5", `PDN line 2: ply 1: move "c3-d5": no piece stands on the square d5`},
	} {
		require.Equal(t, c.want, strings.Join(summaries(g, c.text), "|"), c.text)
	}
	for text, moves := range map[string]int{
		"11-15 {":                    1,
		"11-15 23-19 8-11 (22-17":    3,
		"11-15 23-19 8-11 22-":       3,
		"11-15 23-19 8-11 22-17 a9!": 4,
		"11-15 23-19 8-14 {":         2, // what is wrong first counts
		"[Event \"a\" 11-15":         0,
	} {
		for r, err := range g.ParsePDN(text) {
			require.Error(t, err, text)
			require.Len(t, r.Moves, moves, "the moves before, in %s", text)
		}
	}
	for _, value := range []string{"20", "25", "21,W", "21,B,10", "21,B,8,8,N3", "21,B,8,8,N2,1", "21,B,8,8,A1", "21,B,8,8,S0", "21,B,8,8,N1,1", "21,B,8,8,N1,0,0", "English"} {
		require.Equal(t, `PDN line 1: GameType "`+value+`": want 21 (English draughts) or, in full, 21,B,8,8,N1,0 (A0 or A3 instead of N1 if squares are named as in chess)`,
			strings.Join(summaries(g, "[GameType \""+value+"\"]\n11-15"), "|"))
	}
	require.Equal(t, "1 *: 5-8 14-11 2-5 11-7 4x11 17-14 8-12 14x9x2 5-8", // 5-8 is legal only after 14x9x2
		strings.Join(summaries(open(t, "checkers:size=6x6"), "5-8 14-11 2-5 11-7 4x11 17-14 8-12 14x2 5-8"), "|"))
	require.Equal(t, "1 *: 5-7", strings.Join(summaries(open(t, "checkers:size=6x6"), "[GameType \"21,B,6,6,N1,0\"]\n5-7"), "|"))
}

func TestPDNTags(t *testing.T) {
	g := open(t, "checkers")
	const text = `[Event "A \"test\" of \\"]
[Site "C:\games\new"] [Path "D:\"] [Path "E:\ "]
[Path "F:\"]
[Round""] [ White  Elo ]
[Black "The "Old" one"]
[GameType "21,B,8,8,A0,0"] [result "0-1"] [fen "W:W22:B3"] [SETUP "1"]
`
	for r, err := range g.ParsePDN(text) {
		require.NoError(t, err)
		require.Equal(t, []pgn.Tag{{Name: "Event", Value: `A "test" of \`}, {Name: "Site", Value: `C:\games\new`}, {Name: "Path", Value: `D:\`}, {Name: "Path", Value: `E:\ `}, {Name: "Path", Value: `F:\`}, {Name: "Round", Value: ""}, {Name: "White", Value: "Elo"},
			{Name: "Black", Value: `The "Old" one`}, {Name: "GameType", Value: "21,B,8,8,N1,0"}}, r.Tags)
		require.Equal(t, "0-1", r.Result)
		require.Equal(t, "W:W22:B3", string(g.AppendPosition(nil, r.Start)))
	}
}

func TestAppendPDN(t *testing.T) {
	g := open(t, "checkers")
	const text = `[Event "A \"test\""]
[Site "?"]
[Result "0-1"]
[SetUp "1"]
[FEN "W:W22,K26:B9,10,17,18,K25"]

1. 22x15x6 9-13 2. 26-23 25-30 3. 6-2 0-1
`
	requireSame(t, g, text)
	r := &Record{Tags: []pgn.Tag{{Name: "Event", Value: "two\r\nlines"}}, Start: g.Start(), Result: "adjourned"}
	for p := g.Start(); len(r.Moves) < 40; p = g.Play(p, r.Moves[len(r.Moves)-1]) {
		moves := g.AppendMoves(nil, p)
		if len(moves) == 0 {
			break
		}
		r.Moves = append(r.Moves, moves[len(moves)-1])
	}
	written := string(g.AppendPDN(nil, r))
	require.True(t, strings.HasPrefix(written, "[Event \"two lines\"]\n[Result \"adjourned\"]\n\n1. 11-16 "), written)
	require.True(t, strings.HasSuffix(written, " *\n"), written)
	for line := range strings.Lines(written) {
		require.LessOrEqual(t, len(line), 81)
	}
	requireSame(t, g, written)
	for read := range g.ParsePDN(written) {
		require.Equal(t, r.Moves, read.Moves)
	}
}

// requireSame reads one game that was written, and requires that it is written the same.
func requireSame(t *testing.T, g *Game, text string) {
	games := 0
	for r, err := range g.ParsePDN(text) {
		games++
		require.NoError(t, err, text)
		require.Equal(t, text, string(g.AppendPDN(nil, r)))
	}
	require.Equal(t, 1, games, text)
}

func TestIsPDN(t *testing.T) {
	for _, text := range []string{
		"[Event \"x\"]\n", "\ufeff\n 1. 11-15", "\ufeff\r\n\r\n[Event \"x\"]\r\n", "{good} 11x18", "; x\n9-13", "% x\n11-15", "(1. 9-13) 11-15",
		"[FEN \"B:W21:B1\"]\n1.", "[GameType \"21\"]\n1. x",
	} {
		require.True(t, IsPDN([]byte(text)), text)
	}
	for _, text := range []string{
		"", "\n", "B:W21:B1", "startpos", "(;GM[4]", "\ufeff ( ;", "4455352", "4455352 -1", "1. P-7f P-3d", "1. h8 2. i9", `{"header": {}}`, "12",
	} {
		require.False(t, IsPDN([]byte(text)), text)
	}
	// The first game that tells says it, also after a tag that is broken.
	for text, is := range map[string]bool{
		"[Event \"x\"]\n*\n[Event \"y\"]\n1. 11-15": true, "[Event \"x\"]\n*\n[Event \"y\"]\n1. e4": false, "[Event x\n1. 11-15": true,
		"{\"header\":{\"a\":\"b\"},\"moves\":[{\"c\":[\"d\"]},{\"e\":1}]}": false, "[Event x\n1. e4": false, "[Event \"x\"]\n[ECO \"A00\"]\n*\n": false,
	} {
		require.Equal(t, is, IsPDN([]byte(text)), text)
	}
}
