package judge

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/interval"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// Judge repeats the measurements of package measure for a game.
type Judge[P, M comparable] struct {
	Game games.Game[P, M]
	// Search makes searches, for each thread.
	Search func() (play.Engine[P, M], error)
	// Leaves is the effort for a position; see [measure.Measure].
	Leaves  uint64
	Threads int
	// Progress, if not nil, is told of games.
	Progress games.Progress
	// Checkpoint, if not empty, is the file in which Resigning keeps what it has measured, and from which it
	// continues. Of says what else than the games and Leaves the measurements depend on.
	Checkpoint, Of string
}

// Played is a game to measure.
type Played[P, M comparable] struct {
	From  P
	Moves []M
	// Resigned says that the side to move at the end resigned.
	Resigned bool
}

// Before are the plies before a resignation at which positions are measured.
var Before = []int{16, 8, 4, 2, 0}

// Resigning is what games show that ended with a resignation.
type Resigning struct {
	Games int
	// Decided is how many of them the search saw decided before; they are left out.
	Decided int
	// At has the measured positions by plies before the resignation, in the order of [Before].
	At [][]Sample
}

// Resigning measures the positions of the player who resigned, in all games with a resignation and at
// least 17 plies.
func (j *Judge[P, M]) Resigning(ctx context.Context, list []Played[P, M]) (*Resigning, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(g Played[P, M]) bool { return !g.Resigned || len(g.Moves) <= Before[0] })
	r := &Resigning{Games: len(list), At: make([][]Sample, len(Before))}
	m, err := j.openMeasured(list)
	if err != nil {
		return nil, err
	}
	err = j.each(ctx, len(list), func(s play.Engine[P, M], i int) error {
		if m.has(i) {
			return nil
		}
		samples, err := j.resigned(ctx, s, list[i])
		if err != nil {
			return err
		}
		return m.add(i, samples)
	})
	for i := range list {
		samples := m.Games[i]
		if len(samples) < len(Before) {
			r.Decided++
			continue
		}
		for k, s := range samples {
			s.Game = i
			r.At[k] = append(r.At[k], s)
		}
	}
	return r, err
}

// resigned measures the positions of a game, in the order of [Before]. If the search sees the end in one of them, there are
// fewer.
func (j *Judge[P, M]) resigned(ctx context.Context, s play.Engine[P, M], g Played[P, M]) (list []Sample, err error) {
	for _, n := range Before {
		s.Clear()
		d, err := measure.Measure(ctx, s, play.Query[P, M]{From: g.From, Moves: g.Moves[:len(g.Moves)-n]}, j.Leaves)
		if d.Decided || errors.Is(err, play.ErrFinished) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, Sample{Resigned: n == 0, Score: d.Score, Up: d.Up, Down: d.Down})
	}
	return list, nil
}

// Samples returns the positions of the resignations and those 16 plies before, with games numbered anew.
func (r *Resigning) Samples() (list []Sample) {
	for i := range r.At[0] {
		before, at := r.At[0][i], r.At[len(Before)-1][i]
		before.Game, at.Game = i, i
		list = append(list, before, at)
	}
	return list
}

// Lost is a position lost for the side to move, with what a limited opponent made of it.
type Lost struct {
	Sample     // Resigned: the opponent gave the win away after the next move
	Plies  int // true distance to the end
}

// Errors plays games between limited players and measures the positions that are truly lost for the side to
// move: does the opponent's answer to the move give the win away?
type Errors[P, M comparable] struct {
	Judge[P, M]
	// Value returns the true value of a position.
	Value func(p P) (games.Value, error)
	Games int
	// Nodes and Choice are those of the limited player. Play begins after RandomPlies random moves.
	Nodes       uint64
	Choice      play.Choice
	RandomPlies int
	// Plies ends a game after that many plies. It also ends when a position occurs for the third time.
	Plies int
	Seed  uint64
	// Start, if not nil, draws the position in which a game begins instead of the start position.
	Start func(rng *rand.Rand) (P, error)
}

// Found is what games of limited players show.
type Found struct {
	Games []Given
	// Distinct is the number of different games.
	Distinct int
	// Lost are different positions. Their Game is the first in which they occur.
	Lost []Lost
}

// Given says how often the moves of a game change the true result for the worse.
type Given struct {
	Moves, Given int
	// Points are what these moves lost: 1 where a win became a loss, ½ where a draw came in between.
	Points float64
}

// played is a game with what it shows.
type played[P comparable] struct {
	Given
	text string
	lost []Lost
	at   []P // positions of lost
}

// Run plays the games.
func (e *Errors[P, M]) Run(ctx context.Context) (*Found, error) {
	list := make([]played[P], e.Games)
	err := e.each(ctx, e.Games, func(s play.Engine[P, M], i int) (err error) {
		list[i], err = e.game(ctx, s, i)
		return err
	})
	f := &Found{}
	texts, positions := map[string]bool{}, map[P]bool{}
	for _, p := range list {
		f.Games = append(f.Games, p.Given)
		texts[p.text] = true
		for i, l := range p.lost {
			if !positions[p.at[i]] {
				positions[p.at[i]] = true
				f.Lost = append(f.Lost, l)
			}
		}
	}
	f.Distinct = len(texts)
	return f, err
}

// ErrNoStart is returned if the random moves before a game end it, again and again.
var ErrNoStart = errors.New("no unfinished position after the random moves was found")

