package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/solver"
)

// result merges a result. One that makes no sense or comes with a false proof is refused.
func (f *FrontEnd) result(ctx context.Context, r *cluster.Result) error {
	out := f.jobs[r.Job]
	a, err := bodyOf[solver.Answer](r.Body)
	switch {
	case err == nil && out != nil && a.Question != out.job.Question:
		err = fmt.Errorf("it is about %.100v, and the job about %v", a.Question, out.job.Question)
	case err == nil:
		err = sensible(a)
	}
	if err != nil {
		about := "a job that is no longer out"
		if out != nil {
			about = fmt.Sprintf("position %q", out.job.Position)
			f.end(out)
			f.check(out.node) // it may have to be closed again
		}
		return f.refuse(r.Worker, about, err)
	}
	n := f.nodes[a.Question]
	f.free = a.Memory
	if n != nil {
		n.memory = a.Memory
	}
	if out != nil {
		f.end(out)
		f.stats.Jobs++
		f.stats.Nodes += a.Nodes
		f.stats.Written += a.Written
		f.stats.Work += time.Duration(a.Nanoseconds)
		n.jobs++
		n.spent = min(n.spent+a.Nodes, mostSpent)
		f.change(n)
	}
	switch {
	case n == nil, out == nil && !a.Outcome.Settled():
		f.stats.Dropped++
		return nil
	case n.outcome.Settled() && (a.Outcome == n.outcome || !a.Outcome.Settled() && (a.Outcome != solver.Unverified || n.outcome == solver.Disproven)):
		f.stats.Dropped++
		return nil
	case !n.outcome.Settled() && !f.wanted(n):
		f.stats.Dropped++
		return nil
	}
	err = f.merge(ctx, n, out, a)
	switch {
	case err == nil:
		delete(f.refused, r.Worker)
		return nil
	case errors.Is(err, solver.ErrContradiction) || ctx.Err() != nil:
		return err
	}
	n.whole = true // the worker takes for known what this result was to prove
	f.check(n)     // it may have to be closed again
	return f.refuse(r.Worker, fmt.Sprintf("position %q", n.Position), err)
}

// end removes a job from those that are out.
func (f *FrontEnd) end(out *running) {
	delete(f.jobs, out.id)
	if out.node.job == out {
		out.node.job = nil
		f.touch(out.node)
	}
}

// touch records that the numbers of a node, as its parents see them, may have changed.
func (f *FrontEnd) touch(n *node) { f.dirty = append(f.dirty, n) }

// The largest counts and the longest name of a memory that a result may have. Without limits a
// worker could fill the front end's memory, or cause records that cannot be read again.
const (
	mostCounted   = 1 << 48
	longestMemory = 1 << 8
)

// sensible returns an error for an answer with a value that no back end sends.
func sensible(a *solver.Answer) error {
	switch {
	case max(a.Nodes, a.Written) > mostCounted:
		return fmt.Errorf("it counts %d and %d positions, and %d are allowed", a.Nodes, a.Written, uint64(mostCounted))
	case a.Nanoseconds < 0:
		return fmt.Errorf("it took %d ns", a.Nanoseconds)
	case len(a.Memory) > longestMemory:
		return fmt.Errorf("the name of its memory has %d bytes, and %d are allowed", len(a.Memory), longestMemory)
	}
	return nil
}

// ErrRefused is returned if results of a worker are refused again and again.
var ErrRefused = errors.New("results refused")

// mostRefused is how many results of a worker may be refused in a row. Carriers deliver results as
// they were sent. So a refused one is a fault of the worker's program or machine, which may be rare,
// but ten in a row show that the next ones will be refused too.
const mostRefused = 10

// mostRefusers is of how many workers refused results are counted: each that joins has a new name.
const mostRefusers = 10_000

