package connect

import (
	"cmp"
	"iter"
	"slices"
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
)

// Search is a search of a board, best first. What it has shown for one position it uses in all that are
// no worse for the winner. It belongs to one goroutine.
type Search struct {
	field
	weigh    func(at games.Placement, weights *[games.MaxSquares]float64)
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
	root      uint32       // the carrier that Solve has found
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

// Board is a [games.Connection] without the types of its positions and moves.
type Board struct {
	Squares games.Squares // all of them
	Beside  func(square int) games.Squares
	Edges   func(side int) [2]games.Squares
	Weigh   func(at games.Placement, weights *[games.MaxSquares]float64)
}

// New returns a search of a board.
func New(b Board, limits Limits) *Search {
	f := field{board: b.Squares}
	for left := b.Squares; !left.Empty(); left = left.Rest() {
		f.beside[left.First()] = b.Beside(left.First())
	}
	for side := range f.edges {
		f.edges[side] = b.Edges(side)
	}
	return (&Search{field: f, weigh: b.Weigh}).reset(limits)
}

// Solve finds out who wins an unfinished position. It calls check before each node, and ends with its error.
func (s *Search) Solve(at games.Placement, check func() error) (winner int, err error) {
	s.check = check
	number, found, err := s.solve(at)
	s.root = number
	return int(found.winner), err
}

// Move returns a move by which the side to move wins the position that Solve has found that it wins.
func (s *Search) Move(at games.Placement) int {
	if x := &s.carriers[s.root]; !x.virtual {
		return int(x.move)
	}
	v := &s.virtual[at.ToMove]
	v.build(at.ToMove, at.Stones[at.ToMove], s.board.Minus(at.Stones[0]).Minus(at.Stones[1]), true)
	return v.begin()
}

// Nodes returns how many positions were examined.
func (s *Search) Nodes() uint64 { return s.nodes }

// Effort returns about how many positions must be settled to show that the side to move wins a position, or
// loses it. Both are 0 if the position is settled, or was not met.
func (s *Search) Effort(at games.Placement) (win, loss uint32) {
	if n := s.unsettled[at]; n != nil {
		return n.win, n.loss
	}
	return 0, 0
}

// Bytes returns about how much memory the search takes.
func (s *Search) Bytes() uint64 {
	const open = 1 << 10 // about what an unsettled position takes
	return open*uint64(len(s.unsettled)) + uint64(cap(s.carriers))*uint64(unsafe.Sizeof(carrier{})) + 4*uint64(cap(s.children)) + uint64(len(s.carriers))*16
}

// reset makes an empty search.
func (s *Search) reset(limits Limits) *Search {
	s.carriers, s.unsettled = make([]carrier, 1), map[games.Placement]*unsettled{}
	for _, v := range []*virtual{&s.virtual[0], &s.virtual[1], &s.grown} {
		v.field, v.limits = &s.field, limits
	}
	return s
}

// find returns a carrier of a side.
func (s *Search) find(at *games.Placement, winner int, toMove bool) (uint32, bool) {
	number := s.tree(winner, toMove).find(s.carriers, at.Stones[winner], at.Stones[1-winner])
	return number, number != 0
}

// fits returns the carriers of a side that wins by them if it has the move, whoever has it.
func (s *Search) fits(at *games.Placement, winner int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		s.tree(winner, true).all(s.carriers, at.Stones[winner], at.Stones[1-winner], yield)
	}
}

