package dfpn

import "math/bits"

// path is the set of positions between the root and the current node, with the
// depth of each.
type path struct {
	keys  []uint64 // an open hash table of 1<<bits slots, 0 where there is none
	infos []visit
	shift uint
	count int
	// sum is the sum of hashes of all positions with their depths.
	sum uint64
}

type visit struct {
	hand  Hand
	depth int32
}

const pathBits = 10

func newPath() path {
	p := path{}
	p.resize(pathBits)
	return p
}

func (p *path) resize(b uint) {
	p.keys, p.infos, p.shift = make([]uint64, 1<<b), make([]visit, 1<<b), 64-b
}

// mix spreads all bits of x over all bits of the result; it is a bijection
// (Stafford's variant 13 of the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// visitHash returns a hash of a position at a depth.
func visitHash(key uint64, hand Hand, depth int) uint64 {
	return mix(key + mix(uint64(hand)|uint64(depth+1)<<32))
}

func (p *path) slot(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> p.shift) }

// push adds a position. Positions leave in the opposite order, by pop.
func (p *path) push(key uint64, hand Hand, depth int) {
	if p.count++; 2*p.count > len(p.keys) {
		p.grow()
	}
	p.insert(key, visit{hand, int32(depth)})
	p.sum += visitHash(key, hand, depth)
}

func (p *path) insert(key uint64, v visit) {
	i := p.slot(key)
	for p.keys[i] != 0 {
		i = (i + 1) & (len(p.keys) - 1)
	}
	p.keys[i], p.infos[i] = key, v
}

// grow doubles the table. The order of depths is the order of insertion, so that
// positions may go on leaving in the opposite order.
func (p *path) grow() {
	keys, infos := p.keys, p.infos
	p.resize(uint(bits.Len(uint(len(keys)))))
	order := make([]int, p.count)
	for i, key := range keys {
		if key != 0 {
			order[infos[i].depth] = i
		}
	}
	for _, i := range order[:p.count-1] {
		p.insert(keys[i], infos[i])
	}
}

// pop removes the position that was added last.
func (p *path) pop(key uint64, hand Hand, depth int) {
	i := p.slot(key)
	for p.keys[i] != key || p.infos[i].depth != int32(depth) {
		i = (i + 1) & (len(p.keys) - 1)
	}
	p.keys[i] = 0
	p.count--
	p.sum -= visitHash(key, hand, depth)
}

// find returns the depth of the deepest position on the path with this key and a
// hand that covers the given one, or -1.
func (p *path) find(key uint64, hand, guards Hand) int {
	depth := int32(-1)
	for i := p.slot(key); p.keys[i] != 0; i = (i + 1) & (len(p.keys) - 1) {
		if p.keys[i] == key && covers(p.infos[i].hand, hand, guards) {
			depth = max(depth, p.infos[i].depth)
		}
	}
	return int(depth)
}
