package tsume

import (
	"errors"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// composer counts plies as composers of problems do: futile interpositions do not count
// anywhere, and the defender does not play them.
//
// In a position P the defender, in check from a distance, drops a piece on a square
// between. Let Q be P with the checking piece on that square and both hands unchanged:
// the drop and its capture are taken out. The drop is futile if the defender holds out
// no longer in Q than in P using only replies that are possible in Q too: moves, and
// drops nearer to the king. Lengths in P and Q are counted by the same rule, so several
// drops in a row, each captured, are all futile. With everything counted, Q must be mate
// in no more plies than P, so that the recursion ends.
//
// This length is not monotone in the attacker's hand: with more in hand the other
// replies may be mated sooner, so that a drop is no longer futile. So it cannot go into
// the table of the search. Instead the attacker is restricted to the moves that mate in
// the fewest plies with everything counted, which are few, and the remaining positions
// are searched exhaustively: all replies that could hold out longer than the best so far,
// and all moves of the attacker that could be better.
type composer struct {
	cursor *cursor
	reader *dfpn.Reader
	// moves holds the attacker's best moves so far, and the defender's moves that are
	// tried first.
	moves map[shogi.Position]shogi.Move
	known map[shogi.Position]composed
}

// composed is what is known about a position with the defender to move.
type composed struct {
	plies int        // for which the defender holds out
	exact bool       // otherwise plies is a lower bound
	reply shogi.Move // the best one, if exact
}

// maxComposed limits the positions with the defender to move.
const maxComposed = 200_000

var errComposed = errors.New("tsume: a limit was reached before all futile interpositions were known")

func newComposer(c *cursor, reader *dfpn.Reader) *composer {
	return &composer{cursor: c, reader: reader, moves: map[shogi.Position]shogi.Move{}, known: map[shogi.Position]composed{}}
}

// line returns the line of play from p, given the exact line with all interpositions
// counted. It moves the board.
func (c *composer) line(p shogi.Position, exact []shogi.Move) ([]shogi.Move, error) {
	b := c.cursor.board
	b.Set(p)
	for _, m := range exact {
		c.moves[b.Position()] = m
		b.Do(m)
	}
	var err error
	if p.Turn() == c.cursor.attacker {
		_, err = c.attack(p, len(exact), 0, len(exact))
	} else {
		_, err = c.defend(p, len(exact), len(exact))
	}
	if err != nil {
		return nil, err
	}
	var line []shogi.Move
	for b.Set(p); ; {
		m := c.known[b.Position()].reply
		if b.Turn() == c.cursor.attacker {
			m = c.moves[b.Position()]
		}
		if m == shogi.NoMove {
			return line, nil
		}
		line = append(line, m)
		b.Do(m)
	}
}

// attack returns how long the defender holds out from p, where the attacker is to move
// and mates in exactly length plies with everything counted. Results are exact between
// enough and most: the attacker need not do better than enough, and results above most
// need not be told apart.
func (c *composer) attack(p shogi.Position, length, enough, most int) (int, error) {
	first := c.moves[p]
	if first == shogi.NoMove {
		r, err := c.search(p, length)
		if err == nil && r.Outcome != dfpn.Proven {
			err = errComposed // the table contradicts itself: two positions share a key
		}
		if err != nil {
			return 0, err
		}
		first = shogi.Move(r.Move)
		c.moves[p] = first
	}
	b := c.cursor.board
	best, err := c.defend(after(b, p, first), length-1, most-1)
	if best++; err != nil || best <= enough || length == 1 {
		return best, err
	}
	b.Set(p)
	for _, m := range b.AppendChecks(nil) {
		if m == first {
			continue
		}
		q := after(b, p, m)
		r, err := c.search(q, length-1)
		if err != nil {
			return 0, err
		}
		if r.Outcome == dfpn.Disproven {
			continue
		}
		plies, err := c.defend(q, length-1, min(most, best)-1)
		if err != nil {
			return 0, err
		}
		if plies++; plies < best {
			best = plies
			if best <= most {
				c.moves[p] = m
			}
			if best <= enough {
				break
			}
		}
	}
	return best, nil
}

// defend is attack with the defender to move, who is mated in at most length plies. The
// result is at most length.
func (c *composer) defend(p shogi.Position, length, most int) (int, error) {
	if length == 0 {
		return 0, nil
	}
	if k, ok := c.known[p]; ok && (k.exact || k.plies > most) {
		return k.plies, nil
	}
	if len(c.known) >= maxComposed {
		return 0, errComposed
	}
	b := c.cursor.board
	b.Set(p)
	replies := b.AppendEvasions(nil)
	drops := slices.IndexFunc(replies, shogi.Move.IsDrop)
	if drops < 0 {
		drops = len(replies)
	}
	best, err := c.longest(p, replies[:drops], length, most, composed{}, nil)
	king, left := p.King(p.Turn()), replies[drops:]
	slices.SortStableFunc(left, func(m, n shogi.Move) int { return distance(king, m.To()) - distance(king, n.To()) })
	for len(left) > 0 && err == nil && best.plies <= most {
		here := slices.IndexFunc(left, func(m shogi.Move) bool { return m.To() != left[0].To() })
		if here < 0 {
			here = len(left)
		}
		drop, without := left[0], best.plies
		futile := sync.OnceValues(func() (bool, error) { return c.futile(p, drop, length, without) })
		best, err = c.longest(p, left[:here], length, most, best, futile)
		left = left[here:]
	}
	if err != nil {
		return 0, err
	}
	best.exact = best.plies <= most || best.plies == length
	c.known[p] = best
	return best.plies, nil
}

// longest returns the best of the given replies that are not futile, or best if none is
// better. It stops at a result above most.
func (c *composer) longest(p shogi.Position, replies []shogi.Move, length, most int, best composed, futile func() (bool, error)) (composed, error) {
	if i := slices.Index(replies, c.moves[p]); i > 0 {
		replies[0], replies[i] = replies[i], replies[0]
	}
	// Replies that hold out longest with everything counted come first: that is an
	// upper bound.
	for ; length > best.plies && len(replies) > 0; length -= 2 {
		shorter := replies[:0]
		for _, m := range replies {
			if length <= best.plies || best.plies > most {
				return best, nil
			}
			q := after(c.cursor.board, p, m)
			if length > 2 {
				r, err := c.search(q, length-3)
				if err != nil {
					return best, err
				}
				if r.Outcome == dfpn.Proven {
					shorter = append(shorter, m)
					continue
				}
			}
			if futile != nil {
				if is, err := futile(); is || err != nil {
					if err != nil {
						return best, err
					}
					continue
				}
			}
			plies, err := c.attack(q, length-1, best.plies-1, most-1)
			if err != nil {
				return best, err
			}
			if plies++; plies > best.plies {
				best.plies, best.reply = plies, m
			}
		}
		replies = shorter
	}
	return best, nil
}

// futile reports whether a drop in p is futile. The defender is mated in length plies
// and, as composers count, in without plies if it drops nothing on this square or
// farther from the king.
func (c *composer) futile(p shogi.Position, drop shogi.Move, length, without int) (bool, error) {
	for _, promote := range [...]bool{false, true} {
		q, ok := c.withoutPair(p, drop, promote)
		if !ok {
			continue
		}
		r, err := c.search(q, length)
		if err != nil {
			return false, err
		}
		if r.Outcome == dfpn.Disproven {
			continue
		}
		plies, err := c.defend(q, int(r.Length), without)
		if err != nil || plies <= without {
			return err == nil, err
		}
	}
	return false, nil
}

// withoutPair returns p with the checking piece on the square of the drop, if the piece
// can capture there with check.
func (c *composer) withoutPair(p shogi.Position, drop shogi.Move, promote bool) (shogi.Position, bool) {
	b := c.cursor.board
	b.Set(p)
	capture := shogi.MoveOf(b.Checkers().First(), drop.To(), promote)
	b.Do(drop)
	if !b.Legal(capture) {
		return p, false
	}
	b.Do(capture)
	if !b.InCheck() {
		return p, false
	}
	var squares [81]shogi.Piece
	for s := range squares {
		squares[s] = b.At(shogi.Square(s))
	}
	q, err := shogi.NewPosition(squares, [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}, p.Turn())
	return q, err == nil
}

// search searches p for a mate in at most limit plies.
func (c *composer) search(p shogi.Position, limit int) (dfpn.Result, error) {
	c.cursor.board.Set(p)
	r := c.reader.Search(uint16(limit))
	if r.Outcome == dfpn.Unknown {
		return r, errComposed
	}
	return r, nil
}

func after(b *shogi.Board, p shogi.Position, m shogi.Move) shogi.Position {
	b.Set(p)
	b.Do(m)
	return b.Position()
}
