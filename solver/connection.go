package solver

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// connection searches a game that is a [games.Connection], best first. What it has shown for one
// position it uses in all that are no worse for the winner: see docs/monotone.md.
type connection[P, M comparable] struct {
	field
	rules    games.Connection[P, M]
	virtual  [2]virtual // of each side
	grown    virtual    // of a side after a move of its own
	expand   bool       // virtual connections become carriers with children
	carriers []carrier  // shown so far, numbered from 1
	children []uint32   // of all carriers
	trees    [2][2]carrierTree
	// The positions of the tree that are not settled yet.
	unsettled map[games.Placement]*unsettled
	nodes     uint64
	check     func() error // called before each node
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
	const open = 1 << 10 // about what an unsettled position takes
	return open*uint64(len(c.unsettled)) + uint64(cap(c.carriers))*uint64(unsafe.Sizeof(carrier{})) + 4*uint64(cap(c.children)) + uint64(len(c.carriers))*16
}

// newConnection returns a search of a game.
func newConnection[P, M comparable](g games.Game[P, M], rules games.Connection[P, M], limits virtualLimits) *connection[P, M] {
	var f field
	for _, m := range g.AppendMoves(nil, g.Start()) {
		square := rules.Square(m)
		f.board = f.board.With(square)
		f.beside[square] = rules.Beside(square)
	}
	for side := range f.edges {
		f.edges[side] = rules.Edges(side)
	}
	return (&connection[P, M]{field: f, rules: rules}).reset(limits)
}

// reset makes an empty search.
func (c *connection[P, M]) reset(limits virtualLimits) *connection[P, M] {
	c.carriers, c.unsettled = make([]carrier, 1), map[games.Placement]*unsettled{}
	for _, v := range []*virtual{&c.virtual[0], &c.virtual[1], &c.grown} {
		v.field, v.limits = &c.field, limits
	}
	return c
}

// find returns a carrier of a side.
func (c *connection[P, M]) find(at *games.Placement, winner int, toMove bool) (uint32, bool) {
	number := c.tree(winner, toMove).find(c.carriers, at.Stones[winner], at.Stones[1-winner])
	return number, number != 0
}

// fits returns the carriers of a side that wins by them if it has the move, whoever has it.
func (c *connection[P, M]) fits(at *games.Placement, winner int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		c.tree(winner, true).all(c.carriers, at.Stones[winner], at.Stones[1-winner], yield)
	}
}

func (c *connection[P, M]) tree(winner int, toMove bool) *carrierTree {
	if toMove {
		return &c.trees[winner][1]
	}
	return &c.trees[winner][0]
}

// unsettled is a position in the tree of the search. The side is the one to move.
type unsettled struct {
	empty, left games.Squares // left: where the side may still win
	answers     []uint32      // carriers by which the other side wins after moves that are not left
	moves       []unsettledMove
	effort
}

// unsettledMove is a move with the effort for the position after it.
type unsettledMove struct {
	square uint8
	effort
}

// effort is about how many positions must be settled to show that the side to move wins, or loses.
type effort struct{ win, loss uint32 }

// most is more than any effort.
const most = 1 << 30

// solve finds out who wins a position, and by which carrier. Its number is 0 if the game is over.
func (c *connection[P, M]) solve(at games.Placement) (number uint32, found carrier, err error) {
	number, found, _, err = c.explore(at, effort{most, most})
	return number, found, err
}

// explore works on a position until it is settled, or an effort reaches its limit; then it returns both.
func (c *connection[P, M]) explore(at games.Placement, limit effort) (number uint32, found carrier, rest *unsettled, err error) {
	side, other := at.ToMove, 1-at.ToMove
	if chain, ok := c.chain(other, at.Stones[other]); ok {
		return 0, carrier{stones: chain, squares: chain, winner: uint8(other)}, nil, nil
	}
	number, ok := c.find(&at, side, true)
	if !ok {
		number, ok = c.find(&at, other, false)
	}
	n := c.unsettled[at]
	if !ok && n == nil {
		if err := c.check(); err != nil {
			return 0, found, nil, err
		}
		c.nodes++
		if number, n = c.examine(at); n != nil {
			c.unsettled[at] = n
		}
	}
	if n == nil {
		return number, c.carriers[number], nil, nil
	}
	for !ok {
		best, next := n.sum()
		if best < 0 {
			number = c.lost(other, n.answers, n.empty)
			break
		}
		if n.win >= limit.win || n.loss >= limit.loss {
			return 0, found, n, nil
		}
		m := &n.moves[best]
		within := effort{win: limit.loss - (n.loss - m.win), loss: min(limit.win, next+1)}
		answer, found, after, err := c.explore(c.play(at, int(m.square)), within)
		switch {
		case err != nil:
			return 0, found, nil, err
		case after != nil:
			m.effort = after.effort
		case int(found.winner) == side:
			number, ok = c.won(&found, int(m.square), answer), true
		default:
			c.learn(n, answer)
		}
	}
	delete(c.unsettled, at)
	return number, c.carriers[number], nil, nil
}

