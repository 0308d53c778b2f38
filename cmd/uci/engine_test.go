package uci

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/play"
)

// testGames are the games of an engine in tests.
func testGames() Config {
	return Config{
		Names: []string{"atomic", "chess", "fischerandom", "crazyhouse", "hexapawn"},
		Open: func(name string) (*app.Game, error) {
			return app.New(variant.BuiltIn().Family(name, name)).Open(name)
		},
		Read: func(file string) ([]string, []error, error) {
			if file != "my.ini" {
				return nil, nil, errors.New("no such file")
			}
			return []string{"chess", "horde"}, []error{errors.New("a section")}, nil
		},
		Database: func(string) (*app.Game, app.Database, error) { return nil, nil, errors.New("no database") },
	}
}

// session returns what an engine says to a GUI.
func session(t *testing.T, commands ...string) string {
	t.Helper()
	var out bytes.Buffer
	e, err := NewEngine(&out, testGames())
	require.NoError(t, err)
	require.NoError(t, e.Run(t.Context(), strings.NewReader(strings.Join(commands, "\n")+"\n")))
	return out.String()
}

const aMove = `[a-h][1-8][a-h][1-8][nbrq]?|[PNBRQ]@[a-h][1-8]`

// TestUCI plays sessions as GUIs do, with what GUIs get wrong: each go has one answer.
func TestUCI(t *testing.T) {
	for _, c := range []struct{ name, commands, want string }{
		{"introduction", "uci", `(?s)^id name yomikiri \d.*option name UCI_Variant type combo default chess var atomic var chess var .*option name Hash type spin default 64 min 1 max 1048576\n.*uciok\n$`},
		{"ready", "isready", `^readyok\n$`},
		{"a limit of nodes", "position startpos moves e2e4 e7e5\ngo nodes 200", `(?s)^info depth 1 seldepth \d+ multipv 1 score cp -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv (` + aMove + `)\n.*bestmove (` + aMove + `)( ponder (` + aMove + `))?\n$`},
		{"no position", "go nodes 1", `bestmove (` + aMove + `)`},
		{"a limit of depth", "go depth 2", `info depth 2 .*\nbestmove `},
		{"a limit of time", "go movetime 50", `bestmove `},
		{"clocks", "go wtime 100 btime 100 winc 10 binc 10 movestogo 3", `bestmove `},
		{"no time at all", "go wtime 0 btime 0", `bestmove `},
		{"some moves", "go searchmoves a2a3 e2e5 nodes 100", `info string go: ignored: e2e5\n(?s).*bestmove a2a3`},
		{"words that it does not know", "go nodes x depth 1 wdl", `^info string go: ignored: nodes x wdl\n(?s).*bestmove `},
		{"infinite", "go infinite\nisready\nstop\nstop", `(?s)readyok\n(.*\n)?bestmove ([^\n]*)\n$`},
		{"a go while it searches", "go infinite\ngo depth 1", `(?s)bestmove .*bestmove `},
		{"pondering", "go ponder wtime 100 btime 100\nponderhit", `bestmove `},
		{"pondering that is stopped", "go ponder wtime 100 btime 100\nstop", `bestmove `},
		{"ponderhit without pondering", "ponderhit\ngo nodes 1", `bestmove `},
		{"several lines", "setoption name MultiPV value 3\ngo depth 2", `(?s)info depth 2 .*multipv 1 .*info depth 2 .*multipv 2 .*info depth 2 .*multipv 3 .*bestmove`},
		{"a weak player", "setoption name SkillLevel value 1\ngo infinite\nstop\ngo nodes 1000", `bestmove `},
		{"a mate in two", "position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1\ngo nodes 20000", `score mate 2 .*pv f6[fg][67] .*\n(?s).*bestmove f6`},
		{"the same, asked for a mate", "position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1\ngo mate 2", `score mate 2 `},
		{"to be mated", "position fen 7k/5K2/8/8/8/8/8/R7 b - - 0 1\ngo depth 3", `score mate -1 .*pv h8h7`},
		{"mated", "position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\ngo", `^info depth 0 score mate 0\nbestmove \(none\)\n$`},
		{"stalemate", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop", `^info depth 0 score cp 0\nbestmove \(none\)\n$`},
		{"no such position", "position fen 8/8\ngo", `^info string position: "8/8" has 2 rows, want 8\ninfo string position: .*\nbestmove \(none\)\n$`},
		{"a wrong move", "position startpos moves e2e5\ngo", `^info string position: move 1: move "e2e5": not one .*\ninfo .*\nbestmove \(none\)\n$`},
		{"castling", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1\nd", `Fen: 4k3/8/8/8/8/8/8/5RK1 b`},
		{"castling as the king takes the rook", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1\nd", `Fen: 4k3/8/8/8/8/8/8/5RK1 b`},
		{"its castling", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo searchmoves e1g1 depth 1", `bestmove e1g1`},
		{"its castling in Chess960", "setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1\ngo searchmoves e1h1 depth 1", `bestmove e1h1`},
		{"Chess960 for another game", "setoption name UCI_Variant value atomic\nsetoption name UCI_Chess960 value true", `^info string UCI_Chess960 is for chess only`},
		{"another game", "setoption name UCI_Variant value crazyhouse\nposition fen 4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1\ngo searchmoves Q@e7 Q@d5 depth 1", `bestmove Q@d5`},
		{"its win", "setoption name UCI_Variant value hexapawn\nposition startpos moves a1a2 b3a2\ngo", `score mate `},
		{"no such game", "setoption name UCI_Variant value ches\ngo depth 1", `^info string option UCI_Variant: no game "ches" \(did you mean chess\?\)\n(?s).*bestmove`},
		{"a file of variants", "setoption name Hash value 8\nsetoption name VariantPath value my.ini\nuci\nsetoption name UCI_Variant value horde\nd", `(?s)^info string not offered: a section\ninfo string there are 2 games: chess horde\n.*var chess var horde\n.*Hash type spin default 64 .*Fen: rnbqkbnr/pppppppp/8/1PP2PP1/`},
		{"no such file", "setoption name VariantPath value other.ini\nsetoption name VariantPath value <empty>", `^info string no such file\n$`},
		{"no database", "setoption name DatabasePath value nowhere", `^info string option DatabasePath: no database\n$`},
		{"perft", "go perft 2", `(?s)^a2a3: 20\n.*\nNodes searched: 400\n$`},
		{"perft that is stopped", "go perft 90\nstop\ngo depth 1", `(?s)info string perft: context canceled\n.*bestmove`},
		{"a new game forgets", "go nodes 100\nucinewgame\ngo nodes 100", `(?s)bestmove .*bestmove `},
		{"wrong options", "setoption name Hash value 0\nsetoption name Foo value 1\nsetoption\nsetoption name Hash", `^info string option Hash: "0": want .*\ninfo string no option "Foo"\ninfo string setoption: want .*\ninfo string setoption: want .*\n$`},
		{"a button, blanks and words in another case", "  setoption   name  clear hash \n setoption name move  overhead value 10\nisready", `^readyok\n$`},
		{"an unknown command", "xboard\nquit", `^info string unknown command "xboard"\n$`},
		{"no search after quit", "go infinite\nquit", `^(info .*\n)*$`},
		{"the end of the input", "go infinite", `bestmove `},
		{"memory that nobody has", "setoption name Hash value 1048576\ngo", `^info string the option Hash 1048576: this machine has .*\nbestmove \(none\)\n$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := session(t, strings.Split(c.commands, "\n")...)
			require.Regexp(t, c.want, got)
			asked := strings.Count("\n"+c.commands, "\ngo") - strings.Count(c.commands, "go perft")
			if !strings.HasSuffix(c.commands, "quit") {
				require.Equal(t, asked, strings.Count(got, "bestmove "), got)
			}
		})
	}
}

// TestEngineRefuses has no game.
func TestEngineRefuses(t *testing.T) {
	_, err := NewEngine(io.Discard, Config{})
	require.ErrorContains(t, err, "there are no games")
}

// TestInterrupt ends a search with the context of the command.
func TestInterrupt(t *testing.T) {
	e, err := NewEngine(io.Discard, testGames())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	go func() {
		io.WriteString(out, "go infinite\nisready\n")
		cancel()
	}()
	require.ErrorIs(t, e.Run(ctx, in), context.Canceled)
}

// TestParseGo reads the limits of a go.
func TestParseGo(t *testing.T) {
	const margin = 100 * time.Millisecond
	none := func(string) (app.Move, error) { return app.Move{}, errors.New("none") }
	for _, c := range []struct {
		args   string
		second bool
		want   play.Limits
	}{
		{"wtime 5000 btime 7000", false, play.Limits{Clock: play.Clock{Left: 5 * time.Second, Margin: margin}}},
		{"wtime 5000 btime 7000 winc 1000 binc 2000 movestogo 5", true, play.Limits{Clock: play.Clock{Left: 7 * time.Second, Increment: 2 * time.Second, Moves: 5, Margin: margin}}},
		{"wtime -5 btime 7000", false, play.Limits{Time: time.Millisecond}},
		{"movetime 500 nodes 7 depth 1000", false, play.Limits{Time: 400 * time.Millisecond, Nodes: 7, Depth: play.MaxDepth}},
		{"movetime 10", false, play.Limits{Time: time.Millisecond}},
		{"mate 3", false, play.Limits{Depth: 6}},
		{"nodes -1", false, play.Limits{Nodes: 1}},
	} {
		l, ignored := parseGo(strings.Fields(c.args), c.second, none, margin)
		require.Empty(t, ignored)
		require.Equal(t, c.want, l.Limits, c.args)
	}
}

// TestScoreText counts mates in moves, and reads them again.
func TestScoreText(t *testing.T) {
	for v, want := range map[games.Value]string{
		games.Win(1): "mate 1", games.Win(3): "mate 2", games.Loss(0): "mate 0", games.Loss(2): "mate -1", games.Loss(4): "mate -2", games.Draw: "cp 0",
		games.Won.Value(): "cp 20000", games.Lost.Value(): "cp -20000",
	} {
		require.Equal(t, want, scoreText(play.ScoreOf(v)), "%v", v)
	}
	require.Equal(t, []int{3, 1, 0, -2}, []int{inPlies(2), inPlies(1), inPlies(0), inPlies(-1)})
}

// TestDatabases asks several databases in their order.
func TestDatabases(t *testing.T) {
	list := values{noValue{}, someValue{}, noValue{}}
	v, known, err := list.Value(app.Position{})
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, games.Win(3), v)
	_, known, err = values{noValue{}}.Value(app.Position{})
	require.NoError(t, err)
	require.False(t, known)
}

type (
	noValue   struct{ app.Database }
	someValue struct{ app.Database }
)

func (noValue) Value(app.Position) (games.Value, bool, error)   { return 0, false, nil }
func (someValue) Value(app.Position) (games.Value, bool, error) { return games.Win(3), true, nil }
