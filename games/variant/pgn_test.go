package variant

import (
	"fmt"
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

// TestPGNLinear reads games in PGN of different sizes.
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
					for range g.ParsePGN(text) {
						games++
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
