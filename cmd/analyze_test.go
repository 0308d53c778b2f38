package cmd

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

const (
	kifRecord = "手合割：平手\n先手：A\n後手：B\n手数----指手---------消費時間--\n" +
		"   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n" +
		"   3 ２六歩(27)   ( 0:01/00:00:02)\n   4 投了\n"
	ki2Record = "先手：A\n後手：B\n\n▲７六歩 △３四歩 ▲２六歩\nまで3手で先手の勝ち\n"
	csaRecord = "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n-3334FU\nT1\n+2726FU\nT1\n%TORYO\n"
	usiRecord = "position startpos moves 7g7f 3c3d 2g2f\n"
	pdnRecord = "[White \"A\"]\n[Black \"B\"]\n\n1. 11-15 23-19 2. 8-11 1-0\n"
	psqRecord = "Piskvorky 15x15, 11:11, 0\n8,8,10\n9,9,10\n7,8,10\nblack\nwhite\n"
	ownRecord = "# a game\nstartpos moves b3b2 b1b2 c4c3\n"
)

// TestAnalyzeBroken has records of every format that are broken in many ways. Whatever the output, the error
// says what is wrong and where, and the plies before it are shown.
func TestAnalyzeBroken(t *testing.T) {
	list := []Plugin{Game("dobutsu"), Game("checkers"), Game("gomoku"), Game("shogi")}
	dir := t.TempDir()
	for _, c := range []struct {
		name, game, text string
		plies            []int // of the games that are shown
		want             string
	}{
		{"kif", "", kifRecord, []int{3}, ""},
		{"kif illegal", "", strings.Replace(kifRecord, "２六歩", "２五歩", 1), []int{2}, `line 7, column 6: move "２五歩\(27\)": the pawn on 2g cannot go to 2e`},
		{"kif number", "", strings.Replace(kifRecord, "   3 ", "   5 ", 1), []int{2}, "line 7, column 6: move number 5, want 3"},
		{"kif noise", "", strings.Replace(kifRecord, "２六歩", "#$２六歩", 1), []int{2}, `line 7, column 6: .* is not a move`},
		{"kif truncated", "", kifRecord[:strings.Index(kifRecord, "六歩(27)")], []int{2}, `line 7, column 6: "２" is not a move`},
		{"kif after the end", "", kifRecord + "   5 ８四歩(83)\n", []int{3}, "line 9, column 6: a move after the end of the game"},
		{"kif headers only", "", kifRecord[:strings.Index(kifRecord, "   1")], []int{0}, ""},
		{"kif handicap", "", strings.Replace(kifRecord, "平手", "平平", 1), nil, `line 1, column 5: "平平" is not a handicap, want 平手, .*`},
		{"kif variation", "", kifRecord + "\n変化：3手\n   3 ６六歩(67)\n", []int{3}, ""},
		{"kif broken variation", "", kifRecord + "\n変化：3手\n   3 ６五歩(67)\n", []int{3}, `line 11, column 6: move "６五歩\(67\)": the pawn on 6g cannot go to 6e`},
		{"kif two games", "", kifRecord + "\n" + strings.Replace(kifRecord, "３四歩", "３五歩", 1), []int{3, 1}, `line 15, column 6: move "３五歩\(33\)": the pawn on 3c cannot go to 3e`},
		{"ki2", "", ki2Record, []int{3}, ""},
		{"ki2 illegal", "", strings.Replace(ki2Record, "２六", "２五", 1), []int{2}, `line 4, column 11: move "▲２五歩": black, who is to move, has no legal move like that with a pawn`},
		{"ki2 truncated", "", ki2Record[:strings.Index(ki2Record, "六歩\nまで")], []int{2}, `line 4, column 11: "▲２" is not a move`},
		{"ki2 wrong side", "", strings.Replace(ki2Record, "▲２六", "△２六", 1), []int{2}, `line 4, column 11: move "△２六歩": △, but black is to move`},
		{"ki2 after the end", "", ki2Record + "△８四歩\n", []int{3}, "line 6, column 1: a move after the end of the game"},
		{"csa", "", csaRecord, []int{3}, ""},
		{"csa illegal", "", strings.Replace(csaRecord, "+2726", "+2725", 1), []int{2}, `line 10, column 1: move "\+2725FU": the pawn on 2g cannot go to 2e`},
		{"csa truncated", "", csaRecord[:strings.Index(csaRecord, "26FU")], []int{2}, `line 10, column 1: "\+27", want a move as in \+7776FU, or \+0055FU for a drop`},
		{"csa wrong side", "", strings.Replace(csaRecord, "-3334", "+3334", 1), []int{1}, `line 8, column 1: "\+3334FU", but white is to move`},
		{"csa after the end", "", csaRecord + "-8384FU\n", []int{3}, `line 13, column 1: "-8384FU" after the end of the game`},
		{"csa headers only", "", "V2.2\nN+A\nN-B\n", nil, "no record: want a position .*"},
		{"csa several", "", csaRecord + "/\n" + strings.Replace(csaRecord, "+2726", "+2725", 1) + "/\n" + csaRecord, []int{3, 2, 3}, `line 23, column 1: move "\+2725FU": .*`},
		{"usi", "", usiRecord, []int{3}, ""},
		{"usi illegal", "", strings.Replace(usiRecord, "2g2f", "2g2e", 1), []int{2}, `line 1: after moves, number 3: move "2g2e": the pawn on 2g cannot go to 2e`},
		{"usi truncated", "", usiRecord[:len(usiRecord)-3], []int{2}, `line 1: after moves, number 3: move "2g": want two squares .*`},
		{"usi position", "", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN b - 1", nil, `line 1: SFEN .*: rank i: want 9 squares, got 8`},
		{"usi several", "", usiRecord + "startpos moves 7g7f 3c3z\n" + usiRecord, []int{3, 1, 3}, `line 2: after moves, number 2: move "3c3z": "3z" is not a square \(1a to 9i\)`},
		{"pdn", "", pdnRecord, []int{3}, ""},
		{"pdn illegal", "", strings.Replace(pdnRecord, "8-11", "8-14", 1), []int{2}, `PDN line 4: ply 3: move "8-14": not one of the legal moves: 8-11 .*`},
		{"pdn truncated", "", pdnRecord[:strings.Index(pdnRecord, "11 1-0")], []int{2}, `PDN line 4: "-": want a move, a result, or a comment in braces`},
		{"pdn comment", "", strings.Replace(pdnRecord, "8-11", "{8-11", 1), []int{2}, "PDN line 4: a comment is not closed"},
		{"pdn variation", "", strings.Replace(pdnRecord, "8-11", "(23-18) 8-11", 1), []int{3}, ""},
		{"pdn open variation", "", strings.Replace(pdnRecord, "8-11", "(23-18 8-11", 1), []int{2}, "PDN line 4: a variation is not closed"},
		{"pdn after the end", "", pdnRecord + "5-9\n", []int{3}, `PDN line 5: ply 1: move "5-9": not one of the legal moves: .*`},
		{"pdn headers only", "", pdnRecord[:strings.Index(pdnRecord, "1. ")], []int{0}, ""},
		{"pdn tag", "", "[White \"A\n", nil, `PDN line 1: tag "\[White .*": want a name and a quoted value, as in \[Event "Match"\]`},
		{"pdn several", "", pdnRecord + strings.Replace(pdnRecord, "8-11", "8-14", 1) + pdnRecord, []int{3, 2, 3}, `PDN line 8: ply 3: .*`},
		{"psq", "", psqRecord, []int{3}, ""},
		{"psq occupied", "", strings.Replace(psqRecord, "7,8", "9,9", 1), []int{2}, "PSQ line 4: move 3, i7: the square is not empty"},
		{"psq off the board", "", strings.Replace(psqRecord, "7,8", "7,16", 1), []int{2}, `PSQ line 4: "7,16,10": want x from 1 to 15 and y from 1 to 15`},
		{"psq truncated", "", psqRecord[:strings.Index(psqRecord, "8,10\nblack")], []int{2}, "line 4 is not read, though it looks like a move: .*"},
		{"psq after the end", "", psqRecord + "1,1,0\n", []int{3}, "line 7 is not read, though it looks like a move: .*"},
		{"psq headers only", "", psqRecord[:strings.Index(psqRecord, "8,8")], []int{0}, ""},
		{"psq size", "", "Piskvorky 99x15, 11:11, 0\n", nil, `PSQ line 1: size of the board "99x15": want columns x rows, 2 to 20 each`},
		{"own", "dobutsu", ownRecord, []int{3}, ""},
		{"own illegal", "dobutsu", strings.Replace(ownRecord, "c4c3", "c4c1", 1), []int{2}, `line 2: move 3: move "c4c1": not one of the legal moves: .*, in position .*`},
		{"own truncated", "dobutsu", ownRecord[:len(ownRecord)-3], []int{2}, `line 2: move 3: move "c4": not one of the legal moves: .*`},
		{"own position", "dobutsu", "gle/1c1/1C1 b -\n" + ownRecord, []int{3}, `line 1: position "gle/1c1/1C1 b -": .*`},
		{"own only a position", "dobutsu", "startpos\n", []int{0}, ""},
		{"own several", "dobutsu", ownRecord + "startpos moves zz\n\n" + ownRecord, []int{3, 3}, `line 3: move 1: move "zz": not one of the legal moves: .*`},
		{"own latin-1", "dobutsu", "startpos moves b3b2 caf\xe9\n", []int{1}, `line 1: move 2: move "caf\\xe9": .*`},
		{"own empty", "dobutsu", "", nil, "is empty"},
		{"own comment", "dobutsu", "# nothing\n\n", nil, "has no game"},
		{"empty", "", "", nil, "is empty"},
		{"binary", "", "\x7fELF\x02\x01\x01\x00\x00\x00\x03\n1,2,3\x01", nil, "this is not a text file"},
		{"binary of a game", "shogi", "\x89PNG\r\n\x1a\n\x00\x01", nil, "this is not a text file"},
		{"checkers is shogi", "checkers", csaRecord, nil, "this is a record of shogi, not of checkers"},
		{"shogi is checkers", "shogi", pdnRecord, nil, "this is a record of checkers, not of shogi"},
		{"dobutsu is gomoku", "dobutsu", psqRecord, nil, "this is a record of gomoku, not of dobutsu"},
		{"gomoku is dobutsu", "gomoku", ownRecord, nil, "this is a record of dobutsu, not of gomoku"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			command := "analyze -q --leaves 1 --memory 1MiB --threads 1 " + c.game + " " + file
			requireAnswer := func(args string) string {
				code, stdout, stderr := run(command+args, list...)
				if c.want == "" {
					require.Equal(t, ui.ExitOK, code, stderr)
					require.Empty(t, stderr)
					return stdout
				}
				require.Equal(t, ui.ExitUsage, code, stderr)
				require.Regexp(t, "(?m)^(yomikiri: )?"+file+"( B - A)?:? (KIF: |CSA: )?"+c.want+"$", stderr)
				return stdout
			}

			text := requireAnswer("")
			require.Equal(t, len(c.plies), strings.Count(text, "ply  move"))
			rows := 0
			if c.game == "" && len(c.plies) > 0 {
				rows = 1 // the game that was found
			}
			for _, n := range c.plies {
				rows += n + 1 + 4 // heads, the line of each player, and what is proven
				if strings.Contains(text, "\nopening ") {
					rows++
				}
			}
			rows += strings.Count(text, "\nrecord ") // those with a format or a result
			require.Equal(t, rows+len(c.plies), strings.Count(text, "\n"), text)

			var plies []int
			broken := 0
			for line := range strings.Lines(requireAnswer(" --json")) {
				var r struct {
					Plies *int
					Error string
				}
				require.NoError(t, json.Unmarshal([]byte(line), &r))
				if r.Plies != nil {
					plies = append(plies, *r.Plies)
				}
				if r.Error != "" {
					broken++
					require.Regexp(t, c.want, r.Error)
				}
			}
			require.Equal(t, c.plies, plies)
			require.LessOrEqual(t, broken, 1)

			table, err := csv.NewReader(strings.NewReader(requireAnswer(" --csv"))).ReadAll()
			require.NoError(t, err)
			require.Equal(t, len(c.plies), max(len(table)-1, 0))

			plot := file + ".svg"
			if _, _, stderr := run(command+" --plot "+plot, list...); len(c.plies) == 0 || len(c.plies) > 1 || strings.Contains(stderr, "--plot is for one game") {
				require.NotEmpty(t, stderr)
				require.NoFileExists(t, plot)
				return
			}
			svg, err := os.ReadFile(plot)
			require.NoError(t, err)
			for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
				_, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err)
			}
		})
	}
}

// TestAnalyzeCSVOfMany has a line for each game of many files, and one that says why for a file without any.
func TestAnalyzeCSVOfMany(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	require.NoError(t, os.WriteFile(good, []byte(ownRecord), 0o600))
	require.NoError(t, os.WriteFile(bad, []byte("startpos moves zz\n"), 0o600))
	code, stdout, stderr := run("analyze dobutsu -q --csv --leaves 1 --memory 1MiB --threads 1 "+good+" "+bad, Game("dobutsu"))
	require.Equal(t, ui.ExitUsage, code, stderr)
	table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	require.NoError(t, err)
	require.Len(t, table, 3)
	require.Equal(t, good, table[1][0])
	require.Empty(t, table[1][len(table[1])-1])
	require.Equal(t, bad, table[2][0])
	require.Contains(t, table[2][len(table[2])-1], `move "zz"`)
}
