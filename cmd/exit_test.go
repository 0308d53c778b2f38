package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// inputGames are games whose commands read files.
var inputGames = []Plugin{Game("tictactoe"), Game("gomoku"), Game("shogi")}

// A mate in one, and a board of gomoku.
const mate, open = "4k4/9/4P4/9/9/9/9/9/9 b G", "9/9/9/9/9/9/9/9/9 x"

// troubles are what commands meet, and the exit code and words of it.
var troubles = []struct {
	trouble string
	code    int
	want    string
	lines   []string
}{
	{"no such game", ui.ExitUsage, `no game "chess"; there are: gomoku, shogi, tictactoe`, []string{
		"games chess", "solve chess", "query chess startpos", "play chess", "prove chess", "verify chess", "stats chess", "bench retro chess", "bench perft chess", "match chess level=1 level=2",
		"analyze chess startpos", "train chess --self-play 1 --out new.weights"}},
	{"neither a database nor a game", ui.ExitUsage, `there is no file or directory nowhere, and no game "nowhere"; there are: `, []string{
		"verify nowhere", "stats nowhere", "puzzles nowhere", "serve nowhere", "query nowhere startpos", "play nowhere", "publish nowhere --out new"}},
	{"a missing file", ui.ExitUsage, `nowhere: there is no such file or directory`, []string{
		"check nowhere", "play tictactoe --proof nowhere", "gomocup --proof nowhere", "query tictactoe --db there.db --file nowhere",
		"gomoku --psq nowhere", "gomoku --board nowhere", "tsume nowhere", "bench tsume nowhere",
		"work --join nats://127.0.0.1:1 --tls-ca nowhere", "node --join nats://127.0.0.1:1 --tls-ca nowhere",
		"prove tictactoe --tree new.tree --listen 127.0.0.1:0 --tls-cert nowhere --tls-key nowhere"}},
	{"an argument too many", ui.ExitUsage, `unexpected argument "more"; usage: yomikiri `, []string{
		"uci more", "usi more", "gomocup more", "work more", "node more"}},
	{"a book that is not there", ui.ExitUsage, `book: nowhere: there is no such file or directory`, []string{
		"play tictactoe --level 1 --book nowhere", "uci --book nowhere", "usi --book nowhere", "gomocup --book nowhere", "serve tictactoe --book nowhere",
		"match tictactoe level=1,book=nowhere level=1", "train tictactoe --book nowhere --print"}},
	{"a file that is no book", ui.ExitCorrupt, `file: the file is damaged`, []string{
		"play tictactoe --level 1 --book file", "uci --book file", "usi --book file", "gomocup --book file", "serve tictactoe --book file",
		"match tictactoe level=1,book=file level=1", "train tictactoe --book file --print"}},
	{"a wrong address", ui.ExitUsage, `wrong address "foo": want one like nats://host:4222`, []string{"work --join foo"}},
	{"an impossible position", ui.ExitUsage, `position`, []string{
		"query tictactoe xxx --db there.db", "play tictactoe xxx --db there.db", "prove tictactoe xxx", "gomoku xxx", "prove gomoku xxx --attack"}},
	{"an empty argument", ui.ExitUsage, `argument 1 is empty; usage: yomikiri `, []string{
		"solve ~", "query ~ startpos", "play ~", "verify ~", "stats ~", "prove ~", "check ~", "tree ~", "tsume ~", "gomoku ~", "bench retro ~"}},
	{"not enough memory", ui.ExitUsage, `--memory "1": want at least 1 MiB; see `, []string{
		"solve tictactoe --memory 1", "prove tictactoe --memory 1", "work --join x --memory 1", "tsume " + mate + " --memory 1", "bench tsume --memory 1"}},
	{"memory that nobody has", ui.ExitUsage, `--memory "1e6TiB": this machine has `, []string{
		"solve tictactoe --memory 1e6TiB", "prove tictactoe --memory 1e6TiB", "work --join x --memory 1e6TiB", "tsume " + mate + " --memory 1e6TiB"}},
	{"threads", ui.ExitUsage, `--threads "1025": want a whole number from 0 to 1024; see `, []string{
		"solve tictactoe --threads 1025", "verify there.db --threads 1025", "work --join x --threads 1025", "tsume " + mate + " --threads 1025", "bench tsume --threads 1025"}},
	{"a time", ui.ExitUsage, `--time "-1s": want a time, such as 90s or 5m; see `, []string{
		"prove tictactoe --time -1s", "tsume " + mate + " --time -1s", "gomoku " + open + " --time -1s", "bench retro --time -1s", "bench tsume --time -1s"}},
	{"a directory that is not there", ui.ExitUsage, `cannot write to the directory nowhere: no such file or directory`, []string{
		"prove tictactoe --proof nowhere/f", "tsume " + mate + " --proof nowhere/f", "tsume " + mate + " --kif nowhere/f",
		"stats there.db --plot nowhere/f", "puzzles there.db --out nowhere/f", "stats there.db --parquet nowhere/f", "db export there.db nowhere/f.csv", "db pack there.db nowhere/f", "tree there.tree --plot nowhere/f", "bench tsume --plot nowhere/f", "train tictactoe --book nowhere/f"}},
	{"standard output as a file", ui.ExitUsage, `"-": want the name of a file`, []string{
		"prove tictactoe --proof -", "tsume " + mate + " --kif -", "stats there.db --plot -", "tree there.tree --plot -", "bench tsume --plot -", "db pack there.db -"}},
	{"no database", ui.ExitUsage, `no database in nowhere`, []string{
		"query tictactoe startpos --db nowhere", "play tictactoe --db nowhere", "bench retro tictactoe --time 1ms --db nowhere"}},
	{"no database of a game", ui.ExitUsage, `no database in gomoku-size-3x3.db`, []string{
		"query gomoku --size 3x3 startpos", "verify gomoku --size 3x3", "stats gomoku:size=3x3"}},
	{"a file for a database", ui.ExitUsage, `no database in file (it is a file; want a directory, or a file of db pack)`, []string{
		"db pack file new", "query tictactoe startpos --db file", "play tictactoe --db file", "verify file", "stats file"}},
	{"rules of several games", ui.ExitUsage, `rule options as flags are for one game, not for 2 arguments: write gomoku:size=3x3`, []string{"serve gomoku shogi --size 3x3"}},
	{"a file for a directory", ui.ExitUsage, `file: is a file, or lies in one; want a directory`, []string{"man file"}},
	{"no colour", ui.ExitUsage, `--color "green": want auto, always or never; see yomikiri `, []string{"solve tictactoe --color green", "--color green games"}},
	{"a file for a tree", ui.ExitUsage, `file/yomikiri.tree: is a file, or lies in one; want a directory`, []string{"tree file", "prove tictactoe --tree file"}},
	{"a directory that is no database", ui.ExitUsage, `no database in full (it has no yomikiri.manifest)`, []string{
		"verify full", "stats full", "serve full", "db compact full new.db", "db digest full", "db export full", "db pack full new", "publish full --out new", "bench probes full", "query full startpos", "play full",
		"query tictactoe startpos --db full", "play tictactoe --db full", "prove tictactoe --db full", "bench retro tictactoe --time 1ms --db full"}},
	{"a directory called like a game", ui.ExitUsage, `no database in shogi.db (there is no such directory)`, []string{
		"verify shogi", "stats shogi", "serve shogi.db", "query shogi startpos", "play shogi"}},
	{"rules of a database", ui.ExitUsage, `rule options go with the name of a game, not with there.db`, []string{
		"verify there.db --size 3x3", "stats there.db --size 3x3", "serve there.db --size 3x3", "query there.db --size 3x3 startpos", "play there.db --size 3x3"}},
	{"a plot that is no SVG", ui.ExitUsage, `--plot "x.png": a plot is SVG, want a name that ends with .svg`, []string{
		"stats there.db --plot x.png", "tree there.tree --plot x.png", "bench tsume --plot x.png"}},
	{"a misspelt game", ui.ExitUsage, `no game "gomku" (did you mean gomoku?); there are: `, []string{
		"solve gomku", "query gomku startpos", "play gomku", "prove gomku", "verify gomku", "serve gomku", "stats gomku"}},
	{"a directory that is not of a solve", ui.ExitUsage, `full has files that do not belong to a solve, such as inside: choose another directory`, []string{"solve tictactoe --db full"}},
	{"a file that is no proof", ui.ExitUsage, `file: it does not begin like a proof file`, []string{"check file", "serve file", "play tictactoe --proof file", "gomocup --proof file"}},
	{"no tree, and no room for one", ui.ExitUsage, `no proof tree in full`, []string{"tree full", "prove tictactoe --tree full"}},
	{"a directory for a file", ui.ExitUsage, `full: is a directory; want a file`, []string{
		"check full", "tsume full", "gomoku --psq full", "bench tsume full"}},
	{"a database of another game", ui.ExitUsage, `there.db is a database of tictactoe`, []string{
		"query gomoku:size=3x3,k=3 startpos --db there.db", "play gomoku:size=3x3,k=3 --db there.db", "solve gomoku:size=3x3,k=3 --db there.db",
		"solve tictactoe --positions all --db there.db", "bench retro gomoku:size=3x3,k=3 --time 1ms --db there.db"}},
	{"a tree of another game", ui.ExitUsage, `the tree does not fit`, []string{"prove gomoku:size=3x3,k=3 --tree there.tree"}},
	{"a proof of another version", ui.ExitUsage, `another version`, []string{"check other.proof", "serve other.proof"}},
	{"a game that does not suit", ui.ExitUsage, `cannot solve this game`, []string{"prove shogi", "prove shogi --tree new"}},
	{"damage", ui.ExitCorrupt, `damaged`, []string{
		"query tictactoe startpos --db cut.db", "play tictactoe --db cut.db", "solve tictactoe --db cut.db", "stats cut.db", "verify cut.db"}},
	{"a damaged proof", ui.ExitCorrupt, `cut.proof`, []string{"check cut.proof"}},
	{"a long line", ui.ExitUsage, `long: line 1 is longer than 64 KiB`, []string{"query tictactoe --file long --db there.db"}},
	{"standard input without a proof", ui.ExitUsage, `stdin: it does not begin like a proof file`, []string{"check -"}},
	{"a number of positions", ui.ExitUsage, `--limit "0": want a whole number from 1 to `, []string{"query tictactoe --value draw --limit 0"}},
	{"a limit", ui.ExitUnknown, ``, []string{
		"prove gomoku:size=7x8 --nodes 10", "prove gomoku --attack --nodes 10", "prove gomoku:size=7x8 --tree limited --time 1ms",
		"tsume --nodes 1 --threads 1 9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S"}},
	{"a command that is not there", ui.ExitUsage, `no command "nosuch"; see `, []string{
		"nosuch", "nosuch --help", "--help nosuch", "help nosuch", "bench nosuch", "bench nosuch --help", "--color always nosuch", "--color always bench nosuch"}},
}