// refuse drops a result. Its job is done again, perhaps by the same worker, whose next fragment may
// be right. But with such results alone that would go on forever.
func (f *FrontEnd) refuse(worker, about string, reason error) error {
	f.stats.Refused++
	f.actions.Warnings = append(f.actions.Warnings, fmt.Errorf("result of worker %q refused: %w", worker, reason))
	if len(f.refused) >= mostRefusers {
		clear(f.refused) // most of them have left
	}
	if f.refused[worker]++; f.refused[worker] < mostRefused {
		return nil
	}
	return fmt.Errorf("%w: %d in a row of worker %q, the last about %s: %v; end that worker and run again, which goes on with the tree",
		ErrRefused, mostRefused, worker, about, reason)
}

func (f *FrontEnd) contradiction(n *node, o solver.Outcome) error {
	return fmt.Errorf("%w: position %q with the attacker %s is %v by one result and %v by another", solver.ErrContradiction,
		n.Position, map[bool]string{true: "to move", false: "not to move"}[n.Attacker], n.outcome, o)
}

// wanted reports whether the search still needs a node.
func (f *FrontEnd) wanted(n *node) bool { return n == f.root || len(n.parents) > 0 }

// merge merges a worker's answer about a node. out is its job, or nil if that was no longer out.
func (f *FrontEnd) merge(ctx context.Context, n *node, out *running, a *solver.Answer) error {
	switch a.Outcome {
	case solver.Proven, solver.Disproven:
		count := &f.stats.Closed
		if n.leaf() {
			count = &f.stats.Settled
		}
		err := f.prove(ctx, n, a.Outcome, a.Fragment, out != nil && out.job.Whole)
		if err == nil && n.outcome.Settled() {
			*count++
		}
		return err
	case solver.Failed:
		f.giveUp(n, solver.Failed)
		return nil
	case solver.Unverified:
		return f.believe(n)
	}
	switch {
	case n.leaf():
	case a.Incomplete:
		err := f.complete(n)
		if err == nil {
			f.adopt(n)
		}
		return err
	default:
		f.check(n) // a closing job has not finished
		return nil
	}
	n.proof, n.disproof, n.score = number(a.Proof), number(a.Disproof), a.Score
	f.touch(n)
	switch {
	case !out.job.Expand || !f.ready(n.jobs, n.spent, f.stats.Nodes):
	case len(f.nodes)+len(a.Moves) <= f.policy.Nodes:
		return f.expand(ctx, n, a)
	case !f.full:
		f.full = true
		f.actions.Warnings = append(f.actions.Warnings, fmt.Errorf(
			"the tree has %d nodes, and may have %d: it does not grow any more, and jobs become longer instead", len(f.nodes), f.policy.Nodes))
	}
	return nil
}

// ready reports whether to expand a leaf. jobs is how many jobs have left it open, spent
// is how many positions they searched, and all is how many were searched in the whole
// tree. Below a leaf a back end wastes less than the front end, which sees only the
// numbers of leaves. So the tree grows only as far as its workers, and a restart,
// require.
func (f *FrontEnd) ready(jobs int, spent, all uint64) bool {
	if f.policy.Tries > 0 {
		return jobs >= f.policy.Tries
	}
	slots := max(f.slots, 1)
	if f.policy.Help {
		slots = 1
	}
	least := all / 8 / uint64(slots)
	if slots == 1 {
		least = max(least, 100*f.policy.Budget)
	}
	return jobs >= 2 && spent >= least
}

// prove settles a node by a proof. It reports a contradiction only if the fragment is a valid
// proof. If the fragment rests on a position that no fragment has, the next one must not rest
// on others. If whole is set, it is refused instead.
func (f *FrontEnd) prove(ctx context.Context, n *node, o solver.Outcome, fragment []byte, whole bool) error {
	v, err := f.verify(ctx, n, o, fragment)
	switch {
	case errors.Is(err, errMissing) && !whole:
		f.stats.Missing++
		n.whole = true
		f.check(n) // it may have to be closed again
		return nil
	case err != nil:
		return err
	case n.outcome.Settled():
		return f.contradiction(n, o)
	}
	parents := slices.Clone(n.parents)
	f.settleByFragment(n, o, fragment, v)
	if o == solver.Proven && n.Attacker && f.checker != nil && f.adapter != nil {
		return f.answerSiblings(ctx, parents, fragment)
	}
	return nil
}

