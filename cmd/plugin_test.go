package cmd

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/solver"
)

// run runs a command and returns its exit code and what it wrote.
func run(args string, list ...Plugin) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(context.Background(), append([]string{"yomikiri"}, strings.Fields(args)...), Stdio{strings.NewReader(""), &out, &err}, list...)
	return code, out.String(), err.String()
}

// Game returns a game of the command.
func Game(name string) Plugin {
	return standard.Games[slices.IndexFunc(standard.Games, func(p Plugin) bool { return p.Name == name })]
}

// likeTicTacToe is a game with the positions of tic-tac-toe. As it is an interface, the engines are compiled once for all of them.
type likeTicTacToe = games.Game[tictactoe.Position, tictactoe.Move]

func like(info games.Info, g likeTicTacToe, extra ...app.Extra[likeTicTacToe, tictactoe.Position, tictactoe.Move]) Plugin {
	return Plugin{Family: app.New(games.NewFamily(info, func(games.Rules) likeTicTacToe { return g }), extra...)}
}

// withOption returns tic-tac-toe with a rule option.
func withOption(game, option string) Plugin {
	return like(games.Info{Name: game, Options: []games.Option{{Name: option, Values: []string{"a", "b"}}}}, tictactoe.Game{})
}

// TestCollisions has rule options that are called like flags. No command runs then,
// whether it has the flag or not.
func TestCollisions(t *testing.T) {
	for _, c := range []struct{ option, want string }{
		{"method", `yomikiri: the rule option method of mine is called like a flag of "yomikiri prove": rename it` + "\n"},
		{"partitions", `yomikiri: the rule option partitions of mine is called like a flag of "yomikiri solve": rename it` + "\n"},
		{"probes", `yomikiri: the rule option probes of mine is called like a flag of "yomikiri bench retro": rename it` + "\n"},
		{"help", `yomikiri: the rule option help of mine is called like a flag of `},
	} {
		code, stdout, stderr := run("games", withOption("mine", c.option))
		require.Equal(t, ui.ExitFailure, code, c.option)
		require.Empty(t, stdout)
		require.Contains(t, stderr, c.want)
	}
	// Games may have options of the same name.
	code, _, stderr := run("games", withOption("mine", "size"), withOption("yours", "size"), Game("gomoku"))
	require.Equal(t, ui.ExitOK, code, stderr)
}

func TestListedTwice(t *testing.T) {
	code, _, stderr := run("games", Game("tictactoe"), Game("tictactoe"))
	require.Equal(t, ui.ExitFailure, code)
	require.Equal(t, "yomikiri: the game tictactoe is listed twice\n", stderr)
	var none app.Extra[likeTicTacToe, tictactoe.Position, tictactoe.Move]
	code, _, stderr = run("games", like(tictactoe.Family.Info, tictactoe.Game{}, none, none))
	require.Equal(t, ui.ExitFailure, code)
	require.Equal(t, "yomikiri: the game tictactoe is listed with 2 extras: want at most one\n", stderr)
}

// TestWithRules gives rules in every command that takes a game.
func TestWithRules(t *testing.T) {
	list := []Plugin{Game("awari"), Game("gomoku"), Game("tictactoe")}
	for _, command := range []string{"solve", "query", "play", "prove", "bench retro"} {
		position := ""
		if command == "query" {
			position = " startpos"
		}
		code, _, stderr := run(command+" awari"+position+" --stones 49", list...)
		require.Equal(t, ui.ExitUsage, code, command)
		require.Contains(t, stderr, `awari: rule option stones="49": want a number of stones from 1 to 48`, command)
		code, _, stderr = run(command+" tictactoe"+position+" --size 3x3", list...)
		require.Equal(t, ui.ExitUsage, code, command)
		require.Contains(t, stderr, `tictactoe has no rule options, so no "size"`, command)
		code, _, stderr = run(command+" awari:stones=4"+position+" --stones 4", list...)
		require.Equal(t, ui.ExitUsage, code, command)
		require.Contains(t, stderr, "awari: rule option stones is given twice", command)
	}
	code, _, stderr := run("gomoku startpos --size 21x21", list...)
	require.Equal(t, ui.ExitUsage, code)
	require.Contains(t, stderr, `gomoku: rule option size="21x21"`)
}

