package connect

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// connected adds the carrier of a side that has linked its edges.
func (s *Search) connected(v *virtual, toMove bool) uint32 {
	if p := &v.pairs[edgePair]; len(p.full) > 0 {
		return s.byLink(v, p.full[0].number, toMove)
	} else {
		return s.byLink(v, p.semi[0].number, toMove)
	}
}

// begin returns the square with which a side that has the move, and has linked its edges, connects them.
func (v *virtual) begin() int {
	p := &v.pairs[edgePair]
	if len(p.full) == 0 {
		return int(v.links[p.semi[0].number].key)
	}
	return int(v.links[v.semi(v.ors([]int32{p.full[0].number}))].key)
}

// semi returns the first semi link of the first of some links by the OR rule.
func (v *virtual) semi(ors []int32) int32 { return v.parts[v.links[ors[0]].first] }

// byLink adds the carrier of a link of the edges.
func (s *Search) byLink(v *virtual, number int32, toMove bool) uint32 {
	stones := v.stones(number)
	return s.add(carrier{stones: stones, squares: stones.Or(v.links[number].carrier), winner: uint8(v.side), toMove: toMove, virtual: true})
}

// ors returns the links by the OR rule that full links consist of.
func (v *virtual) ors(links []int32) (ors []int32) {
	for links = slices.Clone(links); len(links) > 0; {
		number := links[len(links)-1]
		links = links[:len(links)-1]
		switch x := &v.links[number]; x.rule {
		case byAnd:
			links = append(links, x.first, x.second)
		case byOr:
			ors = append(ors, number)
		}
	}
	return ors
}

// stones returns stones that suffice for links that connect the edges: of each group, those that connect what
// the links use of it.
func (v *virtual) stones(numbers ...int32) games.Squares {
	v.seen = append(v.seen[:0], make([]bool, len(v.links))...)
	v.touched = append(v.touched[:0], make([]games.Squares, len(v.ends))...)
	for _, number := range numbers {
		v.touch(number)
	}
	var stones games.Squares
	for i := range v.ends {
		if !v.touched[i].Empty() {
			stones = stones.Or(v.trim(i))
		}
	}
	return stones
}

// touch notes which squares a link uses of each group.
func (v *virtual) touch(number int32) {
	if v.seen[number] {
		return
	}
	v.seen[number] = true
	x := &v.links[number]
	switch x.rule {
	case byBeside:
		for _, ends := range [2][2]int16{{x.a, x.b}, {x.b, x.a}} {
			group := v.group[ends[0]]
			if square := v.ends[v.group[ends[1]]].square; v.ends[group].square < 0 && square >= 0 {
				v.touched[group] = v.touched[group].With(int(square))
			}
		}
	case byAnd:
		v.touch(x.first)
		v.touch(x.second)
	case byOr:
		for _, part := range v.parts[x.first:][:x.second] {
			v.touch(part)
		}
	}
}

// trim returns stones of a group, or of those at an edge, that hang together and are beside all squares
// that are touched.
func (v *virtual) trim(i int) games.Squares {
	stones := v.ends[i].stones
	for rest := stones; !rest.Empty(); rest = rest.Rest() {
		fewer := stones.Minus(games.Squares{}.With(rest.First()))
		var reached, near games.Squares
		switch {
		case i < 2:
			near = v.edges[v.side][i]
		case fewer.Empty():
			return stones
		default:
			near = near.With(fewer.First())
		}
		for {
			added := near.And(fewer).Minus(reached)
			if added.Empty() {
				break
			}
			reached = reached.Or(added)
			near = near.Or(v.spread(added))
		}
		if reached == fewer && v.touched[i].Minus(near).Empty() {
			stones = fewer
		}
	}
	return stones
}

// prove returns a search that has the carriers which one of this search rests on, and its number there: with
// children instead of virtual connections and captured squares.
func (s *Search) prove(root uint32, check func() error) (*Search, uint32, error) {
	d := newSearch(s.field, s.weigh, s.limits)
	x := &s.carriers[root]
	e := expansion{from: s, to: d, winner: int(x.winner), virtual: virtual{field: s.field, limits: s.limits}, check: check}
	number, _, err := e.carrier(root, x.toMove, stage{own: x.stones})
	return d, number, err
}

// expansion makes carriers of a winner of those that another search has shown.
type expansion struct {
	from, to *Search
	winner   int
	virtual  virtual
	check    func() error
}

// stage is the winner's stones, and what else a strategy for a filled position counts as its stones.
type stage struct {
	own   games.Squares
	gone  games.Squares // stones of the other side on squares that were captured
	pairs []livePair    // the last captured first
}

// livePair is a captured pair. It is settled when both sides have played on it: then it matters only for what
// later pairs need.
type livePair struct {
	squares games.Squares
	settled bool
}

// capture returns the stage with one more pair. Where the winner has one of the squares already, or another pair
// does, the other square is dead.
func (g stage) capture(squares games.Squares) stage {
	has := g.has()
	pair := livePair{squares, !has.And(squares).Empty()}
	if pair.settled {
		g.gone = g.gone.Or(squares.Minus(has))
	}
	g.pairs = append([]livePair{pair}, g.pairs...)
	return g
}

