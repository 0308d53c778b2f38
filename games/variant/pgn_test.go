package variant

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// pgnSummaries returns a line for each game of a text in PGN: where it begins, its result, its moves and comments; or what is wrong
// with it, after the moves that could be read.
func pgnSummaries(g *Game, text string) (list []string) {
	for r, err := range g.ParsePGN(text) {
		summary := ""
		if r != nil {
			summary = fmt.Sprintf("%d %s:", r.Line, r.Result)
			p := r.Start
			for i, m := range append(slices.Clone(r.Moves), Move{}) {
				if i < len(r.Comments) {
					for _, c := range r.Comments[i] {
						summary += " {" + c + "}"
					}
				}
				if i < len(r.Moves) {
					summary += " " + string(g.AppendSAN(nil, p, m))
					p = g.Play(p, m)
				}
			}
		}
		if err != nil {
			summary += " " + err.Error()
		}
		list = append(list, strings.TrimSpace(summary))
	}
	return list
}

func TestParsePGN(t *testing.T) {
	const moves = "e4 e5 Nf3 Nc6"
	for _, c := range []struct{ name, variant, text, want string }{
		{"nothing", "chess", " \n{only a comment}\n; another\n", ""},
		{"numbers", "chess", "1. e4 e5 2.Nf3 2... Nc6", "1 *: " + moves},
		{"numbers without full stops", "chess", "1 e4 e5 2 Nf3 Nc6 *", "1 *: " + moves},
		{"numbers beyond 999", "chess", "1000. e4 e5 1001. Nf3 Nc6", "1 *: " + moves},
		{"marks", "chess", "1. e4! e5?! $3 2. Nf3 $14 += Nc6 +- N 1-0", "1 1-0: " + moves},
		{"moves as in UCI", "chess", "1. e2e4 e7e5 2. g1f3 b8c6", "1 *: " + moves},
		{"variations and comments", "chess", "{a} 1. e4 ({x} 1. d4 d5 (1... Nf6 ; )\n 2. c4)) 1... e5 {[%clk 0:10:00]} {b} 2. Nf3 ; c\nNc6 1/2-1/2",
			"1 1/2-1/2: {a} e4 e5 {[%clk 0:10:00]} {b} Nf3 {c} Nc6"},
		{"lines that begin with %", "chess", "%(\n1. e4 e5\n% 1-0\n2. Nf3 Nc6", "2 *: " + moves},
		{"ends of lines and a byte order mark", "chess", "\ufeff[Event \"x\"]\r\n\r\n1. e4 e5\r\n2. Nf3 Nc6 0-1\r\n", "1 0-1: " + moves},
		{"words", "chess", "1. e4 e5 2. Nf3 is usual Nc6 Black resigned 1-0", "1 1-0: " + moves},
		{"castlings", "chess", "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n1. 0-0 0-0-0 0-1", "1 0-1: O-O O-O-O"},
		{"two games", "chess", "1. e4 1-0 [Event \"y\"]\n1. d4 0-1", "1 1-0: e4|1 0-1: d4"},
		{"a wrong move, and a game after it", "chess", "1. e4 e4 2. d4 *\n[Event \"y\"]\n1. d4",
			`1 *: e4 PGN line 1: ply 2: move "e4": not one of the legal moves: a7a5 a7a6 b7b5 b7b6 c7c5 c7c6 d7d5 d7d6 e7e5 e7e6 f7f5 f7f6 g7g5 g7g6 h7h5 h7h6 b8a6 b8c6 g8f6 g8h6|2 *: d4`},
		{"what is no move", "chess", "1. e4 <e5>", `1 *: e4 PGN line 1: "<e5>": want a move, a result, or a comment in braces`},
		{"a comment that is not closed", "chess", "1. e4 {e5", `1 *: e4 PGN line 1: a comment is not closed`},
		{"Black begins", "chess", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 1\"]\n1... Kd7 2. O-O-O+", "1 *: Kd7 O-O-O+"},
		{"a wrong position", "chess", "[FEN \"4k3/8 w\"]\n1. e4", `PGN line 1: "4k3/8" has 2 rows, want 8`},
		{"another variant", "chess", "[Variant \"Atomic\"]\n1. e4", "PGN line 1: this is a game of Atomic, not of chess"},
		{"its own variant", "chess", "[Variant \"From Position\"]\n1. e4", "1 *: e4"},
		{"a name as servers write it", "3check", "[Variant \"Three-check\"]\n1. e4", "1 *: e4"},
		{"the same in capitals", "racingkings", "[VARIANT \"RACING KINGS\"]\n1. Nxc2", "1 *: Nxc2"},
		{"shuffled pieces", "fischerandom", "[Variant \"Chess960\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\"]\n1. g3 g6", "1 *: g3 g6"},
		{"hands as servers write them", "crazyhouse", "[Variant \"Crazyhouse\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3/Nn w - - 0 1\"]\n1. N@d6+", "1 *: N@d6+"},
		{"promotions of pieces", "minishogi", "[FEN \"4k/5/R4/5/K4[P] w - - 0 1\"]\n1. Ra5=+ Kd4 2. P@c3", "1 *: Ra5=++ Kd4 P@c3"},
	} {
		require.Equal(t, c.want, strings.Join(pgnSummaries(open(t, c.variant), c.text), "|"), c.name)
	}
}

