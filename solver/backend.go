package solver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// backend is a [Backend] that uses the searches of this package.
type backend[P, M comparable] struct {
	game     games.Game[P, M]
	searcher *searcher[P, M]
	helpers  []*searcher[P, M]
	written  *Index     // what later fragments may rest on; nil where positions can repeat
	indexed  chan error // gets the result of adding the last fragment to written; nil if none is being added
}

// NewBackends returns back ends for any game that this package can search, with the method of
// cfg, for number goroutines: best first a single back end, which searches each job with
// all of them, else one for each. They share the memory and their results.
func NewBackends[P, M comparable](g games.Game[P, M], newBrancher func() Brancher[P, M], cfg Config, number int) (list []Backend, err error) {
	searches, err := newSearchers(g, newBrancher, cfg, number)
	if err != nil {
		return nil, err
	}
	separate, helpers := searches, []*searcher[P, M](nil)
	if cfg.Method == BestFirst {
		separate, helpers = searches[:1], searches[1:]
	}
	for _, s := range separate {
		b := &backend[P, M]{game: g, searcher: s, helpers: helpers}
		if _, ends := g.(games.Layerer[P]); ends {
			b.written = NewIndex(MaxIndexed / len(separate))
		}
		list = append(list, b)
	}
	return list, nil
}

// Search implements [Backend].
func (b *backend[P, M]) Search(ctx context.Context, j *Job) (*Answer, error) {
	begin := time.Now()
	p, err := b.game.ParsePosition(j.Position)
	if err != nil {
		return nil, err
	}
	a := &Answer{Question: j.Question}
	if err := b.awaitIndex(); err != nil {
		return nil, err
	}
	if j.Whole && b.written != nil {
		b.written = NewIndex(b.written.limit)
	}
	if j.Close != Unknown {
		err = b.close(ctx, j, p, a)
	} else {
		err = b.search(ctx, j, p, a)
	}
	if err != nil {
		return nil, err
	}
	a.Nanoseconds = int64(time.Since(begin))
	return a, nil
}

func (b *backend[P, M]) search(ctx context.Context, j *Job, p P, a *Answer) error {
	f, err := b.searcher.search(ctx, p, j.Attacker, Limits{Nodes: j.Budget, Proof: j.Proof, Disproof: j.Disproof}, b.helpers...)
	if err != nil {
		return err
	}
	a.Outcome = b.verifiable(f.Outcome)
	a.Nodes, a.Incomplete = f.Nodes, f.Incomplete
	if a.Outcome == Unknown {
		a.Proof, a.Disproof = f.Proof, f.Disproof
	}
	if a.Outcome, a.Fragment, err = b.fragment(ctx, a, p, j.Attacker, a.Outcome); err != nil {
		return err
	}
	if !j.Expand {
		return nil
	}
	for _, m := range f.Moves {
		move := AnswerMove{Move: string(b.game.AppendMove(nil, p, m.Move)), Outcome: b.verifiable(m.Outcome), Proof: m.Proof, Disproof: m.Disproof}
		if move.Outcome, move.Fragment, err = b.fragment(ctx, a, b.game.Play(p, m.Move), !j.Attacker, move.Outcome); err != nil {
			return err
		}
		a.Moves = append(a.Moves, move)
	}
	return nil
}

// verifiable returns the outcome of a search as an answer may give it. Where positions can
// repeat, a fragment cannot show that the defender holds.
func (b *backend[P, M]) verifiable(o Outcome) Outcome {
	if _, ends := b.game.(games.Layerer[P]); o == Disproven && !ends {
		return Unverified
	}
	return o
}

// fragment returns an outcome with its proof if it is final. If the proof is lost, the outcome
// becomes unknown.
func (b *backend[P, M]) fragment(ctx context.Context, a *Answer, p P, attacker bool, o Outcome) (Outcome, []byte, error) {
	if !o.Settled() {
		return o, nil, nil
	}
	text, err := b.write(ctx, a, p, attacker, o, 0, nil)
	if errors.Is(err, ErrLimit) && ctx.Err() == nil {
		return Unknown, nil, nil
	}
	return o, text, err
}

// awaitIndex waits until the last fragment has been added to written.
func (b *backend[P, M]) awaitIndex() (err error) {
	if b.indexed != nil {
		err = <-b.indexed
		b.indexed = nil
	}
	return err
}

// write writes the proof of an outcome and adds its cost to the answer. The proof
// rests on the given children, and on what earlier fragments prove.
func (b *backend[P, M]) write(ctx context.Context, a *Answer, p P, attacker bool, o Outcome, nodes uint64, children map[P]bool) ([]byte, error) {
	if err := b.awaitIndex(); err != nil {
		return nil, err
	}
	known := func(q P, attackerToMove bool) bool {
		if children[q] && attackerToMove != attacker {
			return true
		}
		if b.written == nil {
			return false
		}
		_, ok := b.written.Has(b.written.Key(b.game.AppendPosition(nil, q), attackerToMove, o))
		return ok
	}
	text, err := WriteFragment(b.game, p, Claim(attacker, o == Proven), func(w *proof.Writer) error {
		expanded, err := b.searcher.writeProof(ctx, w, p, attacker, o == Proven, nodes, known, b.helpers...)
		a.Written += expanded
		return err
	})
	if err != nil || b.written == nil {
		return text, err
	}
	b.indexed = make(chan error, 1)
	go func() { // while the front end checks the fragment
		keys, err := b.written.Keys(text, o)
		b.written.Add(0, keys)
		b.indexed <- err
	}()
	return text, nil
}

// close completes the proof of a position whose children are known. If that contradicts itself,
// another worker has left out a move that matters.
func (b *backend[P, M]) close(ctx context.Context, j *Job, p P, a *Answer) error {
	children := map[P]bool{}
	for _, position := range j.Known {
		q, err := b.game.ParsePosition(position)
		if err != nil {
			return fmt.Errorf("known: %w", err)
		}
		children[q] = true
	}
	text, err := b.write(ctx, a, p, j.Attacker, j.Close, j.Budget, children)
	switch {
	case err == nil:
		a.Outcome, a.Fragment = j.Close, text
	case errors.Is(err, ErrContradiction):
		a.Incomplete = true
		return nil
	case errors.Is(err, ErrLimit):
		return nil
	}
	return err
}
