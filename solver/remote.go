package solver

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Remote has other processes evaluate positions for best-first searches. They help as further goroutines do, so
// they pay where a [Brancher] takes much longer than its part of a message.
type Remote struct {
	// Requests returns how many requests should be under way now.
	Requests func() int
	// Ask returns the answer of an [Evaluator] in another process to a question. It is called from
	// several goroutines. If it fails, the positions are evaluated here.
	Ask func(question []byte) (answer []byte, err error)
}

const (
	// mostRequests is the most requests that are under way at a time.
	mostRequests = 64
	// leavesAsked and stepsAsked are how many positions a request has: leaves of a search, which a search is
	// less and less likely to reach the more are asked, and those of a proof to be written, which all are needed.
	leavesAsked = 4
	stepsAsked  = 16
	// leavesKept is how many of the next leaves are left to the searches here, which would reach them before an
	// answer. When none were, a sixth of the leaves of 4x10 were evaluated on both sides; so it is a thirtieth.
	leavesKept = 4
)

// seat is the place of a searcher among those of a [Remote], from 1. The zero seat is that of a searcher here.
type seat struct {
	of     *Remote
	number int
}

// far reports whether the seat's searcher asks other processes.
func (s seat) far() bool { return s.of != nil }

// free reports whether the seat's searcher may evaluate positions now.
func (s seat) free() bool { return s.of == nil || s.of.Requests() >= s.number }

// await waits until the seat is free. It returns false if ctx has ended.
func (s seat) await(ctx context.Context) bool {
	for s.of != nil && !s.free() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(50 * time.Millisecond):
		}
	}
	return ctx.Err() == nil
}

// ask is what is asked about a position.
type ask uint8

const (
	askAttacker    ask = 1 << iota // the attacker is to move
	askCertificate                 // is there a certificate?
	askBranches                    // what are the branches, if there is no certificate?
)

// The kinds of answers about a position.
const (
	answerNone        = 'n' // no certificate, and nothing else was asked
	answerCertificate = 'c'
	answerComplete    = 'b' // branches, which are complete
	answerIncomplete  = 'i'
)

var (
	errQuestion = errors.New("this is no question")
	errAnswer   = errors.New("this is no answer")
)

// Evaluator answers the questions of a [Remote]. It fails if a question makes no sense. It belongs to
// one goroutine.
type Evaluator func(question []byte) (answer []byte, err error)

// NewEvaluator returns an evaluator for a game. Its brancher should be that of the search.
func NewEvaluator[P, M comparable](g games.Game[P, M], b Brancher[P, M]) Evaluator {
	var branches []Branch[M]
	var moves []M
	return func(question []byte) (answer []byte, err error) {
		for len(question) > 0 {
			what := ask(question[0])
			var text []byte
			if text, question, err = cutText(question[1:]); err != nil || what >= askBranches<<1 {
				return nil, errQuestion
			}
			p, err := g.ParsePosition(string(text))
			if err != nil {
				return nil, err
			}
			if _, finished := g.Outcome(p); finished {
				return nil, fmt.Errorf("%w: the game is over", errQuestion)
			}
			attacker := what&askAttacker != 0
			if what&askCertificate != 0 {
				if certificate, ok := b.AppendCertificate(nil, p, attacker); ok {
					answer = appendText(append(answer, answerCertificate), certificate)
					continue
				}
			}
			if what&askBranches == 0 {
				answer = append(answer, answerNone)
				continue
			}
			var complete bool
			branches, complete = b.AppendBranches(branches[:0], p, attacker)
			moves = g.AppendMoves(moves[:0], p)
			answer = appendBranches(answer, moves, branches, complete)
		}
		return answer, nil
	}
}

