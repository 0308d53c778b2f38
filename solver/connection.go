package solver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// connection searches a game that is a [games.Connection], depth first. What it has shown for one
// position it uses in all that are no worse for the winner: see docs/monotone.md.
type connection[P, M comparable] struct {
	field
	rules    games.Connection[P, M]
	virtual  [2]virtual // of each side
	expand   bool       // virtual connections become carriers with children
	carriers []carrier  // shown so far, numbered from 1
	children []uint32   // of all carriers
	trees    [2][2]carrierTree
	nodes    uint64
	check    func() error // called before each node
}

// carrier is a win of a side: it has the stones, and the other side none on the squares, stones
// included.
type carrier struct {
	stones, squares games.Squares
	first, count    uint32 // in children: see below
	// The square to play, if the winner is to move. Then the child is the carrier after that, 0 if it ends
	// the game. Else the children are carriers of which each reply is outside one.
	move    uint8
	winner  uint8
	toMove  bool // the winner is
	virtual bool // a virtual connection, without children
}

func (c *connection[P, M]) bytes() uint64 {
	return uint64(cap(c.carriers))*uint64(unsafe.Sizeof(carrier{})) + 4*uint64(cap(c.children)) + uint64(len(c.carriers))*16
}

// newConnection returns a search of a game.
func newConnection[P, M comparable](g games.Game[P, M], rules games.Connection[P, M], limits virtualLimits) *connection[P, M] {
	c := &connection[P, M]{rules: rules, carriers: make([]carrier, 1)}
	for _, m := range g.AppendMoves(nil, g.Start()) {
		square := rules.Square(m)
		c.board = c.board.With(square)
		c.beside[square] = rules.Beside(square)
	}
	for side := range c.edges {
		c.edges[side] = rules.Edges(side)
		c.virtual[side].field, c.virtual[side].limits = &c.field, limits
	}
	return c
}

// find returns a carrier of a side.
func (c *connection[P, M]) find(at *games.Placement, winner int, toMove bool) (uint32, bool) {
	number := c.tree(winner, toMove).find(c.carriers, at.Stones[winner], at.Stones[1-winner])
	return number, number != 0
}

func (c *connection[P, M]) tree(winner int, toMove bool) *carrierTree {
	if toMove {
		return &c.trees[winner][1]
	}
	return &c.trees[winner][0]
}

// solve finds out who wins a position, and by which carrier. Its number is 0 if the game is over.
func (c *connection[P, M]) solve(at games.Placement) (number uint32, found carrier, err error) {
	side, other := at.ToMove, 1-at.ToMove
	if chain, ok := c.chain(other, at.Stones[other]); ok {
		return 0, carrier{stones: chain, squares: chain, winner: uint8(other)}, nil
	}
	number, ok := c.find(&at, side, true)
	if !ok {
		number, ok = c.find(&at, other, false)
	}
	if !ok {
		if err := c.check(); err != nil {
			return 0, found, err
		}
		c.nodes++
		if number, err = c.search(at); err != nil {
			return 0, found, err
		}
	}
	return number, c.carriers[number], nil
}

// search tries the moves of a position that no virtual connection decides. It looks only at those in
// the carriers of what it has found about the others: elsewhere the other side wins in the same way.
func (c *connection[P, M]) search(at games.Placement) (uint32, error) {
	side, other := at.ToMove, 1-at.ToMove
	empty := c.board.Minus(at.Stones[0]).Minus(at.Stones[1])
	own, opposite := &c.virtual[side], &c.virtual[other]
	if own.build(side, at.Stones[side], empty, true); own.linked(true) {
		return c.connected(own, true), nil
	}
	if opposite.build(other, at.Stones[other], empty, false); opposite.linked(false) {
		return c.connected(opposite, false), nil
	}
	left := empty // where the side may still win
	var answers []uint32
	learn := func(number uint32) {
		answers = append(answers, number)
		left = left.And(c.carriers[number].squares)
	}
	if number, ok := c.find(&at, other, true); ok {
		learn(number) // what the other side wins by after a pass
	}
	for _, x := range opposite.pairs[edgePair].semi {
		if !left.Minus(x.carrier).Empty() {
			learn(c.byLink(opposite, x.number, true))
		}
	}
	ranked, won := c.ranked(&at, empty, left)
	if won {
		number := c.connected(own, false)
		return c.won(&c.carriers[number], ranked[0], number), nil
	}
	for _, square := range ranked {
		if !left.Has(square) {
			continue
		}
		number, found, err := c.solve(c.play(at, square))
		if err != nil {
			return 0, err
		}
		if int(found.winner) == side {
			return c.won(&found, square, number), nil
		}
		learn(number)
	}
	return c.lost(other, answers, empty), nil
}

// play returns the position after a move.
func (c *connection[P, M]) play(at games.Placement, square int) games.Placement {
	at.Stones[at.ToMove] = at.Stones[at.ToMove].With(square)
	at.ToMove = 1 - at.ToMove
	return at
}

