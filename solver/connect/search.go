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
	*field
	weigh    func(at games.Placement, weights *[games.MaxSquares]float64)
	path     []*frame  // from the position that is being solved on
	linked   int       // how many frames of the path have their connections
	plain    bool      // positions are not filled
	carriers []carrier // shown so far, numbered from 1
	children []uint32  // of all carriers
	limits   Limits
	trees    [2][2]games.Carriers
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
	// It is the child without stones on squares that the winner has captured. The other children are these
	// pairs of squares, as numbers in base 256.
	filled bool
}

// frame is a position of the path with the virtual connections of each side.
type frame struct {
	at      games.Placement
	virtual [2]virtual
	pairs   [2][]pair // that each side has captured since the frame before
}

// Board is a [games.Connection] without the types of its positions and moves.
type Board struct {
	Squares games.Squares // all of them
	Beside  func(square int) games.Squares
	Edges   func(side int) [2]games.Squares
	Weigh   func(at games.Placement, weights *[games.MaxSquares]float64)
}

// New returns a search of a board.
func New(b Board, limits Limits) *Search { return newSearch(newField(b), b.Weigh, limits) }

func newField(b Board) *field {
	f := &field{board: b.Squares}
	for left := b.Squares; !left.Empty(); left = left.Rest() {
		f.beside[left.First()] = b.Beside(left.First())
	}
	for side := range f.edges {
		f.edges[side] = b.Edges(side)
	}
	for left := b.Squares; !left.Empty(); left = left.Rest() {
		f.tables[left.First()] = f.newDeadTable(left.First())
	}
	return f
}

func newSearch(f *field, weigh func(games.Placement, *[games.MaxSquares]float64), limits Limits) *Search {
	return &Search{field: f, weigh: weigh, limits: limits, carriers: make([]carrier, 1), unsettled: map[games.Placement]*unsettled{}}
}

// Solve finds out who wins an unfinished position. It calls check before each node, and ends with its error.
func (s *Search) Solve(at games.Placement, check func() error) (winner int, err error) {
	s.check = check
	number, found, err := s.solve(at)
	s.root = number
	return int(found.winner), err
}

// Move returns a move by which the side to move wins the position that Solve has found that it wins. That must be the
// only position that the search was given: what was shown for another one need not have links that are found again here.
func (s *Search) Move(at games.Placement) int {
	number := s.root
	for s.carriers[number].filled {
		x := &s.carriers[number]
		if number = s.children[x.first]; number == 0 {
			return int(s.children[x.first+1] >> 8)
		}
	}
	if x := &s.carriers[number]; !x.virtual {
		return int(x.move)
	}
	f := s.frame(0)
	s.linked = 0
	f.at = s.fill(at, &f.pairs)
	s.connect(0)
	return f.virtual[at.ToMove].begin()
}

// frame returns the frame of a depth.
func (s *Search) frame(depth int) *frame {
	for len(s.path) <= depth {
		f := &frame{}
		for side := range f.virtual {
			f.virtual[side].field, f.virtual[side].limits = s.field, s.limits
		}
		s.path = append(s.path, f)
	}
	return s.path[depth]
}

// Nodes returns how many positions were examined.
func (s *Search) Nodes() uint64 { return s.nodes }

// Effort returns about how many positions must be settled to show that the side to move wins a position, or
// loses it. Both are 0 if the position is settled, or was not met.
func (s *Search) Effort(at games.Placement) (win, loss uint32) {
	var pairs [2][]pair
	if n := s.unsettled[s.fill(at, &pairs)]; n != nil {
		return n.win, n.loss
	}
	return 0, 0
}

// Bytes returns about how much memory the search takes.
func (s *Search) Bytes() uint64 {
	const open = 1 << 10 // about what an unsettled position takes
	return open*uint64(len(s.unsettled)) + uint64(cap(s.carriers))*uint64(unsafe.Sizeof(carrier{})) + 4*uint64(cap(s.children)) + uint64(len(s.carriers))*16
}