func (s *Search) tree(winner int, toMove bool) *carrierTree {
	if toMove {
		return &s.trees[winner][1]
	}
	return &s.trees[winner][0]
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
func (s *Search) solve(at games.Placement) (number uint32, found carrier, err error) {
	number, found, _, err = s.explore(at, effort{most, most})
	return number, found, err
}

// explore works on a position until it is settled, or an effort reaches its limit; then it returns both.
func (s *Search) explore(at games.Placement, limit effort) (number uint32, found carrier, rest *unsettled, err error) {
	side, other := at.ToMove, 1-at.ToMove
	if chain, ok := s.chain(other, at.Stones[other]); ok {
		return 0, carrier{stones: chain, squares: chain, winner: uint8(other)}, nil, nil
	}
	number, ok := s.find(&at, side, true)
	if !ok {
		number, ok = s.find(&at, other, false)
	}
	n := s.unsettled[at]
	if !ok && n == nil {
		if err := s.check(); err != nil {
			return 0, found, nil, err
		}
		s.nodes++
		if number, n = s.examine(at); n != nil {
			s.unsettled[at] = n
		}
	}
	if n == nil {
		return number, s.carriers[number], nil, nil
	}
	for !ok {
		best, next := n.sum()
		if best < 0 {
			number = s.lost(other, n.answers, n.empty)
			break
		}
		if n.win >= limit.win || n.loss >= limit.loss {
			return 0, found, n, nil
		}
		m := &n.moves[best]
		within := effort{win: limit.loss - (n.loss - m.win), loss: min(limit.win, next+1)}
		answer, found, after, err := s.explore(s.play(at, int(m.square)), within)
		switch {
		case err != nil:
			return 0, found, nil, err
		case after != nil:
			m.effort = after.effort
		case int(found.winner) == side:
			number, ok = s.won(&found, int(m.square), answer), true
		default:
			s.learn(n, answer)
		}
	}
	delete(s.unsettled, at)
	return number, s.carriers[number], nil, nil
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
func (s *Search) learn(n *unsettled, number uint32) {
	n.answers = append(n.answers, number)
	n.left = n.left.And(s.carriers[number].squares)
}

// examine settles a position by virtual connections, or finds the moves that may win. They are those in
// the carriers of what the other side wins by elsewhere.
func (s *Search) examine(at games.Placement) (uint32, *unsettled) {
	side, other := at.ToMove, 1-at.ToMove
	empty := s.board.Minus(at.Stones[0]).Minus(at.Stones[1])
	own, opposite := &s.virtual[side], &s.virtual[other]
	if own.build(side, at.Stones[side], empty, true); own.linked(true) {
		return s.connected(own, true), nil
	}
	if opposite.build(other, at.Stones[other], empty, false); opposite.linked(false) {
		return s.connected(opposite, false), nil
	}
	n := &unsettled{empty: empty, left: empty}
	for number := range s.fits(&at, other) { // what the other side wins by after a pass
		if !n.left.Minus(s.carriers[number].squares).Empty() {
			s.learn(n, number)
		}
	}
	for _, x := range opposite.pairs[edgePair].semi {
		if !n.left.Minus(x.carrier).Empty() {
			s.learn(n, s.byLink(opposite, x.number, true))
		}
	}
	square, won := s.rank(n, &at)
	if won {
		number := s.connected(&s.grown, false)
		return s.won(&s.carriers[number], square, number), nil
	}
	return 0, n
}

// play returns the position after a move.
func (s *Search) play(at games.Placement, square int) games.Placement {
	at.Stones[at.ToMove] = at.Stones[at.ToMove].With(square)
	at.ToMove = 1 - at.ToMove
	return at
}

// won adds the carrier of the side that wins by a move, given that after it.
func (s *Search) won(after *carrier, square int, number uint32) uint32 {
	one := games.Squares{}.With(square)
	return s.add(carrier{stones: after.stones.Minus(one), squares: after.squares.Or(one), move: uint8(square), winner: after.winner, toMove: true}, number)
}

// lost adds the carrier of the side that wins after each reply, by one of the answers.
func (s *Search) lost(winner int, answers []uint32, replies games.Squares) uint32 {
	answers = s.needed(answers, replies)
	x, all := carrier{winner: uint8(winner)}, s.carriers[answers[0]].squares
	for _, number := range answers {
		answer := &s.carriers[number]
		x.stones, x.squares = x.stones.Or(answer.stones), x.squares.Or(answer.squares)
		all = all.And(answer.squares)
	}
	x.stones = x.stones.Or(all) // where no answer allows a reply, the winner has a stone
	return s.add(x, answers...)
}

// needed leaves out answers that others make superfluous: each reply must be outside one.
func (s *Search) needed(answers []uint32, replies games.Squares) []uint32 {
	slices.Sort(answers)
	answers = slices.Compact(answers)
	for i := 0; i < len(answers); {
		left := replies
		for j, number := range answers {
			if j != i {
				left = left.And(s.carriers[number].squares)
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
func (s *Search) add(x carrier, children ...uint32) uint32 {
	number := uint32(len(s.carriers))
	x.first, x.count = uint32(len(s.children)), uint32(len(children))
	s.children = append(s.children, children...)
	s.carriers = append(s.carriers, x)
	s.tree(int(x.winner), x.toMove).add(s.carriers, number)
	return number
}

// rank finds the moves of a position, those first after which the other side has the fewest replies
// that are not known to lose; of equal ones, those that matter most. If a move links the side's edges, it
// returns that.
func (s *Search) rank(n *unsettled, at *games.Placement) (square int, won bool) {
	var weights [games.MaxSquares]float64
	s.weigh(*at, &weights)
	v := &s.grown
	for moves := n.left; !moves.Empty(); moves = moves.Rest() {
		square := moves.First()
		if v.grow(&s.virtual[at.ToMove], square); v.linked(false) {
			return square, true
		}
		after := s.play(*at, square)
		left := n.empty.Minus(games.Squares{}.With(square))
		for _, x := range v.pairs[edgePair].semi {
			left = left.And(x.carrier)
		}
		for number := range s.fits(&after, at.ToMove) {
			left = left.And(s.carriers[number].squares)
		}
		n.moves = append(n.moves, unsettledMove{uint8(square), effort{1, max(1, uint32(left.Len()))}})
	}
	slices.SortStableFunc(n.moves, func(a, b unsettledMove) int {
		return cmp.Or(cmp.Compare(a.loss, b.loss), cmp.Compare(weights[b.square], weights[a.square]))
	})
	return 0, false
}