// appendText appends a text with its length before it.
func appendText(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// cutText returns a text with its length before it, and what follows.
func cutText(data []byte) (text, rest []byte, err error) {
	length, n := binary.Uvarint(data)
	if n <= 0 || length > uint64(len(data)-n) {
		return nil, nil, errAnswer
	}
	data = data[n:]
	return data[:length], data[length:], nil
}

// appendBranches encodes branches: whether they are complete, how many, and for each its numbers and which of the legal
// moves it is.
func appendBranches[M comparable](dst []byte, moves []M, list []Branch[M], complete bool) []byte {
	kind := byte(answerIncomplete)
	if complete {
		kind = answerComplete
	}
	dst = binary.AppendUvarint(append(dst, kind), uint64(len(list)))
	for _, b := range list {
		dst = binary.AppendUvarint(dst, uint64(b.Proof))
		dst = binary.AppendUvarint(dst, uint64(b.Disproof))
		dst = binary.AppendUvarint(dst, uint64(slices.Index(moves, b.Move)))
	}
	return dst
}

// remoteAnswer is what another process says about a position.
type remoteAnswer[P, M comparable] struct {
	asked[P]
	kind        byte
	certificate []byte
	branches    []Branch[M]
}

// asked is a position and what is asked about it.
type asked[P comparable] struct {
	position P
	what     ask
}

// read decodes the answer about a position at the beginning of data, and returns what follows.
func (a *remoteAnswer[P, M]) read(moves func() []M, data []byte) (rest []byte, err error) {
	if len(data) == 0 {
		return nil, errAnswer
	}
	a.kind, data = data[0], data[1:]
	switch {
	case a.kind == answerNone && a.what&askBranches == 0:
		return data, nil
	case a.kind == answerCertificate && a.what&askCertificate != 0:
		a.certificate, data, err = cutText(data)
		return data, err
	case (a.kind == answerComplete || a.kind == answerIncomplete) && a.what&askBranches != 0:
	default:
		return nil, errAnswer
	}
	count, n := binary.Uvarint(data)
	if n <= 0 || count > uint64(len(data)) {
		return nil, errAnswer
	}
	data = data[n:]
	legal := moves()
	for range count {
		proof, n := binary.Uvarint(data)
		disproof, m := binary.Uvarint(data[max(n, 0):])
		index, l := binary.Uvarint(data[max(n, 0)+max(m, 0):])
		if n <= 0 || m <= 0 || l <= 0 || index >= uint64(len(legal)) {
			return nil, errAnswer
		}
		known := proof == 0 && disproof == unproven || disproof == 0 && proof == unproven
		if !known && (proof == 0 || disproof == 0 || proof >= unproven || disproof >= unproven) {
			return nil, fmt.Errorf("%w: numbers %d and %d", errAnswer, proof, disproof)
		}
		a.branches = append(a.branches, Branch[M]{legal[index], uint32(proof), uint32(disproof)})
		data = data[n+m+l:]
	}
	return data, nil
}

// remoteBrancher is a [Brancher] that can ask another process about several positions at once, before
// the search asks it. What that says is believed, as what the brancher here says: the proof shows whether it is right.
type remoteBrancher[P, M comparable] struct {
	game     games.Game[P, M]
	remote   *Remote
	newLocal func() Brancher[P, M]
	local    Brancher[P, M] // once it has been needed
	question []byte
	answers  []remoteAnswer[P, M]
	moves    []M
}

// fetch asks about positions, which replace those that it was asked about before. It reports whether there was an
// answer.
func (b *remoteBrancher[P, M]) fetch(list []asked[P]) bool {
	b.question, b.answers = b.question[:0], b.answers[:0]
	var text [512]byte
	for _, a := range list {
		b.question = appendText(append(b.question, byte(a.what)), b.game.AppendPosition(text[:0], a.position))
	}
	if len(list) == 0 {
		return true
	}
	data, err := b.remote.Ask(b.question)
	for i, a := range list {
		if err != nil {
			return false // the others are evaluated here
		}
		b.answers = slices.Grow(b.answers, 1)[:i+1]
		answer := &b.answers[i]
		*answer = remoteAnswer[P, M]{asked: a, branches: answer.branches[:0]}
		data, err = answer.read(func() []M {
			b.moves = b.game.AppendMoves(b.moves[:0], a.position)
			return b.moves
		}, data)
		if err != nil {
			b.answers = b.answers[:i]
		}
	}
	return err == nil
}

// answer returns the answer about a position, nil if there is none.
func (b *remoteBrancher[P, M]) answer(p P, attacker bool, what ask) *remoteAnswer[P, M] {
	for i := range b.answers {
		if a := &b.answers[i]; a.position == p && a.what&what != 0 && (a.what&askAttacker != 0) == attacker {
			return a
		}
	}
	return nil
}

// AppendBranches implements [Brancher].
func (b *remoteBrancher[P, M]) AppendBranches(dst []Branch[M], p P, attacker bool) ([]Branch[M], bool) {
	if a := b.answer(p, attacker, askBranches); a != nil && a.kind != answerCertificate {
		return append(dst, a.branches...), a.kind == answerComplete
	}
	return b.here().AppendBranches(dst, p, attacker)
}

// AppendCertificate implements [Brancher].
func (b *remoteBrancher[P, M]) AppendCertificate(dst []byte, p P, attacker bool) ([]byte, bool) {
	if a := b.answer(p, attacker, askCertificate); a != nil {
		return append(dst, a.certificate...), a.kind == answerCertificate
	}
	return b.here().AppendCertificate(dst, p, attacker)
}

func (b *remoteBrancher[P, M]) here() Brancher[P, M] {
	if b.local == nil {
		b.local = b.newLocal()
	}
	return b.local
}

// lookFar has another process evaluate leaves that the search here may reach soon. It waits if there are none.
func (s *search[P, M]) lookFar() error {
	far := s.brancher.(*remoteBrancher[P, M])
	s.asked, s.leaves = s.asked[:0], s.predict(s.leaves[:0], leavesKept, leavesAsked)
	switch {
	case len(s.leaves) > 0:
	case s.over.Err() != nil: // nobody will announce anything
		return errLimit
	default:
		s.mu.sleep()
		return nil
	}
	for _, l := range s.leaves {
		p, attacker := s.follow(s.nodes.at(l.parent), s.edges.at(l.edge))
		a := asked[P]{p, askBranches}
		if attacker {
			a.what |= askAttacker
		}
		s.asked = append(s.asked, a)
		s.occupy(l.edge)
	}
	s.mu.Unlock()
	far.fetch(s.asked)
	s.mu.Lock()
	var err error
	for i, a := range s.asked {
		if attacker := a.what&askAttacker != 0; err == nil && s.find(a.position, attacker) == none {
			_, err = s.expand(a.position, attacker)
		}
		s.free(s.leaves[i].edge)
	}
	return err
}

// solved reports whether the tree has the answer about a position.
func (s *search[P, M]) solved(p P, attacker bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.find(p, attacker)
	return number != none && s.nodes.at(number).solved()
}

// scoutFar finds steps for the builder as scout does, and asks another process about several at once. It ends when there
// is no answer.
func (f *finder[P, M]) scoutFar() {
	far := f.brancher.(*remoteBrancher[P, M])
	var tasks []task[P, M]
	var list []asked[P]
	for there := true; there; {
		tasks, list = f.plan.next(tasks[:0], stepsAsked), list[:0]
		if len(tasks) == 0 {
			return
		}
		for _, t := range tasks {
			if what := f.unknown(t); what != 0 {
				list = append(list, asked[P]{t.at.p, what})
			}
		}
		there = far.fetch(list)
		for _, t := range tasks {
			f.scoutOne(t)
		}
	}
}

// unknown returns what the brancher will be asked to find a step.
func (f *finder[P, M]) unknown(t task[P, M]) (what ask) {
	if t.step != nil || f.known != nil && f.known(t.at.p, f.attacker(t.at)) {
		return 0
	}
	if f.goal == proof.Hold {
		what |= askCertificate
	}
	if t.at.claimant && !f.resolver.(*search[P, M]).solved(t.at.p, f.attacker(t.at)) {
		what |= askBranches
	}
	if what != 0 && f.attacker(t.at) {
		what |= askAttacker
	}
	return what
}
