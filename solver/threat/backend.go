package threat

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// backend is a [manager.Backend] that proves wins of the attacker by threats. Where it
// does not find one with the attacker to move, it offers quiet moves. With the defender to
// move it looks for a win after a null move, and offers the replies in its zone that it
// cannot answer. What it does not win it gives up in the end: it never shows that there
// is no win.
type backend struct {
	game   *gomoku.Game
	prover *Prover
	all    *provers
}

// provers are the provers of back ends made together. When their memory is full they begin
// again, one after the other.
type provers struct {
	mu    sync.Mutex
	first *Prover
}

// next returns a prover after one whose memory is full.
func (s *provers) next(full *Prover) (x *Prover, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first.findings == full.findings {
		if x, err = newSharedProver(full.game, full.config, int(full.workers)); err == nil {
			s.first = x
		}
		return x, err
	}
	return s.first.share()
}

// NewBackends returns a number of back ends that prove wins of the attacker, all in about
// the given number of bytes. They share what they find.
func NewBackends(g *gomoku.Game, memory uint64, number int) (list []manager.Backend, err error) {
	x, err := newSharedProver(g, ProverConfig{Memory: memory}, number)
	if err != nil {
		return nil, err
	}
	all := &provers{first: x}
	for n := range number {
		if n > 0 {
			if x, err = all.first.share(); err != nil {
				return nil, err
			}
		}
		list = append(list, &backend{g, x, all})
	}
	return list, nil
}

const (
	// mostBudget is the budget with which a null move that does not win is given up.
	mostBudget = 20_000
	// replyShare is which part of a budget may be spent on one reply: one in so many.
	replyShare = 8
)

func (b *backend) Search(ctx context.Context, j *manager.Job) (*manager.Answer, error) {
	begin := time.Now()
	p, err := b.game.ParsePosition(j.Position)
	if err != nil {
		return nil, err
	}
	if used := b.prover.Memory(); b.prover.treeMemory() <= used+used/8 {
		if b.prover, err = b.all.next(b.prover); err != nil {
			return nil, err
		}
	}
	a := &manager.Answer{Question: j.Question, Proof: quietProof, Disproof: 1}
	b.prover.attacks.ctx = ctx
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
func (b *backend) attack(ctx context.Context, j *manager.Job, p gomoku.Position, a *manager.Answer) error {
	x := b.prover
	tree, err := x.Prove(ctx, p, Effort{Nodes: j.Budget})
	if err != nil {
		return err
	}
	if tree != nil {
		a.Outcome = manager.Proven
		return b.write(a, p, func(w *proof.Writer) error { return x.WriteProof(w, p, tree) })
	}
	a.Incomplete = true
	if fives := b.game.NewBoard(p).Fives(p.ToMove().Opponent()); fives.Empty() {
		moves := x.attacks.candidates(p)
		for _, m := range moves[:min(quietWidth, len(moves))] {
			b.offer(p, m, a)
		}
	} else if fives.Len() == 1 {
		b.offer(p, fives.First(), a)
	}
	if len(a.Moves) == 0 {
		a.Outcome = manager.Failed
	}
	return nil
}

// offer offers a move of the attacker, unless it ends the game or loses at once.
func (b *backend) offer(p gomoku.Position, m gomoku.Square, a *manager.Answer) {
	q := b.game.Play(p, m)
	if _, finished := b.game.Outcome(q); finished {
		return
	}
	move := manager.AnswerMove{Move: string(b.game.AppendMove(nil, p, m)), Proof: quietProof, Disproof: 1}
	switch d, verdict := b.prover.attacks.defend(q); verdict {
	case Refuted:
		return
	case Proven:
		move.Proof = 1
		for _, r := range d.replies {
			if r.Then == nil {
				move.Proof++
			}
		}
	}
	a.Moves = append(a.Moves, move)
}

// reply answers a job with the defender to move.
func (b *backend) reply(ctx context.Context, j *manager.Job, q gomoku.Position, a *manager.Answer) error {
	x := b.prover
	elsewhere := map[gomoku.Position]bool{}
	for _, position := range j.Known {
		p, err := b.game.ParsePosition(position)
		if err != nil {
			return err
		}
		elsewhere[p] = true
	}
	d, verdict, err := x.defend(ctx, q, Effort{Nodes: j.Budget})
	if err != nil {
		return err
	}
	switch verdict {
	case Refuted:
		a.Outcome = manager.Failed
		return nil
	case Unknown:
		if a.Proof = min(quietProof+uint32(j.Budget/100), unknown-1); j.Budget >= mostBudget && j.Close == manager.Unknown {
			a.Outcome = manager.Failed
		}
		return nil
	}
	d.replies = slices.DeleteFunc(d.replies, func(r Reply) bool {
		return r.Then == nil && elsewhere[b.game.Canonical(b.game.Play(q, r.Move))]
	})
	if first := slices.IndexFunc(d.replies, func(r Reply) bool { return r.Then == nil }); first >= 0 {
		x.killersFirst(d.replies[first:])
	}
	end := x.Nodes() + j.Budget
	t, open, err := x.answer(q, gomoku.NoSquare, d, true, func(r gomoku.Position) (*Tree, error) {
		nodes := j.Budget / replyShare
		if j.Close != manager.Unknown {
			nodes, end = j.Budget, x.Nodes()+j.Budget
		}
		if x.Nodes() >= end {
			return nil, nil
		}
		return x.prove(ctx, r, q, Effort{Nodes: nodes, Threats: x.threats})
	})
	if err != nil {
		return err
	}
	if len(open) == 0 {
		a.Outcome = manager.Proven
		return b.write(a, q, func(w *proof.Writer) error { return x.writeReplies(w, q, t, elsewhere) })
	}
	a.Proof = 1
	for _, r := range open {
		a.Moves = append(a.Moves, manager.AnswerMove{Move: string(b.game.AppendMove(nil, q, r)), Proof: replyProof, Disproof: 1})
		a.Proof++
	}
	return nil
}

// write puts the proof of a position into an answer.
func (b *backend) write(a *manager.Answer, p gomoku.Position, add func(w *proof.Writer) error) error {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{
		Game: b.game.Name(), Root: string(b.game.AppendPosition(nil, p)), Claims: []proof.Claim{solver.Claim(a.Attacker, true)},
	})
	if err != nil {
		return err
	}
	if err := add(w); err != nil {
		return err
	}
	err = w.Close()
	a.Fragment = file.Bytes()
	return err
}
