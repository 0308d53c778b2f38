package othello

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func openGame(t testing.TB, spec string) *Game {
	g, err := Family.Open(spec)
	require.NoError(t, err)
	return g
}

// line returns a game as a position with moves.
func line(g *Game, from Position, moves []Move) string {
	text := string(g.AppendPosition(nil, from)) + " moves"
	for _, m := range moves {
		text += " " + string(g.AppendMove(nil, from, m))
	}
	return text
}

func TestTranscript(t *testing.T) {
	g := openGame(t, "othello")
	for text, want := range map[string]string{
		"f5d6c3d3c4":                  "f5 d6 c3 d3 c4",
		"F5D6C3":                      "f5 d6 c3",
		" 1. f5 2. d6 3) c3, d3\tc4 ": "f5 d6 c3 d3 c4",
	} {
		require.True(t, IsTranscript(text), text)
		from, moves, err := g.ParseTranscript(text)
		require.NoError(t, err, text)
		require.Equal(t, line(g, g.Start(), nil)+" "+want, line(g, from, moves))
		require.Equal(t, strings.ReplaceAll(want, " ", ""), string(g.AppendTranscript(nil, from, moves)))
	}
	// A position before the moves, as Edax has it, and passes.
	small := openGame(t, "othello:size=4x4")
	for _, text := range []string{"a2a3a4a1c1d4", "A2 A3 A4 A1 C1 -- D4", "a2a3a4a1c1psd4", "-----O*--*O----- *;a2a3a4a1c1passd4"} {
		from, moves, err := small.ParseTranscript(text)
		require.NoError(t, err, text)
		require.Equal(t, "-----OX--XO----- X moves a2 a3 a4 a1 c1 pass d4", line(small, from, moves))
		require.Equal(t, "a2a3a4a1c1d4", string(small.AppendTranscript(nil, from, moves)))
		require.Equal(t, "a2a3a4a1c1pass", string(small.AppendTranscript(nil, from, moves[:6])))
	}
	from, err := small.ParsePosition("XXX--XXO-XO----- O")
	require.NoError(t, err)
	require.Equal(t, "XXX--XXO-XO----- O;", string(small.AppendTranscript(nil, from, nil)))

	for _, text := range []string{"", "f5d6x", "startpos", "4455352", "------ X", "f9", "f5 d6 hello"} {
		require.False(t, IsTranscript(text), text)
	}
	for text, want := range map[string]string{
		"":            "want moves such as f5d6c3",
		"f5f6a1":      `move 3: move "a1": not one of the legal moves`,
		"f5 d6 hello": `after move 2: "hello": want moves such as f5`,
		"X O;f5":      "want 64 squares",
		"pass":        `move 1: move "pass": not one of the legal moves`,
	} {
		_, _, err := g.ParseTranscript(text)
		require.ErrorContains(t, err, want, text)
	}
}

