package manager

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// general is a [Backend] that uses the searches of package solver.
type general[P, M comparable] struct {
	game     games.Game[P, M]
	solver   *solver.Backend[P, M]
	helpers  []*solver.Backend[P, M]
	database string     // see Adjudicated
	written  *index     // what later fragments may rest on; nil where positions can repeat
	indexed  chan error // gets the result of adding the last fragment to written; nil if none is being added
}

// NewBackends returns back ends for any game that package solver can search, with its
// method, for number goroutines: best first a single back end, which searches each job with
// all of them, else one for each. They share the memory and their results.
func NewBackends[P, M comparable](g games.Game[P, M], newBrancher func() solver.Brancher[P, M], cfg solver.Config, number int) (list []Backend, err error) {
	searches, err := solver.NewBackends(g, newBrancher, cfg, number)
	if err != nil {
		return nil, err
	}
	separate, helpers := searches, []*solver.Backend[P, M](nil)
	if cfg.Method == solver.BestFirst {
		separate, helpers = searches[:1], searches[1:]
	}
	for _, s := range separate {
		b := &general[P, M]{game: g, solver: s, helpers: helpers, database: checksumOf(g)}
		if _, ends := g.(games.Layerer[P]); ends {
			b.written = newIndex(maxIndexed / len(separate))
		}
		list = append(list, b)
	}
	return list, nil
}

// Search implements [Backend].
func (b *general[P, M]) Search(ctx context.Context, j *Job) (*Answer, error) {
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
		b.written = newIndex(b.written.limit)
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

func (b *general[P, M]) search(ctx context.Context, j *Job, p P, a *Answer) error {
	f, err := b.solver.Search(ctx, p, j.Attacker, solver.Limits{Nodes: j.Budget, Proof: j.Proof, Disproof: j.Disproof}, b.helpers...)
	if err != nil {
		return err
	}
	a.Outcome = b.outcome(f.Answer, f.Failed)
	a.Nodes, a.Incomplete = f.Nodes, f.Incomplete
	if a.Outcome == Unknown {
		a.Proof, a.Disproof = f.Proof, f.Disproof
	}
	if j.Again != "" && a.Outcome == j.Expect {
		a.Outcome = Unknown
		return nil
	}
	if a.Outcome, a.Fragment, err = b.fragment(ctx, j, a, p, j.Attacker, a.Outcome); err != nil {
		return err
	}
	if !j.Expand {
		return nil
	}
	for _, m := range f.Moves {
		move := AnswerMove{Move: string(b.game.AppendMove(nil, p, m.Move)), Outcome: b.outcome(m.Answer, m.Failed), Proof: m.Proof, Disproof: m.Disproof}
		if move.Outcome, move.Fragment, err = b.fragment(ctx, j, a, b.game.Play(p, m.Move), !j.Attacker, move.Outcome); err != nil {
			return err
		}
		a.Moves = append(a.Moves, move)
	}
	return nil
}

// outcome returns the outcome of a search. Where positions can repeat, a fragment cannot show
// that the defender holds.
func (b *general[P, M]) outcome(answer solver.Answer, failed bool) Outcome {
	_, ends := b.game.(games.Layerer[P])
	switch {
	case answer == solver.Yes:
		return Proven
	case answer == solver.No && !ends:
		return Unverified
	case answer == solver.No:
		return Disproven
	case failed:
		return Failed
	}
	return Unknown
}

// fragment returns an outcome with its proof if it is final. If the proof is lost, the outcome
// becomes unknown.
func (b *general[P, M]) fragment(ctx context.Context, j *Job, a *Answer, p P, attacker bool, o Outcome) (Outcome, []byte, error) {
	if !o.settled() {
		return o, nil, nil
	}
	text, err := b.write(ctx, j, a, p, attacker, o, 0, nil)
	if errors.Is(err, solver.ErrLimit) && ctx.Err() == nil {
		return Unknown, nil, nil
	}
	return o, text, err
}

// awaitIndex waits until the last fragment has been added to written.
func (b *general[P, M]) awaitIndex() (err error) {
	if b.indexed != nil {
		err = <-b.indexed
		b.indexed = nil
	}
	return err
}

// write writes the proof of an outcome and adds its cost to the answer. The proof
// rests on the given children, and on what earlier fragments prove.
func (b *general[P, M]) write(ctx context.Context, j *Job, a *Answer, p P, attacker bool, o Outcome, nodes uint64, children map[P]bool) ([]byte, error) {
	if err := b.awaitIndex(); err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, b.header(p, solver.Claim(attacker, o == Proven)))
	if err != nil {
		return nil, err
	}
	known := func(q P, attackerToMove bool) bool {
		if children[q] && attackerToMove != attacker {
			return true
		}
		if b.written == nil || j.Again != "" {
			return false
		}
		_, ok := b.written.has(b.written.key(b.game.AppendPosition(nil, q), attackerToMove, o))
		return ok
	}
	expanded, err := b.solver.WriteProof(ctx, w, p, attacker, o == Proven, nodes, known, b.helpers...)
	a.Written += expanded
	if err == nil {
		err = w.Close()
	}
	if err != nil || b.written == nil || j.Again != "" { // a fragment of a job done again is not kept
		return file.Bytes(), err
	}
	b.indexed = make(chan error, 1)
	go func() { // while the front end checks the fragment
		keys, err := b.written.keys(file.Bytes(), o)
		b.written.add(0, keys)
		b.indexed <- err
	}()
	return file.Bytes(), nil
}

// header returns the header of a fragment.
func (b *general[P, M]) header(p P, claim proof.Claim) proof.Header {
	return proof.Header{
		Game: b.game.Name(), Root: string(b.game.AppendPosition(nil, p)), Claims: []proof.Claim{claim}, Database: b.database,
	}
}

// close completes the proof of a position whose children are known. If that contradicts itself,
// another worker has left out a move that matters.
func (b *general[P, M]) close(ctx context.Context, j *Job, p P, a *Answer) error {
	children := map[P]bool{}
	for _, position := range j.Known {
		q, err := b.game.ParsePosition(position)
		if err != nil {
			return fmt.Errorf("known: %w", err)
		}
		children[q] = true
	}
	text, err := b.write(ctx, j, a, p, j.Attacker, j.Close, j.Budget, children)
	switch {
	case err == nil:
		a.Outcome, a.Fragment = j.Close, text
	case errors.Is(err, solver.ErrContradiction):
		a.Incomplete = true
		return nil
	case errors.Is(err, solver.ErrLimit):
		return nil
	}
	return err
}
