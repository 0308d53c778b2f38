package sgf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/sgf"
)

// file has blanks, escapes, unknown properties, variations within variations, and a node without a move.
const file = "text before (;FF[4] GM [4]SZ[15]PB[A\\]\\\\]PW[ B\n C ]Application[x]XY[1][2]" +
	";B[hh]C[first\\\nline\r\nsecond]BL[12.5];C[no move](;White[ii];B[j6](;W[aa])(;W[bb]))(;W[cc]N[other];B[dd]))" +
	"(;GM[4]SZ[6:5]RU[k=4,rule=exact,size=3]AB[aa][ba]AW[ca]PL[W];W[ab])"

func read(t testing.TB, text string) []*sgf.Record {
	list, err := sgf.Parse(text)
	require.NoError(t, err, text)
	return list
}

// write returns the text of records.
func write(list []*sgf.Record) string {
	var text []byte
	for _, r := range list {
		text = r.Append(text)
	}
	return string(text)
}

// opened opens a game.
func opened[G any](t testing.TB, f *games.Family[G], spec string) G {
	g, err := f.Open(spec)
	require.NoError(t, err)
	return g
}

// replayed returns the position in which a game begins, and its moves, as text.
func replayed[P, M comparable](d *sgf.Dialect[P, M], r *sgf.Record) (from, moves string, err error) {
	p, list, err := d.Replay(r)
	from = string(d.Game.AppendPosition(nil, p))
	var words []string
	for _, m := range list {
		words = append(words, string(d.Game.AppendMove(nil, p, m)))
		p = d.Game.Play(p, m)
	}
	return from, strings.Join(words, " "), err
}