const ggfGame = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[A]PW[B]TI[05:00//02:00]TY[8]RE[-2.000:r]" +
	"BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[C5/1.5/0.01]B[d6];)\n"

func TestGGF(t *testing.T) {
	g := openGame(t, "othello")
	list, err := ParseGGF("2 " + ggfGame + ggfGame)
	require.NoError(t, err)
	require.Len(t, list, 2)
	r := list[0]
	from, moves, err := g.ReplayGGF(r)
	require.NoError(t, err)
	require.Equal(t, line(g, g.Start(), nil)+" d3 c5 d6", line(g, from, moves))
	require.Equal(t, [2]string{"A", "B"}, r.Names())
	require.Equal(t, []string{"size=8x8"}, r.Options())
	discs, resigned, known := r.Result()
	require.Equal(t, []any{-2.0, true, true}, []any{discs, resigned, known})
	require.Equal(t, ggfGame, string(r.Append(nil)))
	copied := r.Clone()
	copied.Remark(0, "yomikiri: ? a ] b")
	copied.Remark(-1, "before")
	copied.Remark(2, "the end")
	require.Contains(t, string(copied.Append(nil)), " *]C[before]B[d3//0.01]C[yomikiri: ? a ) b]W[C5/1.5/0.01]B[d6]C[the end];)")
	copied.Unremark()
	require.Contains(t, string(copied.Append(nil)), " *]C[before]B[d3//0.01]W[C5/1.5/0.01]B[d6]C[the end];)")
	require.Equal(t, ggfGame, string(r.Append(nil)), "the copy shares nothing")

	// Passes that are left out, a start position, and a new record.
	small := openGame(t, "othello:size=4x4")
	list, err = ParseGGF("(;GM[Othello]PB[A\nB]PW[C];)")
	require.NoError(t, err)
	require.Equal(t, [2]string{"A B", "C"}, list[0].Names()) // which are written on one line
	list, err = ParseGGF("(;GM[Othello]BO[4 -----O*--*O----- *]B[a2]W[a3]B[a4]W[a1]B[c1]B[d4];)")
	require.NoError(t, err)
	from, moves, err = small.ReplayGGF(list[0])
	require.NoError(t, err)
	require.Equal(t, "-----OX--XO----- X moves a2 a3 a4 a1 c1 pass d4", line(small, from, moves))
	require.Contains(t, string(list[0].Append(nil)), "B[c1]W[PA]B[d4]")
	made := small.NewGGF(from, moves, [2]string{"A", ""})
	made.SetResult(2, true)
	require.Equal(t, "(;GM[Othello]PC[yomikiri]PB[A]PW[?]RE[+2.000:r]TY[4]BO[4 ---- -O*- -*O- ---- *]B[A2]W[A3]B[A4]W[A1]B[C1]W[PA]B[D4];)\n", string(made.Append(nil)))

	for begin, is := range map[string]bool{"(;GM[Othello]": true, "\ufeff 2 ( ; gm[othello]": true, "(;PC[x]GM[Othello]B[F5": true, "(;PC[GM[Othello]": false, "(;GM[2]": false, "": false, "(;GM[Hex]": false} {
		require.Equal(t, is, IsGGF(begin), begin)
	}
	for text, want := range map[string]string{
		"(;GM[Othello]B[f5]":          "GGF line 1: the game is not closed",
		"\n(;GM[Othello]B[f5]B[d6];)": "GGF line 2: move 2, B[d6]: it is W's turn",
		"(;GM[Othello]B[a1/1/2];)":    `GGF line 1: move 1, B[a1/1/2]: move "a1": not one of the legal moves`,
		"(;GM[Othello]BO[10 ---];)":   "a board of size 10, want 8x8",
		"(;GM[Othello]BO[8];)":        "want the squares, and who is to move",
		"(;GM[Othello]BO[8 --- *];)":  "want 64 squares",
	} {
		list, err := ParseGGF(text)
		if err == nil {
			_, _, err = g.ReplayGGF(list[0])
		}
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzTranscript(f *testing.F) {
	for _, text := range []string{"f5d6c3d3c4", "1. f5 2. f6", "---------------------------OX------XO--------------------------- X;f5--", "F5PA"} {
		f.Add(text)
	}
	g := openGame(f, "othello")
	f.Fuzz(func(t *testing.T, text string) {
		from, moves, err := g.ParseTranscript(text)
		if err == nil {
			require.True(t, IsTranscript(text) || text != "", text)
		}
		if len(moves) == 0 {
			return
		}
		written := string(g.AppendTranscript(nil, from, moves))
		again, same, err := g.ParseTranscript(written)
		require.NoError(t, err, written)
		require.Equal(t, line(g, from, moves), line(g, again, same))
	})
}

func FuzzGGF(f *testing.F) {
	f.Add(ggfGame)
	f.Add("(;GM[Othello]BO[8 " + strings.Repeat("-", 27) + "O*------*O" + strings.Repeat("-", 27) + " *]C[x]B[d3]W[PA];)")
	g := openGame(f, "othello")
	f.Fuzz(func(t *testing.T, text string) {
		list, _ := ParseGGF(strings.ToValidUTF8(text, "?"))
		for _, r := range list {
			from, moves, err := g.ReplayGGF(r)
			if err != nil {
				continue
			}
			written := string(r.Append(nil))
			again, err := ParseGGF(written)
			require.NoError(t, err, written)
			require.Len(t, again, 1)
			from2, moves2, err := g.ReplayGGF(again[0])
			require.NoError(t, err, written)
			require.Equal(t, line(g, from, moves), line(g, from2, moves2))
			require.Equal(t, written, string(again[0].Append(nil)))
		}
	})
}

// TestSGFValue writes a pass in the notation of SGF.
func TestSGFValue(t *testing.T) {
	d := openGame(t, "othello").SGF()
	require.Equal(t, "PA", d.Value("pass"))
	require.Equal(t, "f5", d.Value("f5"))
}