// won adds the carrier of the side that wins by a move, given that after it.
func (c *connection[P, M]) won(after *carrier, square int, number uint32) uint32 {
	one := games.Squares{}.With(square)
	return c.add(carrier{stones: after.stones.Minus(one), squares: after.squares.Or(one), move: uint8(square), winner: after.winner, toMove: true}, number)
}

// lost adds the carrier of the side that wins after each reply, by one of the answers.
func (c *connection[P, M]) lost(winner int, answers []uint32, replies games.Squares) uint32 {
	answers = c.needed(answers, replies)
	x, all := carrier{winner: uint8(winner)}, c.carriers[answers[0]].squares
	for _, number := range answers {
		answer := &c.carriers[number]
		x.stones, x.squares = x.stones.Or(answer.stones), x.squares.Or(answer.squares)
		all = all.And(answer.squares)
	}
	x.stones = x.stones.Or(all) // where no answer allows a reply, the winner has a stone
	return c.add(x, answers...)
}

// needed leaves out answers that others make superfluous: each reply must be outside one.
func (c *connection[P, M]) needed(answers []uint32, replies games.Squares) []uint32 {
	slices.Sort(answers)
	answers = slices.Compact(answers)
	for i := 0; i < len(answers); {
		left := replies
		for j, number := range answers {
			if j != i {
				left = left.And(c.carriers[number].squares)
			}
		}
		if left.Empty() {
			answers = slices.Delete(answers, i, i+1)
		} else {
			i++
		}
	}
	return answers
}

// add adds a carrier.
func (c *connection[P, M]) add(x carrier, children ...uint32) uint32 {
	number := uint32(len(c.carriers))
	x.first, x.count = uint32(len(c.children)), uint32(len(children))
	c.children = append(c.children, children...)
	c.carriers = append(c.carriers, x)
	c.tree(int(x.winner), x.toMove).add(c.carriers, number)
	return number
}

// ranked returns the squares of some moves, those first after which the other side has the fewest
// replies that are not known to lose; of equal ones, those that matter most. If a move links the
// side's edges, that is the only one.
func (c *connection[P, M]) ranked(at *games.Placement, empty, moves games.Squares) (ranked []int, won bool) {
	var replies [games.MaxSquares]int
	var weights [games.MaxSquares]float64
	c.rules.Weigh(c.rules.Place(*at), &weights)
	v := &c.virtual[at.ToMove]
	ranked = make([]int, 0, moves.Len())
	for ; !moves.Empty(); moves = moves.Rest() {
		square := moves.First()
		after := c.play(*at, square)
		left := empty.Minus(games.Squares{}.With(square))
		if v.build(at.ToMove, after.Stones[at.ToMove], left, false); v.linked(false) {
			return []int{square}, true
		}
		for _, x := range v.pairs[edgePair].semi {
			left = left.And(x.carrier)
		}
		if number, ok := c.find(&after, at.ToMove, true); ok {
			left = left.And(c.carriers[number].squares)
		}
		ranked, replies[square] = append(ranked, square), left.Len()
	}
	slices.SortStableFunc(ranked, func(a, b int) int {
		return cmp.Or(cmp.Compare(replies[a], replies[b]), cmp.Compare(weights[b], weights[a]))
	})
	return ranked, false
}

// askConnection answers a question by a search for carriers. It answers that of the other side too.
func (s *Solver[P, M]) askConnection(ctx context.Context, q Asked) (Asked, error) {
	if s.carriers == nil {
		begin, shown := time.Now(), time.Now()
		c := newConnection(s.rules.game, s.connection, s.limits)
		statistics := func() Statistics { return Statistics{c.nodes, c.bytes(), time.Since(begin)} }
		c.check = func() error {
			q.Statistics = statistics()
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case s.cfg.Time > 0 && q.Time > s.cfg.Time, s.cfg.Nodes > 0 && q.Nodes >= s.cfg.Nodes:
				return errLimit
			case q.Memory > s.cfg.Memory:
				return fmt.Errorf("%w: the carriers need more than %d MiB", errLimit, s.cfg.Memory>>20)
			}
			if s.cfg.Progress != nil && time.Since(shown) >= s.cfg.ProgressEvery {
				shown = time.Now()
				s.cfg.Progress(Progress{Attacker: q.Attacker, Statistics: q.Statistics})
			}
			return nil
		}
		number, found, err := c.solve(s.connection.Placement(s.root))
		q.Statistics = statistics()
		if err != nil {
			return q, err
		}
		s.carriers, s.carrier, s.winner = c, number, int(found.winner)
	}
	attacker := s.connection.Placement(s.root).ToMove
	if q.Attacker == proof.Other {
		attacker = 1 - attacker
	}
	if q.Outcome = Disproven; attacker == s.winner {
		q.Outcome = Proven
	}
	return q, nil
}
