package weigh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/lab/ranking"
)

// Config configures a search. Zero fields have the values of [Default].
type Config struct {
	Parts       int // of the data
	Individuals int
	// Steps is how many individuals are replaced. A search that is done goes on if there are more.
	Steps int
	// Deviation is that of the weights at the beginning.
	Deviation float64
	// Share and Best are those of [Distribution.Update].
	Share float64
	Best  int
	// FirstGames is the number of games that each of the first individuals plays, and Games that of each that
	// is drawn later. One that is the worst after half of these plays no more.
	FirstGames, Games int
	Seed              uint64
	// Signature is a hash of everything that the field depends on.
	Signature uint64
	// Game and Division are for readers of the state: what is weighed, and how the data is divided.
	Game, Division string
	// File, if not empty, keeps the state. If it exists, the search goes on there.
	File string
	// Progress, if not nil, is called after each [Round] of games.
	Progress func(*State)
}

// Default is the configuration of Sato and Takahashi. Their weights are drawn with the variance 0.1.
var Default = Config{Individuals: 50, Steps: 400, Deviation: 0.316228, Share: 0.01, Best: 10, FirstGames: 4000, Games: 2000, Seed: 1}

func (c *Config) complete() {
	d := &Default
	c.Individuals = cmp.Or(c.Individuals, d.Individuals)
	c.Steps = cmp.Or(c.Steps, d.Steps)
	c.Deviation = cmp.Or(c.Deviation, d.Deviation)
	c.Share = cmp.Or(c.Share, d.Share)
	c.Best = cmp.Or(c.Best, d.Best)
	c.FirstGames = cmp.Or(c.FirstGames, d.FirstGames)
	c.Games = cmp.Or(c.Games, d.Games)
	c.Seed = cmp.Or(c.Seed, d.Seed)
}

// Field is where individuals are made and play each other.
type Field interface {
	// Make makes individuals ready to play, with their weights of the parts of the data. Their numbers are in
	// list. Those that are not in it play no more.
	Make(ctx context.Context, s *State, list []int) error

	// Play plays pairs of games, and returns how many half points the first of each won. Pairs are
	// numbered from first on.
	Play(ctx context.Context, first int, pairs [][2]int) ([]int, error)
}

// State is how a search stands.
type State struct {
	Signature   uint64 // of the configuration and the field
	Settings    Settings
	Step        int // how many individuals have been replaced
	Individuals []Individual
	// Alive are the numbers of the individuals that play, in the order of their places.
	Alive        []int
	Distribution Distribution
	Standings    ranking.Standings
	Ratings      []ranking.Rating // of all individuals, dead or alive
	Pairs        int              // played
	Done         bool
}

// Settings are what a reader of a state wants to know of a [Config].
type Settings struct {
	Game, Division                        string
	Individuals, Steps, FirstGames, Games int
}

// Individual has weights for the parts of the data.
type Individual struct {
	Weights []float64
	// Step is the step in which it was drawn, 0 for the first ones.
	Step int
	// Last is how its last pair of games ended; see [ranking.Entrant].
	Last int
}

// ErrState is returned for a file with the state of another search, or a damaged one.
var ErrState = errors.New("bad state of a search for weights")

// Round is the number of pairs that are arranged by the same ratings.
const Round = 10

// Search searches for weights. If ctx ends it returns its error.
func Search(ctx context.Context, f Field, c Config) (*State, error) {
	c.complete()
	if c.Individuals < 2 || c.Parts < 1 {
		return nil, fmt.Errorf("there are %d individuals and %d parts of the data, want at least 2 and 1", c.Individuals, c.Parts)
	}
	s := &State{Signature: c.signature(), Settings: Settings{c.Game, c.Division, c.Individuals, c.Steps, c.FirstGames, c.Games}}
	switch old, err := Read(c.File); {
	case c.File == "" || errors.Is(err, os.ErrNotExist):
		s.Distribution = NewDistribution(c.Parts, c.Deviation)
		for i := range c.Individuals {
			s.draw(&c)
			s.Alive = append(s.Alive, i)
		}
	case err != nil:
		return nil, err
	case old.Signature != s.Signature:
		return nil, fmt.Errorf("%s: %w: it is of other data or other settings; remove it to begin again", c.File, ErrState)
	case old.Step > c.Steps:
		return nil, fmt.Errorf("%s: %w: %d steps are done, and %d were asked for", c.File, ErrState, old.Step, c.Steps)
	default:
		old.Settings, old.Done = s.Settings, old.Done && old.Step == c.Steps
		s = old
	}
	for !s.Done {
		if err := f.Make(ctx, s, s.Alive); err != nil {
			return nil, err
		}
		for pairs := s.round(&c); len(pairs) > 0; pairs = s.round(&c) {
			half, err := f.Play(ctx, s.Pairs, pairs)
			if err != nil {
				return nil, err
			}
			s.add(pairs, half)
			if err := s.write(c.File); err != nil {
				return nil, err
			}
			if c.Progress != nil {
				c.Progress(s)
			}
		}
		if s.Done = s.Step >= c.Steps; !s.Done {
			s.replace(&c)
		}
		if err := s.write(c.File); err != nil {
			return nil, err
		}
	}
	return s, f.Make(ctx, s, s.Alive)
}