// answerSiblings settles other replies in the given nodes to which the proof of one reply
// also applies, since they are outside its relevance zone. The checker decides whether it
// applies.
func (f *FrontEnd) answerSiblings(ctx context.Context, parents []*node, fragment []byte) error {
	for _, p := range parents {
		for _, c := range p.children {
			if p.outcome != solver.Unknown {
				break
			}
			if c.outcome != solver.Unknown {
				continue
			}
			adapted, ok := f.adapter(fragment, c.Position)
			if !ok {
				continue
			}
			f.stats.Adapted++
			v, err := f.verify(ctx, c, solver.Proven, adapted)
			switch {
			case err == nil:
				f.stats.Answered++
				f.settleByFragment(c, solver.Proven, adapted, v)
			case ctx.Err() != nil:
				return err
			}
		}
	}
	return nil
}

// number limits a number that a back end has sent to its valid range.
func number(x uint32) uint32 { return min(max(x, 1), unproven-1) }

// expand gives a leaf the children that a worker has found.
func (f *FrontEnd) expand(ctx context.Context, n *node, a *solver.Answer) error {
	legal, err := f.rules.Moves(n.Position)
	if err != nil {
		return err
	}
	type known struct {
		child *node
		move  *solver.AnswerMove
	}
	var settled []known
	listed := map[string]bool{}
	var moves []string
	var children []*node
	for i := range a.Moves {
		m := &a.Moves[i]
		at := slices.IndexFunc(legal, func(l Move) bool { return l.Text == m.Move })
		if at < 0 || legal[at].Finished {
			return fmt.Errorf("move %.100q in %q is not legal, or ends the game", m.Move, n.Position)
		}
		to := legal[at].To
		if listed[to] {
			continue
		}
		listed[to] = true
		q := solver.Question{Position: to, Attacker: !n.Attacker}
		child := f.nodes[q]
		if child == nil {
			child = f.node(q)
			child.proof, child.disproof, child.score = number(m.Proof), number(m.Disproof), m.Score
			child.memory = a.Memory
		}
		moves, children = append(moves, m.Move), append(children, child)
		if m.Outcome != solver.Unknown {
			settled = append(settled, known{child, m})
		}
	}
	if len(children) == 0 {
		return nil
	}
	partial := false
	for _, l := range legal {
		if l.decides(n.Attacker) { // even an answer without all moves must have seen it
			return fmt.Errorf("move %q in %q decides the game, and the answer leaves it out", l.Text, n.Position)
		}
		partial = partial || !l.Finished && !listed[l.To] && !a.Incomplete
	}
	if partial && n.Attacker && f.rules.Repeats() && f.policy.Holds {
		return fmt.Errorf("the answer leaves out moves in %q", n.Position)
	}
	f.stats.Expanded++
	n.moves, n.children, n.partial, n.incomplete, n.named = moves, children, partial, a.Incomplete, true
	f.change(n)
	f.adopt(n)
	for _, s := range settled {
		var err error
		switch {
		case s.move.Outcome == solver.Failed:
			f.giveUp(s.child, solver.Failed)
		case s.move.Outcome == solver.Unverified:
			err = f.believe(s.child)
		case s.move.Outcome != s.child.outcome:
			err = f.prove(ctx, s.child, s.move.Outcome, s.move.Fragment, false)
		}
		if err != nil {
			return err
		}
	}
	f.check(n)
	return nil
}

// complete gives a node the children that an answer left out. They have yet to be adopted. Where
// the attacker wins at once the node stays incomplete, so that its children cannot disprove it.
func (f *FrontEnd) complete(n *node) error {
	legal, err := f.rules.Moves(n.Position)
	if err != nil {
		return err
	}
	wins := false
	for _, l := range legal {
		wins = wins || n.Attacker && l.decides(true)
		if q := (solver.Question{Position: l.To, Attacker: !n.Attacker}); !l.Finished && n.child(q) < 0 {
			n.moves, n.children = append(n.moves, l.Text), append(n.children, f.node(q))
		}
	}
	n.partial, n.incomplete = false, wins
	f.change(n)
	return nil
}

