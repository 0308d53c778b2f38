package shogi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// badEngine is a program that speaks USI, and misbehaves as its argument says. While it runs it is connected to the
// socket that BAD_ENGINE names, and what it starts is too.
func badEngine() {
	c, err := net.Dial("unix", os.Getenv("BAD_ENGINE"))
	if err != nil {
		panic(err)
	}
	defer c.Close()
	how := strings.Join(os.Args[1:], " ")
	if how == "child" {
		fmt.Fprintln(c, "child")
		<-time.After(time.Hour)
	}
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		word, _, _ := strings.Cut(scanner.Text(), " ")
		switch word {
		case "usi":
			switch how {
			case "exits at the start":
				os.Exit(3)
			case "is silent at the start":
				continue
			}
			fmt.Println("usiok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			fmt.Fprintln(c, "go")
			switch how {
			case "has a child":
				child := exec.Command(os.Args[0], "child")
				child.Stdout = os.Stdout
				if err := child.Start(); err != nil {
					panic(err)
				}
				os.Exit(0)
			case "exits":
				os.Exit(3)
			case "plays an illegal move":
				fmt.Println("bestmove 1a1b")
			case "plays nothing":
				fmt.Println("bestmove")
			case "writes garbage":
				fmt.Print("\x00\xff\x1b[2Jbest\nmove 7g7f\n\n")
			case "floods":
				for {
					fmt.Println("info string no end")
				}
			case "writes a long line":
				for {
					fmt.Print("bestmove 7g7f ")
				}
			case "closes its output":
				os.Stdout.Close()
				<-time.After(time.Hour)
			case "hangs":
				<-time.After(time.Hour)
			}
		case "quit":
			if how == "ignores quit" {
				<-time.After(time.Hour)
			}
			return
		}
	}
}

// first plays the first legal move.
type first struct{ game app.Board }

func (first) Begin(context.Context, uint64) error { return nil }
func (first) Close() error                        { return nil }

func (f first) Move(_ context.Context, s match.State[app.Position, app.Move]) (match.Decision[app.Move], error) {
	return match.Decision[app.Move]{Move: f.game.AppendMoves(nil, s.Position)[0]}, nil
}

// watch listens for bad engines. It returns a function that waits until one says a word, and one that waits until all
// have ended.
func watch(t *testing.T) (said func(word string), ended func()) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	t.Setenv("BAD_ENGINE", socket)
	words, open := make(chan string, 100), make(chan net.Conn, 100)
	go func() {
		defer close(open)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open <- c
			go func() {
				for scanner := bufio.NewScanner(c); scanner.Scan(); {
					words <- scanner.Text()
				}
				c.Close()
			}()
		}
	}()
	return func(word string) {
			for w := range words {
				if w == word {
					return
				}
			}
		}, func() {
			require.NoError(t, l.Close())
			for c := range open {
				_, _ = io.Copy(io.Discard, c) // until the last program that has the other end is gone
			}
		}
}