// TestIsPGNOf says which variant a text is of.
func TestIsPGNOf(t *testing.T) {
	for text, want := range map[string]string{
		"1. e4 *": "chess", "[Variant \"Standard\"]\n": "chess", "[Variant \"chess960\"]\n": "fischerandom", "[Variant \"Giveaway\"]\n": "giveaway",
		"[Variant \"Three-Check\"] *": "3check", "[Variant \"king of the hill\"] *": "kingofthehill", "[Variant \"Crazyhouse960\"] *": "crazyhouse",
		"[Variant \"Shogi\"] *": "shogi", "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] *": "chess",
	} {
		require.True(t, IsPGN([]byte(text)), text)
		for _, name := range BuiltIn().Names() {
			require.Equal(t, name == want, IsPGNOf(name, []byte(text)), "%s %s", text, name)
		}
	}
	for _, text := range []string{"", "startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1. 11-15 23-19", "[GameType \"21\"]\n1. c3-d4", "[Variant \"English\"]\n1. c3-d4",
		"[FEN \"B:W21:B1\"] *", "8/8/8/8/8/8/8/K1k5 w moves a1b1"} {
		require.False(t, IsPGN([]byte(text)), text)
	}
}

// TestPGNRecord has what a record says of its game.
func TestPGNRecord(t *testing.T) {
	g := open(t, "chess")
	for text, want := range map[string]struct {
		title  string
		points float64
	}{
		"[White \"A\"] [Black \"B\"] 1. e4 1-0":                             {"A - B", 1},
		"[White \"?\"] [Black \"?\"] 1. e4 0-1":                             {"", 0},
		"[White \"A\"] 1. e4 1/2-1/2":                                       {"A - ?", 0.5},
		"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"] [Result \"1-0\"] 1... Kd7": {"", 0},
	} {
		for r, err := range g.ParsePGN(text) {
			require.NoError(t, err)
			require.Equal(t, want.title, r.Title())
			require.Equal(t, want.points, *r.Points(), text)
		}
	}
	for r := range g.ParsePGN("1. e4 *") {
		require.Nil(t, r.Points())
	}
}

// TestPGNLinear reads and writes games in PGN of different sizes.
func TestPGNLinear(t *testing.T) {
	g := open(t, "chess")
	shuffle := func(n int, format string) string {
		var text []byte
		for i := range n {
			text = fmt.Appendf(text, format, [...]string{"Nf3", "Nf6", "Ng1", "Ng8"}[i%4])
		}
		return string(text)
	}
	for name, text := range map[string]func(n int) string{
		"moves":         func(n int) string { return "1. " + shuffle(n, "%s ") },
		"comments":      func(n int) string { return "1. " + shuffle(n, "%s {a} (b) ;c\n") },
		"open brackets": func(n int) string { return "1. e4 " + strings.Repeat("(", n) },
		"brackets":      func(n int) string { return "1. e4 " + strings.Repeat("(", n) + strings.Repeat(")", n) },
		"a comment":     func(n int) string { return "1. e4 {" + strings.Repeat("[%a % ", n) + "}" },
		"a variation":   func(n int) string { return "1. e4 (" + strings.Repeat("12. % [ {} ;}\n[;\n", n) + ")" },
		"digits":        func(n int) string { return "1. e4 " + strings.Repeat("1", n) },
		"numbers":       func(n int) string { return "1. e4 " + strings.Repeat("1 ", n) },
		"a long word":   func(n int) string { return "1. " + strings.Repeat("e4", n) },
		"walls":         func(n int) string { return "1. a2a3" + strings.Repeat(",a3b2", n) },
		"marks":         func(n int) string { return "1. e4" + strings.Repeat("+", n) },
		"games":         func(n int) string { return strings.Repeat("[Event \"a\"]\n1. e4 *\n", n) },
	} {
		t.Run(name, func(t *testing.T) {
			gametest.Linear(t, 300, func(n int) func() {
				text := text(n)
				return func() {
					games := 0
					for r := range g.ParsePGN(text) {
						if games++; r != nil {
							g.AppendPGN(nil, r)
						}
					}
					require.Positive(t, games)
					IsPGN([]byte(text))
				}
			})
		})
	}
}

