package threat

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// backend is a [solver.Backend] that proves wins of the attacker by threats. If it finds
// none with the attacker to move, it offers quiet moves. With the defender to move it
// searches for a win after a null move, and offers the replies in its zone that it cannot
// answer. It gives up positions that it cannot win: it never shows that there
// is no win.
type backend struct {
	game   *gomoku.Game
	pool   *pool
	number int     // index of its worker
	prover *Prover // that worker, during a search
}

// pool is the workers that the back ends of a process share.
type pool struct {
	mu      sync.RWMutex // held for reading while one of them searches
	workers *workers
}

// NewBackends returns number back ends that prove wins of the attacker, in about memory bytes.
// They share their results. A back end without a job helps the others with theirs.
func NewBackends(g *gomoku.Game, memory uint64, number int) (list []solver.Backend, err error) {
	c := &pool{}
	if c.workers, err = newWorkers(g, ProverConfig{Memory: memory}, number); err != nil {
		return nil, err
	}
	for n := range number {
		list = append(list, &backend{game: g, pool: c, number: n})
	}
	return list, nil
}

// join reserves the back end's worker for a job. Workers whose memory is full are replaced by
// new ones when their last job has ended.
func (b *backend) join() (leave func(), err error) {
	c := b.pool
	c.mu.RLock()
	for c.full() {
		c.mu.RUnlock()
		c.mu.Lock()
		if c.full() {
			x := c.workers.list[0]
			c.workers, err = newWorkers(x.game, x.config, len(c.workers.list))
		}
		c.mu.Unlock()
		if err != nil {
			return nil, err
		}
		c.mu.RLock()
	}
	t := c.workers
	m := t.list[b.number]
	t.begin(m)
	b.prover = m.Prover
	return func() {
		t.end(m)
		c.mu.RUnlock()
	}, nil
}

// full reports whether the workers' memory is nearly used up.
func (c *pool) full() bool {
	x := c.workers.list[0]
	used := x.Memory()
	return x.treeMemory() <= used+used/8
}

// mostBudget is the budget at which a null move that does not win is given up.
const mostBudget = 2000

func (b *backend) Search(ctx context.Context, j *solver.Job) (*solver.Answer, error) {
	begin := time.Now()
	p, err := b.game.ParsePosition(j.Position)
	if err != nil {
		return nil, err
	}
	leave, err := b.join()
	if err != nil {
		return nil, err
	}
	defer leave()
	a := &solver.Answer{Question: j.Question, Proof: quietProof, Disproof: 1}
	before := b.prover.Nodes()
	if j.Attacker {
		err = b.attack(ctx, j, p, a)
	} else {
		err = b.reply(ctx, j, p, a)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	a.Nodes, a.Nanoseconds = b.prover.Nodes()-before, int64(time.Since(begin))
	return a, nil
}

// attack answers a job with the attacker to move.
func (b *backend) attack(ctx context.Context, j *solver.Job, p gomoku.Position, a *solver.Answer) error {
	x := b.prover
	tree, err := x.Prove(ctx, p, j.Budget)
	if err != nil {
		return err
	}
	if tree != nil {
		a.Outcome = solver.Proven
		return b.write(a, p, func(w *proof.Writer) error { return x.WriteProof(ctx, w, p, tree) })
	}
	a.Incomplete = true
	b.offer(p, a)
	return nil
}

// reply answers a job with the defender to move.
func (b *backend) reply(ctx context.Context, j *solver.Job, q gomoku.Position, a *solver.Answer) error {
	x := b.prover
	elsewhere := map[gomoku.Position]bool{}
	for _, position := range j.Known {
		p, err := b.game.ParsePosition(position)
		if err != nil {
			return err
		}
		elsewhere[p] = true
	}
	known := func(m gomoku.Square) bool { return elsewhere[b.game.Canonical(b.game.Play(q, m))] }
	// Replies that are proven elsewhere can be left out only once the replies are known.
	answer := solver.Unknown
	for _, nodes := range []uint64{1, j.Budget, 0} {
		if answer == solver.Proven {
			break
		}
		_, _, open, _ := x.search.Open(q, false)
		var moves []gomoku.Square
		for _, o := range open {
			if o.Move != nullMove && known(o.Move) {
				moves = append(moves, o.Move)
			}
		}
		x.search.Answer(q, moves)
		var err error
		if answer, err = x.expand(ctx, q, false, solver.Limits{Nodes: nodes}); err != nil {
			return err
		}
	}
	if answer == solver.Proven {
		d, verdict, err := x.defend(q)
		if verdict == Proven && err == nil {
			d.replies = slices.DeleteFunc(d.replies, func(r Reply) bool { return r.Then == nil && known(r.Move) })
			var open bool
			var t *Tree
			if t, open, err = x.answer(q, gomoku.NoSquare, d); !open && err == nil {
				a.Outcome = solver.Proven
				return b.write(a, q, func(w *proof.Writer) error { return x.writeReplies(ctx, w, q, t, elsewhere) })
			}
		}
		if err != nil {
			return err
		}
	}
	b.offer(q, a)
	if len(a.Moves) == 0 && j.Budget >= mostBudget && j.Close == solver.Unknown {
		a.Outcome = solver.Failed
	}
	return nil
}

// offer puts the numbers and the open moves of a position into an answer. A position whose
// replies are not known has no open moves.
func (b *backend) offer(p gomoku.Position, a *solver.Answer) {
	proof, disproof, open, ok := b.prover.search.Open(p, a.Attacker)
	switch {
	case !ok:
		return
	case proof == 0, disproof == 0: // disproven, or proven but the tree was not found again
		a.Outcome = solver.Failed
		return
	}
	a.Proof, a.Disproof = proof, disproof
	full := false // whether the board is full after some move
	for _, o := range open {
		if o.Move == nullMove {
			continue
		}
		if _, over := b.game.Outcome(b.game.Play(p, o.Move)); over {
			full = true
		} else {
			a.Moves = append(a.Moves, solver.AnswerMove{Move: string(b.game.AppendMove(nil, p, o.Move)), Proof: o.Proof, Disproof: o.Disproof})
		}
	}
	if full && len(a.Moves) == 0 {
		a.Outcome = solver.Failed
	}
}

// write puts the proof of a position into an answer.
func (b *backend) write(a *solver.Answer, p gomoku.Position, add func(w *proof.Writer) error) (err error) {
	a.Fragment, err = solver.WriteFragment(b.game, p, solver.Claim(a.Attacker, true), add)
	return err
}
