package match

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/play"
)

type (
	position = connect4.Position
	move     = connect4.Move
)

// scripted is a player that makes the first move of each position, unless it is to do something else.
type scripted struct {
	game games.Game[position, move]
	ctx  context.Context // of its maker
	do   func(ctx context.Context, s State[position, move]) (Decision[move], error)
}

func (p *scripted) Begin(context.Context, uint64) error { return nil }
func (p *scripted) Close() error                        { return nil }

func (p *scripted) Move(ctx context.Context, s State[position, move]) (Decision[move], error) {
	if p.do != nil {
		return p.do(ctx, s)
	}
	return Decision[move]{Move: p.game.AppendMoves(nil, s.Position)[0]}, nil
}

func smallGame(t *testing.T) games.Game[position, move] {
	g, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	return g
}

func steady(g games.Game[position, move]) Maker[position, move] {
	return func(ctx context.Context) (Player[position, move], error) { return &scripted{game: g, ctx: ctx}, nil }
}

// TestForfeits has a first player that misbehaves in its second game. It loses that game, at its clock if it does not
// answer, another player is made for the next game, and the match goes on.
func TestForfeits(t *testing.T) {
	const limit = 10 * time.Second
	clocks := map[string]play.Clock{"clock": {Left: limit - 2*time.Second, Byoyomi: 2 * time.Second}, "no clock": {}}
	for _, c := range []struct {
		name   string
		do     func(release chan struct{}) (Decision[move], error)
		ending Ending
		remark string
		left   int
	}{
		{"hangs", func(release chan struct{}) (Decision[move], error) { <-release; return Decision[move]{}, nil }, ByTime, "no answer in time", 1},
		{"late", func(chan struct{}) (Decision[move], error) { time.Sleep(limit + 1); return Decision[move]{}, nil }, ByTime, "no answer in time", 0},
		{"panics", func(chan struct{}) (Decision[move], error) { panic("no such square") }, ByCrash, "panic: no such square", 0},
		{"fails", func(chan struct{}) (Decision[move], error) { return Decision[move]{}, errors.New("out of luck") }, ByCrash, "out of luck", 0},
		{"illegal", func(chan struct{}) (Decision[move], error) { return Decision[move]{Move: 77}, nil }, ByIllegal, `"77": not a legal move`, 0},
		{"declares", func(chan struct{}) (Decision[move], error) { return Decision[move]{Declare: true}, nil }, ByIllegal, `"win": a declaration, but the game has none`, 0},
	} {
		for name, clock := range clocks {
			t.Run(c.name+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g, release := smallGame(t), make(chan struct{})
					made := 0
					var asked atomic.Int32 // a player that hangs is left behind
					var given context.Context
					faulty := func(ctx context.Context) (Player[position, move], error) {
						made++
						given = ctx
						p := &scripted{game: g}
						p.do = func(ctx context.Context, s State[position, move]) (Decision[move], error) {
							if asked.Add(1) == 2 {
								return c.do(release)
							}
							return Decision[move]{Resign: true}, nil
						}
						return p, nil
					}
					var records []Record
					cfg := Config[position, move]{
						Rules: Rules[position]{Clock: clock}, Players: [2]Maker[position, move]{faulty, steady(g)}, Pairs: 2,
						Patience: Patience{Start: time.Minute, Move: [2]time.Duration{limit, limit}, Crashes: 2},
						Notation: func(r Record) error { records = append(records, r); return nil },
					}
					begin := time.Now()
					r, err := Play(t.Context(), g, cfg)
					took := time.Since(begin)
					require.NoError(t, err)
					require.Equal(t, 4, r.Lost)
					require.Equal(t, map[Ending]int{ByResigning: 3, c.ending: 1}, r.Endings)
					require.Equal(t, [2]map[Ending]int{{c.ending: 1}, nil}, r.Forfeits)
					require.Equal(t, c.left, r.Left)
					require.Equal(t, 2, made, "another player for the next game")
					require.Error(t, given.Err(), "the player is told to give up")
					require.LessOrEqual(t, took, limit+time.Second)
					require.Equal(t, []int{0, 1, 0, 0}, []int{records[0].Forfeit, records[1].Forfeit, records[2].Forfeit, records[3].Forfeit})
					require.Equal(t, c.ending, records[1].Ending)
					require.Equal(t, c.remark, records[1].Remark)
					var b strings.Builder
					require.NoError(t, WriteRecord(&b, g, records[1], "A", "B"))
					require.Contains(t, b.String(), fmt.Sprintf("[Termination %q]", string(c.ending)+", forfeited by Second: "+c.remark))
					for n, err := range ReadNotation(b.String()) {
						require.NoError(t, err)
						require.Equal(t, c.ending, n.Ending)
					}
					close(release)
				})
			})
		}
	}
}

// badRules are rules whose Play does not return, or panics, after a move on a column.
type badRules struct {
	games.Game[position, move]
	hang   bool
	column move
	wait   chan struct{}
}

func (g *badRules) Play(p position, m move) position {
	if m == g.column {
		if !g.hang {
			panic("this column is broken")
		}
		<-g.wait
	}
	return g.Game.Play(p, m)
}

