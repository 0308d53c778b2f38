package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// choices looks for choices of the attacker after replies that hold out as long as the main line and leave no
// piece. Composers might have meant these variations as well, but with a choice they are no solutions.
func (v *view) choices() {
	if g, _ := v.rules.Grade(PointEqualChoice); g == Allowed || v.result.Unfinished {
		return
	}
	for _, f := range slices.Clone(v.faults) {
		left := len(v.line) - f.Ply - 1
		if f.Kind != EqualDefence || left < 3 {
			continue
		}
		line, known := v.choice(after(v.cursor.board, v.places[f.Ply], f.Move), left)
		switch {
		case !known:
			v.leave(f.Ply, f.Move, EqualChoice)
		case line != nil:
			v.add(Fault{Kind: EqualChoice, Ply: f.Ply, Move: f.Move, Length: f.Length, Exact: true, Line: append([]shogi.Move{f.Move}, line...)})
		}
	}
}

// choice returns a line with another check that mates, where the attacker, to move, mates in left plies and has
// no piece left. It returns nil if the defender can avoid a choice before the last move, and false if that is
// not known.
func (v *view) choice(p shogi.Position, left int) (line []shogi.Move, known bool) {
	best, others, known := v.matingChecks(p, left)
	if !known {
		return nil, false
	}
	b := v.cursor.board
	for _, m := range others {
		if m.From() == best.From() && m.To() == best.To() && !m.IsDrop() && !best.IsDrop() || sameRay(&p, best, m) {
			continue
		}
		return v.lineOf(other{move: m, question: &question{position: after(b, p, m)}}), true
	}
	if left == 3 {
		return nil, true
	}
	q := after(b, p, best)
	exact := v.asked(q, &question{limit: dfpn.Unlimited})
	exact.exact = true
	if v.settle(exact); !exact.settled() {
		return nil, false
	}
	replies, err := v.composer.defences(q, exact.length, left-1, shogi.NoMove)
	if err != nil {
		clear(v.composer.known)
		return nil, false
	}
	for _, r := range replies {
		if r.futile || r.score != v.composer.top(left-1) {
			continue
		}
		rest, known := v.choice(after(b, q, r.move), left-2)
		switch {
		case !known || rest == nil:
			return nil, known
		case line == nil:
			line = append([]shogi.Move{best, r.move}, rest...)
		}
	}
	return line, true
}

// matingChecks returns the first of the best checks of a position that is mate in left plies with no piece left,
// and the others that mate.
func (v *view) matingChecks(p shogi.Position, left int) (best shogi.Move, others []shogi.Move, known bool) {
	exact := v.asked(p, &question{limit: dfpn.Unlimited})
	exact.exact = true
	if v.settle(exact); !exact.settled() || exact.answer != dfpn.Proven {
		return best, nil, false
	}
	length := exact.length - 1
	b := v.cursor.board
	b.Set(p)
	checks := b.AppendChecks(nil)
	var mates, shortest []*question
	for _, m := range checks {
		q := after(b, p, m)
		mates = append(mates, v.asked(q, &question{limit: dfpn.Unlimited}))
		shortest = append(shortest, v.asked(q, &question{limit: uint16(length)}))
	}
	v.settle(slices.Concat(mates, shortest)...)
	for i, m := range checks {
		switch {
		case mates[i].answer == dfpn.Unknown || shortest[i].answer == dfpn.Unknown:
			return best, nil, false
		case mates[i].answer == dfpn.Disproven:
			continue
		case best == shogi.NoMove && shortest[i].answer == dfpn.Proven:
			score, err := v.composer.defend(mates[i].position, length, v.composer.top(length))
			if err != nil {
				clear(v.composer.known)
				return best, nil, false
			}
			if score == v.composer.top(left-1) {
				best = m
				continue
			}
		}
		others = append(others, m)
	}
	return best, others, best != shogi.NoMove
}