// requireWritten requires that a record that was read, written and read again is the same, also after remarks that come and go.
func requireWritten(t *testing.T, g *Game, r *Record) {
	again := func(r *Record) (string, *Record) {
		text := string(g.AppendPGN(nil, r))
		var read *Record
		for x, err := range g.ParsePGN(text) {
			require.NoError(t, err, text)
			require.Nil(t, read, text)
			read = x
		}
		require.NotNil(t, read, text)
		require.True(t, slices.Equal(r.Tags, read.Tags[:len(r.Tags)]), text) // others may be added
		read.Line, read.Tags = r.Line, r.Tags
		return text, read
	}
	text, same := again(r)
	require.Equal(t, r, same, text)
	for line := range strings.Lines(text[strings.Index(text, "\n\n")+2:]) {
		if len(line) > 81 && !strings.ContainsAny(line, "[%};") { // none of which need stay on its line
			require.Less(t, utf8.RuneCountInString(line), 81+longestWord(line), text)
		}
	}

	plain := *r
	plain.Asides = r.Clone()
	plain.Unremark()
	_, before := again(&plain)
	x := *before
	x.Asides = before.Clone()
	for ply := range r.Moves {
		x.Remark(r.Before(), ply, []string{"?", "??", "?!", ""}[ply%4], "the move costs ~12 % of the win rate", []string{"Na3", "Nb4", "Nc5"}[:ply%3])
	}
	x.Remark(r.Before(), len(r.Moves)-1, "", "end", nil)
	text, remarked := again(&x)
	require.Equal(t, x.Comments, remarked.Comments, text)
	require.Equal(t, x.Marks, remarked.Marks, text)
	require.Equal(t, x.Variations, remarked.Variations, text)
	remarked.Unremark()
	without, _ := again(remarked)
	require.Equal(t, string(g.AppendPGN(nil, before)), without, text)
}

// longestWord returns the length of the longest word of a line.
func longestWord(line string) (n int) {
	for _, word := range strings.Fields(line) {
		n = max(n, utf8.RuneCountInString(word))
	}
	return n
}

