package gomoku

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// TestMain is a program of the Gomocup protocol if BAD_ENGINE says how it misbehaves.
func TestMain(m *testing.M) {
	if how := os.Getenv("BAD_ENGINE"); how != "" {
		badEngine(how)
		return
	}
	os.Exit(m.Run())
}

func badEngine(how string) {
	var nodes int
	for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
		switch word, _, _ := strings.Cut(scanner.Text(), " "); word {
		case "START":
			switch how {
			case "refuses":
				fmt.Println("ERROR no such size")
				continue
			case "exits at the start":
				os.Exit(3)
			}
			fmt.Println("OK")
		case "INFO":
			fmt.Sscanf(scanner.Text(), "INFO max_node %d", &nodes)
		case "RESTART":
			if how == "exits before a game" {
				os.Exit(3)
			}
			fmt.Println("OK")
		case "DONE":
			switch how {
			case "exits":
				os.Exit(3)
			case "plays its limit":
				fmt.Printf("%d,0\n", nodes)
			case "plays off the board":
				fmt.Println("99,99")
			case "floods":
				for {
					fmt.Println("MESSAGE no end")
				}
			}
		case "END":
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

// TestClientNodes tells a program how many positions it may search.
func TestClientNodes(t *testing.T) {
	opened, err := app.New(gomoku.Family).Open("gomoku")
	require.NoError(t, err)
	g := opened.Board
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("BAD_ENGINE", "plays its limit")
	c, err := StartClient(t.Context(), g, program, nil, play.Limits{Nodes: 11})
	require.NoError(t, err)
	d, err := c.Move(t.Context(), match.State[app.Position, app.Move]{From: g.Start(), Position: g.Start()})
	require.NoError(t, err)
	require.Equal(t, "l15", g.MoveText(g.Start(), d.Move))
	require.NoError(t, c.Close())
}

// TestClientMisbehaving has programs that misbehave forfeit both games of a pair, or end the match if they do not start.
func TestClientMisbehaving(t *testing.T) {
	opened, err := app.New(gomoku.Family).Open("gomoku")
	require.NoError(t, err)
	g := opened.Board
	program, err := os.Executable()
	require.NoError(t, err)
	for _, c := range []struct {
		how    string
		ending match.Ending
		remark string
		fails  string // the match
	}{
		{"is silent", match.ByTime, "no answer in time", ""},
		{"floods", match.ByTime, "no answer in time", ""},
		{"exits", match.ByCrash, "the program has ended (exit status 3)", ""},
		{"exits before a game", match.ByCrash, "the program has ended (exit status 3)", ""},
		{"plays off the board", match.ByIllegal, `"99,99": want a square of the board`, ""},
		{"exits at the start", "", "", "the program has ended (exit status 3)"},
		{"refuses", "", "", "START: ERROR no such size"},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Setenv("BAD_ENGINE", c.how)
			limit := time.Hour
			if c.ending == match.ByTime {
				limit = 50 * time.Millisecond
			}
			var records []match.Record
			r, err := match.Play(t.Context(), g, match.Config[app.Position, app.Move]{
				Players: [2]match.Maker[app.Position, app.Move]{
					func(ctx context.Context) (match.Player[app.Position, app.Move], error) {
						return StartClient(ctx, g, program, nil, play.Limits{})
					},
					func(context.Context) (match.Player[app.Position, app.Move], error) { return first{g}, nil },
				},
				Pairs: 1, Patience: match.Patience{Move: [2]time.Duration{limit, time.Hour}, Crashes: 3},
				Notation: func(r match.Record) error { records = append(records, r); return nil },
			})
			if c.fails != "" {
				require.EqualError(t, err, "player 1: "+program+": "+c.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, [2]map[match.Ending]int{{c.ending: 2}, nil}, r.Forfeits)
			require.Equal(t, 2, r.Lost)
			require.Zero(t, r.Left)
			require.Contains(t, records[0].Remark, c.remark)
		})
	}
}
