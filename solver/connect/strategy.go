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

// prove returns a search that has the carriers which one of this search rests on, and its number there:
// with children instead of virtual connections.
func (s *Search) prove(root uint32, check func() error) (*Search, uint32, error) {
	used := s.used(root)
	d := (&Search{field: s.field, weigh: s.weigh, expand: true, check: check}).reset(s.grown.limits)
	numbers := make([]uint32, root+1)
	for i := uint32(1); i <= root; i++ {
		if used[i] == 0 {
			continue
		}
		x := &s.carriers[i]
		at := s.placement(x)
		number, ok := d.find(&at, int(x.winner), x.toMove)
		children := s.children[x.first:][:x.count]
		switch {
		case ok:
		case x.virtual:
			found, y, err := d.solve(at)
			if err != nil {
				return nil, 0, err
			}
			if number = found; y.winner != x.winner {
				return nil, 0, games.ErrContradiction
			}
		case x.toMove:
			after := d.carriers[numbers[children[0]]]
			if children[0] == 0 {
				_, after, _ = d.solve(d.play(at, int(x.move)))
			}
			number = d.won(&after, int(x.move), numbers[children[0]])
		default:
			var answers []uint32
			for _, child := range children {
				answers = append(answers, numbers[child])
			}
			number = d.lost(int(x.winner), answers, x.squares.Minus(x.stones))
		}
		numbers[i] = number
	}
	return d, numbers[root], nil
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
