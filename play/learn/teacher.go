package learn

import (
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Game is a game that was played.
type Game[P, M comparable] struct {
	// Group is the same for games that are held out together, such as those from one opening.
	Group int
	From  P
	Moves []M
	// Points are what the side that moved first got: 0, 0.5 or 1. In games with scores they are
	// not used: what is left to win at the end of the moves counts as shared, unless a
	// value says more.
	Points float64
	// Decided says that Points are known.
	Decided bool
	// Scores, if not nil, are what a search said of each position for the side to move.
	Scores []play.Score
}

// Lessons say what games teach.
type Lessons[P comparable] struct {
	// Results is the weight of an example for each position with a known result, and Scores the share of the
	// search's score in its target, 0 to 1.
	Results, Scores float64
	// Moves is the weight of an example that compares the move played in a position with another, in one
	// of every Every positions; 0 means 1.
	Moves float64
	Every int
	// Parts says how the examples are divided into parts, each of which may have a weight of its own in a fit.
	Parts Parts
	// Database, if not nil, says the value of positions. Then only positions that it knows give
	// examples for the evaluation, with that target.
	Database play.Database[P]
}

// Parts is a way to divide examples into parts.
type Parts uint8

// The ways to divide examples.
const (
	Whole      Parts = iota // there is one part
	ByProgress              // by the ply of the position, as a share of the plies of its game, in [ProgressParts] parts
	ByGame                  // each game is a part
)

// ProgressParts is the number of parts of a division by progress.
const ProgressParts = 32

// Of returns the part of the position at a ply of a game, by the number of the game and its plies.
func (p Parts) Of(game, ply, plies int) int {
	switch p {
	case ByProgress:
		return min(ply*ProgressParts/max(plies, 1), ProgressParts-1)
	case ByGame:
		return game
	}
	return 0
}

// String returns "whole", "progress" or "games".
func (p Parts) String() string { return [...]string{"whole", "progress", "games"}[p] }

// Teacher makes examples from games. It must not be used by several goroutines at once.
type Teacher[P, M comparable] struct {
	Lessons[P]
	game     games.Game[P, M]
	scorer   games.Scorer[P, M] // nil if the game has none
	features games.Features[P]
	search   *play.Searcher[P, M]
	x        *Examples
	games    int             // added
	counts   []int32         // by feature, 0 between uses
	found    []games.Feature // buffers
	apart    []games.Feature //
	moves    []M             //
}

// NewTeacher returns a teacher that adds its examples to x. It judges by e what is quiet.
func NewTeacher[P, M comparable](g games.Game[P, M], e *play.Evaluation, l Lessons[P], x *Examples) (*Teacher[P, M], error) {
	s, err := play.New(g, play.Config[P]{Evaluation: e})
	if err != nil {
		return nil, err
	}
	f, ok := g.(games.Features[P])
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), play.ErrNoFeatures)
	}
	t := &Teacher[P, M]{Lessons: l, game: g, features: f, search: s, x: x, counts: make([]int32, e.Set.Size)}
	t.scorer, _ = g.(games.Scorer[P, M])
	return t, nil
}

// Add adds the examples of a game.
func (t *Teacher[P, M]) Add(g *Game[P, M]) error {
	positions := []P{g.From}
	for _, m := range g.Moves {
		positions = append(positions, t.game.Play(positions[len(positions)-1], m))
	}
	target := t.targets(g, positions)
	for i, p := range positions {
		if _, finished := t.game.Outcome(p); finished {
			break
		}
		part := t.Parts.Of(t.games, i, len(g.Moves))
		if err := t.position(g.Group, part, p, target(i)); err != nil {
			return err
		}
		if t.Moves > 0 && i < len(g.Moves) && (i+g.Group)%max(t.Every, 1) == 0 {
			t.compare(g.Group, part, p, g.Moves[i])
		}
	}
	t.games++
	return nil
}

// goal is what the evaluation of a position should be.
type goal struct {
	target float64
	known  bool
}