// adopt makes a node that the search needs a parent of its children.
func (f *FrontEnd) adopt(n *node) {
	for _, c := range n.children {
		if n.outcome.Settled() {
			return // perhaps by a child that was adopted
		}
		if c.outcome.Settled() || slices.Contains(c.parents, n) {
			continue
		}
		first := !f.wanted(c)
		if c.parents = append(c.parents, n); first {
			f.adopt(c)
		}
	}
	f.touch(n)
	f.check(n)
}

// leave removes a node from the parents of its children. A child that nothing else needs
// loses its job and leaves its own children, and so on.
func (f *FrontEnd) leave(n *node) {
	for _, c := range n.children {
		at := slices.Index(c.parents, n)
		if at < 0 {
			continue
		}
		if c.parents = slices.Delete(c.parents, at, at+1); !f.wanted(c) {
			f.recall(c.job)
			f.leave(c)
		}
	}
}

// recall recalls jobs; nil entries are ignored.
func (f *FrontEnd) recall(jobs ...*running) {
	for _, out := range jobs {
		if out != nil {
			f.end(out)
			f.stats.Recalled++
			f.actions.Recall = append(f.actions.Recall, out.id)
		}
	}
}

func (f *FrontEnd) recallAll() {
	f.recall(f.sortedJobs()...)
}

// settleByFragment settles a node by a proof that a back end has written.
func (f *FrontEnd) settleByFragment(n *node, o solver.Outcome, fragment []byte, v verified) {
	f.fragments = append(f.fragments, n)
	n.fragment, n.refs, n.rests = uint32(len(f.fragments)), v.refs, slices.Sorted(maps.Keys(v.rests))
	if len(v.rests) > 0 {
		f.stats.Rested++
	}
	if f.index != nil {
		f.index.Add(n.fragment, v.keys)
	}
	f.actions.Writes = append(f.actions.Writes, Write{fragmentKey(n.fragment), fragment})
	f.settle(n, o, byFragment, 0)
}

// settle settles an open node, and then the parents that this settles.
func (f *FrontEnd) settle(n *node, o solver.Outcome, b basis, by int) {
	var opened []*node
	if n.givenUp() && o == solver.Proven {
		opened = f.refute(n)
	}
	n.outcome, n.basis, n.by = o, b, by
	f.change(n)
	f.recall(n.job)
	f.leave(n)
	parents := n.parents
	n.parents = nil
	for _, p := range append(opened, parents...) {
		f.touch(p)
		f.check(p)
	}
}

// check settles a node if its children do.
func (f *FrontEnd) check(n *node) {
	if n.outcome.Settled() || n.leaf() {
		return
	}
	wins, loses := solver.Proven, solver.Disproven // for the side to move
	if !n.Attacker {
		wins, loses = loses, wins
	}
	lost, failed, unverified := 0, 0, 0
	for i, c := range n.children {
		switch c.outcome {
		case wins:
			f.settle(n, wins, byMove, i)
			return
		case loses:
			lost++
		case solver.Failed:
			failed++
		case solver.Unverified:
			unverified++
		}
	}
	ended := lost+failed+unverified == len(n.children)
	// No proof is written that would include the moves of the attacker that are missing.
	doubtful := n.incomplete || n.partial && n.Attacker && (failed+unverified > 0 || f.rules.Repeats())
	switch {
	case !n.Attacker && unverified > 0:
		f.giveUp(n, solver.Unverified)
	case !n.Attacker && failed > 0:
		f.giveUp(n, solver.Failed)
	case !ended:
	case doubtful && !n.named:
		f.fold(n)
	case failed > 0 || n.incomplete:
		f.giveUp(n, solver.Failed)
	case unverified > 0 || doubtful:
		f.giveUp(n, solver.Unverified)
	case !n.partial:
		f.settle(n, loses, byAll, 0)
	case n.job == nil && f.wanted(n) && !slices.Contains(f.closing, n):
		f.closing = append(f.closing, n)
	}
}