// sum works out the effort of a position from those after its moves. It returns which move needs the
// least effort to win, or -1 if none is left, and the effort of the next. Only the first moves count, as
// what refutes them will refute most of the others.
func (n *unsettled) sum() (best int, next uint32) {
	n.moves = slices.DeleteFunc(n.moves, func(m unsettledMove) bool { return !n.left.Has(int(m.square)) })
	best, next = -1, most
	n.effort = effort{most, 0}
	for i, m := range n.moves[:min(len(n.moves), 1+len(n.moves)/4)] {
		n.loss = min(n.loss+m.win, most-1)
		switch {
		case m.loss < n.win:
			best, next, n.win = i, n.win, m.loss
		case m.loss < next:
			next = m.loss
		}
	}
	return best, next
}

// learn notes a carrier by which the other side wins.
func (c *connection[P, M]) learn(n *unsettled, number uint32) {
	n.answers = append(n.answers, number)
	n.left = n.left.And(c.carriers[number].squares)
}

// examine settles a position by virtual connections, or finds the moves that may win. They are those in
// the carriers of what the other side wins by elsewhere.
func (c *connection[P, M]) examine(at games.Placement) (uint32, *unsettled) {
	side, other := at.ToMove, 1-at.ToMove
	empty := c.board.Minus(at.Stones[0]).Minus(at.Stones[1])
	own, opposite := &c.virtual[side], &c.virtual[other]
	if own.build(side, at.Stones[side], empty, true); own.linked(true) {
		return c.connected(own, true), nil
	}
	if opposite.build(other, at.Stones[other], empty, false); opposite.linked(false) {
		return c.connected(opposite, false), nil
	}
	n := &unsettled{empty: empty, left: empty}
	for number := range c.fits(&at, other) { // what the other side wins by after a pass
		if !n.left.Minus(c.carriers[number].squares).Empty() {
			c.learn(n, number)
		}
	}
	for _, x := range opposite.pairs[edgePair].semi {
		if !n.left.Minus(x.carrier).Empty() {
			c.learn(n, c.byLink(opposite, x.number, true))
		}
	}
	square, won := c.rank(n, &at)
	if won {
		number := c.connected(&c.grown, false)
		return c.won(&c.carriers[number], square, number), nil
	}
	return 0, n
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

// rank finds the moves of a position, those first after which the other side has the fewest replies
// that are not known to lose; of equal ones, those that matter most. If a move links the side's edges, it
// returns that.
func (c *connection[P, M]) rank(n *unsettled, at *games.Placement) (square int, won bool) {
	var weights [games.MaxSquares]float64
	c.rules.Weigh(c.rules.Place(*at), &weights)
	v := &c.grown
	for moves := n.left; !moves.Empty(); moves = moves.Rest() {
		square := moves.First()
		if v.grow(&c.virtual[at.ToMove], square); v.linked(false) {
			return square, true
		}
		after := c.play(*at, square)
		left := n.empty.Minus(games.Squares{}.With(square))
		for _, x := range v.pairs[edgePair].semi {
			left = left.And(x.carrier)
		}
		for number := range c.fits(&after, at.ToMove) {
			left = left.And(c.carriers[number].squares)
		}
		n.moves = append(n.moves, unsettledMove{uint8(square), effort{1, max(1, uint32(left.Len()))}})
	}
	slices.SortStableFunc(n.moves, func(a, b unsettledMove) int {
		return cmp.Or(cmp.Compare(a.loss, b.loss), cmp.Compare(weights[b.square], weights[a.square]))
	})
	return 0, false
}

// askConnection answers a question by a search for carriers. It answers that of the other side too.
func (s *Solver[P, M]) askConnection(ctx context.Context, q Asked) (Asked, error) {
	if s.carriers == nil {
		begin, shown := time.Now(), time.Now()
		c := newConnection(s.rules.game, s.connection, s.limits)
		root := s.connection.Placement(s.root)
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
				p := Progress{Attacker: q.Attacker, Statistics: q.Statistics}
				if n := c.unsettled[root]; n != nil {
					p.Proof, p.Disproof = n.win, n.loss
				}
				s.cfg.Progress(p)
			}
			return nil
		}
		number, found, err := c.solve(root)
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