// targets returns a function that returns what the evaluation of the i-th position should be.
func (t *Teacher[P, M]) targets(g *Game[P, M], positions []P) func(i int) goal {
	if t.scorer != nil {
		// net is what the side to move wins from each position on, minus the other.
		last := positions[len(positions)-1]
		v, finished := t.game.Outcome(last)
		if !finished {
			v = games.Draw
		}
		net := make([]int, len(positions))
		net[len(g.Moves)] = int(v)
		for i := len(g.Moves) - 1; i >= 0; i-- {
			net[i] = t.scorer.Gain(positions[i], g.Moves[i]) - net[i+1]
		}
		return func(i int) goal {
			target := float64(net[i]) * float64(play.Point)
			if i < len(g.Scores) {
				target += t.Scores * (float64(g.Scores[i]) - target)
			}
			return goal{target, g.Decided}
		}
	}
	return func(i int) goal {
		target := g.Points
		if i%2 == 1 {
			target = 1 - target
		}
		if i < len(g.Scores) {
			target += t.Scores * (play.WinRate(g.Scores[i]) - target)
		}
		return goal{target, g.Decided}
	}
}

// position adds an example for the evaluation of a position.
func (t *Teacher[P, M]) position(group, part int, p P, to goal) error {
	if t.Database != nil {
		v, known, err := t.Database.Value(p)
		if err != nil {
			return err
		}
		to = goal{known: known}
		switch {
		case t.scorer != nil:
			to.target = float64(v) * float64(play.Point)
		case v > 0:
			to.target = 1
		case v == games.Draw:
			to.target = 0.5
		}
	}
	if !to.known || t.Results == 0 {
		return nil
	}
	if offset, ok := t.leaf(p); ok {
		e := Example{Group: group, Loss: Result, Features: t.found, Offset: offset, Target: float32(to.target), Weight: float32(t.Results), Part: part}
		if t.scorer != nil {
			e.Loss = Points
		}
		t.x.Add(e)
	}
	return nil
}

// leaf finds the position in which a quiescence search from p was judged, and returns the points won on the
// way, for the side to move in p. It leaves its features in t.found, for that side too. It reports false if
// the game ends there.
func (t *Teacher[P, M]) leaf(p P) (offset float32, ok bool) {
	score, line := t.search.Quiet(p, play.Window{})
	if _, mate := score.Mate(); mate {
		return 0, false
	}
	sign := 1
	for _, m := range line {
		if t.scorer != nil {
			offset += float32(play.Point) * float32(sign*t.scorer.Gain(p, m))
		}
		p, sign = t.game.Play(p, m), -sign
	}
	t.found = t.found[:0]
	if v, finished := t.game.Outcome(p); finished {
		if t.scorer == nil {
			return 0, false
		}
		return offset + float32(sign*int(v))*float32(play.Point), true
	}
	t.found = t.features.AppendFeatures(t.found, p)
	for i := range t.found {
		t.found[i].Count *= int32(sign)
	}
	return offset, true
}

// compare adds examples that compare the move played with the others. Moves that seem much worse are among
// them, or nothing would keep the weights that say so.
func (t *Teacher[P, M]) compare(group, part int, p P, played M) {
	gain := func(m M) float32 {
		if t.scorer == nil {
			return 0
		}
		return float32(t.scorer.Gain(p, m)) * float32(play.Point)
	}
	offset, ok := t.leaf(t.game.Play(p, played))
	if !ok {
		return
	}
	base, offset := slices.Clone(t.found), gain(played)-offset
	t.moves = t.game.AppendMoves(t.moves[:0], p)
	for _, m := range t.moves {
		if m == played {
			continue
		}
		next := t.game.Play(p, m)
		if _, finished := t.game.Outcome(next); finished {
			continue
		}
		if other, ok := t.leaf(next); ok {
			t.x.Add(Example{Group: group, Loss: Comparison, Features: t.difference(base), Offset: gain(m) - other - offset, Weight: float32(t.Moves), Part: part})
		}
	}
}

// difference returns features minus those found. The result is good until the next call.
func (t *Teacher[P, M]) difference(features []games.Feature) []games.Feature {
	for _, f := range features {
		t.counts[f.Number] += f.Count
	}
	for _, f := range t.found {
		t.counts[f.Number] -= f.Count
	}
	kept := t.apart[:0]
	for _, list := range [][]games.Feature{features, t.found} {
		for _, f := range list {
			if n := t.counts[f.Number]; n != 0 {
				kept = append(kept, games.Feature{Number: f.Number, Count: n})
				t.counts[f.Number] = 0
			}
		}
	}
	t.apart = kept
	return kept
}
