package othello

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

// Empty squares from which on a position is searched in a simpler way.
const (
	// keptEmpties is the least number of empty squares of positions whose results are kept
	// for good.
	keptEmpties = 14
	// deepEmpties is the least number where moves are ordered by shallow searches.
	deepEmpties = 10
	// tableEmpties is the least number where results are in the table.
	tableEmpties = 8
	// replyWeight is what a reply counts against a move there, in hundredths of a disc, besides the
	// evaluation: with few replies the search is short.
	replyWeight = 110
	// guessDepth is how deep the first guess of a score looks.
	guessDepth = 6
)

// key is a position, canonical where it says so.
type key struct{ own, opposite uint64 }

// bounds are what is known of a position, and its best move, noMove if none.
type bounds struct {
	lower, upper int8
	move         uint8
}

const noMove = 64

// mostPoints is the most that a side can win by, and worse is less than any score, so that the first
// move of a position is better than none.
const (
	mostPoints = 64
	worse      = -mostPoints - 1
)

// search finds bounds of positions. It belongs to one goroutine.
type search struct {
	*board
	table   table
	kept    map[key]bounds // of canonical positions with at least keptEmpties empty squares
	keep    func(k key, b bounds) error
	fixed   bool   // the best moves of kept stay as they are: proofs are made by them
	memory  uint64 // that all of this may take, and proof how much of it proofs take
	proof   uint64
	ctx     context.Context
	err     error
	nodes   uint64
	limit   uint64            // of nodes, 0 for none: it ends with [solver.ErrLimit]
	report  func(empties int) // may be nil
	path    [65]Step          // by empty squares
	lists   [65][]choice
	shallow [64][]choice
}

// Step says which move of a position the search is at, counted from 1.
type Step struct {
	At, Of int
}

// choice is a move, and the position and the replies that it leaves, as the opponent sees it.
type choice struct {
	own, opposite, moves uint64
	square               uint8
	rank                 int32
}

func newSearch(b *board, memory uint64) *search {
	return &search{board: b, table: newTable(leastBits), kept: map[key]bounds{}, memory: memory}
}

// keptSize is about how many bytes a result takes in a map.
const keptSize = 40

func (s *search) bytes() uint64 { return s.table.bytes() + keptSize*uint64(len(s.kept)) + s.proof }

// put adds a result to the table, which may grow by that.
func (s *search) put(k key, b bounds, empties int) {
	if s.table.put(k, b, empties) && s.bytes()+2*s.table.bytes() <= s.memory {
		s.table.grow()
	}
}

// fit makes the table smaller until everything fits into the memory.
func (s *search) fit() error {
	for s.bytes() > s.memory {
		if !s.table.shrink() {
			return fmt.Errorf("%w: the results of %d positions and the proof do not fit into the memory", solver.ErrLimit, len(s.kept))
		}
	}
	return nil
}

// visit returns a bound of the score of a position: a lower bound if it is more than alpha, and an
// upper bound otherwise. moves are those of the position.
func (s *search) visit(own, opposite, moves uint64, alpha int) int {
	s.nodes++
	if moves == 0 {
		replies := s.moves(opposite, own)
		if replies == 0 {
			return s.game.Score(own, opposite)
		}
		return -s.visit(opposite, own, replies, -alpha-1)
	}
	empties := bits.OnesCount64(s.all &^ (own | opposite))
	switch {
	case empties <= lastEmpties:
		return s.last(own, opposite, alpha)
	case empties < tableEmpties:
		return s.few(own, opposite, moves, alpha, empties)
	}
	if s.limit > 0 && s.nodes >= s.limit && s.err == nil {
		s.err = fmt.Errorf("%w: %d positions", solver.ErrLimit, s.nodes)
	}
	if s.err != nil {
		return alpha
	}
	k := key{own, opposite}
	kept := empties >= keptEmpties
	var known bounds
	var held bool
	if kept {
		k.own, k.opposite = s.canonical(own, opposite)
		if k.own != own || k.opposite != opposite {
			moves = s.moves(k.own, k.opposite)
		}
		if known, held = s.kept[k]; !held {
			if s.err = s.ctx.Err(); s.err != nil {
				return alpha
			}
			if s.report != nil {
				s.report(empties)
			}
		}
	} else {
		known, held = s.table.look(k)
	}
	if !held {
		known = bounds{-mostPoints, mostPoints, noMove}
	}
	if int(known.lower) > alpha {
		return int(known.lower)
	}
	if int(known.upper) <= alpha {
		return int(known.upper)
	}
	if most := s.most(own, opposite, alpha); most <= alpha {
		return most
	}
	best := uint8(noMove)
	score := s.each(k.own, k.opposite, moves, alpha, empties, known.move, &best)
	if s.err != nil {
		return alpha
	}
	if score > alpha {
		known.lower = int8(score)
	} else {
		known.upper = int8(score)
	}
	if (score > alpha || known.move == noMove) && !(kept && s.fixed) {
		known.move = best
	}
	if kept {
		s.kept[k] = known
		if s.err = s.fit(); s.err == nil && s.keep != nil {
			s.err = s.keep(k, known)
		}
	} else {
		s.put(k, known, empties)
	}
	return score
}

