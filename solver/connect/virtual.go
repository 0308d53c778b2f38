package connect

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// field is the board of a game that is a [games.Connection].
type field struct {
	board  games.Squares
	beside [games.MaxSquares]games.Squares
	edges  [2][2]games.Squares // of each side
	tables [games.MaxSquares]deadTable
}

// spread returns the squares of a set and those beside them.
func (f *field) spread(set games.Squares) games.Squares {
	all := set
	for ; !set.Empty(); set = set.Rest() {
		all = all.Or(f.beside[set.First()])
	}
	return all
}

// chain returns a shortest chain between the edges of a side among its stones, and whether there is
// one.
func (f *field) chain(side int, stones games.Squares) (chain games.Squares, ok bool) {
	layers := make([]games.Squares, 1, 32)
	layers[0] = f.edges[side][0].And(stones)
	left := stones.Minus(layers[0])
	last := layers[0]
	for last.And(f.edges[side][1]).Empty() {
		if last = f.spread(last).And(left); last.Empty() {
			return chain, false
		}
		left = left.Minus(last)
		layers = append(layers, last)
	}
	next := f.edges[side][1]
	for i := len(layers) - 1; i >= 0; i-- {
		square := layers[i].And(next).First()
		chain = chain.With(square)
		next = f.beside[square]
	}
	return chain, true
}

// virtual finds virtual connections of a side, here links: see docs/monotone.md (Anshelevich 2002).
type virtual struct {
	*field
	limits Limits
	side   int
	own    games.Squares // the side's stones
	ends   []end
	at     [games.MaxSquares]int16 // the end that is an empty square
	live   []int16                 // the ends that are not part of others, or gone
	group  []int16                 // of each end, the end that it is part of: see join
	links  []virtualLink
	parts  []int32         // of links by the OR rule
	pairs  []linkPair      // of ends a < b, at len(ends)*a + b
	queue  []int32         // full links, in the order in which they are extended
	fresh  []int32         // pairs with semi links that are not combined yet
	chosen []int32         // semi links that are being combined
	common []games.Squares // of each semi link and those after it
	merged [2][]linkEntry  // full and semi, of ends that become one

	seen    []bool          // by link: see touch
	touched []games.Squares // by end
}

// Limits are how many links a pair of ends may have, the edges more than others, and how many
// semi links may make a full one. Links of two empty squares are limited further, also in the squares of their
// carriers: there are many such pairs, and their links serve only to make others. The zero Limits allow no links.
type Limits struct{ full, semi, edges, together, localFull, localSemi, localSize int }

// DefaultLimits are those of a search that is to be fast.
var DefaultLimits = Limits{full: 12, semi: 40, edges: 99, together: 4, localFull: 2, localSemi: 4, localSize: 3}

// end is what a link connects: an edge or group with its stones, or an empty square. The edges come first.
type end struct {
	square int16 // -1 if it is an edge or group
	stones games.Squares
	near   games.Squares // empty squares beside it
}

// virtualLink says that a side can connect two ends by stones on the squares of the carrier: if it has
// the move (semi), or even if the other side has it (full).
type virtualLink struct {
	carrier games.Squares
	a, b    int16
	rule    linkRule
	key     int16 // the square to play if it is semi, else -1
	// The two links of the AND rule, or where the links of the OR rule are in parts, and their number.
	first, second int32
}

type linkRule uint8

const (
	byBeside linkRule = iota // the ends are neighbours
	byAnd                    // two full links with an end in common, and nothing else; if it is empty, the link is semi
	byOr                     // semi links without a square that all of them need
)

// linkPair is the links of two ends.
type linkPair struct {
	full, semi []linkEntry
	waiting    bool // it is in fresh
}

type linkEntry struct {
	carrier games.Squares
	number  int32
	size    uint8
	fresh   bool // not combined yet
}

// edgePair is the number of the pair of edges.
const edgePair = 1

