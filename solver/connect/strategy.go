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
	x := &v.links[number]
	switch {
	case !s.expand:
		stones := v.stones(number)
		return s.add(carrier{stones: stones, squares: stones.Or(x.carrier), winner: uint8(v.side), toMove: toMove, virtual: true})
	case x.key >= 0:
		return s.attack(v, nil, number, v.own)
	case toMove: // any move of the link's will do
		ors := v.ors([]int32{number})
		return s.attack(v, ors[1:], v.semi(ors), v.own)
	}
	found, _ := s.defend(v, []int32{number}, v.own)
	return found
}

// attack adds the carrier of a side that has the stones and disjoint links that connect its edges, all
// full but one, when it has the move.
func (s *Search) attack(v *virtual, links []int32, semi int32, stones games.Squares) uint32 {
	x := &v.links[semi]
	squares := stones.Or(x.carrier)
	for _, number := range links {
		squares = squares.Or(v.links[number].carrier)
	}
	if number := s.tree(v.side, true).find(s.carriers, stones, s.board.Minus(squares)); number != 0 {
		return number
	}
	number, after := s.defend(v, append(slices.Clone(links), x.first, x.second), stones.With(int(x.key)))
	return s.won(&after, int(x.key), number)
}

// defend does the same when the other side has the move, and all links are full. The number is 0 if
// the stones connect the edges.
func (s *Search) defend(v *virtual, links []int32, stones games.Squares) (uint32, carrier) {
	if chain, ok := s.chain(v.side, stones); ok {
		return 0, carrier{stones: chain, squares: chain, winner: uint8(v.side)}
	}
	var replies games.Squares
	parts := v.ors(links)
	for _, number := range parts {
		replies = replies.Or(v.links[number].carrier)
	}
	if number := s.tree(v.side, false).find(s.carriers, stones, s.board.Minus(stones).Minus(replies)); number != 0 {
		return number, s.carriers[number]
	}
	left := replies
	var answers []uint32
	for i, part := range parts {
		x := &v.links[part]
		others := slices.Delete(slices.Clone(parts), i, i+1)
		for _, semi := range v.parts[x.first:][:x.second] {
			if !left.And(x.carrier).Minus(v.links[semi].carrier).Empty() {
				number := s.attack(v, others, semi, stones)
				answers = append(answers, number)
				left = left.And(s.carriers[number].squares)
			}
		}
	}
	number := s.lost(v.side, answers, replies)
	return number, s.carriers[number]
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

// stones returns stones that suffice for a link of the edges: of each group, those that connect what
// the link uses of it.
func (v *virtual) stones(number int32) games.Squares {
	v.seen = append(v.seen[:0], make([]bool, len(v.links))...)
	v.touched = append(v.touched[:0], make([]games.Squares, len(v.ends))...)
	v.touch(number)
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
	d.expand, d.check = true, check
	x := &s.carriers[root]
	number, _, err := (&expansion{s, d, int(x.winner)}).carrier(root, x.toMove, stage{own: x.stones})
	return d, number, err
}

// expansion makes carriers of a winner of those that another search has shown.
type expansion struct {
	from, to *Search
	winner   int
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
	has := g.own
	for _, p := range g.pairs {
		has = has.Or(p.squares)
	}
	pair := livePair{squares, !has.And(squares).Empty()}
	if pair.settled {
		g.gone = g.gone.Or(squares.Minus(has))
	}
	g.pairs = append([]livePair{pair}, g.pairs...)
	return g
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
	allowed, reached := g.own.Or(x.squares).Minus(g.gone), x.squares
	var pairs []livePair // that matter
	for _, pair := range g.pairs {
		if number == 0 || !pair.squares.And(reached).Empty() {
			pairs, reached = append(pairs, pair), reached.Or(e.from.spread(pair.squares))
			if !pair.settled {
				allowed = allowed.Or(pair.squares)
			}
		}
	}
	g.pairs = pairs
	if known := e.to.tree(e.winner, toMove).find(e.to.carriers, g.own, e.to.board.Minus(allowed)); known != 0 {
		return known, e.to.carriers[known], nil
	}
	switch {
	case x.virtual:
		at := games.Placement{ToMove: e.winner}
		if !toMove {
			at.ToMove = 1 - e.winner
		}
		at.Stones[e.winner], at.Stones[1-e.winner] = g.own, e.to.board.Minus(allowed)
		known, found, err := e.to.solve(at)
		if err == nil && int(found.winner) != e.winner {
			err = games.ErrContradiction
		}
		return known, found, err
	case toMove:
		return e.attack(number, g, allowed)
	}
	return e.defend(number, g, allowed)
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
	for i, pair := range g.pairs {
		if pair.settled {
			continue
		}
		for set := pair.squares.And(left); !set.Empty(); set = set.Rest() {
			square := pair.squares.Minus(games.Squares{}.With(set.First())).First()
			after, found, err := e.carrier(number, false, g.settle(i, square))
			if err != nil {
				return 0, found, err
			}
			answer := e.to.won(&found, square, after)
			answers, left = append(answers, answer), left.And(e.to.carriers[answer].squares)
		}
	}
	if !left.Empty() || len(answers) == 0 {
		return 0, carrier{}, games.ErrContradiction
	}
	number = e.to.lost(e.winner, answers, replies)
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