// few searches a position with few empty squares: first the moves into parts of the board that have an
// odd number of them.
func (s *search) few(own, opposite, moves uint64, alpha, empties int) int {
	if most := s.most(own, opposite, alpha); most <= alpha {
		return most
	}
	odd := s.odd(s.all &^ (own | opposite))
	best := worse
	for _, left := range [2]uint64{moves & odd, moves &^ odd} {
		for ; left != 0; left &= left - 1 {
			square := bits.TrailingZeros64(left)
			turned := s.flips(own, opposite, square)
			nextOwn, nextOpposite := opposite&^turned, own|turned|1<<square
			score := 0
			if empties == lastEmpties+1 {
				score = -s.last(nextOwn, nextOpposite, ^alpha)
			} else {
				score = -s.visit(nextOwn, nextOpposite, s.moves(nextOwn, nextOpposite), ^alpha)
			}
			if score > best {
				if best = score; best > alpha {
					return best
				}
			}
		}
	}
	return best
}

// most returns a bound of what a side gets, at most alpha if the opponent's stable discs show that.
func (s *search) most(own, opposite uint64, alpha int) int {
	if s.squares-2*bits.OnesCount64(opposite) > alpha {
		return mostPoints
	}
	return s.squares - 2*bits.OnesCount64(s.stable(own, opposite))
}

// odd returns the parts of the board with an odd number of empty squares.
func (s *search) odd(empty uint64) (odd uint64) {
	for _, quarter := range s.quarter {
		odd |= quarter & -uint64(bits.OnesCount64(quarter&empty)&1)
	}
	return odd
}

// each searches the moves of a position.
func (s *search) each(own, opposite, moves uint64, alpha, empties int, first uint8, best *uint8) int {
	list := s.choices(s.lists[empties][:0], own, opposite, moves)
	s.lists[empties] = list
	if len(list) > 1 {
		s.order(list, alpha, empties, first)
	}
	score := worse
	if empties >= 10 { // a reply whose result is known already may suffice
		for i := range list {
			c := &list[i]
			var b bounds
			var held bool
			if empties > keptEmpties {
				var k key
				k.own, k.opposite = s.canonical(c.own, c.opposite)
				b, held = s.kept[k]
			} else {
				b, held = s.table.look(key{c.own, c.opposite})
			}
			if held && -int(b.upper) > alpha && c.moves != 0 {
				if best != nil {
					*best = c.square
				}
				return -int(b.upper)
			}
		}
	}
	for i := range list {
		c := &list[i]
		s.path[empties] = Step{i + 1, len(list)}
		next := -s.visit(c.own, c.opposite, c.moves, -alpha-1)
		if next > score {
			score = next
			if best != nil {
				*best = c.square
			}
			if score > alpha {
				break
			}
		}
	}
	return score
}

func (s *search) choices(list []choice, own, opposite, moves uint64) []choice {
	for ; moves != 0; moves &= moves - 1 {
		square := bits.TrailingZeros64(moves)
		turned := s.flips(own, opposite, square)
		c := choice{own: opposite &^ turned, opposite: own | turned | 1<<square, square: uint8(square)}
		c.moves = s.moves(c.own, c.opposite)
		list = append(list, c)
	}
	return list
}

// steps returns the path from a position to one with some empty squares, at most a few moves.
func (s *search) steps(own, opposite uint64, empties int) (path []Step) {
	const shown = 6
	for e := bits.OnesCount64(s.all &^ (own | opposite)); e > empties && len(path) < shown; e-- {
		path = append(path, s.path[e])
	}
	return path
}

