package records_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/standard"
)

// families returns all games that are listed by name, and some of the variants.
func families(t *testing.T) (list []*app.Family) {
	variants, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	for _, p := range standard.Games {
		list = append(list, p.Family)
	}
	for _, p := range variants {
		if p.Name == "chess" || p.Name == "atomic" {
			list = append(list, p.Family)
		}
	}
	return list
}

// TestGames finds the game of a text, whatever its format: nothing falls through to PDN.
func TestGames(t *testing.T) {
	list := families(t)
	for text, want := range map[string][]string{
		kifFile: {"shogi"}, csaFile: {"shogi"}, usiLines: {"shogi"}, jkfFile: {"shogi"}, usenLines: {"shogi"}, westernFile: {"shogi"},
		"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f": {"shogi"},
		"startpos moves b3b2 b1b2\n": {"dobutsu"}, "position startpos moves b3b2\n": {"dobutsu"}, "sfen gle/1c1/1C1/ELG b - 1 moves b3b2\n": {"dobutsu"},
		pdnFile: {"checkers"}, "1. 11-15 22-17\n": {"checkers"}, "B:W21,22:B1,2\n": {"checkers"},
		digitLines: {"connect4"}, "4455352\n": {"connect4"}, "....../......./": nil,
		psqFile: {"gomoku"}, sgfFile: {"gomoku"}, moveList: {"gomoku"}, libFile: {"gomoku"}, "h8i9g7\n": {"gomoku"}, pgnFile: {"gomoku"},
		sgfOthello: {"othello"}, ggfFile: {"othello"}, "2 " + ggfFile: {"othello"}, transcript: {"othello"}, "f5d6c3d3c4f4\n": {"othello"},
		sgfHex: {"hex"}, "startpos moves swap": nil,
		chessFile: {"chess"}, blackFile: {"atomic"},
		"(;GM[1]SZ[19];B[aa])": nil, "hello\n": nil, "{\"a\": 1}": nil, "": nil, "42\n": {"connect4"},
	} {
		names, _ := records.Games(list, []byte(text))
		require.Equal(t, want, names, text)
		if len(want) == 0 {
			continue
		}
		i := slices.IndexFunc(list, func(f *app.Family) bool { return f.Name == want[0] })
		spec := want[0]
		for _, o := range records.Options(list[i], []byte(text)) {
			spec = app.AddOption(spec, o)
		}
		_, err := records.Read(t.Context(), opened(t, spec), "file", []byte(text))
		require.NoError(t, err, text)
	}
	names, _ := records.Games(list, []byte("startpos moves e2e4\n"))
	require.Contains(t, names, "chess")
	require.Greater(t, len(names), 1)
	_, options := records.Games(list, []byte(sgfHex))
	require.Equal(t, []string{"size=5x5", "swap=yes"}, options)
}

// TestUnknown lists what a game reads if a text is none of it, but says only what is wrong with a text that is.
func TestUnknown(t *testing.T) {
	for _, c := range []struct{ spec, text, want string }{
		{"othello", "hello", "it is in none of the formats of othello: SGF, GGF, transcripts (f5d6c3), lines of positions with moves (startpos moves ...), what match --notation writes"},
		{"hex", "(;GM[1];B[aa])", "it is in none of the formats of hex: SGF, lines"},
		{"tictactoe", "hello", "it is in none of the formats of tictactoe: lines of positions"},
	} {
		_, err := records.Read(t.Context(), opened(t, c.spec), "file", []byte(c.text))
		require.ErrorContains(t, err, c.want)
	}
	_, err := records.Read(t.Context(), opened(t, "othello"), "file", []byte("startpos moves a1"))
	require.ErrorContains(t, err, `file: line 1: move 1: move "a1"`)
	require.NotContains(t, err.Error(), "none of the formats")
	_, err = records.Read(t.Context(), opened(t, "othello"), "file", []byte("\n\n"))
	require.ErrorContains(t, err, "file has no game")
}
