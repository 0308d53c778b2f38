package gomoku

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// sgfFile has blanks, escapes, unknown properties, variations within variations, and a node without a move.
const sgfFile = "text before (;FF[4] GM [4]SZ[15]PB[A\\]\\\\]PW[ B\n C ]Application[x]XY[1][2]" +
	";B[hh]C[first\\\nline\r\nsecond]BL[12.5];C[no move](;White[ii];B[j6](;W[aa])(;W[bb]))(;W[cc]N[other];B[dd]))" +
	"(;GM[4]SZ[6:5]RU[k=4,rule=exact,size=3]AB[aa][ba]AW[ca]PL[W];W[ab])"

func readSGF(t testing.TB, text string) []*SGF {
	list, err := ParseSGF(text)
	require.NoError(t, err, text)
	return list
}

func squares(moves []Square) (text string) {
	for _, m := range moves {
		text += m.String() + " "
	}
	return strings.TrimSpace(text)
}

// plain returns the trees of records without the numbers of their lines.
func plain(list []*SGF) []*SGF {
	var unnumbered func(n *sgfNode)
	unnumbered = func(n *sgfNode) {
		n.line = 0
		for _, child := range n.children {
			unnumbered(child)
		}
	}
	for _, r := range list {
		r.Line = 0
		unnumbered(r.root)
	}
	return list
}