// TestExitCodes has each command meet the same troubles: the same trouble has the same exit
// code, and is told in the same words.
func TestExitCodes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{"solve tictactoe --db there.db", "prove tictactoe --proof there.proof", "prove tictactoe --tree there.tree"} {
		code, _, stderr := run(line, inputGames...)
		require.Equal(t, ui.ExitOK, code, "%s: %s", line, stderr)
	}
	require.NoError(t, os.MkdirAll("full/inside", 0o700))
	require.NoError(t, os.Mkdir("shogi", 0o700)) // as of source
	require.NoError(t, os.WriteFile("file", []byte("a file"), 0o600))
	require.NoError(t, os.WriteFile("long", bytes.Repeat([]byte("x"), 1<<17), 0o600))
	data, err := os.ReadFile("there.proof")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("cut.proof", data[:len(data)-9], 0o600))
	data[len("YKPROOF\n")] = 99
	require.NoError(t, os.WriteFile("other.proof", data, 0o600))
	require.NoError(t, os.CopyFS("cut.db", os.DirFS("there.db")))
	require.NoError(t, os.Truncate("cut.db/yomikiri.manifest", 100))

	for _, c := range troubles {
		for _, line := range c.lines {
			args := append([]string{"yomikiri"}, strings.Fields(line)...)
			for i := range args {
				args[i] = strings.TrimPrefix(args[i], "~")
			}
			var stderr strings.Builder
			code := Run(context.Background(), args, Stdio{strings.NewReader(""), io.Discard, &stderr}, inputGames...)
			require.Equal(t, c.code, code, "%s: %s: %s", c.trouble, line, stderr.String())
			require.Contains(t, stderr.String(), c.want, "%s: %s", c.trouble, line)
			require.NotRegexp(t, `retro:|readdirent|: open |^yomikiri: open |Layerer|Indexer|full: full`, stderr.String(), line)
		}
	}
	require.NoFileExists(t, "-")
}