// has returns what counts as the winner's stones.
func (g *stage) has() games.Squares {
	has := g.own
	for _, p := range g.pairs {
		has = has.Or(p.squares)
	}
	return has
}

// need drops the pairs that a strategy on some squares does not need.
func (g *stage) need(s *Search, squares games.Squares) {
	var pairs []livePair
	for _, p := range g.pairs {
		if !p.squares.And(squares).Empty() {
			pairs, squares = append(pairs, p), squares.Or(s.spread(p.squares))
		}
	}
	g.pairs = pairs
}

// allowed returns the squares that a strategy on some squares needs.
func (g *stage) allowed(squares games.Squares) games.Squares {
	allowed := g.own.Or(squares).Minus(g.gone)
	for _, p := range g.pairs {
		if !p.settled {
			allowed = allowed.Or(p.squares)
		}
	}
	return allowed
}

// settle returns the stage after the winner has played on a square of a pair.
func (g stage) settle(pair, square int) stage {
	one := games.Squares{}.With(square)
	next := stage{g.own.Or(one), g.gone.Or(g.pairs[pair].squares.Minus(one)), slices.Clone(g.pairs)}
	next.pairs[pair].settled = true
	return next
}

// carrier makes the carrier of a number, or of the end of the game if that is 0, for a stage.
func (e *expansion) carrier(number uint32, toMove bool, g stage) (uint32, carrier, error) {
	if chain, ok := e.to.chain(e.winner, g.own); ok {
		return 0, carrier{stones: chain, squares: chain, winner: uint8(e.winner)}, nil
	}
	x := &e.from.carriers[number]
	if x.filled {
		children := e.from.children[x.first:][:x.count]
		for i := len(children) - 1; i > 0; i-- {
			g = g.capture(games.Squares{}.With(int(children[i] >> 8)).With(int(children[i] & 0xff)))
		}
		return e.carrier(children[0], toMove, g)
	}
	squares := x.squares
	if number == 0 {
		squares, _ = e.to.chain(e.winner, g.has())
	}
	g.need(e.to, squares)
	allowed := g.allowed(squares)
	if known := e.to.tree(e.winner, toMove).Find(g.own, e.to.board.Minus(allowed)); known != 0 {
		return known, e.to.carriers[known], nil
	}
	switch {
	case x.virtual:
		return e.links(x.squares, toMove, g)
	case toMove:
		return e.attack(number, g, allowed)
	}
	return e.defend(number, g, allowed)
}

// links makes the carrier of a virtual connection on some squares.
func (e *expansion) links(squares games.Squares, toMove bool, g stage) (uint32, carrier, error) {
	if err := e.check(); err != nil {
		return 0, carrier{}, err
	}
	v, has := &e.virtual, g.has()
	if v.build(e.winner, has, squares.Minus(has).Minus(g.gone), toMove); v.linked(toMove) {
		p := &v.pairs[edgePair]
		begin := v.pairs[edgePair].full
		if len(begin) == 0 {
			begin = v.pairs[edgePair].semi
		}
		g.need(e.to, v.stones(begin[0].number).Or(begin[0].carrier))
		switch {
		case len(p.full) == 0:
			return e.attackLinks(nil, p.semi[0].number, g)
		case !toMove:
			return e.defendLinks([]int32{p.full[0].number}, g)
		}
		ors := v.ors([]int32{p.full[0].number}) // any move of the link's will do
		return e.attackLinks(ors[1:], v.semi(ors), g)
	}
	// The limits of links are in the way, as the search made them in another order.
	search := newSearch(e.from.field, e.from.weigh, e.from.limits)
	search.check, search.plain = e.check, true
	at := games.Placement{ToMove: e.winner}
	if !toMove {
		at.ToMove = 1 - e.winner
	}
	at.Stones[e.winner], at.Stones[1-e.winner] = has, e.to.board.Minus(squares).Minus(has)
	number, found, err := search.solve(at)
	if err == nil && int(found.winner) != e.winner {
		err = games.ErrContradiction
	}
	if err != nil {
		return 0, found, err
	}
	other := expansion{from: search, to: e.to, winner: e.winner, virtual: virtual{field: e.from.field, limits: e.from.limits}, check: e.check}
	return other.carrier(number, toMove, g)
}

// attackLinks makes the carrier of disjoint links that connect the edges, all full but one, if the winner is to move.
func (e *expansion) attackLinks(links []int32, semi int32, g stage) (uint32, carrier, error) {
	v := &e.virtual
	x := v.links[semi]
	allowed := g.allowed(x.carrier)
	for _, number := range links {
		allowed = allowed.Or(v.links[number].carrier)
	}
	if known := e.to.tree(e.winner, true).Find(g.own, e.to.board.Minus(allowed)); known != 0 {
		return known, e.to.carriers[known], nil
	}
	g.own = g.own.With(int(x.key))
	number, after, err := e.defendLinks(append(slices.Clone(links), x.first, x.second), g)
	if err != nil {
		return 0, after, err
	}
	number = e.to.won(&after, int(x.key), number)
	return number, e.to.carriers[number], nil
}