// begin returns an unfinished position in which a game begins.
func (e *Errors[P, M]) begin(rng *rand.Rand) (p P, err error) {
	const attempts = 1000
	g := e.Game
	for range attempts {
		if p = g.Start(); e.Start != nil {
			if p, err = e.Start(rng); err != nil {
				return p, err
			}
		}
		for range e.RandomPlies {
			if moves := g.AppendMoves(nil, p); len(moves) > 0 {
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
		}
		if _, finished := g.Outcome(p); !finished {
			return p, nil
		}
	}
	return p, ErrNoStart
}

// game plays a game.
func (e *Errors[P, M]) game(ctx context.Context, s play.Engine[P, M], number int) (f played[P], err error) {
	g := e.Game
	from, err := e.begin(rand.New(rand.NewPCG(e.Seed, uint64(number))))
	if err != nil {
		return f, err
	}
	scorer, _ := games.As[games.Scorer[P, M]](g)
	p, gain := from, 0
	var moves []M
	text := g.AppendPosition(nil, p)
	var before games.Result
	lost := map[int]*Lost{} // by ply
	at := map[int]P{}
	seen := map[P]int{}
	ply := 0
	for ; ; ply++ {
		v, finished := g.Outcome(p)
		if !finished {
			if v, err = e.Value(p); err != nil {
				return f, err
			}
		}
		if ply > 0 {
			f.Moves++
			if worse := before - v.Backup(gain).Result(); worse > 0 {
				f.Given.Given++
				f.Points += float64(worse) / 2
			}
		}
		before = v.Result()
		if l := lost[ply-2]; l != nil && before != games.Lost {
			l.Resigned = true
		}
		if seen[p]++; finished || seen[p] == 3 || ply == e.Plies {
			break
		}
		if before == games.Lost && e.Leaves > 0 {
			s.Clear()
			d, err := measure.Measure(ctx, s, play.Query[P, M]{From: from, Moves: moves}, e.Leaves)
			if err != nil {
				return f, err
			}
			if !d.Decided {
				lost[ply] = &Lost{Sample{Game: number, Score: d.Score, Up: d.Up, Down: d.Down}, v.Size()}
				at[ply] = p
			}
		}
		s.Clear()
		c := e.Choice
		c.Seed = e.Seed<<20 ^ uint64(number)<<10 ^ uint64(ply)
		r, err := s.Search(ctx, play.Query[P, M]{From: from, Moves: moves, Limits: play.Limits{Nodes: e.Nodes}, Choice: c})
		if err != nil {
			return f, err
		}
		m := r.Best().Moves[0]
		if gain = 0; scorer != nil {
			gain = scorer.Gain(p, m)
		}
		text = g.AppendMove(append(text, ' '), p, m)
		moves, p = append(moves, m), g.Play(p, m)
	}
	f.text = string(text)
	for i := range ply - 1 {
		if l := lost[i]; l != nil {
			f.lost, f.at = append(f.lost, *l), append(f.at, at[i])
		}
	}
	return f, nil
}

// Mean returns the mean over all moves of a number that games sum up, minus that of base, if it is not
// nil: of the same number of games that began alike. Its interval is by game.
func (f *Found) Mean(of func(Given) float64, base *Found, seed uint64) interval.Interval {
	mean := func(list []Given, drawn []int) float64 {
		sum, moves := 0.0, 0
		for _, i := range drawn {
			sum, moves = sum+of(list[i]), moves+list[i].Moves
		}
		return sum / float64(moves)
	}
	return interval.Of(len(f.Games), nil, Draws, seed, func(drawn []int) float64 {
		if base == nil {
			return mean(f.Games, drawn)
		}
		return mean(f.Games, drawn) - mean(base.Games, drawn)
	})
}

// Areas returns for each predictor, and for all together, the chance that of two lost positions, one whose
// opponent erred and one whose opponent did not, the one with the error is ranked first: by a model fitted to
// the other games, with its interval.
func (f *Found) Areas(folds int, seed uint64, sets ...[]Predictor) ([]interval.Interval, error) {
	samples := make([]Sample, len(f.Lost))
	happened := make([]bool, len(f.Lost))
	for i, l := range f.Lost {
		samples[i], happened[i] = l.Sample, l.Resigned
	}
	var list []interval.Interval
	for _, set := range sets {
		p, err := CrossValidate(samples, folds, set...)
		if err != nil {
			return nil, err
		}
		list = append(list, interval.Of(len(samples), func(i int) int { return samples[i].Game }, 400, seed, func(drawn []int) float64 {
			scores, yes := make([]float64, len(drawn)), make([]bool, len(drawn))
			for k, i := range drawn {
				scores[k], yes[k] = p[i], happened[i]
			}
			return Area(scores, yes)
		}))
	}
	return list, nil
}

// each calls work for the numbers below n, on several threads with a search each.
func (j *Judge[P, M]) each(ctx context.Context, n int, work func(s play.Engine[P, M], i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next, done := 0, 0
	var threads sync.WaitGroup
	for range max(j.Threads, 1) {
		threads.Go(func() {
			s, err := j.Search()
			for err == nil && ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				if err = work(s, i); err != nil {
					break
				}
				mu.Lock()
				if done++; j.Progress != nil {
					j.Progress("games", uint64(done), uint64(n))
				}
				mu.Unlock()
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	threads.Wait()
	return context.Cause(ctx)
}