// TestQuiet has no progress, but all results, printed with -q.
func TestQuiet(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ line, want string }{
		{"solve tictactoe -q", `(?m)^start position   draw$`},
		{"solve tictactoe -q", `(?m)^start position   draw$`},
		{"verify tictactoe.db -q", `^OK: `},
		{"verify tictactoe -q", `^OK: `},
		{"prove tictactoe -q --proof t.proof", `(?m)^value            draw$`},
		{"prove tictactoe -q --tree t", `(?m)^value            draw$`},
		{"check t.proof -q", `^OK: draw\n`},
		{"tsume -q 4k4/9/4P4/9/9/9/9/9/9 b G", `^mate in 1`},
	} {
		code, stdout, stderr := run(c.line, inputGames...)
		require.Equal(t, ui.ExitOK, code, c.line)
		require.Regexp(t, c.want, stdout, c.line)
		require.Empty(t, stderr, c.line)
	}
}

// TestAttackNodes has prove --attack expand as many positions as it may, and say so.
func TestAttackNodes(t *testing.T) {
	code, stdout, _ := run("prove gomoku:size=7x7 --attack --nodes 300", inputGames...)
	require.Equal(t, ui.ExitUnknown, code)
	require.Contains(t, stdout, "unknown: 300 positions, ")
}