func TestParse(t *testing.T) {
	list := read(t, file)
	require.Len(t, list, 2)
	d := opened(t, gomoku.Family, "gomoku").SGF()
	from, moves, err := replayed(d, list[0])
	require.NoError(t, err)
	require.Equal(t, string(d.Game.AppendPosition(nil, d.Game.Start())), from)
	require.Equal(t, "h8 i7 j6 a15", moves)
	require.Equal(t, [2]string{`A]\`, "B C"}, list[0].Names())
	require.Equal(t, []string{"size=15x15"}, gomoku.OptionsSGF(list[0]))
	require.Equal(t, 4, list[1].Line)

	require.Equal(t, []string{"size=5x6", "k=4", "rule=exact"}, gomoku.OptionsSGF(list[1]))
	small := opened(t, gomoku.Family, "gomoku:size=5x6,k=4,rule=exact").SGF()
	from, moves, err = replayed(small, list[1])
	require.NoError(t, err)
	require.Equal(t, "xxo3/6/6/6/6 o", from)
	require.Equal(t, "a4", moves)
	_, _, err = d.Replay(list[1])
	require.EqualError(t, err, "the record has a board of 5 rows and 6 columns, want 15 and 15; boards may have 2 to 20")
	_, _, err = d.Replay(read(t, "(;GM[4]SZ[21];B[aa])")[0])
	require.EqualError(t, err, "the record has a board of 21 rows and 21 columns, which is too large here: boards may have 2 to 20")

	text := write(list)
	require.Equal(t, text, write(read(t, text)))
	for begin, is := range map[string]bool{
		"(;GM[4]": true, "\ufeff\n( ;FF[4]GM[4]SZ[15]": true, file[12:]: true, "(;GM[4]SZ[15": true,
		"": false, "(": false, "(;": false, "(;GM[1]": false, "(;FF[4];GM[4]": false, "(8-11 {no})": false, "[GM[4]": false,
	} {
		require.Equal(t, is, sgf.Is(begin, gomoku.NumberSGF), begin)
	}
}

// TestNodes reads games with several moves in a node, as some programs of gomoku write them, and writes a node for each.
func TestNodes(t *testing.T) {
	d := opened(t, gomoku.Family, "gomoku").SGF()
	for text, want := range map[string]string{
		"(;GM[4]RE[0]B[hh]W[ig]B[gj])":                     "(;GM[4]RE[0]CA[UTF-8];B[hh];W[ig];B[gj])\n",
		"(;GM[4];B[hh]C[a]W[ig]C[b]BL[5](;B[gj])(;B[aa]))": "(;GM[4]CA[UTF-8]\n;B[hh]C[a]\n;W[ig]C[b]BL[5]\n(;B[gj])\n(;B[aa]))\n",
		"(;GM[4]B[hh];W[ig]B[gj])":                         "(;GM[4]CA[UTF-8];B[hh];W[ig];B[gj])\n",
	} {
		list := read(t, text)
		_, moves, err := replayed(d, list[0])
		require.NoError(t, err, text)
		require.Equal(t, "h8 i9 g6", moves, text)
		require.Equal(t, want, write(list))
	}
	_, moves, err := replayed(d, read(t, "(;GM[4];B[hh][ii])")[0])
	require.EqualError(t, err, "SGF line 1: move 2, B[ii]: it is White's turn")
	require.Equal(t, "h8", moves)
}

// TestEncodings reads texts that are not UTF-8, and writes them in UTF-8.
func TestEncodings(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[4]CA[gb2312]PB[\xba\xda])":    "黑",
		"(;GM[4]CA[Shift_JIS]PB[\x8d\x95])": "黒",
		"(;GM[4]PB[J\xf6rg])":               "Jörg",
		"(;GM[4]CA[UTF-8]PB[a\xff])":        "a\ufffd",
	} {
		r := read(t, text)[0]
		require.Equal(t, want, r.Names()[0])
		require.Contains(t, write([]*sgf.Record{r}), "CA[UTF-8]")
	}
}

func TestRemarks(t *testing.T) {
	g := opened(t, gomoku.Family, "gomoku:rule=exact")
	d, p := g.SGF(), g.Start()
	moves, _, err := games.ParseMoves(games.Game[gomoku.Position, gomoku.Square](g), p, strings.Fields("h8 h9 i8"))
	require.NoError(t, err)
	r := d.New(p, moves)
	r.SetNames([2]string{"A", "B]"})
	second := g.Play(p, moves[0])
	d.Remark(r, second, 1, "??", "it loses [1]", []gomoku.Square{gomoku.SquareAt(0, 0), gomoku.SquareAt(0, 1)})
	d.Remark(r, second, 1, "?", "again", nil)
	d.Remark(r, p, 3, "", "the end", nil)
	require.Equal(t, "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[rule=exact]PB[A]PW[B\\]];B[hh]\n(;W[hg]BM[2]C[yomikiri: ?? it loses [1\\]\nyomikiri: ? again]\n;B[ih]C[yomikiri: the end])\n(;W[ao]C[yomikiri];B[bo]))\n",
		write([]*sgf.Record{r}))
	again := read(t, write([]*sgf.Record{r}))[0]
	from, got, err := d.Replay(again)
	require.NoError(t, err)
	require.Equal(t, p, from)
	require.Equal(t, moves, got)
	for mark, want := range map[string]string{"?!": "DO[]", "?": "BM[1]", "!": "TE[1]", "!!": "TE[2]", "!?": "IT[]"} {
		r := d.New(p, moves)
		d.Remark(r, p, 0, mark, "", nil)
		require.Contains(t, write([]*sgf.Record{r}), "B[hh]"+want)
	}

	// A position that is set up, with White to move.
	small := opened(t, gomoku.Family, "gomoku:size=5x6,k=4").SGF()
	from, err = small.Game.ParsePosition("xxo3/6/6/6/6 o")
	require.NoError(t, err)
	require.Equal(t, "(;FF[4]GM[4]CA[UTF-8]SZ[6:5]RU[k=4]AB[aa][ba]AW[ca]PL[W];W[fe])\n", write([]*sgf.Record{small.New(from, []gomoku.Square{gomoku.SquareAt(0, 5)})}))
}

// TestOthello reads games as Edax writes them, and such that leave out passes.
func TestOthello(t *testing.T) {
	d := opened(t, othello.Family, "othello").SGF()
	const edax = "(;FF[4]GM[2]AP[edax:4.4]PC[Edax]DT[2020-01-02]PB[a]PW[b]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[Void]B[f5];W[d6];B[c3];)"
	r := read(t, edax)[0]
	from, moves, err := replayed(d, r)
	require.NoError(t, err)
	require.Equal(t, string(d.Game.AppendPosition(nil, d.Game.Start())), from)
	require.Equal(t, "f5 d6 c3", moves)
	require.Contains(t, write([]*sgf.Record{r}), "RE[Void]CA[UTF-8];B[f5];W[d6];B[c3];)")

	// After these moves White has to pass, in all variations.
	small := opened(t, othello.Family, "othello:size=4x4").SGF()
	for text, want := range map[string]string{
		"B[a2];W[a3];B[a4];W[a1];B[c1];B[d4]":           "a2 a3 a4 a1 c1 pass d4",
		"B[ab];W[ac];B[ad];W[aa];B[ca];W[];B[dd]":       "a2 a3 a4 a1 c1 pass d4",
		"B[a2];W[a3];B[a4];W[a1];B[c1](;B[d4])(;B[d3])": "a2 a3 a4 a1 c1 pass d4",
	} {
		r := read(t, "(;GM[2]SZ[4];"+text+")")[0]
		_, moves, err := replayed(small, r)
		require.NoError(t, err, text)
		require.Equal(t, want, moves)
		require.Contains(t, write([]*sgf.Record{r}), "B[c", "%s")
	}
	require.Equal(t, []string{"size=4x6"}, othello.OptionsSGF(read(t, "(;GM[2]SZ[6:4])")[0]))
	require.Empty(t, othello.OptionsSGF(read(t, "(;GM[2])")[0]))
	_, _, err = d.Replay(read(t, "(;GM[2];B[f5];W[a1])")[0])
	require.ErrorContains(t, err, `SGF line 1: move 2, W[a1]: move "a1": not one of the legal moves`)
	_, _, err = d.Replay(read(t, "(;GM[2];B[f9])")[0])
	require.ErrorContains(t, err, "SGF line 1: move 1, B[f9]: want a square, a1 at the top left to h8, or PA for a pass")
}

// TestHex reads swaps as programs write them.
func TestHex(t *testing.T) {
	for text, want := range map[string]struct {
		options string
		moves   string
	}{
		"AP[PlayHex:0.0.0];B[c1];W[swap-pieces];B[b2];W[a1]":  {"size=3x3 swap=yes", "c1 swap b2 a1"},
		"AP[HexGui:0.10.GIT];B[c1];W[swap-pieces];B[b2]":      {"size=3x3 swap=yes", "c1 swap b2"},
		"AP[HexGui:0.9.GIT];B[c1];W[swap-pieces];W[b2];B[a1]": {"size=3x3", "c1 b2 a1"},
		"AP[HexGui:0.10.GIT];B[c1];W[swap-sides];W[b2];B[a1]": {"size=3x3", "c1 b2 a1"},
		"AP[Hex-benzene:0.1];B[c1];W[SWAP];W[b2];B[a1]":       {"size=3x3", "c1 b2 a1"},
		";B[ca];W[swap];B[bb];W[aa]":                          {"size=3x3 swap=yes", "c1 swap b2 a1"},
		";B[c1];W[swap]":                                      {"size=3x3", "c1"},
		"AP[HexGui:1.0.];B[c1];W[swap-pieces];W[b2];B[a1]":    {"size=3x3", "c1 b2 a1"},
		"AP[HexGui:1.0.];B[c1];W[swap-pieces]":                {"size=3x3", "c1"},
		"AP[PlayHex:0.0.0];B[c1];W[swap-pieces]":              {"size=3x3 swap=yes", "c1 swap"},
		"AB[a1:b1]AW[c3];W[b2];B[resign]":                     {"size=3x3", "b2"},
		"AB[c1];W[b2];B[resign]":                              {"size=3x3", "b2"},
		";W[b2];B[a1]":                                        {"size=3x3", "b2 a1"},
	} {
		r := read(t, "(;GM[11]SZ[3]"+text+")")[0]
		options := hex.OptionsSGF(r)
		require.Equal(t, want.options, strings.Join(options, " "), text)
		d := opened(t, hex.Family, "hex:"+strings.Join(options, ",")).SGF()
		_, moves, err := replayed(d, r)
		require.NoError(t, err, text)
		require.Equal(t, want.moves, moves, text)
		// Remarks find the moves, of which a swap of sides is none.
		p, list, err := d.Replay(r)
		require.NoError(t, err, text)
		for _, m := range list[:len(list)-1] {
			p = d.Game.Play(p, m)
		}
		d.Remark(r, p, len(list)-1, "?", "worse", nil)
		_, last, _ := strings.Cut(write([]*sgf.Record{r}), "BM[1]C[yomikiri: ? worse]")
		require.Equal(t, 0, strings.Count(last, ";B[")+strings.Count(last, ";W[")-strings.Count(last, "swap")-strings.Count(last, "resign"), text)
	}
	d := opened(t, hex.Family, "hex:size=3x3,swap=yes").SGF()
	moves, _, err := games.ParseMoves(games.Game[hex.Position, hex.Move](d.Game), d.Game.Start(), []string{"c1", "swap", "b2"})
	require.NoError(t, err)
	require.Equal(t, "(;FF[4]GM[11]CA[UTF-8]SZ[3];B[c1];W[swap-pieces];B[b2])\n", write([]*sgf.Record{d.New(d.Game.Start(), moves)}))
	for text, want := range map[string]string{
		";B[c1];W[resign];B[b2]": "a move after the end of the game",
		";B[c1];W[d1]":           "move 2, W[d1]: want a square, a1 at the top left to c3, or swap-pieces",
		";B[c1];B[b2]":           "move 2, B[b2]: it is White's turn",
		";B[c1];W[c1]":           `move "c1": not one of the legal moves`,
	} {
		_, _, err := d.Replay(read(t, "(;GM[11]SZ[3]"+text+")")[0])
		require.ErrorContains(t, err, want, text)
	}
}

func TestResult(t *testing.T) {
	for text, want := range map[string]sgf.Result{
		"B+": {}, "W+R": {Winner: 1, Resigned: true}, "b+Resign": {Resigned: true}, " W+12": {Winner: 1}, "0": {Drawn: true}, "Draw": {Drawn: true},
	} {
		got, known := read(t, "(;RE["+text+"])")[0].Result()
		require.True(t, known, text)
		require.Equal(t, want, got, text)
		again := read(t, "(;)")[0]
		again.SetResult(got)
		got, _ = again.Result()
		require.Equal(t, want, got, text)
	}
	for text, winner := range map[string]int{";B[a1];W[resign]": 0, "RE[?];B[a1];W[b2];B[ Resign ](;W[c3])": -1, ";W[a1];B[forfeit]": 1} {
		got, known := read(t, "(;"+text+")")[0].Result()
		require.Equal(t, winner >= 0, known, text)
		if known {
			require.Equal(t, sgf.Result{Winner: winner, Resigned: true}, got, text)
		}
	}
	for _, text := range []string{"", "?", "Void", "x+1"} {
		_, known := read(t, "(;RE["+text+"])")[0].Result()
		require.False(t, known, text)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[4]\n;B[aa]":      "SGF line 2: the game is not closed",
		"(;GM[4];B[aa":         "SGF line 1: a value of B is not closed",
		"(;GM[4];B)":           `SGF line 1: property "B": want capitals and a value`,
		"(;GM[4];B[aa]-)":      `SGF line 1: '-': want ; before a node`,
		"((;GM[4]))":           "SGF line 1: a ( after another one",
		"()":                   "SGF line 1: a game without a node",
		"(;GM[4](;B[aa]);)\n)": "",
		strings.Repeat("(;", 1000+1) + strings.Repeat(")", 1000+1): "more than 1000 variations",
	} {
		_, err := sgf.Parse(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
	d := opened(t, gomoku.Family, "gomoku:size=3x3,k=3").SGF()
	for text, c := range map[string]struct {
		moves int
		want  string
	}{
		";B[aa];W[aa]":                         {1, "SGF line 1: move 2, W[aa]: move \"a3\": the square is not empty"},
		";B[aa]\n;B[ab]":                       {1, "SGF line 2: move 2, B[ab]: it is White's turn"},
		";B[da]":                               {0, "SGF line 1: move 1, B[da]: want two letters, aa at the top left to cc"},
		"SZ[9:x]":                              {0, "SGF line 1: size of the board SZ[9:x]: want 2 to 20, or columns:rows"},
		";B[]":                                 {0, "SGF line 1: move 1, B[]: want two letters"},
		"AB[aa][ba][ca]PL[B];B[bb]":            {0, "SGF line 1: black is to move, but has 3 or more in a row already"},
		"AB[xx]":                               {0, "SGF line 1: AB[xx]: want two letters"},
		";B[aa];AW[bb];W[cc]":                  {1, "SGF line 1: a position that is set up in the middle of a game is not read"},
		";B[aa];W[ba];B[ab];W[bb];B[ac];W[cc]": {5, "SGF line 1: move 6, W[cc]: move \"c1\": the game is over (loss in 0)"},
	} {
		if !strings.HasPrefix(text, "SZ") {
			text = "SZ[3]" + text
		}
		_, moves, err := d.Replay(read(t, "(;GM[4]"+text+")")[0])
		require.ErrorContains(t, err, c.want, text)
		require.Len(t, moves, c.moves, text)
	}
}

// TestLinear reads files of different sizes.
func TestLinear(t *testing.T) {
	gametest.Linear(t, 500, func(n int) func() {
		text := "(;GM[4]" + strings.Repeat(";C[a]", n) + ")" + strings.Repeat("(;GM[4])", n)
		return func() { require.Len(t, read(t, text), n+1) }
	})
	gametest.Linear(t, 10_000, func(n int) func() { // a name without an end
		text := "(;" + strings.Repeat("A", n)
		return func() { require.False(t, sgf.Is(text, gomoku.NumberSGF)) }
	})
}

// FuzzParse requires that what was read, written and read again is the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		file, "(;GM[4]SZ[3];B[a1];W[bb]C[\\\\])", "(;AB[aa]AE[aa]PL[white];C[x])(;", "(;GM[2]B[f5];W[d6];B[c3];)",
		"(;GM[11];B[a2];W[swap-pieces];B[c3];W[resign])", "(;GM[11];B[a2];W[swap];W[c3](;B[d4])(;B[e5]))",
	} {
		f.Add(text)
	}
	g, x, o := opened(f, gomoku.Family, "gomoku").SGF(), opened(f, hex.Family, "hex:swap=yes").SGF(), opened(f, othello.Family, "othello").SGF()
	f.Fuzz(func(t *testing.T, text string) {
		list, err := sgf.Parse(text)
		if err != nil {
			require.Regexp(t, `^SGF line [0-9]+: `, err.Error())
		}
		same(t, g, list)
		same(t, x, list)
		same(t, o, list)
	})
}

// same requires that games are the same when they are written and read again.
func same[P, M comparable](t *testing.T, d *sgf.Dialect[P, M], list []*sgf.Record) {
	type game struct {
		from, moves string
		err         bool
	}
	replay := func(list []*sgf.Record) (games []game) {
		for _, r := range list {
			from, moves, err := replayed(d, r)
			games = append(games, game{from, moves, err != nil})
		}
		return games
	}
	played := replay(list)
	written := write(list)
	again := read(t, written)
	require.Equal(t, written, write(again))
	require.Equal(t, played, replay(again), "%s", written)
}