// build finds the links of a side. It ends when the edges are linked, if only by a semi link if the
// side has the move.
func (v *virtual) build(side int, own, empty games.Squares, toMove bool) {
	v.side, v.own = side, own
	v.links, v.parts, v.queue, v.fresh = v.links[:0], v.parts[:0], v.queue[:0], v.fresh[:0]
	v.findEnds(empty)
	n := len(v.ends)
	for len(v.pairs) < n*n {
		v.pairs = append(v.pairs, linkPair{})
	}
	for i := range v.pairs[:n*n] {
		p := &v.pairs[i]
		p.full, p.semi, p.waiting = p.full[:0], p.semi[:0], false
	}
	for a := range v.ends {
		for near := v.ends[a].near; !near.Empty(); near = near.Rest() {
			if b := v.at[near.First()]; int(b) > a {
				v.addFull(virtualLink{a: int16(a), b: b, key: -1})
			}
		}
	}
	v.close(toMove)
}

// close applies the rules to the links in the queue and the pairs in fresh, and to what they make.
func (v *virtual) close(toMove bool) {
	for i := 0; !v.linked(toMove); {
		switch {
		case i < len(v.queue): // short links come first
			number := v.queue[i]
			x := v.links[number]
			x.a, x.b = v.group[x.a], v.group[x.b]
			if p, _ := v.pair(x.a, x.b); listed(p.full, number) {
				v.extend(number, &x, x.a, x.b)
				v.extend(number, &x, x.b, x.a)
			}
			i++
		case len(v.fresh) > 0:
			pair := v.fresh[len(v.fresh)-1]
			v.fresh = v.fresh[:len(v.fresh)-1]
			v.combine(pair)
		default:
			return
		}
	}
}

// listed reports whether a link is in a list: others may have replaced it.
func listed(list []linkEntry, number int32) bool {
	return slices.ContainsFunc(list, func(y linkEntry) bool { return y.number == number })
}

// follow finds the links of a side after it has put stones on some squares and can no longer use others, from
// those before that: all whose carriers have none of these squares remain. The links of both are in the same
// memory, so those of v are lost when others follow from base.
func (v *virtual) follow(base *virtual, own, gone games.Squares) {
	v.side, v.own, v.at = base.side, base.own, base.at
	v.links, v.parts, v.queue, v.fresh = base.links, base.parts, v.queue[:0], v.fresh[:0]
	v.ends, v.group = append(v.ends[:0], base.ends...), append(v.group[:0], base.group...)
	n, changed := len(v.ends), own.Or(gone)
	for len(v.pairs) < n*n {
		v.pairs = append(v.pairs, linkPair{})
	}
	v.live = v.live[:0]
	for _, a := range base.live {
		if square := v.ends[a].square; square < 0 || !gone.Has(int(square)) {
			v.live = append(v.live, a)
		}
	}
	for i, a := range v.live {
		for _, b := range v.live[i+1:] {
			p, q := &v.pairs[int(a)*n+int(b)], &base.pairs[int(a)*n+int(b)]
			p.full, p.semi, p.waiting = without(p.full[:0], q.full, changed), without(p.semi[:0], q.semi, changed), false
		}
	}
	for left := own; !left.Empty(); left = left.Rest() {
		v.join(left.First())
	}
	for _, a := range v.live {
		if !v.ends[a].stones.And(own).Empty() {
			v.extendAll(a)
		}
	}
	v.close(false)
	base.links, base.parts = v.links[:len(base.links)], v.parts[:len(base.parts)]
}

// without appends the entries of a list whose carriers do not have a square of gone.
func without(dst, list []linkEntry, gone games.Squares) []linkEntry {
	for i := range list {
		if list[i].carrier.And(gone).Empty() {
			dst = append(dst, list[i])
		}
	}
	return dst
}