// TestAttackByDefault has prove ask only for a win where nothing else could end.
func TestAttackByDefault(t *testing.T) {
	for line, want := range map[string]string{
		"prove gomoku":                       manager.AskWin,
		"prove gomoku --rule exact startpos": manager.AskWin,
		"prove gomoku --attack=false":        manager.AskValue,
		"prove gomoku --method best-first":   manager.AskValue,
		"prove gomoku startpos moves h8":     manager.AskValue,
		"prove gomoku --size 14x14":          manager.AskValue,
	} {
		dir := filepath.Join(t.TempDir(), "tree")
		code, _, stderr := run(line+" -q --memory 1MiB --time 1ms --tree "+dir, inputGames...)
		require.Equal(t, ui.ExitUnknown, code, "%s: %s", line, stderr)
		manifest, err := os.ReadFile(filepath.Join(dir, "yomikiri.tree"))
		require.NoError(t, err)
		require.Contains(t, string(manifest), fmt.Sprintf("%q", want), line)
	}
	_, stdout, _ := run("prove gomoku --memory 1MiB --nodes 100 -q", inputGames...)
	require.Contains(t, stdout, "can the side to move win? unknown: 100 positions", "without a tree too")
}

// TestInterrupted says once that a command was interrupted.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for line, want := range map[string]string{
		"solve gomoku:size=4x4,k=4":          "yomikiri: interrupted before there was anything to keep\n",
		"query gomoku:size=4x4,k=4 startpos": "yomikiri: interrupted\n",
	} {
		var stderr strings.Builder
		args := append([]string{"yomikiri"}, strings.Fields(line)...)
		require.Equal(t, ui.ExitInterrupted, Run(ctx, args, Stdio{strings.NewReader(""), io.Discard, &stderr}, inputGames...))
		require.Equal(t, want, stderr.String())
	}
}

// TestExamples shows examples of the games that a program has, and only of them.
func TestExamples(t *testing.T) {
	mine := withOption("mine", "size")
	root, err := newRoot("yomikiri", plugins{mine}, nil, ui.NewOutput(io.Discard))
	require.NoError(t, err)
	for _, c := range commandsOf(root) {
		command := strings.TrimPrefix(c.CommandPath(), "yomikiri ")
		_, stdout, _ := run("help "+command, mine)
		require.NotRegexp(t, `dobutsu|gomoku|awari|tictactoe|shogi|checkers`, stdout, command)
		require.Contains(t, stdout, "Examples:\n  ", command)
	}
	for command, want := range map[string]string{
		"query": "query mine startpos", "serve": "serve mine", "verify": "verify mine", "analyze": "analyze mine startpos", "match": "match mine level=1 level=10",
		"train": "train mine --out mine.weights",
	} {
		_, stdout, _ := run("help "+command, mine)
		require.Contains(t, stdout, "Examples:\n  yomikiri "+want+"\n\n", command)
	}
}
