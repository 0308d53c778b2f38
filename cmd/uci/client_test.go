package uci

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fake-engine": fakeEngine})
}

// fakeEngine is a program that speaks UCI. It writes what it hears to the file that FAKE_UCI names.
func fakeEngine() {
	heard, err := os.Create(os.Getenv("FAKE_UCI"))
	if err != nil {
		panic(err)
	}
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		fmt.Fprintln(heard, scanner.Text())
		switch word, _, _ := strings.Cut(scanner.Text(), " "); word {
		case "uci":
			if os.Getenv("FAKE_VARIANTS") != "" {
				fmt.Println("option name UCI_Variant type combo default chess " + os.Getenv("FAKE_VARIANTS"))
			}
			fmt.Println("uciok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			fmt.Println("info depth 3 nodes 7 score mate 2 pv x")
			fmt.Println(os.Getenv("FAKE_ANSWER"))
		}
	}
}

// TestClient compares what a program hears with the protocol.
func TestClient(t *testing.T) {
	fischer := [2]play.Clock{{Left: 7 * time.Second, Increment: 2 * time.Second}, {Left: time.Second, Increment: 2 * time.Second}}
	byoyomi := [2]play.Clock{{Byoyomi: 500 * time.Millisecond}, {Byoyomi: 500 * time.Millisecond}}
	const white, black = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"
	for _, c := range []struct {
		game, variants, from, moves, answer string
		limits                              play.Limits
		clocks                              [2]play.Clock
		options, position, limit            string
	}{
		{"chess", "", white, "", "a1a8", play.Limits{Nodes: 5}, fischer, "Hash 8", white, "nodes 5"},
		{"chess", "var chess var atomic", white, "", "a1a8", play.Limits{Depth: 5}, fischer, "UCI_Variant chess|Hash 8", white, "depth 5"},
		{"atomic", "var chess var atomic", white, "", "a1a8", play.Limits{Time: time.Second}, fischer, "UCI_Variant atomic|Hash 8", white, "movetime 1000"},
		{"fischerandom", "var chess", white, "", "a1a8", play.Limits{Nodes: 5}, fischer, "UCI_Chess960 true|Hash 8", white, "nodes 5"},
		// The clocks are those of White and Black, whoever moved first. What this move adds is not in the time that is left.
		{"chess", "", white, "", "a1a8", play.Limits{}, fischer, "Hash 8", white, "wtime 5000 btime 0 winc 2000 binc 2000"},
		{"chess", "", white, "a1a7", "e8d8", play.Limits{}, fischer, "Hash 8", white + " moves a1a7", "wtime 0 btime 5000 winc 2000 binc 2000"},
		{"chess", "", black, "", "e8d8", play.Limits{}, fischer, "Hash 8", black, "wtime 0 btime 5000 winc 2000 binc 2000"},
		{"chess", "", white, "", "a1a8", play.Limits{}, byoyomi, "Hash 8", white, "movetime 500"},
	} {
		g, err := variant.BuiltIn().Game(c.game)
		require.NoError(t, err)
		b := app.NewBoard[variant.Position, variant.Move](g)
		file := filepath.Join(t.TempDir(), "heard")
		t.Setenv("FAKE_UCI", file)
		t.Setenv("FAKE_VARIANTS", c.variants)
		t.Setenv("FAKE_ANSWER", "bestmove "+c.answer+" ponder e8d8")
		from, err := b.ParsePosition(c.from)
		require.NoError(t, err)
		s := match.State[app.Position, app.Move]{From: from, Position: from, Clocks: c.clocks}
		for _, text := range strings.Fields(c.moves) {
			m, err := games.ParseMove(b, s.Position, text)
			require.NoError(t, err)
			s.Moves, s.Position = append(s.Moves, m), b.Play(s.Position, m)
		}
		u, err := UCI.StartClient(t.Context(), b, "fake-engine", []string{"Hash=8"}, c.limits)
		require.NoError(t, err)
		require.NoError(t, u.Begin(t.Context(), 1))
		d, err := u.Move(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t, c.answer, b.MoveText(s.Position, d.Move))
		require.Equal(t, play.ScoreOf(games.Win(3)), d.Score)
		require.NoError(t, u.Close())
		heard, err := os.ReadFile(file)
		require.NoError(t, err)
		want := []string{"uci"}
		for _, o := range strings.Split(c.options, "|") {
			name, value, _ := strings.Cut(o, " ")
			want = append(want, "setoption name "+name+" value "+value)
		}
		want = append(want, "isready", "isready", "ucinewgame", "position fen "+c.position, "go "+c.limit, "quit")
		require.Equal(t, want, strings.Split(strings.TrimSpace(string(heard)), "\n"))
	}
}

// TestClientRefuses has engines that do not play the game.
func TestClientRefuses(t *testing.T) {
	g, err := variant.BuiltIn().Game("atomic")
	require.NoError(t, err)
	t.Setenv("FAKE_UCI", filepath.Join(t.TempDir(), "heard"))
	for _, variants := range []string{"", "var chess var atomic2"} {
		t.Setenv("FAKE_VARIANTS", variants)
		_, err = UCI.StartClient(t.Context(), app.NewBoard[variant.Position, variant.Move](g), "fake-engine", nil, play.Limits{})
		require.ErrorContains(t, err, "fake-engine does not play atomic: its option UCI_Variant has no such value")
	}
}
