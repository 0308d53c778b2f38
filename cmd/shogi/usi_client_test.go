package shogi

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// fakeEngine is a program that speaks USI. It writes what it hears to the file that FAKE_USI names.
func fakeEngine() {
	heard, err := os.Create(os.Getenv("FAKE_USI"))
	if err != nil {
		panic(err)
	}
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		fmt.Fprintln(heard, scanner.Text())
		switch word, _, _ := strings.Cut(scanner.Text(), " "); word {
		case "usi":
			fmt.Println("usiok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			fmt.Println("info depth 3 nodes 7 score cp -12 pv x")
			fmt.Println(os.Getenv("FAKE_ANSWER"))
		}
	}
}

// TestUSIClient compares what a program hears with the protocol.
func TestUSIClient(t *testing.T) {
	fischer := [2]play.Clock{{Left: 7 * time.Second, Increment: 2 * time.Second}, {Left: time.Second, Increment: 2 * time.Second}}
	byoyomi := [2]play.Clock{{Left: 7 * time.Second, Byoyomi: 500 * time.Millisecond}, {Byoyomi: 500 * time.Millisecond}}
	g := app.NewBoard[shogi.Position, shogi.Move](shogi.Game{})
	for _, c := range []struct {
		from, moves string
		limits      play.Limits
		clocks      [2]play.Clock
		position    string
		limit       string
	}{
		{"4k4/9/9/9/9/9/9/9/4K4 b -", "5i5h", play.Limits{Nodes: 5}, byoyomi, "4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h", "nodes 5"},
		{"4k4/9/9/9/9/9/9/9/4K4 b G", "", play.Limits{Depth: 5}, fischer, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "depth 5"},
		{"4k4/9/9/9/9/9/9/9/4K4 b G", "", play.Limits{Time: time.Second}, fischer, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "movetime 1000"},
		// The clocks are those of Black and White, whoever moved first.
		{"4k4/9/9/9/9/9/9/9/4K4 b G", "", play.Limits{}, byoyomi, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "btime 7000 wtime 0 byoyomi 500"},
		{"4k4/9/9/9/9/9/9/9/4K4 b G", "5i5h", play.Limits{}, byoyomi, "4k4/9/9/9/9/9/9/9/4K4 b G 1 moves 5i5h", "btime 0 wtime 7000 byoyomi 500"},
		{"4k4/9/9/9/9/9/9/9/4K4 w G", "", play.Limits{}, byoyomi, "4k4/9/9/9/9/9/9/9/4K4 w G 1", "btime 0 wtime 7000 byoyomi 500"},
		{"4k4/9/9/9/9/9/9/9/4K4 w G", "5a5b", play.Limits{}, byoyomi, "4k4/9/9/9/9/9/9/9/4K4 w G 1 moves 5a5b", "btime 7000 wtime 0 byoyomi 500"},
		// What this move adds is not in the time that is left.
		{"4k4/9/9/9/9/9/9/9/4K4 b G", "", play.Limits{}, fischer, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "btime 5000 wtime 0 binc 2000 winc 2000"},
	} {
		file := filepath.Join(t.TempDir(), "heard")
		t.Setenv("FAKE_USI", file)
		t.Setenv("FAKE_ANSWER", "bestmove 5a4a ponder 5i5h")
		from, err := g.ParsePosition(c.from)
		require.NoError(t, err)
		s := match.State[app.Position, app.Move]{From: from, Position: from, Clocks: c.clocks}
		for _, text := range strings.Fields(c.moves) {
			m, err := games.ParseMove(g, s.Position, text)
			require.NoError(t, err)
			s.Moves, s.Position = append(s.Moves, m), g.Play(s.Position, m)
		}
		u, err := uci.USI.StartClient(t.Context(), g, "fake-engine", []string{"Threads=2"}, c.limits)
		require.NoError(t, err)
		require.NoError(t, u.Begin(t.Context(), 1))
		d, err := u.Move(t.Context(), s)
		if strings.Contains(g.PositionText(s.Position), " w ") {
			require.NoError(t, err)
			require.Equal(t, "5a4a", g.MoveText(s.Position, d.Move))
		} else {
			var illegal *match.IllegalError
			require.ErrorAs(t, err, &illegal)
		}
		require.NoError(t, u.Close())
		heard, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, []string{
			"usi", "setoption name Threads value 2", "isready", "isready", "usinewgame",
			"position sfen " + c.position, "go " + c.limit, "quit",
		}, strings.Split(strings.TrimSpace(string(heard)), "\n"))
	}
}