// TestPGNOfOthers reads what other programs write, and writes it again: nothing of it is lost.
func TestPGNOfOthers(t *testing.T) {
	for _, c := range []struct{ name, variant, text, want string }{
		{"a server with clocks", "chess", `[Event "Rated: blitz"]
[Site "https://example.org/abc"]
[White "a"]
[Black "b \"the \\ rook\""]
[Result "1-0"]
[UTCDate "2024.01.02"]
[Variant "Standard"]
[TimeControl "180+2"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.25] [%clk 0:03:00] } 2. Qh5 { [%clk 0:02:58] } 2... Nc6 { [%clk 0:02:50] } 3. Bc4 { [%clk 0:02:55] } 3... Nf6?? { (-0.30 → Mate in 1) Blunder. Qe7 was best. } { [%eval #1] } (3... Qe7 4. Nc3 g6 5. Qd1) 4. Qxf7# { [%clk 0:02:54] } 1-0
`, `[Event "Rated: blitz"]
[Site "https://example.org/abc"]
[White "a"]
[Black "b \"the \\ rook\""]
[Result "1-0"]
[UTCDate "2024.01.02"]
[Variant "Standard"]
[TimeControl "180+2"]

1. e4 {[%eval 0.17] [%clk 0:03:00]} 1... e5 {[%eval 0.25] [%clk 0:03:00]}
2. Qh5 {[%clk 0:02:58]} 2... Nc6 {[%clk 0:02:50]} 3. Bc4 {[%clk 0:02:55]}
3... Nf6?? {(-0.30 → Mate in 1) Blunder. Qe7 was best.} {[%eval #1]} (3... Qe7
4. Nc3 g6 5. Qd1) 4. Qxf7# {[%clk 0:02:54]} 1-0
`},
		{"a study of a position", "chess", `[Event "Study"]
[Result "*"]
[Variant "From Position"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 34"]
[SetUp "1"]

{ A pawn; } 34. Kd2 $1 { it leads } { [%csl Gd2][%cal Gd2d4,Ge8e7] } 34... Ke7 (34... Kd7 35. Kd3 $14 (35. e4 $2 { draw })) 35. Kd3 *
`, `[Event "Study"]
[Result "*"]
[Variant "From Position"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 34"]
[SetUp "1"]

{A pawn;} 34. Kd2 $1 {it leads} {[%csl Gd2][%cal Gd2d4,Ge8e7]} 34... Ke7
(34... Kd7 35. Kd3 $14 (35. e4 $2 {draw})) 35. Kd3 *
`},
		{"a program for matches", "atomic", `[Event "Match"]
[White "engine A"]
[Black "engine B"]
[Result "1-0"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]
[SetUp "1"]
[Variant "atomic"]
[PlyCount "3"]

2... f6 {-0.10/11 0.90s} 3. Nxe5 {book} Qe7 {+M3/9 0.1s, White wins
by adjudication} 1-0
`, `[Event "Match"]
[White "engine A"]
[Black "engine B"]
[Result "1-0"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]
[SetUp "1"]
[Variant "atomic"]
[PlyCount "3"]

2... f6 {-0.10/11 0.90s} 3. Nxe5 {book} 3... Qe7 {+M3/9 0.1s, White wins by
adjudication} 1-0
`},
		{"a collection with nested variations", "chess", `[Event "?"]
[White "Müller, A"]
[Result "1/2-1/2"]
[Annotator "x"]
[Annotator "y"]

{A long comment before the first move, which says what the game is about and goes
on.} 1. e4 e6 2. e5 d5 $1 {and now} 3. exd6 e.p. $14 (3. d4 c5 4. c3 (4. Nf3 cxd4 5.Bd3
$44 {a gambit} (5. Nxd4 $6)) 4... Nc6 $11) (3. f4 {; slow}) 3... Bxd6 4.Nf3 Nf6 5. Be2 0-0 +/- 6. 0-0 ; last } one
Nc6 1/2-1/2
`, `[Event "?"]
[White "Müller, A"]
[Result "1/2-1/2"]
[Annotator "x"]
[Annotator "y"]

{A long comment before the first move, which says what the game is about and
goes on.} 1. e4 e6 2. e5 d5 $1 {and now} 3. exd6 $14 (3. d4 c5 4. c3 (4. Nf3
cxd4 5.Bd3 $44 {a gambit} (5. Nxd4 $6)) 4... Nc6 $11) (3. f4 {; slow})
3... Bxd6 4. Nf3 Nf6 5. Be2 O-O $16 6. O-O ;last } one
6... Nc6 1/2-1/2
`},
		{"moves only", "crazyhouse", "e4 d5 exd5 Qxd5 @e4 (P@e5) Qd8", `[Variant "Crazyhouse"]
[Result "*"]

1. e4 d5 2. exd5 Qxd5 3. P@e4 (P@e5) 3... Qd8 *
`},
	} {
		g := open(t, c.variant)
		for r, err := range g.ParsePGN(c.text) {
			require.NoError(t, err, c.name)
			require.Equal(t, c.want, string(g.AppendPGN(nil, r)), c.name)
			requireWritten(t, g, r)
		}
	}
}

