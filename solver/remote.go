package solver

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

// Remote has other processes evaluate positions for best-first searches. They help as further goroutines do, so
// they pay where a [Brancher] takes much longer than a message.
type Remote struct {
	// Positions returns how many positions should be under way there now.
	Positions func() int
	// Ask returns the answer of an [Evaluator] in one of them to a question. It is called from
	// several goroutines, and blocks as long as it likes. If it fails, the position is evaluated here.
	Ask func(question []byte) (answer []byte, err error)
}

// seat is the place of a search among those of a [Remote], from 1. The zero seat is that of a search here.
type seat struct {
	of     *Remote
	number int
}

// free reports whether the seat's search may evaluate positions now.
func (s seat) free() bool { return s.of == nil || s.of.Positions() >= s.number }

// await waits until a seat is free, and lets others lead meanwhile. It returns false if ctx has ended.
func (s *search[P, M]) await(ctx context.Context, at seat) bool {
	s.pass()
	for tick := time.Tick(50 * time.Millisecond); !at.free(); {
		select {
		case <-ctx.Done():
			return false
		case <-tick:
		}
	}
	return ctx.Err() == nil
}

// mostRemote is the most positions that other processes evaluate at a time.
const mostRemote = 64

// Evaluator answers the questions of a [Remote]. It fails if a question makes no sense. It belongs to
// one goroutine.
type Evaluator func(question []byte) (answer []byte, err error)

// A question is whether the attacker is to move, then the text of the position. The answer is whether the branches are
// complete, then their number, then the branches.
const (
	no  = '0'
	yes = '1'
)

var errQuestion = errors.New("this is no question")

// NewEvaluator returns an evaluator for a game. Its brancher should be that of the search.
func NewEvaluator[P, M comparable](g games.Game[P, M], b Brancher[P, M]) Evaluator {
	var branches []Branch[M]
	return func(question []byte) ([]byte, error) {
		if len(question) == 0 || question[0] != no && question[0] != yes {
			return nil, errQuestion
		}
		p, err := g.ParsePosition(string(question[1:]))
		if err != nil {
			return nil, err
		}
		if _, finished := g.Outcome(p); finished {
			return nil, fmt.Errorf("%w: the game is over", errQuestion)
		}
		var complete bool
		branches, complete = b.AppendBranches(branches[:0], p, question[0] == yes)
		answer := binary.AppendUvarint(appendFlag(nil, complete), uint64(len(branches)))
		for i := range branches {
			answer = appendBranch(answer, g, p, &branches[i])
		}
		return answer, nil
	}
}

func appendFlag(dst []byte, flag bool) []byte {
	if flag {
		return append(dst, yes)
	}
	return append(dst, no)
}

// appendBranch encodes a branch: its numbers, and its move with the length before it.
func appendBranch[P, M comparable](dst []byte, g games.Game[P, M], p P, b *Branch[M]) []byte {
	dst = binary.AppendUvarint(dst, uint64(b.Proof))
	dst = binary.AppendUvarint(dst, uint64(b.Disproof))
	at := len(dst)
	dst = g.AppendMove(append(dst, 0), p, b.Move)
	dst[at] = byte(len(dst) - at - 1) // the text of a move is short
	return dst
}

var errAnswer = errors.New("this is no answer")

// readAnswer decodes an answer, and appends its branches to dst.
func readAnswer[P, M comparable](dst []Branch[M], g games.Game[P, M], p P, text []byte) (list []Branch[M], complete bool, err error) {
	if len(text) == 0 || text[0] != no && text[0] != yes {
		return nil, false, errAnswer
	}
	complete = text[0] == yes
	count, n := binary.Uvarint(text[1:])
	if n <= 0 {
		return nil, false, errAnswer
	}
	list, err = readBranches(dst, g, p, text[1+n:])
	if err == nil && uint64(len(list)-len(dst)) != count {
		err = fmt.Errorf("%w: %d branches of %d", errAnswer, len(list)-len(dst), count)
	}
	return list, complete, err
}

func readBranches[P, M comparable](dst []Branch[M], g games.Game[P, M], p P, text []byte) ([]Branch[M], error) {
	for len(text) > 0 {
		proof, n := binary.Uvarint(text)
		disproof, m := binary.Uvarint(text[max(n, 0):])
		if n <= 0 || m <= 0 || n+m >= len(text) {
			return nil, errAnswer
		}
		known := proof == 0 && disproof == unproven || disproof == 0 && proof == unproven
		if !known && (proof == 0 || disproof == 0 || proof >= unproven || disproof >= unproven) {
			return nil, fmt.Errorf("%w: numbers %d and %d", errAnswer, proof, disproof)
		}
		text = text[n+m:]
		length := 1 + int(text[0])
		if length > len(text) {
			return nil, errAnswer
		}
		move, err := games.ParseMove(g, p, string(text[1:length]))
		if err != nil {
			return nil, err
		}
		dst = append(dst, Branch[M]{move, uint32(proof), uint32(disproof)})
		text = text[length:]
	}
	return dst, nil
}

// remoteBrancher is a [Brancher] that asks another process for branches. What that says is believed, as what the
// brancher here says: the proof shows whether it is right.
type remoteBrancher[P, M comparable] struct {
	game     games.Game[P, M]
	remote   *Remote
	newLocal func() Brancher[P, M]
	local    Brancher[P, M] // once it has been needed
	question []byte
}

// AppendBranches implements [Brancher].
func (b *remoteBrancher[P, M]) AppendBranches(dst []Branch[M], p P, attacker bool) ([]Branch[M], bool) {
	b.question = b.game.AppendPosition(appendFlag(b.question[:0], attacker), p)
	if answer, err := b.remote.Ask(b.question); err == nil {
		if list, complete, err := readAnswer(dst, b.game, p, answer); err == nil {
			return list, complete
		}
	}
	return b.here().AppendBranches(dst, p, attacker)
}

// AppendCertificate implements [Brancher]. It takes less time than a message.
func (b *remoteBrancher[P, M]) AppendCertificate(dst []byte, p P, attacker bool) ([]byte, bool) {
	return b.here().AppendCertificate(dst, p, attacker)
}

func (b *remoteBrancher[P, M]) here() Brancher[P, M] {
	if b.local == nil {
		b.local = b.newLocal()
	}
	return b.local
}
