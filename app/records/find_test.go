package records_test

import (
	"cmp"
	"slices"
	"strings"
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
		"(;PC[x]GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)": {"othello"},
		"[Event \"x]\n[Site \"y\"]\n1. e4 e5 *\n":                                                           {"chess"},
		"[Event \"x]\n[Site \"y\"]\n1. 11-15 *\n":                                                           {"checkers"},
		"\ufeff[Event \"x\"]\n*\n[Event \"y\"]\n1. e4 *\n":                                                  {"chess"}, "[Event \"x\"]\n[ECO \"A00\"]\n\n*\n": {"chess"},
		"#include <stdio.h> /* x ? y : z; */\n": nil, "作者：誰\n日付：今日\n": nil, "--XX-OX X; D1:+2; G3:-4;\n": nil, "名前:x\n\x00\x01手合割：平手\n": nil,
		"20225663 11\n": nil, "{\"moves\":5}": nil, "{\"header\": 1}": nil, "(;SZ[15];B[hh])": nil, "(;GM[1]SZ[15];B[hh])": nil,
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
	require.ErrorContains(t, err, "file is empty")
}

// TestSizes says what is wrong with a board that a game cannot have.
func TestSizes(t *testing.T) {
	list := families(t)
	for text, want := range map[string]string{
		"(;GM[11]SZ[13];B[a2])":       "the record has a board of 13 rows and 13 columns, which is too large here: boards may have 3 to 11",
		"(;GM[2]SZ[10];B[f5])":        "the record has a board of 10 rows and 10 columns, which is too large here: boards may have 4, 6 or 8",
		"(;GM[4]SZ[30];B[aa])":        "the record has a board of 30 rows and 30 columns, which is too large here: boards may have 2 to 20",
		"(;GM[Othello]BO[10 --- *];)": "a board of size 10, want 8x8",
		"Piskvorky 30x30, 11:11, 0\n": "30",
	} {
		names, options := records.Games(list, []byte(text))
		require.Len(t, names, 1, text)
		spec := names[0]
		for _, o := range options {
			spec = app.AddOption(spec, o)
		}
		_, err := records.Read(t.Context(), opened(t, spec), "file", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestOtherNumbers reads games of gomoku that programs write under the numbers of other games in SGF, if the game is named.
func TestOtherNumbers(t *testing.T) {
	for _, text := range []string{"(;GM[1]SZ[15];B[hh];W[ig])", "(;GM[5]FF[4]AP[x];B[hh];W[ig])", "(;SZ[15];B[hh];W[ig])"} {
		list, err := records.Read(t.Context(), opened(t, "gomoku"), "file", []byte(text))
		require.NoError(t, err, text)
		require.Len(t, list[0].Moves, 2)
	}
}

// TestResigned gives the result to a game in SGF whose last move is to resign.
func TestResigned(t *testing.T) {
	list, err := records.Read(t.Context(), opened(t, "hex:size=5x5"), "file", []byte("(;GM[11]SZ[5];B[a2];W[resign])"))
	require.NoError(t, err)
	require.True(t, list[0].Resigned)
	require.Equal(t, 1.0, *list[0].Points)
}

// TestCutOff cuts files off everywhere. What is left of a format whose games have an end is an error with its place.
func TestCutOff(t *testing.T) {
	for _, c := range []struct{ spec, text, place string }{
		{"gomoku", sgfFile, "line [0-9]+"}, {"othello", sgfOthello, "line [0-9]+"}, {"hex:size=5x5,swap=yes", sgfHex, "line [0-9]+"},
		{"othello", ggfFile, "line [0-9]+"}, {"shogi", jkfFile, "line [0-9]+"}, {"gomoku", libFile, "byte [0-9]+"},
		{"shogi", kifFile, ""}, {"shogi", csaFile, ""}, {"shogi", westernFile, ""}, {"shogi", usenLines, ""}, {"shogi", usiLines, ""},
		{"checkers", pdnFile, ""}, {"gomoku", psqFile, ""}, {"gomoku", moveList, ""}, {"connect4", digitLines, ""}, {"othello", transcript, ""},
		{"chess", chessFile, ""}, {"gomoku", pgnFile, ""},
	} {
		g := opened(t, c.spec)
		text := strings.TrimRight(c.text, "\n")
		whole, err := records.Read(t.Context(), g, "file", []byte(text))
		require.NoError(t, err)
		for n := 1; n < len(text); n++ {
			begin := []byte(text[:n])
			list, err := records.Read(t.Context(), g, "file", begin)
			for _, r := range list {
				err = cmp.Or(err, r.Err)
				require.LessOrEqual(t, len(r.Moves), len(whole[0].Moves)+len(whole[len(whole)-1].Moves), "%s", begin)
			}
			if known := slices.ContainsFunc(g.Records, func(f app.GameFormat) bool { return f.Recognise(begin) }); known && c.place != "" && (n > 20 || !records.IsBinary(begin)) {
				require.Error(t, err, "%s", begin)
				require.Regexp(t, c.place, err.Error(), "%s", begin)
			}
		}
	}
}