// find returns a carrier of a side.
func (s *Search) find(at *games.Placement, winner int, toMove bool) (uint32, bool) {
	number := s.tree(winner, toMove).Find(at.Stones[winner], at.Stones[1-winner])
	return number, number != 0
}

// known returns a carrier of the side that wins.
func (s *Search) known(at *games.Placement) (number uint32, ok bool) {
	if number, ok = s.find(at, at.ToMove, true); !ok {
		number, ok = s.find(at, 1-at.ToMove, false)
	}
	return number, ok
}

// fits returns the carriers of a side that wins by them if it has the move, whoever has it.
func (s *Search) fits(at *games.Placement, winner int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		s.tree(winner, true).All(at.Stones[winner], at.Stones[1-winner], yield)
	}
}

func (s *Search) tree(winner int, toMove bool) *games.Carriers {
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
	number, found, _, err = s.explore(at, 0, effort{most, most})
	return number, found, err
}

// own returns the stones of a side in a position that may be filled.
func own(at *games.Placement, side int) games.Squares {
	return at.Stones[side].Minus(at.Stones[1-side])
}

// explore works on a position of the path until it is settled, or an effort reaches its limit; then it
// returns both.
func (s *Search) explore(at games.Placement, depth int, limit effort) (number uint32, found carrier, rest *unsettled, err error) {
	f := s.frame(depth)
	if !s.plain {
		if number, ok := s.known(&at); ok {
			return number, s.carriers[number], nil, nil
		}
		at = s.fill(at, &f.pairs)
	}
	if f.at != at {
		f.at, s.linked = at, min(s.linked, depth)
	}
	for winner := range f.pairs {
		if chain, ok := s.chain(winner, own(&at, winner)); ok {
			found = carrier{stones: chain, squares: chain, winner: uint8(winner), toMove: winner == at.ToMove}
			number, found = s.restore(0, found, f.pairs[winner])
			return number, found, nil, nil
		}
	}
	if number, rest, err = s.settle(at, depth, limit); err != nil || rest != nil {
		return 0, found, rest, err
	}
	found = s.carriers[number]
	number, found = s.restore(number, found, f.pairs[found.winner])
	return number, found, nil, nil
}

// restore returns the carrier of a winner in the position before it was filled.
func (s *Search) restore(number uint32, found carrier, pairs []pair) (uint32, carrier) {
	if found.stones.Empty() || len(pairs) == 0 {
		return number, found
	}
	x := carrier{stones: found.stones, squares: found.squares, winner: found.winner, toMove: found.toMove, filled: true}
	children := []uint32{number}
	for i := len(pairs) - 1; i >= 0; i-- { // a pair needs only stones from before it was captured
		if p := &pairs[i]; !x.stones.And(p.set()).Empty() {
			x.stones = x.stones.Or(p.needs).Minus(p.set())
			x.squares = x.squares.Or(p.needs).Or(p.set())
			children = append(children, uint32(p.squares[0])<<8|uint32(p.squares[1]))
		}
	}
	if len(children) == 1 {
		return number, found
	}
	number = s.add(x, children...)
	return number, s.carriers[number]
}