// draw adds an individual. Its weights depend on its number, the seed and the distribution.
func (s *State) draw(c *Config) {
	const stream = 1 << 32 // apart from those of rounds
	n := len(s.Individuals)
	rng := rand.New(rand.NewPCG(c.Seed, stream+uint64(n)))
	s.Individuals = append(s.Individuals, Individual{Weights: s.Distribution.Draw(rng), Step: s.Step})
	s.Standings.Grow(n + 1)
	s.Ratings = append(s.Ratings, ranking.Rating{})
}

// replace updates the distribution, and draws an individual for the place of the worst.
func (s *State) replace(c *Config) {
	ranked := s.Ranked()
	var weights [][]float64
	for _, i := range ranked {
		weights = append(weights, s.Individuals[i].Weights)
	}
	s.Distribution.Update(weights, c.Share, c.Best)
	s.Step++
	worst := ranked[len(ranked)-1]
	for i := range s.Alive {
		if s.Alive[i] == worst {
			s.Alive[i] = len(s.Individuals)
		}
	}
	s.draw(c)
}

// Ranked returns the individuals that play, best first.
func (s *State) Ranked() []int { return ranking.Ranked(s.Ratings, s.Alive) }

// BestFirst returns the best of the first individuals, whether it still plays or not.
func (s *State) BestFirst() int {
	first := make([]int, s.Settings.Individuals)
	for i := range first {
		first[i] = i
	}
	return ranking.Ranked(s.Ratings, first)[0]
}

// Elo returns the ratings of all individuals. The mean of the first ones is 0.
func (s *State) Elo() []ranking.Rating {
	list := slices.Clone(s.Ratings)
	s.Standings.Deviations(list)
	mean := 0.0
	for _, r := range list[:s.Settings.Individuals] {
		mean += r.Elo / float64(s.Settings.Individuals)
	}
	for i := range list {
		list[i].Elo -= mean
	}
	return list
}

// Most returns the number of games of a search in which no individual stops early.
func (s *State) Most() int {
	return s.Settings.Individuals*s.Settings.FirstGames/2 + s.Settings.Steps*s.Settings.Games
}

// round returns the next pairs to play, none if those of the step are complete.
func (s *State) round(c *Config) (pairs [][2]int) {
	entrants, newest := make([]ranking.Entrant, len(s.Alive)), -1
	place, ranked := map[int]int{}, s.Ranked()
	for i, n := range s.Alive {
		place[n] = i
		entrants[i] = ranking.Entrant{Pairs: s.Standings.Pairs(n), Last: s.Individuals[n].Last}
		if n == len(s.Individuals)-1 {
			newest = i
		}
	}
	for rank, n := range ranked {
		entrants[place[n]].Rank = rank
	}
	rng := rand.New(rand.NewPCG(c.Seed, uint64(s.Pairs)))
	for range Round {
		var a, b int
		if s.Step == 0 {
			a, b = ranking.Mixed.Next(rng, entrants)
			if 2*entrants[a].Pairs >= c.FirstGames {
				break
			}
		} else {
			a = newest
			played := 2 * entrants[a].Pairs
			if played >= c.Games || 2*played >= c.Games && len(pairs) == 0 && entrants[a].Rank == len(entrants)-1 {
				break
			}
			b = ranking.Mixed.Opponent(rng, entrants, a)
		}
		entrants[a].Pairs++
		entrants[b].Pairs++
		pairs = append(pairs, [2]int{s.Alive[a], s.Alive[b]})
	}
	return pairs
}

// add adds the results of a round.
func (s *State) add(pairs [][2]int, half []int) {
	const even = 2
	for i, p := range pairs {
		s.Standings.Add(p[0], p[1], half[i])
		last := min(max(half[i]-even, -1), 1)
		s.Individuals[p[0]].Last, s.Individuals[p[1]].Last = last, -last
	}
	s.Pairs += len(pairs)
	s.Ratings = s.Standings.Ratings(s.Ratings)
}

// signature returns a hash of everything that a step depends on.
func (c *Config) signature() uint64 {
	return hash(fmt.Sprint(c.Parts, c.Individuals, c.Deviation, c.Share, c.Best, c.FirstGames, c.Games, c.Seed, c.Signature))
}

var stateKind = sealed.Kind{Name: "the state of a search for weights", Version: 2}

// Read reads a state from a file.
func Read(name string) (*State, error) {
	s := new(State)
	file, err := sealed.Open(vfs.Default, name, stateKind, s)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w; remove it to begin again", ErrState, err)
	case len(s.Ratings) != len(s.Individuals) || len(s.Alive) < 2:
		return nil, errors.Join(fmt.Errorf("%s: %w: it contradicts itself; remove it to begin again", name, ErrState), file.Close())
	}
	return s, file.Close()
}

// write writes the state to a file, whole or not at all.
func (s *State) write(name string) error {
	if name == "" {
		return nil
	}
	return sealed.Write(vfs.Default, name, stateKind, s, nil)
}