// TestNewPGN writes records of games that were not read from PGN.
func TestNewPGN(t *testing.T) {
	won, half := 1.0, 0.5
	for _, c := range []struct {
		variant, from, want string
		points              *float64
	}{
		{"chess", "", `[White "A"] [Black "B"] [Result "1-0"] 1-0`, &won},
		{"3check", "", `[White "A"] [Black "B"] [Variant "Three-check"] [Result "1/2-1/2"] 1/2-1/2`, &half},
		{"chess", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", `[White "B"] [Black "A"] [Result "0-1"] [SetUp "1"] [FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 1"] 0-1`, &won},
	} {
		g := open(t, c.variant)
		p := g.Start()
		if c.from != "" {
			var err error
			p, err = g.ParsePosition(c.from)
			require.NoError(t, err)
		}
		text := string(g.AppendPGN(nil, g.NewRecord(p, nil, [2]string{"A", "B"}, c.points)))
		require.Equal(t, c.want, strings.Join(strings.Fields(text), " "))
		for r, err := range g.ParsePGN(text) {
			require.NoError(t, err)
			require.Equal(t, *c.points, *r.Points())
		}
	}
}

// TestPGNWritten writes random games with tags, comments, marks and variations as people and programs write them.
func TestPGNWritten(t *testing.T) {
	tags := []string{`[Event "x"]`, `[A "\"\\"]`, `[X_y ""]`, `[Site "C:\\a\\"]`, `[a "]["]`, "[Result \"1-0\"]\r", `[Result "?"]`, `[Round  "1" ]`, `[Date 2024]`, "% [Event \"no\"]"}
	asides := []string{
		"{a b}", "{\n [%clk 0:10:00]\n[%eval 1.5] }", "{5 % and 6 %}", "{[x \"y\"]}", "; to } the end\n", "{a { b ; ( c}", "{" + strings.Repeat("words that go on ", 20) + "}", "{Ä" + strings.Repeat("ö", 90) + "}",
		"$1", "!?", "?? $22", "+-", "(1. x)", "(1...x {a} (2. y ; }\n z (u)) $1)", "(" + strings.Repeat("17. Nf3 e5 {why} ", 10) + ")", "(a\n% b )\n; c\n)", "({yomikiri} 1. x)", "{yomikiri: ? bad}", "e.p.", "",
	}
	for _, name := range []string{"chess", "atomic", "crazyhouse", "minishogi", "duck"} {
		g := open(t, name)
		rng := rand.New(rand.NewPCG(1, 2))
		records := 20
		if testing.Short() {
			records = 6
		}
		for range records {
			var text strings.Builder
			for range rng.IntN(6) {
				text.WriteString(tags[rng.IntN(len(tags))] + "\n")
			}
			p, plies := g.Start(), 0
			for moves := g.AppendMoves(nil, p); len(moves) > 0 && plies < 12; moves = g.AppendMoves(moves[:0], p) {
				for range rng.IntN(3) {
					text.WriteString(" " + asides[rng.IntN(len(asides))])
				}
				m := moves[rng.IntN(len(moves))]
				if rng.IntN(2) == 0 {
					fmt.Fprintf(&text, " %d.", plies/2+1)
				}
				text.WriteString(" " + string(g.AppendSAN(nil, p, m)))
				p = g.Play(p, m)
				plies++
			}
			text.WriteString([]string{" 1-0", "\n{the end} *", " * {over}", ""}[rng.IntN(4)])
			n := 0
			for r, err := range g.ParsePGN(text.String()) {
				require.NoError(t, err, text.String())
				require.Len(t, r.Moves, plies)
				requireWritten(t, g, r)
				n++
			}
			require.Equal(t, 1, n, text.String())
		}
	}
}

// FuzzParsePGN requires that what was read, written and read again is the same.
func FuzzParsePGN(f *testing.F) {
	for _, text := range []string{
		"[Event \"x\"] [Result \"1-0\"]\n1. e4 e5! 2. Nf3 Nc6 1-0\n[Event \"y\"]\n1. d4 *",
		"1. e4 (1. d4 {see :-) game} d5) e5 $1 {[%clk 0:01:00]} *",
		"[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1\"]\r\n%\r\n1... 0-0 2. O-O-O+ ; the end\r\n1/2-1/2",
		"[Variant \"Crazyhouse\"]\n[FEN \"4k3/1P6/8/8/8/8/8/4K3/Nn w - - 0 1\"]\n1. N@d6+ Kd7 2. b8=Q",
		"[Result \"1-0\"]\n[Variant \"Standard\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 24\"]\n[X \"\\\"\"]\n24... Kd7 $2 (24... Ke7! ; a } b\n25. e4 (25. e3) $1) 25. e4",
		"1. e4 e5 {yomikiri: ? bad} ({yomikiri} 1... c5) 2. Nf3 {[%clk 0:01:00] 5 % [x \"y\"]} (2. f4\n% (\n) += *",
		"\ufeff1 e2e4 e7e5 {", "[White \"C:\\x\\\"y\\\\\"]\n1. e4 ( ( ) ; )\n)", "1. e4 += e5 +- 2 Nf3 N Nc6 ½",
	} {
		f.Add(text)
	}
	variants := []*Game{open(f, "chess"), open(f, "crazyhouse")}
	f.Fuzz(func(t *testing.T, text string) {
		IsPGN([]byte(text))
		for _, g := range variants {
			for r, err := range g.ParsePGN(text) {
				if err != nil {
					require.Regexp(t, `^PGN line [0-9]+: `, err.Error())
					continue
				}
				requireWritten(t, g, r)
			}
		}
	})
}