// join puts a stone on a square that is in no carrier, and gives the end that it makes the links of those that
// it joins.
func (v *virtual) join(square int) {
	one := games.Squares{}.With(square)
	v.own = v.own.Or(one)
	grown, joined := v.at[square], end{square: -1, stones: one}
	var merged []int16 // the ends that become one
	for _, i := range v.live {
		if e := &v.ends[i]; e.square == int16(square) || e.square < 0 && e.near.Has(square) {
			grown = min(grown, i)
			merged = append(merged, i)
			joined.stones, joined.near = joined.stones.Or(e.stones), joined.near.Or(e.near)
		}
	}
	joined.near = joined.near.Minus(one)
	v.ends[grown] = joined
	for i := range v.group {
		if slices.Contains(merged, v.group[i]) {
			v.group[i] = grown
		}
	}
	v.live = slices.DeleteFunc(v.live, func(end int16) bool { return end != grown && v.group[end] == grown })
	for _, to := range v.live {
		if to == grown {
			continue
		}
		full, semi := v.merged[0][:0], v.merged[1][:0]
		for _, from := range merged {
			p, _ := v.pair(from, to)
			full, semi = append(full, p.full...), append(semi, p.semi...)
			p.full, p.semi = p.full[:0], p.semi[:0]
		}
		p, i := v.pair(grown, to)
		for _, x := range full {
			p.full, _ = put(p.full, x, v.limits.full)
		}
		for _, x := range semi {
			x.fresh = true
			v.putSemi(p, i, x)
		}
		v.merged = [2][]linkEntry{full, semi}
	}
}

// extendAll extends all full links of an end.
func (v *virtual) extendAll(end int16) {
	for _, to := range v.live {
		if to == end {
			continue
		}
		p, _ := v.pair(end, to)
		for _, x := range p.full {
			v.extend(x.number, &v.links[x.number], end, to)
		}
	}
}

// findEnds finds the edges, groups and empty squares.
func (v *virtual) findEnds(empty games.Squares) {
	v.ends = v.ends[:0]
	left := v.own
	add := func(stones, near games.Squares) {
		for added := stones; !added.Empty(); {
			left = left.Minus(added)
			near = near.Or(v.spread(added))
			added = near.And(left)
			stones = stones.Or(added)
		}
		v.ends = append(v.ends, end{-1, stones, near.And(empty)})
	}
	for _, edge := range v.edges[v.side] {
		add(edge.And(left), edge)
	}
	for !left.Empty() {
		add(games.Squares{}.With(left.First()), games.Squares{})
	}
	for rest := empty; !rest.Empty(); rest = rest.Rest() {
		square := rest.First()
		v.at[square] = int16(len(v.ends))
		v.ends = append(v.ends, end{int16(square), games.Squares{}, v.beside[square].And(empty)})
	}
	v.group, v.live = v.group[:0], v.live[:0]
	for i := range v.ends {
		v.group, v.live = append(v.group, int16(i)), append(v.live, int16(i))
	}
}

// linked reports whether the edges are linked.
func (v *virtual) linked(toMove bool) bool {
	p := &v.pairs[edgePair]
	return len(p.full) > 0 || toMove && len(p.semi) > 0
}

func (v *virtual) pair(a, b int16) (*linkPair, int32) {
	if a > b {
		a, b = b, a
	}
	i := int(a)*len(v.ends) + int(b)
	return &v.pairs[i], int32(i)
}

// extend applies the AND rule to a full link and all that have the end mid in common with it.
func (v *virtual) extend(number int32, x *virtualLink, mid, from int16) {
	square := v.ends[mid].square
	end := v.ends[from].square
	for _, to := range v.live {
		if to == mid || to == from {
			continue
		}
		p, _ := v.pair(mid, to)
		if len(p.full) == 0 {
			continue
		}
		far := v.ends[to].square
		if far >= 0 && x.carrier.Has(int(far)) {
			continue
		}
		for _, y := range p.full {
			if !x.carrier.And(y.carrier).Empty() || end >= 0 && y.carrier.Has(int(end)) {
				continue
			}
			joined := virtualLink{x.carrier.Or(y.carrier), from, to, byAnd, square, number, y.number}
			if square < 0 {
				v.addFull(joined)
			} else {
				joined.carrier = joined.carrier.With(int(square))
				v.addSemi(joined)
			}
		}
	}
}

// put adds an entry to a list, in which smaller carriers come first, unless it has a better one. It drops worse
// ones, and the last if there are too many.
func put(list []linkEntry, x linkEntry, most int) ([]linkEntry, bool) {
	i := 0
	for ; i < len(list) && list[i].size <= x.size; i++ {
		if list[i].carrier.Minus(x.carrier).Empty() {
			return list, false
		}
	}
	if i >= most {
		return list, false
	}
	list = append(list, x)
	copy(list[i+1:], list[i:])
	list[i] = x
	kept := list[:i+1]
	for _, y := range list[i+1:] {
		if !x.carrier.Minus(y.carrier).Empty() {
			kept = append(kept, y)
		}
	}
	return kept[:min(len(kept), most)], true
}

