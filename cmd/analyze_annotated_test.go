package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
)

// movesOf returns the moves that analyze sees in a file.
func movesOf(t *testing.T, file string, plugins ...Plugin) (moves []string) {
	code, stdout, stderr := run("analyze -q --json --leaves 1 --memory 1MiB --threads 1 "+file, plugins...)
	require.Equal(t, ui.ExitOK, code, stderr)
	for line := range strings.Lines(stdout) {
		var row struct{ Move string }
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		moves = append(moves, row.Move)
	}
	return moves
}

// atomicPGN has two games as a program for matches writes them, with tags of which a line looks like one of KIF.
const atomicPGN = "[Event \"a: b\"]\n[Variant \"atomic\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 2\"]\n[Result \"1-0\"]\n\n" +
	"2... f6 {-0.10/11 0.9s} 3. Nxe5 {book} Qe7 $9 (3... g6 ; x\n) 4. d4 { [%clk 0:01:00] } 1-0\n\n" +
	"[Event \"second\"]\n[Variant \"Atomic\"]\n\n1. Nf3 f6 *\n"

// TestAnalyzeAnnotated writes records of each format with what analyze says, in each format that there is for them.
func TestAnalyzeAnnotated(t *testing.T) {
	list := []Plugin{Game("dobutsu"), Game("checkers"), Game("gomoku"), Game("shogi"), Game("tictactoe")}
	variants, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	list = append(list, variants...)
	dir := t.TempDir()
	const badKIF = "手合割：平手\n先手：A\n*a comment\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ５二玉(51)\n   5 投了\n"
	for _, c := range []struct {
		input, text, output string
		want                []string // in what is written
	}{
		{"game.kif", badKIF, "out.kifu", []string{"先手：A\n", "*a comment\n", "   1 ７六歩(77)   ( 0:01/00:00:01)\n", "   4 ５二玉(51)   ( 0:00/00:00:00)\n*yomikiri: ?? ~", "; the move costs ~", " % of the win rate; better 3a2b\n", "\n変化：4手\n   4 同　銀(31)\n*yomikiri\n"}},
		{"game.kif", badKIF, "out.csa", []string{"N+A\n", "'*a comment\n", "-5152OU\nT0\n'*yomikiri: ?? ~", "\n'*yomikiri: (-3122GI"}},
		{"game.kif", badKIF, "out", []string{"*yomikiri: ?? ~", "encoding=UTF-8"}},
		{"game.kif", badKIF, "out.pgn", []string{"5a5b?? {yomikiri: ?? ~", "better 3a2b} ({yomikiri} 2... 3a2b"}},
		{"game.csa", csaRecord, "out.txt", []string{"'CSA", "T1\n"}},
		{"game.pdn", "[White \"A\"]\n\n1. 11-15 {a comment} 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 15x24 20x11 *", "out.pdn", []string{"[White \"A\"]", "11-15 {a comment}", "11-16? {yomikiri: ? ~", "} ({yomikiri} 3. 4-8 "}},
		{"game.pgn", atomicPGN, "out.pgn", []string{"[Event \"a: b\"]\n[Variant \"atomic\"]\n[FEN \"", " 2 2\"]\n[Result \"1-0\"]\n\n2... f6 {-0.10/11 0.9s} 3. Nxe5", "{book} {yomikiri: ? ~", "3... Qe7 $9 ?? {yomikiri: ?? ~", "} (3... g6 {x}) ({yomikiri} 3... g6 ", "4. d4?? {[%clk 0:01:00]}", "({yomikiri} 4. Q", " 1-0\n\n[Event"}},
		{"game.psq", "Piskvorky 15x15, 11:11, 0\n8,8,10\n1,1,0\n8,9,0\n1,2,0\n8,10,0\n1,3,0\n9,9,0\n1,4,0\n8,11,0\n5,5,0\n8,12,0\nA\nB\n", "out.sgf", []string{"PB[A]PW[B]", "BM[2]C[yomikiri: ?? win in 1 or less by threats; after the move loss in 2 or less; better a11]"}},
		{"game.txt", ownRecord, "out", []string{"[Game \"dobutsu\"]", " *\n"}},
	} {
		input, output := filepath.Join(dir, c.input), filepath.Join(dir, c.output)
		require.NoError(t, os.WriteFile(input, []byte(c.text), 0o600))
		game := ""
		if c.input == "game.txt" {
			game = "dobutsu "
		}
		code, stdout, stderr := run("analyze -q --leaves 300 --memory 1MiB --threads 1 "+game+input+" --annotated "+output, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		require.Contains(t, stdout, "ply  move")
		data, err := os.ReadFile(output)
		require.NoError(t, err)
		written := shogirecord.Decode(data)
		for _, want := range c.want {
			if strings.HasSuffix(c.output, ".pgn") || strings.HasSuffix(c.output, ".pdn") { // lines may end anywhere
				require.Contains(t, strings.Join(strings.Fields(written), " "), strings.Join(strings.Fields(want), " "), "%s to %s", c.input, c.output)
				continue
			}
			require.Contains(t, written, want, "%s to %s", c.input, c.output)
		}
		require.Equal(t, movesOf(t, game+input, list...), movesOf(t, output, list...), written)

		// Judged again with less effort it is what the record would be without the first review.
		annotate := func(input, output string) string {
			code, _, stderr := run("analyze -q --leaves 30 --memory 1MiB --threads 1 "+game+input+" --replace --annotated "+output, list...)
			require.Equal(t, ui.ExitOK, code, stderr)
			data, err := os.ReadFile(output)
			require.NoError(t, err)
			return string(data)
		}
		want := annotate(input, filepath.Join(dir, "once"+filepath.Ext(output)))
		require.Equal(t, want, annotate(output, output), "%s to %s", c.input, c.output)
		require.NoError(t, os.Remove(output))
	}
}

// TestAnalyzeAnnotatedValues has a value without a ~, and says who has proven it.
func TestAnalyzeAnnotatedValues(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out.pgn")
	code, _, stderr := run("analyze tictactoe startpos moves a1 a2 -q --annotated "+output, Game("tictactoe"))
	require.Equal(t, ui.ExitOK, code, stderr)
	text, err := os.ReadFile(output)
	require.NoError(t, err)
	require.Contains(t, strings.ReplaceAll(string(text), "\n", " "), "1. a1 a2?? {yomikiri: ?? draw by exhausted search; after the move loss; better b2} ({yomikiri} 1... b2) *")
}

// TestAnalyzeAnnotatedRefuses says what is not written, before anything is judged, and what is not replaced.
func TestAnalyzeAnnotatedRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("game.csa", []byte(csaRecord), 0o600))
	require.NoError(t, os.WriteFile("bad.csa", []byte(strings.Replace(csaRecord, "+2726", "+2725", 1)), 0o600))
	require.NoError(t, os.WriteFile("two.csa", []byte(csaRecord+"/\n"+csaRecord), 0o600))
	require.NoError(t, os.Link("game.csa", "linked.csa"))
	const analyze = "analyze -q --leaves 1 --memory 1MiB --threads 1 "
	for _, c := range []struct{ args, want string }{
		{"game.csa --annotated out.sgf", "--annotated out.sgf: games of shogi with remarks are written as kif, kifu, csa, jkf, psn, pgn, usi or usen"},
		{"game.csa two.csa --annotated out.csa", "--annotated is for one file, and there are 2"},
		{"game.csa --annotated two.csa", "two.csa exists already: name a new file, or add --replace"},
		{"game.csa --annotated linked.csa", "linked.csa exists already"},
		{"./game.csa --annotated game.csa", "game.csa exists already"},
		{"game.csa --annotated -", "want the name of a file"},
	} {
		code, stdout, stderr := run(analyze+c.args, Game("shogi"))
		require.Equal(t, ui.ExitUsage, code, c.args)
		require.Contains(t, stderr, c.want)
		require.Empty(t, stdout)
		text, err := os.ReadFile("game.csa")
		require.NoError(t, err)
		require.Equal(t, csaRecord, string(text))
	}

	// Of a broken record the moves before that are written, but not to the record itself.
	before, err := os.ReadFile("bad.csa")
	require.NoError(t, err)
	code, _, stderr := run(analyze+"./bad.csa --replace --annotated bad.csa", Game("shogi"))
	require.Equal(t, ui.ExitUsage, code)
	require.Contains(t, stderr, "bad.csa is left as it is, since a part of it could not be read")
	after, err := os.ReadFile("bad.csa")
	require.NoError(t, err)
	require.Equal(t, before, after)
	code, _, stderr = run(analyze+"bad.csa --annotated out.csa", Game("shogi"))
	require.Equal(t, ui.ExitUsage, code)
	require.Contains(t, stderr, "1 record could not be read whole")
	text, err := os.ReadFile("out.csa")
	require.NoError(t, err)
	require.Contains(t, string(text), "-3334FU\nT1\n'*yomikiri: the rest of the record could not be used: CSA: line 10")

	// A record is replaced under its own name, and one of two games has both.
	code, _, stderr = run(analyze+"two.csa --replace --annotated two.csa", Game("shogi"))
	require.Equal(t, ui.ExitOK, code, stderr)
	text, err = os.ReadFile("two.csa")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "'CSA encoding=UTF-8\n"))
	require.Len(t, movesOf(t, "two.csa", Game("shogi")), 2*5)
}
