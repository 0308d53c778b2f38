package manager

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// damage cuts off a result or a fragment in it, or has values in it that no back end sends.
func damage(rng *rand.Rand, r *cluster.Result) {
	body := r.Body.(cluster.Bytes)
	a, err := bodyOf[solver.Answer](body)
	if err != nil || rng.IntN(2) == 0 {
		r.Body = body[:rng.IntN(len(body))]
		return
	}
	if rng.IntN(2) == 0 {
		scramble(rng, a)
		r.Body = cluster.Bytes(encode(a))
		return
	}
	a.Fragment = a.Fragment[:len(a.Fragment)/2]
	for i := range a.Moves {
		a.Moves[i].Fragment = a.Moves[i].Fragment[:len(a.Moves[i].Fragment)/2]
	}
	r.Body = cluster.Bytes(encode(a))
}

// scramble puts extreme values into an answer.
func scramble(rng *rand.Rand, a *solver.Answer) {
	numbers, scores := []uint32{0, 1, solver.Unproven, math.MaxUint32}, []int32{math.MinInt32, 0, math.MaxInt32}
	number := func() uint32 { return numbers[rng.IntN(len(numbers))] }
	a.Proof, a.Disproof, a.Score = number(), number(), scores[rng.IntN(len(scores))]
	for i := range a.Moves {
		m := &a.Moves[i]
		m.Proof, m.Disproof, m.Score = number(), number(), scores[rng.IntN(len(scores))]
	}
	switch rng.IntN(5) {
	case 0:
		a.Nodes = math.MaxUint64
	case 1:
		a.Written = math.MaxUint64
	case 2:
		a.Nanoseconds = math.MinInt64
	case 3:
		a.Memory = strings.Repeat("m", 1<<10)
	default:
		a.Moves = append(append(a.Moves, a.Moves...), solver.AnswerMove{Move: "\x00", Outcome: solver.Proven})
	}
}

// lie has an answer claim what may not be so, with a made-up proof.
func (s *sim) lie(a *solver.Answer) {
	if s.game.rules.Repeats() && s.rng.IntN(2) == 0 {
		lieAboutHolds(s.rng, a)
		return
	}
	a.Outcome = solver.Proven
	if !s.game.rules.Repeats() && s.rng.IntN(2) == 0 {
		a.Outcome = solver.Disproven
	}
	var file bytes.Buffer
	claim := solver.Claim(a.Attacker, a.Outcome == solver.Proven)
	w, err := proof.NewWriter(&file, proof.Header{Game: s.game.rules.Name(), Root: a.Position, Claims: []proof.Claim{claim}})
	if err == nil {
		n := s.invent(w, a.Position, claim.Side == proof.Mover, 4)
		err = w.EndClaim(n)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	a.Fragment = file.Bytes()
}

// lieAboutHolds has an answer say without a proof that the defender holds, here or after some
// moves, or leave moves out.
func lieAboutHolds(rng *rand.Rand, a *solver.Answer) {
	held := func(o *solver.Outcome, fragment *[]byte) {
		if *o, *fragment = solver.Unverified, nil; rng.IntN(8) == 0 {
			*o = solver.Disproven
		}
	}
	switch rng.IntN(4) {
	case 0:
		held(&a.Outcome, &a.Fragment)
	case 1:
		for i := range a.Moves {
			if rng.IntN(2) == 0 {
				held(&a.Moves[i].Outcome, &a.Moves[i].Fragment)
			}
		}
	case 2:
		a.Moves = slices.DeleteFunc(a.Moves, func(solver.AnswerMove) bool { return rng.IntN(2) == 0 })
	default:
		if a.Outcome == solver.Proven {
			held(&a.Outcome, &a.Fragment)
		}
		for i := range a.Moves {
			if a.Moves[i].Outcome == solver.Proven {
				held(&a.Moves[i].Outcome, &a.Moves[i].Fragment)
			}
		}
	}
}

// invent writes a node of a made-up proof with some nodes below it, and returns its number.
func (s *sim) invent(w *proof.Writer, position string, claimantToMove bool, rank uint64) uint64 {
	n := proof.Node{Kind: proof.And, Uses: 1, Rank: rank, Position: []byte(position)}
	moves, err := s.game.rules.Moves(position)
	if err == nil && claimantToMove {
		m := moves[s.rng.IntN(len(moves))]
		n.Kind, n.Move, moves = proof.Or, []byte(m.Text), []Move{m}
	}
	seen := map[string]bool{}
	for _, m := range moves {
		if err == nil && !m.Finished && !seen[m.To] && rank > 1 {
			seen[m.To] = true
			n.Children = append(n.Children, s.invent(w, m.To, !claimantToMove, rank-1))
		}
	}
	number, e := w.Add(&n)
	if err = errors.Join(err, e); err != nil {
		panic(err)
	}
	return number
}

// invariants checks what must hold between two steps.
func (f *FrontEnd) invariants(jobs int) error {
	if len(f.jobs) > jobs {
		return fmt.Errorf("%d jobs are out, at most %d should be", len(f.jobs), jobs)
	}
	if len(f.refused) > mostRefusers || slices.Contains(slices.Collect(maps.Values(f.refused)), mostRefused) {
		return errors.New("too many results were refused, and the run goes on")
	}
	if len(f.closing) > len(f.nodes) || len(f.dirty)+len(f.changed) > 4*len(f.nodes) || len(f.points) > 100*pointsPerHistory {
		return errors.New("a list grows without bound")
	}
	for id, out := range f.jobs {
		if out.id != id || out.node.job != out {
			return fmt.Errorf("job %v is not that of its node", id)
		}
	}
	for _, n := range f.nodes {
		if n.job != nil && (f.jobs[n.job.id] != n.job || n.outcome.Settled()) {
			return fmt.Errorf("%v has a job that is not out, or not needed", n.Question)
		}
		if n.outcome.Settled() && (len(n.parents) > 0 || n.basis == 0) {
			return fmt.Errorf("%v is settled, and has %d parents and basis %d", n.Question, len(n.parents), n.basis)
		}
		if n.leaf() && n.outcome == solver.Unknown && (n.proof == 0 || n.proof >= unproven || n.disproof == 0 || n.disproof >= unproven) {
			return fmt.Errorf("%v is an open leaf, and has the numbers %d and %d", n.Question, n.proof, n.disproof)
		}
		for _, p := range n.parents {
			if p.outcome.Settled() || !slices.Contains(p.children, n) {
				return fmt.Errorf("%v has a parent %v that is settled, or not a parent", n.Question, p.Question)
			}
		}
	}
	return nil
}
