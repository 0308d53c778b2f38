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
// between. Let Q be P after another piece, which may be the checking one, has captured it with
// check, and both hands unchanged: the drop and its capture are taken out. The drop is futile if the defender holds out
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
//
// Where pieces is set, the attacker prefers, among mates of equal length, one that leaves
// it a piece in hand, and the defender one that leaves none: whoever has the choice of
// defences or mates, composers hold a variation that can leave a piece to be no main line.
// So a mate has a score: twice its length, plus 1 if pieces is set and no piece is left.
type composer struct {
	cursor *cursor
	reader *dfpn.Reader
	// captures says by which pieces interposed ones may be captured.
	captures Futile
	nested   int // positions without an interposition that are being judged
	pieces   bool
	// stopped, if not nil, is asked now and then whether to give up.
	stopped func() bool
	// moves holds the attacker's best moves so far, and the defender's moves that are
	// tried first.
	moves map[shogi.Position]shogi.Move
	known map[shogi.Position]composed
}

// composed is what is known about a position with the defender to move.
type composed struct {
	score int
	exact bool       // otherwise score is a lower bound
	reply shogi.Move // the best one, if exact
}

// ply is what a ply adds to a score.
const ply = 2

// maxComposed limits the positions with the defender to move.
const maxComposed = 200_000

// maxNestedFutile limits the interpositions one after the other that are judged together.
const maxNestedFutile = 100

var errComposed = errors.New("tsume: a limit was reached before all futile interpositions were known")

func newComposer(c *cursor, reader *dfpn.Reader, futile Futile) *composer {
	return &composer{cursor: c, reader: reader, captures: futile, moves: map[shogi.Position]shogi.Move{}, known: map[shogi.Position]composed{}}
}

// top returns the greatest score of a mate in length plies.
func (c *composer) top(length int) int {
	if c.pieces {
		return ply*length + 1
	}
	return ply * length
}

// mated returns the score of a position in which the defender is mated.
func (c *composer) mated(p shogi.Position) int {
	if c.pieces && p.Hand(c.cursor.attacker) == 0 {
		return 1
	}
	return 0
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
	return c.lineIn(p, len(exact))
}