// TestBadRules has a game of another module whose rules do not return or panic. The player loses that makes the move,
// whether they are asked in its search or after it.
func TestBadRules(t *testing.T) {
	for _, hang := range []bool{true, false} {
		for _, searches := range []bool{true, false} {
			t.Run(fmt.Sprintf("hang %t, searches %t", hang, searches), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					plain := smallGame(t)
					g := &badRules{Game: plain, hang: hang, column: plain.AppendMoves(nil, plain.Start())[3], wait: make(chan struct{})}
					bad := func(context.Context) (Player[position, move], error) {
						p := &scripted{game: g}
						p.do = func(_ context.Context, s State[position, move]) (Decision[move], error) {
							if searches {
								g.Play(s.Position, g.column)
							}
							return Decision[move]{Move: g.column}, nil
						}
						return p, nil
					}
					begin := time.Now()
					r, err := Play(t.Context(), games.Game[position, move](g), Config[position, move]{
						Rules: Rules[position]{Clock: play.Clock{Left: 10 * time.Second}}, Players: [2]Maker[position, move]{steady(g), bad}, Pairs: 2,
						Patience: Patience{Start: time.Minute, Crashes: 9},
					})
					took := time.Since(begin)
					require.NoError(t, err)
					require.Equal(t, 4, r.Won)
					want, left := ByCrash, 0
					if hang {
						want, left = ByTime, 4
					}
					require.Equal(t, [2]map[Ending]int{nil, {want: 4}}, r.Forfeits)
					require.Equal(t, left, r.Left)
					require.LessOrEqual(t, took, 4*(11*time.Second))
					close(g.wait)
				})
			})
		}
	}
}

// TestCrashes ends a match whose player crashes again and again, or cannot be made. The file keeps the games before, and
// the match goes on from there.
func TestCrashes(t *testing.T) {
	g := smallGame(t)
	crashing := true
	second := func(context.Context) (Player[position, move], error) {
		p := &scripted{game: g}
		p.do = func(_ context.Context, s State[position, move]) (Decision[move], error) {
			if crashing {
				return Decision[move]{}, errors.New("segmentation fault")
			}
			return Decision[move]{Resign: true}, nil
		}
		return p, nil
	}
	cfg := Config[position, move]{
		Players: [2]Maker[position, move]{steady(g), second}, Pairs: 4, Patience: Patience{Crashes: 5},
		File: filepath.Join(t.TempDir(), "games"), Settings: "test",
	}
	r, err := Play(t.Context(), g, cfg)
	require.EqualError(t, err, "player 2 crashed in 5 games in a row: segmentation fault")
	require.Equal(t, 4, r.Won)
	crashing = false
	r, err = Play(t.Context(), g, cfg)
	require.NoError(t, err)
	require.Equal(t, [2]map[Ending]int{nil, {ByCrash: 4}}, r.Forfeits)
	require.Equal(t, 8, r.Won)
	require.Equal(t, 4, r.Endings[ByResigning])

	// Games in between that do not crash begin the count again.
	n := 0
	cfg.File, cfg.Pairs = "", 20
	cfg.Players[1] = func(context.Context) (Player[position, move], error) {
		p := &scripted{game: g}
		p.do = func(_ context.Context, s State[position, move]) (Decision[move], error) {
			if n++; n%5 == 0 {
				return Decision[move]{Resign: true}, nil
			}
			return Decision[move]{}, errors.New("segmentation fault")
		}
		return p, nil
	}
	r, err = Play(t.Context(), g, cfg)
	require.NoError(t, err)
	require.Equal(t, [2]map[Ending]int{nil, {ByCrash: 32}}, r.Forfeits)

	broken := errors.New("no such program")
	cfg.Players[0] = func(context.Context) (Player[position, move], error) { return nil, broken }
	_, err = Play(t.Context(), g, cfg)
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "player 1: no such program")
}

// TestInterrupted ends a match while a player hangs, and while one does not start.
func TestInterrupted(t *testing.T) {
	for _, inStart := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			g, release := smallGame(t), make(chan struct{})
			hanging := func(ctx context.Context) (Player[position, move], error) {
				if inStart {
					<-release
				}
				p := &scripted{game: g}
				p.do = func(context.Context, State[position, move]) (Decision[move], error) {
					<-release
					return Decision[move]{}, nil
				}
				return p, nil
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			begin := time.Now()
			_, err := Play(ctx, g, Config[position, move]{Players: [2]Maker[position, move]{hanging, hanging}, Pairs: 2, Patience: Patience{Crashes: 5}})
			took := time.Since(begin)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.LessOrEqual(t, took, time.Hour+time.Second)
			close(release)
		})
	}
}

// TestNotReady has a player that is ready for one game only in time.
func TestNotReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, n := smallGame(t), 0
		slow := func(ctx context.Context) (Player[position, move], error) {
			if n++; n == 1 {
				return &slowToBegin{scripted{game: g, do: func(context.Context, State[position, move]) (Decision[move], error) {
					return Decision[move]{Resign: true}, nil
				}}, 0}, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r, err := Play(t.Context(), g, Config[position, move]{
			Players: [2]Maker[position, move]{slow, steady(g)}, Pairs: 2, Patience: Patience{Start: time.Minute, Crashes: 3},
		})
		require.EqualError(t, err, "player 1 crashed in 3 games in a row: not ready for a game within 1m0s")
		require.Equal(t, map[Ending]int{ByResigning: 1, ByCrash: 1}, r.Endings)
	})
}

// slowToBegin is not ready for its second game.
type slowToBegin struct {
	scripted
	games int
}

func (p *slowToBegin) Begin(ctx context.Context, _ uint64) error {
	if p.games++; p.games == 2 {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}