// guess returns the points to ask for first if the score is within bounds, after searches to a depth and to one
// less, since the evaluation favours the side to move.
func (s *search) guess(own, opposite, moves uint64, depth, lower, upper int) int {
	const discs = 2 * 2 * 100 // two discs in both searches
	sum := 0
	for _, d := range [2]int{depth, max(depth-1, 0)} {
		sum += s.estimate(own, opposite, moves, d, -1<<20, 1<<20)
	}
	points := 2 * int(math.Floor(float64(sum)/discs))
	return min(max(points, lower+1), upper)
}

// order sorts moves, the most promising first.
func (s *search) order(list []choice, alpha, empties int, first uint8) {
	odd := uint64(0)
	if empties < deepEmpties {
		odd = s.odd(s.all&^(list[0].own|list[0].opposite) | 1<<list[0].square)
	}
	depth := 0
	if empties >= deepEmpties {
		depth = min((empties-deepEmpties)/3, 6)
	}
	for i := range list {
		c := &list[i]
		switch {
		case c.square == first:
			c.rank = 1 << 30
		case c.own == 0:
			c.rank = 1 << 29
		case empties < deepEmpties:
			bit := uint64(1) << c.square
			c.rank = -int32(bits.OnesCount64(c.moves)*4 + bits.OnesCount64(c.moves&s.corners)*4)
			if bit&odd != 0 {
				c.rank += 3
			}
			if bit&s.corners != 0 {
				c.rank += 6
			}
			if empties > 7 {
				empty := s.all &^ (c.own | c.opposite)
				c.rank = 2*c.rank - int32(bits.OnesCount64(around(c.opposite)&empty))
			}
		default:
			c.rank = int32(-s.estimate(c.own, c.opposite, c.moves, depth, -1<<20, 1<<20)) - int32(replyWeight*bits.OnesCount64(c.moves))
		}
	}
	if empties >= deepEmpties {
		slices.SortFunc(list, func(a, b choice) int { return cmp.Compare(b.rank, a.rank) })
		return
	}
	insert(list)
}

// insert sorts a short list by rank. Equal ones keep their order.
func insert(list []choice) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].rank > list[j-1].rank; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// estimate searches to a depth and returns the evaluation found.
func (s *search) estimate(own, opposite, moves uint64, depth, alpha, beta int) int {
	s.nodes++
	if moves == 0 {
		replies := s.moves(opposite, own)
		if replies == 0 {
			return 10000 * s.game.Score(own, opposite)
		}
		return -s.estimate(opposite, own, replies, depth, -beta, -alpha)
	}
	if depth == 0 {
		return s.evaluate(own, opposite, moves)
	}
	list := s.choices(s.shallow[depth][:0], own, opposite, moves)
	s.shallow[depth] = list
	if len(list) > 1 {
		for i := range list {
			c := &list[i]
			if c.rank = int32(-bits.OnesCount64(c.moves)); depth > 1 {
				c.rank = int32(-s.evaluate(c.own, c.opposite, c.moves))
			}
		}
		insert(list)
	}
	best := -1 << 20
	for i := range list {
		c := list[i]
		if best = max(best, -s.estimate(c.own, c.opposite, c.moves, depth-1, -beta, -max(alpha, best))); best >= beta {
			break
		}
	}
	return best
}

// evaluate estimates a position, in hundredths of a disc.
func (s *search) evaluate(own, opposite, moves uint64) int {
	occupied := own | opposite
	empty := s.all &^ occupied
	score := 0
	add := func(weight int, x, y uint64) { score += weight * (bits.OnesCount64(x) - bits.OnesCount64(y)) }
	beside := around(empty)
	near := around(s.corners &^ occupied)
	add(70, moves, s.moves(opposite, own))
	add(-25, beside&own, beside&opposite)
	add(-15, around(own)&empty, around(opposite)&empty)
	add(600, own&s.corners, opposite&s.corners)
	add(-200, own&near&^s.edge, opposite&near&^s.edge)
	add(-90, own&near&s.edge, opposite&near&s.edge)
	rest := s.edge &^ near &^ s.corners
	add(40, own&rest, opposite&rest)
	return score + 60
}
