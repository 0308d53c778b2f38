package dfpn

import "math/bits"

// position identifies a node in the table and on the path. Its key is not 0,
// which both use for an empty slot: see [nonzero].
type position struct {
	key  uint64
	hand Hand
}

// nonzero replaces key 0 by another one, as arbitrary as any hash.
func nonzero(key uint64) uint64 {
	if key == 0 {
		return 0xd1b54a32d192ed03
	}
	return key
}

// path is the set of positions between the root and the current node, with their
// depths.
type path struct {
	keys   []uint64 // open hash table of 1<<bits slots; 0 is empty
	visits []visit
	shift  uint
	count  int
	sum    uint64 // of the hashes of all visits
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
	p.keys, p.visits, p.shift = make([]uint64, 1<<b), make([]visit, 1<<b), 64-b
}

// mix is a bijection in which every bit of x affects every bit of the result
// (Stafford's variant 13 of the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func visitHash(at position, depth int) uint64 {
	return mix(at.key + mix(uint64(at.hand)|uint64(depth+1)<<32))
}

func (p *path) slot(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> p.shift) }

// push adds a position. Positions are popped in reverse order.
func (p *path) push(at position, depth int) {
	if p.count++; 2*p.count > len(p.keys) {
		p.grow()
	}
	p.insert(at.key, visit{at.hand, int32(depth)})
	p.sum += visitHash(at, depth)
}

func (p *path) insert(key uint64, v visit) {
	i := p.slot(key)
	for p.keys[i] != 0 {
		i = (i + 1) & (len(p.keys) - 1)
	}
	p.keys[i], p.visits[i] = key, v
}

// grow doubles the table. It inserts positions by depth, so that they can still be
// popped in reverse order.
func (p *path) grow() {
	keys, visits := p.keys, p.visits
	p.resize(uint(bits.Len(uint(len(keys)))))
	order := make([]int, p.count)
	for i, key := range keys {
		if key != 0 {
			order[visits[i].depth] = i
		}
	}
	for _, i := range order[:p.count-1] {
		p.insert(keys[i], visits[i])
	}
}

// pop removes the position that was pushed last.
func (p *path) pop(at position, depth int) {
	i := p.slot(at.key)
	for p.keys[i] != at.key || p.visits[i].depth != int32(depth) {
		i = (i + 1) & (len(p.keys) - 1)
	}
	p.keys[i] = 0
	p.count--
	p.sum -= visitHash(at, depth)
}

// find returns the depth of the deepest position on the path with the same key as at and
// a hand that covers at's, or -1.
func (p *path) find(at position, guards Hand) int {
	depth := int32(-1)
	for i := p.slot(at.key); p.keys[i] != 0; i = (i + 1) & (len(p.keys) - 1) {
		if p.keys[i] == at.key && covers(p.visits[i].hand, at.hand, guards) {
			depth = max(depth, p.visits[i].depth)
		}
	}
	return int(depth)
}

// pathKey returns the key of results that hold only below the current path, since
// the positions on it decide which moves repeat (the twins of Kishimoto & Müller,
// "A general solution to the graph history interaction problem", 2004).
func (p *path) pathKey(key uint64) uint64 { return (key ^ mix(p.sum)) | 1 }
