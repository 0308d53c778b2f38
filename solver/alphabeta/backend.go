package alphabeta

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// backend is a [solver.Backend] that searches each position twice, as in "Checkers is solved"
// (Schaeffer et al., 2007): by alpha-beta for a bound or a score and, if that proves nothing,
// by df-pn for a distant win and for numbers. Every settled question has a proof, which never
// rests on a repetition: repetitions are left to the tree.
type backend[P, M comparable] struct {
	game     games.Game[P, M]
	searcher *Searcher[P, M]
	dfpn     solver.Backend
}

// dfpnShare divides a job's budget: df-pn gets one part in dfpnShare, in addition to what
// alpha-beta gets. It generates several positions for each that it expands.
const dfpnShare = 8

// NewBackends returns number back ends that give scores. over is g, or g adjudicated by the database of cfg. Half of the memory is for alpha-beta, in equal parts,
// and half for df-pn, which they share.
func NewBackends[P, M comparable](g, over games.Game[P, M], cfg Config[P], memory uint64, number int) ([]solver.Backend, error) {
	list, err := solver.NewBackends(over, nil, solver.Config{Method: solver.DepthFirst, Memory: memory / 2}, number)
	if err != nil {
		return nil, err
	}
	cfg.Memory = memory / 2 / uint64(number)
	for i, dfpn := range list {
		s, err := New(g, cfg)
		if err != nil {
			return nil, err
		}
		list[i] = &backend[P, M]{over, s, dfpn}
	}
	return list, nil
}

// Search implements [solver.Backend].
func (b *backend[P, M]) Search(ctx context.Context, j *solver.Job) (*solver.Answer, error) {
	begin := time.Now()
	p, err := b.game.ParsePosition(j.Position)
	if err != nil {
		return nil, err
	}
	a := &solver.Answer{Question: j.Question}
	if err := b.bound(ctx, j, p, a); err != nil {
		return nil, err
	}
	if a.Outcome == solver.Unknown {
		if err := b.numbers(ctx, j, a); err != nil {
			return nil, err
		}
	}
	a.Incomplete = j.Close != solver.Unknown && a.Outcome == solver.Unknown // it leaves no move out, and others may have
	a.Nanoseconds = int64(time.Since(begin))
	return a, nil
}

// bound searches by alpha-beta: it settles the question, or gives scores. It looks at the moves
// that end the game itself, since the search may end before.
func (b *backend[P, M]) bound(ctx context.Context, j *solver.Job, p P, a *solver.Answer) error {
	b.searcher.SetNodes(j.Budget)
	r, err := b.searcher.Search(ctx, p)
	if err != nil {
		return err
	}
	a.Nodes += r.Nodes
	var open []M
	for _, m := range b.game.AppendMoves(nil, p) {
		if v, decided := b.game.Outcome(b.game.Play(p, m)); decided {
			r.Lower = max(r.Lower, -v.Result())
		} else {
			open = append(open, m)
		}
	}
	lower, upper, sign := r.Lower, r.Upper, int32(1)
	if !j.Attacker {
		lower, upper, sign = -upper, -lower, -1
	}
	switch {
	case lower == games.Won:
		a.Outcome = solver.Proven
	case upper < games.Won:
		a.Outcome = solver.Disproven
	}
	if a.Outcome != solver.Unknown {
		a.Fragment, err = b.writeBound(ctx, j, p, a)
		if errors.Is(err, solver.ErrLimit) {
			a.Outcome, err = solver.Unknown, nil
		}
		if err != nil || a.Outcome != solver.Unknown {
			return err
		}
	}
	a.Score = sign * score(r.Score)
	for _, m := range open {
		a.Moves = append(a.Moves, solver.AnswerMove{
			Move: string(b.game.AppendMove(nil, p, m)), Proof: 1, Disproof: 1, Score: -sign * score(b.searcher.Score(b.game.Play(p, m))),
		})
	}
	return nil
}

// score limits a score to the range of an evaluation: a score must not count as a proof.
func score(s int) int32 { return int32(min(max(s, -games.MaxScore), games.MaxScore)) }

func (b *backend[P, M]) writeBound(ctx context.Context, j *solver.Job, p P, a *solver.Answer) ([]byte, error) {
	claim := solver.Claim(j.Attacker, a.Outcome == solver.Proven)
	return solver.WriteFragment(b.game, p, claim, func(w *proof.Writer) error {
		expanded, err := b.searcher.WriteProof(ctx, w, p, claim, max(j.Budget, 1000))
		a.Written += expanded
		return err
	})
}

// numbers searches by df-pn, and adds the results to the moves.
func (b *backend[P, M]) numbers(ctx context.Context, j *solver.Job, a *solver.Answer) error {
	shorter := *j
	shorter.Budget, shorter.Close, shorter.Whole = max(j.Budget/dfpnShare, 1), solver.Unknown, true // some fragments are dropped below
	found, err := b.dfpn.Search(ctx, &shorter)
	if err != nil {
		return err
	}
	a.Nodes, a.Written = a.Nodes+found.Nodes, a.Written+found.Written
	if found.Fragment != nil {
		a.Outcome, a.Fragment, a.Moves = found.Outcome, found.Fragment, nil
		return nil
	}
	a.Proof, a.Disproof = max(found.Proof, 1), max(found.Disproof, 1)
	for i := range found.Moves {
		f := &found.Moves[i]
		at := slices.IndexFunc(a.Moves, func(m solver.AnswerMove) bool { return m.Move == f.Move })
		if at < 0 {
			continue
		}
		m := &a.Moves[at]
		if m.Proof, m.Disproof = max(f.Proof, 1), max(f.Disproof, 1); f.Fragment != nil {
			m.Outcome, m.Fragment = f.Outcome, f.Fragment
		}
	}
	return nil
}