// settle works on a filled position of the path whose edges no side has connected.
func (s *Search) settle(at games.Placement, depth int, limit effort) (number uint32, rest *unsettled, err error) {
	side, other := at.ToMove, 1-at.ToMove
	number, ok := s.known(&at)
	n := s.unsettled[at]
	if !ok && n == nil {
		if err := s.check(); err != nil {
			return 0, nil, err
		}
		s.nodes++
		if number, n = s.examine(at, depth); n != nil {
			s.unsettled[at] = n
		}
	}
	if n == nil {
		return number, nil, nil
	}
	for !ok {
		best, next := n.sum()
		if best < 0 {
			if len(n.answers) == 0 {
				return 0, nil, games.ErrContradiction
			}
			number = s.lost(other, n.answers, n.empty)
			break
		}
		if n.win >= limit.win || n.loss >= limit.loss {
			return 0, n, nil
		}
		m := &n.moves[best]
		within := effort{win: limit.loss - (n.loss - m.win), loss: min(limit.win, next+1+next/4)}
		answer, found, after, err := s.explore(s.play(at, int(m.square)), depth+1, within)
		switch {
		case err != nil:
			return 0, nil, err
		case after != nil:
			m.effort = after.effort
		case int(found.winner) == side:
			number, ok = s.won(&found, int(m.square), answer), true
		default:
			s.learn(n, answer)
		}
	}
	delete(s.unsettled, at)
	return number, nil, nil
}

// sum works out the effort of a position from those after its moves. It returns which move needs the
// least effort to win, or -1 if none is left, and the effort of the next. Only the first moves count, as
// what refutes them will refute most of the others.
func (n *unsettled) sum() (best int, next uint32) {
	n.moves = slices.DeleteFunc(n.moves, func(m unsettledMove) bool { return !n.left.Has(int(m.square)) })
	best, next = -1, most
	n.effort = effort{most, 0}
	for i, m := range n.moves[:min(len(n.moves), 1+len(n.moves)/3)] {
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

// connect finds the virtual connections of the frames up to some depth. If they settle the position there,
// it returns those that do.
func (s *Search) connect(depth int) (v *virtual, toMove bool) {
	for ; s.linked <= depth; s.linked++ {
		if v, toMove = s.path[s.linked].connect(s, depth); v != nil && s.linked == depth {
			return v, toMove
		}
	}
	return nil, false
}

func (f *frame) connect(s *Search, last int) (v *virtual, toMove bool) {
	side, other := f.at.ToMove, 1-f.at.ToMove
	mover, opposite := &f.virtual[side], &f.virtual[other]
	if s.linked == 0 {
		empty := s.board.Minus(f.at.Stones[0]).Minus(f.at.Stones[1])
		mover.build(side, own(&f.at, side), empty, true)
		opposite.build(other, own(&f.at, other), empty, false)
	} else {
		before := s.path[s.linked-1]
		follow := func(v *virtual, side int) {
			gone := f.at.Stones[1-side].Minus(before.at.Stones[1-side])
			v.follow(&before.virtual[side], own(&f.at, side).Minus(own(&before.at, side)), gone)
		}
		if follow(mover, side); mover.linked(true) && s.linked == last {
			return mover, true
		}
		follow(opposite, other)
	}
	switch {
	case mover.linked(true):
		return mover, true
	case opposite.linked(false):
		return opposite, false
	}
	return nil, false
}

// examine settles a position by virtual connections, or finds the moves that may win. They are those in
// the carriers of what the other side wins by elsewhere.
func (s *Search) examine(at games.Placement, depth int) (uint32, *unsettled) {
	if v, toMove := s.connect(depth); v != nil {
		return s.connected(v, toMove), nil
	}
	other := 1 - at.ToMove
	opposite := &s.path[depth].virtual[other]
	empty := s.board.Minus(at.Stones[0]).Minus(at.Stones[1])
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
	s.rank(n, at)
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
	s.tree(int(x.winner), x.toMove).Add(x.stones, x.squares, number)
	return number
}

// rank finds the moves of a position, those first that matter most.
func (s *Search) rank(n *unsettled, at games.Placement) {
	var weights [games.MaxSquares]float64
	s.weigh(at, &weights)
	for moves := n.left; !moves.Empty(); moves = moves.Rest() {
		n.moves = append(n.moves, unsettledMove{uint8(moves.First()), effort{1, 1}})
	}
	slices.SortStableFunc(n.moves, func(a, b unsettledMove) int {
		return cmp.Compare(weights[b.square], weights[a.square])
	})
}