// local reports whether two ends are empty squares.
func (v *virtual) local(a, b int16) bool { return v.ends[a].square >= 0 && v.ends[b].square >= 0 }

func (v *virtual) addFull(x virtualLink) bool {
	p, _ := v.pair(x.a, x.b)
	number := int32(len(v.links))
	most, size := v.limits.full, x.carrier.Len()
	if v.local(x.a, x.b) {
		if most = v.limits.localFull; size > v.limits.localSize {
			return false
		}
	}
	full, ok := put(p.full, linkEntry{x.carrier, number, uint8(size), true}, most)
	if p.full = full; ok {
		v.links = append(v.links, x)
		v.queue = append(v.queue, number)
		p.semi = slices.DeleteFunc(p.semi, func(y linkEntry) bool { return x.carrier.Minus(y.carrier).Empty() })
	}
	return ok
}

func (v *virtual) addSemi(x virtualLink) {
	p, i := v.pair(x.a, x.b)
	if v.putSemi(p, i, linkEntry{x.carrier, int32(len(v.links)), uint8(x.carrier.Len()), true}) {
		v.links = append(v.links, x)
	}
}

// putSemi puts a semi link in its list unless a full link is better.
func (v *virtual) putSemi(p *linkPair, i int32, x linkEntry) (ok bool) {
	most := v.limits.semi
	if i == edgePair {
		most = v.limits.edges
	} else if v.local(int16(int(i)/len(v.ends)), int16(int(i)%len(v.ends))) {
		if most = v.limits.localSemi; int(x.size) > v.limits.localSize {
			return false
		}
	}
	for _, y := range p.full {
		if y.carrier.Minus(x.carrier).Empty() {
			return false
		}
	}
	if p.semi, ok = put(p.semi, x, most); ok && !p.waiting {
		p.waiting = true
		v.fresh = append(v.fresh, i)
	}
	return ok
}

// combine applies the OR rule to the semi links of a pair of ends, at least one of them fresh.
func (v *virtual) combine(pair int32) {
	p := &v.pairs[pair]
	p.waiting = false
	v.common = append(v.common[:0], make([]games.Squares, len(p.semi)+1)...)
	v.common[len(p.semi)] = v.board
	for i := len(p.semi) - 1; i >= 0; i-- {
		v.common[i] = v.common[i+1].And(p.semi[i].carrier)
	}
	for i := range p.semi {
		if x := &p.semi[i]; x.fresh {
			v.chosen = append(v.chosen[:0], x.number)
			v.either(pair, 0, i, x.carrier, x.carrier)
		}
	}
	for i := range p.semi {
		p.semi[i].fresh = false
	}
}

// either looks for semi links that make a full one together with those chosen.
func (v *virtual) either(pair int32, from, skip int, all, some games.Squares) {
	p := &v.pairs[pair]
	for i := from; i < len(p.semi) && all.And(v.common[i]).Empty(); i++ {
		x := &p.semi[i]
		if i == skip || x.fresh && i < skip {
			continue
		}
		common := all.And(x.carrier)
		if common == all {
			continue
		}
		union := some.Or(x.carrier)
		for _, y := range p.full {
			if y.carrier.Minus(union).Empty() {
				common = all // it would be no better
				break
			}
		}
		if common == all {
			continue
		}
		v.chosen = append(v.chosen, x.number)
		if common.Empty() {
			a, b := int(pair)/len(v.ends), int(pair)%len(v.ends)
			made := virtualLink{union, int16(a), int16(b), byOr, -1, int32(len(v.parts)), int32(len(v.chosen))}
			if v.addFull(made) {
				v.parts = append(v.parts, v.chosen...)
			}
		} else if len(v.chosen) < v.limits.together {
			v.either(pair, i+1, skip, common, union)
		}
		v.chosen = v.chosen[:len(v.chosen)-1]
	}
}