// lineIn is line, given the length with all interpositions counted.
func (c *composer) lineIn(p shogi.Position, length int) ([]shogi.Move, error) {
	b := c.cursor.board
	var err error
	if p.Turn() == c.cursor.attacker {
		_, err = c.attack(p, length, 0, c.top(length))
	} else {
		_, err = c.defend(p, length, c.top(length))
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

// attack returns the score of p, where the attacker is to move and mates in exactly length
// plies with everything counted. Results are exact between enough and most: the attacker
// need not do better than enough, and results above most need not be told apart.
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
	best, err := c.defend(after(b, p, first), length-1, most-ply)
	if best += ply; err != nil || best <= max(enough, ply) {
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
		score, err := c.defend(q, length-1, min(most, best)-ply)
		if err != nil {
			return 0, err
		}
		if score += ply; score < best {
			best = score
			if best <= most {
				c.moves[p] = m
			}
			if best <= max(enough, ply) {
				break
			}
		}
	}
	return best, nil
}

// defend is attack with the defender to move, who is mated in at most length plies. The
// result is at most the score of that length.
func (c *composer) defend(p shogi.Position, length, most int) (int, error) {
	if length == 0 {
		return c.mated(p), nil
	}
	if k, ok := c.known[p]; ok && (k.exact || k.score > most) {
		return k.score, nil
	}
	if len(c.known) >= maxComposed {
		return 0, errComposed
	}
	best := composed{score: c.mated(p)}
	for _, group := range c.groups(p) {
		if best.score > most {
			break
		}
		var err error
		if best, err = c.longest(p, group, length, most, best, c.futility(p, group[0], length, best)); err != nil {
			return 0, err
		}
	}
	best.exact = best.score <= most || best.score == c.top(length)
	c.known[p] = best
	return best.score, nil
}

// groups returns the replies in p: all moves, if there are any, and then the drops on each
// square, those next to the king first.
func (c *composer) groups(p shogi.Position) (groups [][]shogi.Move) {
	b := c.cursor.board
	b.Set(p)
	replies := b.AppendEvasions(nil)
	drops := slices.IndexFunc(replies, shogi.Move.IsDrop)
	if drops < 0 {
		drops = len(replies)
	}
	if drops > 0 {
		groups = append(groups, replies[:drops:drops])
	}
	king, left := p.King(p.Turn()), replies[drops:]
	slices.SortStableFunc(left, func(m, n shogi.Move) int { return distance(king, m.To()) - distance(king, n.To()) })
	for len(left) > 0 {
		here := slices.IndexFunc(left, func(m shogi.Move) bool { return m.To() != left[0].To() })
		if here < 0 {
			here = len(left)
		}
		groups = append(groups, left[:here:here])
		left = left[here:]
	}
	return groups
}

// futility returns a function that reports whether the drops of a group that begins with m
// are futile, given the best reply of the groups before it. It returns nil for moves.
func (c *composer) futility(p shogi.Position, m shogi.Move, length int, best composed) func() (bool, error) {
	if !m.IsDrop() {
		return nil
	}
	return sync.OnceValues(func() (bool, error) { return c.futile(p, m, length, best.score/ply) })
}

// longest returns the best of the given replies that are not futile, or best if none is
// better. It stops at a result above most.
func (c *composer) longest(p shogi.Position, replies []shogi.Move, length, most int, best composed, futile func() (bool, error)) (composed, error) {
	if i := slices.Index(replies, c.moves[p]); i > 0 {
		replies[0], replies[i] = replies[i], replies[0]
	}
	// Replies that hold out longest with everything counted come first: that is an
	// upper bound.
	for ; c.top(length) > best.score && len(replies) > 0; length -= 2 {
		shorter := replies[:0]
		for _, m := range replies {
			if c.top(length) <= best.score || best.score > most {
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
			score, err := c.attack(q, length-1, best.score-ply, most-ply)
			if err != nil {
				return best, err
			}
			if score += ply; score > best.score {
				best.score, best.reply = score, m
			}
		}
		replies = shorter
	}
	return best, nil
}

// defence is a reply with its score, or a futile drop.
type defence struct {
	move   shogi.Move
	score  int
	futile bool
}

// defences returns the scores of the replies in p that hold out at least least plies with
// everything counted, and usual if it is a futile drop. The defender is mated in exactly length
// plies.
func (c *composer) defences(p shogi.Position, length, least int, usual shogi.Move) (all []defence, err error) {
	best := composed{score: c.mated(p)}
	for _, group := range c.groups(p) {
		futile := c.futility(p, group[0], length, best)
		for _, m := range group {
			d := defence{move: m}
			q := after(c.cursor.board, p, m)
			plies, err := c.lengthOf(q, least-1, length-1)
			if err != nil {
				return nil, err
			}
			short := plies < least-1
			if short && (m != usual || futile == nil) {
				continue
			}
			if futile != nil {
				if d.futile, err = futile(); err != nil {
					return nil, err
				}
			}
			if short && !d.futile {
				continue
			}
			if !d.futile {
				if d.score, err = c.attack(q, plies, 0, c.top(plies)); err != nil {
					return nil, err
				}
				d.score += ply
			}
			all = append(all, d)
		}
		if best, err = c.longest(p, slices.Clone(group), length, c.top(length), best, futile); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// lengthOf returns the length of the mate in p with everything counted, which is at most most,
// or less than least if it is so.
func (c *composer) lengthOf(p shogi.Position, least, most int) (int, error) {
	for length := least - 2; length < most; length += 2 {
		if length < 0 {
			continue
		}
		r, err := c.search(p, length)
		if err != nil || r.Outcome == dfpn.Proven {
			return length, err
		}
	}
	return most, nil
}

// futile reports whether a drop in p is futile. The defender is mated in length plies
// and, as composers count, in without plies if it drops nothing on this square or
// farther from the king.
func (c *composer) futile(p shogi.Position, drop shogi.Move, length, without int) (bool, error) {
	// Captures by several pieces could come back to the same position.
	if c.nested++; c.nested > maxNestedFutile {
		return false, errComposed
	}
	defer func() { c.nested-- }()
	c.cursor.board.Set(p)
	for _, q := range pairs(p, drop, c.cursor.board.Checkers().First(), c.cursor.attacker, c.captures) {
		r, err := c.search(q, length)
		if err != nil {
			return false, err
		}
		if r.Outcome == dfpn.Disproven {
			continue
		}
		score, err := c.defend(q, int(r.Length), c.top(without))
		if err != nil || score/ply <= without {
			return err == nil, err
		}
	}
	return false, nil
}

// search searches p for a mate in at most limit plies.
func (c *composer) search(p shogi.Position, limit int) (dfpn.Result, error) {
	c.cursor.board.Set(p)
	r := searchSliced(c.reader, uint16(limit), 0, c.stopped)
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