// TestExtras checks that a game brings the commands that only it has.
func TestExtras(t *testing.T) {
	code, _, stderr := run("tsume startpos", Game("tictactoe"))
	require.Equal(t, ui.ExitUsage, code)
	require.Equal(t, "yomikiri: no command \"tsume\"; see yomikiri --help\n", stderr)
	code, _, stderr = run("prove tictactoe --attack", Game("tictactoe"))
	require.Equal(t, ui.ExitUsage, code)
	require.Contains(t, stderr, "unknown flag: --attack")
	_, stdout, _ := run("help", Game("shogi"))
	require.Contains(t, stdout, "tsume")
	require.NotContains(t, stdout, "gomocup")
}

// pointed is tic-tac-toe with points for its wins, but without scores.
type pointed struct{ tictactoe.Game }

func (g pointed) Outcome(p tictactoe.Position) (games.Value, bool) {
	v, finished := g.Game.Outcome(p)
	if finished && v.Result() == games.Lost {
		v = games.Score(-3)
	}
	return v, finished
}

// stuck is tic-tac-toe whose boards always show the same side to move.
type stuck struct{ tictactoe.Game }

func (stuck) Name() string { return "stuck" }

func (g stuck) Board(p tictactoe.Position) games.Board {
	b := g.Game.Board(p)
	b.Turn = 1
	return b
}

// TestBroken has games that break a promise: every command says which.
func TestBroken(t *testing.T) {
	t.Chdir(t.TempDir())
	list := like(games.Info{Name: "tictactoe"}, pointed{})
	for _, command := range []string{"solve tictactoe", "prove tictactoe", "analyze tictactoe startpos moves a1", "match tictactoe nodes=1 nodes=1 --games 2", "query tictactoe startpos"} {
		code, stdout, stderr := run(command, list)
		require.Equal(t, ui.ExitFailure, code, "%s: %s", command, stderr)
		require.Empty(t, stdout, command)
		require.Contains(t, stderr, "bug in the game tictactoe: ", command)
		require.Contains(t, stderr, "is finished with the value -3: want a draw, a loss in 0, or a win in 0 or 1; a game with scores is a Scorer", command)
	}
	code, stdout, stderr := run("solve stuck", like(games.Info{Name: "stuck"}, stuck{}))
	require.Equal(t, ui.ExitFailure, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, " the same side is to move")
	code, stdout, stderr = run("solve mine:a=b", withOption("mine", "a"))
	require.Equal(t, ui.ExitFailure, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, `the game mine:a=b calls itself "tictactoe": its Name must return Rules.String()`)
	code, _, stderr = run("games", withOption("my game", "a"))
	require.Equal(t, ui.ExitFailure, code)
	require.Equal(t, "yomikiri: game name \"my game\": want lower-case letters, digits and hyphens\n", stderr)
}

// wishful sees wins of the attacker everywhere.
type wishful struct{ likeTicTacToe }

func (b wishful) AppendBranches(dst []solver.Branch[tictactoe.Move], p tictactoe.Position, _ bool) ([]solver.Branch[tictactoe.Move], bool) {
	for _, m := range b.AppendMoves(nil, p) {
		dst = append(dst, solver.Branch[tictactoe.Move]{Move: m, Disproof: solver.Unproven})
	}
	return dst, true
}

func (wishful) AppendCertificate(dst []byte, _ tictactoe.Position, _ bool) ([]byte, bool) {
	return dst, false
}

// TestBrancher has a brancher that is wrong: what rests on it is not printed.
func TestBrancher(t *testing.T) {
	list := like(tictactoe.Family.Info, tictactoe.Game{}, app.Extra[likeTicTacToe, tictactoe.Position, tictactoe.Move]{
		Brancher: func(g likeTicTacToe) solver.Brancher[tictactoe.Position, tictactoe.Move] { return wishful{g} },
	})
	for _, tree := range []string{"", " --tree " + filepath.Join(t.TempDir(), "tree")} {
		code, stdout, stderr := run("prove tictactoe"+tree, list)
		require.NotEqual(t, ui.ExitOK, code, tree)
		require.Empty(t, stdout, tree)
		require.Contains(t, stderr, "ends the game against the claim", tree)
	}
}

func TestNoGames(t *testing.T) {
	code, _, stderr := run("solve nim")
	require.Equal(t, ui.ExitUsage, code)
	require.Equal(t, "yomikiri: no game \"nim\"; this program has none\n", stderr)
	code, _, stderr = run("bench retro")
	require.Equal(t, ui.ExitUsage, code, stderr)
}