func TestParseSGF(t *testing.T) {
	list := readSGF(t, sgfFile)
	require.Len(t, list, 2)
	g := open(t, "gomoku")
	from, moves, err := g.ReplaySGF(list[0])
	require.NoError(t, err)
	require.Equal(t, g.Start(), from)
	require.Equal(t, "h8 i7 j6 a15", squares(moves))
	require.Equal(t, [2]string{`A]\`, "B C"}, list[0].Names())
	require.Equal(t, []string{"size=15x15"}, list[0].Options())
	require.Equal(t, 4, list[1].Line)

	require.Equal(t, []string{"size=5x6", "k=4", "rule=exact"}, list[1].Options())
	small := open(t, "gomoku:size=5x6,k=4,rule=exact")
	from, moves, err = small.ReplaySGF(list[1])
	require.NoError(t, err)
	require.Equal(t, "xxo3/6/6/6/6 o", string(small.AppendPosition(nil, from)))
	require.Equal(t, "a4", squares(moves))
	_, _, err = g.ReplaySGF(list[1])
	require.EqualError(t, err, "the record has a board of 5 rows and 6 columns, want 15 and 15")

	var text []byte
	for _, r := range list {
		text = r.AppendSGF(text)
	}
	require.Equal(t, plain(list), plain(readSGF(t, string(text))), "%s", text)
	for begin, is := range map[string]bool{
		"(;GM[4]": true, "\ufeff\n( ;FF[4]GM[4]SZ[15]": true, sgfFile[12:]: true,
		"": false, "(": false, "(;": false, "(;GM[1]": false, "(;FF[4];GM[4]": false, "(8-11 {no})": false, "[GM[4]": false,
	} {
		require.Equal(t, is, IsSGF(begin), begin)
	}
}

func TestSGFRemarks(t *testing.T) {
	g := open(t, "gomoku:rule=exact")
	p := g.Start()
	var moves []Square
	for _, text := range strings.Fields("h8 h9 i8") {
		m, err := g.ParseMove(p, text)
		require.NoError(t, err)
		moves = append(moves, m)
	}
	r := g.NewSGF(p, moves)
	r.SetNames([2]string{"A", "B]"})
	g.Remark(r, 1, "??", "it loses [1]", []Square{SquareAt(0, 0), SquareAt(0, 1)})
	g.Remark(r, 1, "?", "again", nil)
	g.Remark(r, 3, "", "the end", nil)
	require.Equal(t, "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[rule=exact]PB[A]PW[B\\]];B[hh]\n(;W[hg]BM[2]C[yomikiri: ?? it loses [1\\]\nyomikiri: ? again]\n;B[ih]C[yomikiri: the end])\n(;W[ao]C[yomikiri];B[bo]))\n",
		string(r.AppendSGF(nil)))
	again := readSGF(t, string(r.AppendSGF(nil)))[0]
	from, got, err := g.ReplaySGF(again)
	require.NoError(t, err)
	require.Equal(t, p, from)
	require.Equal(t, moves, got)
	for mark, want := range map[string]string{"?!": "DO[]", "?": "BM[1]", "!": "TE[1]", "!!": "TE[2]", "!?": "IT[]"} {
		r := g.NewSGF(p, moves)
		g.Remark(r, 0, mark, "", nil)
		require.Contains(t, string(r.AppendSGF(nil)), "B[hh]"+want)
	}

	// A position that is set up, with White to move.
	small := open(t, "gomoku:size=5x6,k=4")
	from, err = small.ParsePosition("xxo3/6/6/6/6 o")
	require.NoError(t, err)
	require.Equal(t, "(;FF[4]GM[4]CA[UTF-8]SZ[6:5]RU[k=4]AB[aa][ba]AW[ca]PL[W];W[fe])\n", string(small.NewSGF(from, []Square{SquareAt(0, 5)}).AppendSGF(nil)))
}

func TestParseSGFErrors(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[4]\n;B[aa]":      "SGF line 2: the game is not closed",
		"(;GM[4];B[aa":         "SGF line 1: a value of B is not closed",
		"(;GM[4];B)":           `SGF line 1: property "B": want capitals and a value`,
		"(;GM[4];B[aa]-)":      `SGF line 1: '-': want ; before a node`,
		"(;GM[4]SZ[30])":       "SGF line 1: size of the board SZ[30]: want 2 to 20",
		"(;GM[4]SZ[9:x])":      "SGF line 1: size of the board SZ[9:x]: want 2 to 20",
		"((;GM[4]))":           "SGF line 1: a ( after another one",
		"()":                   "SGF line 1: a game without a node",
		"(;GM[4](;B[aa]);)\n)": "",
		strings.Repeat("(;", maxSGFDepth+1) + strings.Repeat(")", maxSGFDepth+1): "more than 1000 variations",
	} {
		_, err := ParseSGF(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
	g := open(t, "gomoku:size=3x3,k=3")
	for text, c := range map[string]struct {
		moves int
		want  string
	}{
		";B[aa];W[aa]":                         {1, "SGF line 1: move 2, W[aa]: the square is not empty"},
		";B[aa]\n;B[ab]":                       {1, "SGF line 2: move 2, B[ab]: it is white's turn"},
		";B[da]":                               {0, "SGF line 1: move 1, B[da]: want two letters, aa at the top left to cc"},
		";B[]":                                 {0, "SGF line 1: move 1, B[]: want two letters"},
		"AB[aa][ba][ca]PL[B];B[bb]":            {0, "SGF line 1: black is to move, but has 3 or more in a row already"},
		"AB[xx]":                               {0, "SGF line 1: AB[xx]: want two letters"},
		";B[aa];AW[bb];W[cc]":                  {1, "SGF line 1: a position that is set up in the middle of a game is not read"},
		";B[aa];W[ba];B[ab];W[bb];B[ac];W[cc]": {5, "SGF line 1: move 6, W[cc]: the game is over (loss in 0)"},
	} {
		_, moves, err := g.ReplaySGF(readSGF(t, "(;GM[4]SZ[3]"+text+")")[0])
		require.ErrorContains(t, err, c.want, text)
		require.Len(t, moves, c.moves, text)
	}
}

// TestLinearSGF reads files of different sizes.
func TestLinearSGF(t *testing.T) {
	gametest.Linear(t, 500, func(n int) func() {
		text := "(;GM[4]" + strings.Repeat(";C[a]", n) + ")" + strings.Repeat("(;GM[4])", n)
		return func() { require.Len(t, readSGF(t, text), n+1) }
	})
}

// FuzzParseSGF requires that what was read, written and read again is the same.
func FuzzParseSGF(f *testing.F) {
	for _, text := range []string{sgfFile, "(;GM[4]SZ[3];B[a1];W[bb]C[\\\\])", "(;AB[aa]AE[aa]PL[white];C[x])(;"} {
		f.Add(text)
	}
	g := open(f, "gomoku")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseSGF(text)
		if err != nil {
			require.Regexp(t, `^SGF line [0-9]+: `, err.Error())
		}
		var written []byte
		type game struct {
			from  Position
			moves []Square
			err   bool
		}
		replay := func(list []*SGF) (games []game) {
			for _, r := range list {
				from, moves, err := g.ReplaySGF(r)
				games = append(games, game{from, moves, err != nil})
			}
			return games
		}
		played := replay(list)
		for _, r := range list {
			written = r.AppendSGF(written)
		}
		again := readSGF(t, string(written))
		require.Equal(t, plain(list), plain(again), "%s", written)
		require.Equal(t, played, replay(again), "%s", written)
	})
}