// defendLinks does the same if the other side is to move, and all links are full.
func (e *expansion) defendLinks(links []int32, g stage) (uint32, carrier, error) {
	v := &e.virtual
	parts := v.ors(links)
	if chain, ok := e.to.chain(e.winner, g.own); ok || len(parts) == 0 {
		if ok {
			return 0, carrier{stones: chain, squares: chain, winner: uint8(e.winner)}, nil
		}
		return e.carrier(0, false, g)
	}
	var free games.Squares
	for _, number := range parts {
		free = free.Or(v.links[number].carrier)
	}
	allowed := g.allowed(free)
	if known := e.to.tree(e.winner, false).Find(g.own, e.to.board.Minus(allowed)); known != 0 {
		return known, e.to.carriers[known], nil
	}
	replies := allowed.Minus(g.own)
	left := replies
	var answers []uint32
	for i, part := range parts {
		x := &v.links[part]
		others := slices.Delete(slices.Clone(parts), i, i+1)
		for _, semi := range v.parts[x.first:][:x.second] {
			if !left.And(x.carrier).Minus(v.links[semi].carrier).Empty() {
				number, found, err := e.attackLinks(others, semi, g)
				if err != nil {
					return 0, found, err
				}
				answers, left = append(answers, number), left.And(found.squares)
			}
		}
	}
	return e.answer(answers, left, replies, g, func(g stage) (uint32, carrier, error) { return e.defendLinks(links, g) })
}

// attack makes the carrier if the winner is to move.
func (e *expansion) attack(number uint32, g stage, allowed games.Squares) (uint32, carrier, error) {
	x := &e.from.carriers[number]
	square, child := 0, uint32(0)
	if number != 0 {
		square, child = int(x.move), e.from.children[x.first]
	}
	if left := allowed.Minus(g.own); number == 0 || g.own.Or(g.gone).Has(square) { // any move will do
		if left.Empty() {
			return 0, carrier{}, games.ErrContradiction
		}
		square = left.First()
	}
	g.own = g.own.With(square)
	for i, pair := range g.pairs {
		if !pair.settled && pair.squares.Has(square) {
			g = g.settle(i, square)
		}
	}
	after, found, err := e.carrier(child, false, g)
	if err != nil {
		return 0, found, err
	}
	after = e.to.won(&found, square, after)
	return after, e.to.carriers[after], nil
}

// defend makes the carrier if the other side is to move. Who plays on a captured square is answered on the other of
// its pair, if no other answer will do.
func (e *expansion) defend(number uint32, g stage, allowed games.Squares) (uint32, carrier, error) {
	var answers []uint32
	replies := allowed.Minus(g.own)
	left := replies
	x := &e.from.carriers[number]
	for _, child := range e.from.children[x.first:][:x.count] {
		if left.Minus(e.from.carriers[child].squares).Empty() {
			continue
		}
		answer, found, err := e.carrier(child, true, g)
		if err != nil {
			return 0, found, err
		}
		answers, left = append(answers, answer), left.And(found.squares)
	}
	return e.answer(answers, left, replies, g, func(g stage) (uint32, carrier, error) { return e.carrier(number, false, g) })
}

// answer makes the carrier of answers to all replies. Those left, which no answer allows, are on captured squares: they
// are answered on the other square of the pair, after which the strategy goes on.
func (e *expansion) answer(answers []uint32, left, replies games.Squares, g stage, after func(stage) (uint32, carrier, error)) (uint32, carrier, error) {
	for i, pair := range g.pairs {
		if pair.settled {
			continue
		}
		for set := pair.squares.And(left); !set.Empty(); set = set.Rest() {
			square := pair.squares.Minus(games.Squares{}.With(set.First())).First()
			number, found, err := after(g.settle(i, square))
			if err != nil {
				return 0, found, err
			}
			answer := e.to.won(&found, square, number)
			answers, left = append(answers, answer), left.And(e.to.carriers[answer].squares)
		}
	}
	if !left.Empty() || len(answers) == 0 {
		return 0, carrier{}, games.ErrContradiction
	}
	number := e.to.lost(e.winner, answers, replies)
	return number, e.to.carriers[number], nil
}

// placement returns the position in which the winner has only a carrier's stones, and the other side
// all squares that are not in it: every position that has the carrier is no worse.
func (s *Search) placement(x *carrier) games.Placement {
	at := games.Placement{ToMove: int(x.winner)}
	if !x.toMove {
		at.ToMove = 1 - at.ToMove
	}
	at.Stones[x.winner], at.Stones[1-x.winner] = x.stones, s.board.Minus(x.squares)
	return at
}

// used returns how often a carrier is a child in what another rests on.
func (s *Search) used(root uint32) []uint64 {
	uses := make([]uint64, root+1)
	uses[root] = 1
	for i := root; i > 0; i-- {
		if x := &s.carriers[i]; uses[i] > 0 {
			for _, child := range s.children[x.first:][:x.count] {
				uses[child]++
			}
		}
	}
	return uses
}
