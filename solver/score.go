package solver

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// ScoreSolver finds the value of a position in a game with scores. It asks whether the position is
// worth at least some points, in the game of [games.Aiming], until the answers leave one value. It
// belongs to one goroutine.
type ScoreSolver[P, M comparable] struct {
	game  games.Game[P, M]
	aims  games.Game[games.Aim[P], M]
	root  P
	cfg   Config
	step  int // how far the next guess is from a bound
	below *Solver[games.Aim[P], M]
	above *Solver[games.Aim[P], M]

	result ScoreResult
}

// ScoreQuestion asks whether a position is worth at least some points.
type ScoreQuestion struct {
	Points int
	Asked
}

// ScoreResult is what a [ScoreSolver] has found.
type ScoreResult struct {
	// Lower and Upper are bounds of the value for the side to move.
	Lower, Upper int
	// Claims are the claims of the proof file: a bound that was not found is not claimed.
	Claims    []proof.Claim
	Questions []ScoreQuestion
}

// Known reports whether the value is known.
func (r *ScoreResult) Known() bool { return r.Lower == r.Upper }

// NewScore returns a solver for the value of root. It fails as [New] does, and with
// [games.ErrNoScores].
func NewScore[P, M comparable](g games.Game[P, M], root P, cfg Config) (*ScoreSolver[P, M], error) {
	aims, err := games.Aiming(g)
	if err != nil {
		return nil, err
	}
	if _, err := New(aims, nil, games.Aim[P]{Position: root}, cfg); err != nil {
		return nil, err
	}
	most := g.(games.Scorer[P, M]).Remaining(root)
	s := &ScoreSolver[P, M]{game: g, aims: aims, root: root, cfg: cfg, step: 1, result: ScoreResult{Lower: -most, Upper: most}}
	if v, finished := g.Outcome(root); finished {
		s.result.Lower, s.result.Upper = int(v), int(v)
	}
	return s, nil
}

// Solve finds the value. guess is the first question. If a limit is reached, or if no answer is to
// be had because positions may repeat, it returns the bounds found and [ErrLimit] or
// [ErrRepetition]; if the context is done, its error.
func (s *ScoreSolver[P, M]) Solve(ctx context.Context, guess int) (ScoreResult, error) {
	r := &s.result
	var err error
	points := min(max(guess, r.Lower+1), r.Upper)
	for r.Lower < r.Upper && err == nil {
		err = s.ask(ctx, points)
		points = s.next()
	}
	// Bounds that need no search may still have to be claimed.
	if err == nil && s.below == nil {
		err = s.ask(ctx, r.Lower)
	}
	if err == nil && s.above == nil {
		err = s.ask(ctx, r.Upper+1)
	}
	r.Claims = nil
	if s.below != nil {
		r.Claims = append(r.Claims, proof.Claim{Side: proof.Mover, Goal: proof.AtLeast, Points: r.Lower})
	}
	if s.above != nil {
		r.Claims = append(r.Claims, proof.Claim{Side: proof.Other, Goal: proof.AtLeast, Points: -r.Upper})
	}
	return *r, err
}

// next returns the points of the next question: near the bound that was found, then further away;
// between both bounds once both were found.
func (s *ScoreSolver[P, M]) next() int {
	r, step := &s.result, s.step
	s.step *= 2
	switch {
	case s.below != nil && s.above != nil:
		return r.Lower + (r.Upper-r.Lower+1)/2
	case s.below != nil:
		return min(r.Lower+step, r.Upper)
	}
	return max(r.Upper+1-step, r.Lower+1)
}

// ask asks whether the position is worth at least some points.
func (s *ScoreSolver[P, M]) ask(ctx context.Context, points int) error {
	x, err := New(s.aims, nil, games.Aim[P]{Position: s.root, Points: int16(points)}, s.cfg)
	if err != nil {
		return err
	}
	attacker := proof.Mover
	q, err := x.ask(ctx, attacker)
	s.result.Questions = append(s.result.Questions, ScoreQuestion{points, q})
	if err == nil && q.Outcome == Disproven && x.rules.layerer == nil {
		// Play without end is no win for either side, so the other side has to win too.
		attacker = proof.Other
		q, err = x.ask(ctx, attacker)
		s.result.Questions = append(s.result.Questions, ScoreQuestion{points, q})
	}
	if err != nil {
		return err
	}
	claim := proof.Claim{Side: attacker, Goal: proof.Win}
	switch {
	case attacker == proof.Mover && q.Outcome == Proven:
		s.result.Lower, s.below = points, x
	case attacker == proof.Mover && q.Outcome == Disproven:
		claim = proof.Claim{Side: proof.Other, Goal: proof.Hold} // there are no draws
		s.result.Upper, s.above = points-1, x
	case q.Outcome == Proven:
		s.result.Upper, s.above = points-1, x
	default:
		return fmt.Errorf("%w: neither side forces an end", ErrRepetition)
	}
	x.result.Claims = []proof.Claim{claim}
	return nil
}

// Header returns the header of the proof file for the result of Solve.
func (s *ScoreSolver[P, M]) Header() proof.Header {
	return proof.Header{Game: s.game.Name(), Root: string(s.game.AppendPosition(nil, s.root)), Claims: s.result.Claims}
}

// WriteProof writes the proofs of both bounds, as [Solver.WriteProof] does.
func (s *ScoreSolver[P, M]) WriteProof(ctx context.Context, w *proof.Writer) error {
	for _, x := range []*Solver[games.Aim[P], M]{s.below, s.above} {
		if x == nil {
			continue
		}
		if err := x.WriteProof(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