// TestMisbehaving has programs that misbehave forfeit both games of a pair, and leaves none running.
func TestMisbehaving(t *testing.T) {
	opened, err := app.New(shogi.Family).Open("shogi")
	require.NoError(t, err)
	g := opened.Board
	for _, c := range []struct {
		how    string
		ending match.Ending
		remark string
	}{
		{"hangs", match.ByTime, "no answer in time"},
		{"floods", match.ByTime, "no answer in time"},
		{"writes garbage", match.ByTime, "no answer in time"},
		{"exits", match.ByCrash, "bad-engine exits: the program has ended (exit status 3)"},
		{"has a child", match.ByCrash, "bad-engine has a child: the program has ended (exit status 0)"},
		{"writes a long line", match.ByCrash, "bad-engine writes a long line: it has written a line of more than 1048576 bytes"},
		{"closes its output", match.ByCrash, "bad-engine closes its output: it has closed its output"},
		{"plays an illegal move", match.ByIllegal, `"1a1b": `},
		{"plays nothing", match.ByIllegal, `"bestmove": want a move`},
	} {
		t.Run(c.how, func(t *testing.T) {
			_, ended := watch(t)
			limit := time.Hour
			if c.ending == match.ByTime {
				limit = 50 * time.Millisecond
			}
			var records []match.Record
			r, err := match.Play(t.Context(), g, match.Config[app.Position, app.Move]{
				Players: [2]match.Maker[app.Position, app.Move]{
					func(ctx context.Context) (match.Player[app.Position, app.Move], error) {
						return uci.USI.StartClient(ctx, g, "bad-engine "+c.how, nil, play.Limits{Nodes: 1})
					},
					func(context.Context) (match.Player[app.Position, app.Move], error) { return first{g}, nil },
				},
				Pairs: 1, Patience: match.Patience{Start: time.Hour, Move: [2]time.Duration{limit, time.Hour}, Crashes: 3},
				Notation: func(r match.Record) error { records = append(records, r); return nil },
			})
			require.NoError(t, err)
			require.Equal(t, 2, r.Lost)
			require.Equal(t, [2]map[match.Ending]int{{c.ending: 2}, nil}, r.Forfeits)
			require.Zero(t, r.Left)
			require.Contains(t, records[0].Remark, c.remark)
			ended()
		})
	}
}

// TestMisbehavingStart has programs that never start.
func TestMisbehavingStart(t *testing.T) {
	opened, err := app.New(shogi.Family).Open("shogi")
	require.NoError(t, err)
	g := opened.Board
	for how, want := range map[string]string{
		"exits at the start":     `player 2: bad-engine exits at the start: the program has ended \(exit status 3\)`,
		"is silent at the start": "player 2: not ready for a game within 100ms",
	} {
		_, ended := watch(t)
		limit := time.Hour
		if how == "is silent at the start" {
			limit = 100 * time.Millisecond
		}
		_, err := match.Play(t.Context(), g, match.Config[app.Position, app.Move]{
			Players: [2]match.Maker[app.Position, app.Move]{
				func(context.Context) (match.Player[app.Position, app.Move], error) { return first{g}, nil },
				func(ctx context.Context) (match.Player[app.Position, app.Move], error) {
					return uci.USI.StartClient(ctx, g, "bad-engine "+how, nil, play.Limits{Nodes: 1})
				},
			},
			Pairs: 1, Patience: match.Patience{Start: limit, Crashes: 3},
		})
		require.Error(t, err)
		require.Regexp(t, "^"+want+"$", err.Error())
		ended()
	}
}

// TestMisbehavingInterrupted interrupts a match while a program hangs; no program is left.
func TestMisbehavingInterrupted(t *testing.T) {
	opened, err := app.New(shogi.Family).Open("shogi")
	require.NoError(t, err)
	g := opened.Board
	said, ended := watch(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		said("go")
		cancel()
	}()
	hanging := func(ctx context.Context) (match.Player[app.Position, app.Move], error) {
		return uci.USI.StartClient(ctx, g, "bad-engine hangs", nil, play.Limits{Nodes: 1})
	}
	r, err := match.Play(ctx, g, match.Config[app.Position, app.Move]{
		Players: [2]match.Maker[app.Position, app.Move]{hanging, hanging}, Pairs: 1, Patience: match.Patience{Crashes: 3},
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, r.Left, "the programs were killed, not only told to quit")
	ended()
}

// TestIgnoresQuit kills a program that does not end when it is told to.
func TestIgnoresQuit(t *testing.T) {
	if testing.Short() {
		t.Skip("it has three seconds to end")
	}
	opened, err := app.New(shogi.Family).Open("shogi")
	require.NoError(t, err)
	_, ended := watch(t)
	u, err := uci.USI.StartClient(t.Context(), opened.Board, "bad-engine ignores quit", nil, play.Limits{Nodes: 1})
	require.NoError(t, err)
	require.NoError(t, u.Close())
	ended()
}
