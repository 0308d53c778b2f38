package variant

import "github.com/yomikiri/yomikiri/games"

var _ games.Classed = (*Tables)(nil)

// Classes implements [games.Classed]. Where captures fill hands there are none: sides own no pieces there.
func (x *Tables) Classes() (list []games.Class) {
	if x.held {
		return nil
	}
	for _, b := range x.blocks {
		if b.key.step >= 0 {
			continue
		}
		m := b.key.material
		c := games.Class{Side: int(b.key.turn) + 1, Pieces: m.count(), Start: b.start, Size: b.size}
		if x.turned != nil {
			c.Both = m == m.turned()
			if x.compare(m.turned(), m) > 0 {
				m, c.Side = m.turned(), 2
			}
		}
		c.Name = x.className(m)
		list = append(list, c)
	}
	return list
}

// Label implements [games.Classed].
func (x *Tables) Label(indices []uint64, out *games.Labelled) {
	out.Status, out.Ways = out.Status[:0], out.Ways[:0]
	var b board
	var buffer []Move
	var c *block
	for _, index := range indices {
		status, ways := games.Hole, uint32(0)
		if c = x.blockOf(index, c); c.decode(x, index, &b) {
			status, ways = games.Unfinished, x.ways(c, index, &b)
			if v := b.ended(); v != noResult {
				status = v.value()
			} else if !b.canMove(&buffer) {
				status = b.stuck().value()
			}
		}
		out.Status, out.Ways = append(out.Status, status), append(out.Ways, ways)
	}
}

// ways returns how many positions a board with an index stands for when like pieces are told apart: what permutes them, by
// the symmetries that map the board to itself, times those that leave every piece where it is.
func (x *Tables) ways(c *block, index uint64, b *board) uint32 {
	permuted, whole, fixed := uint32(1), uint32(0), uint32(0)
	for i := range c.groups {
		for n := 2; n <= c.groups[i].count; n++ {
			permuted *= uint32(n)
		}
	}
	if permuted == 1 {
		return 1
	}
	keep := c.symmetries(x, index)
	for i, p := range c.ops {
		if keep>>i&1 == 0 {
			continue
		}
		same, still := true, true
		for i := range c.groups {
			men := b.of(c.groups[i].side, c.groups[i].kind)
			if same = p.set(men) == men; !same {
				break
			}
			for ; still && !men.empty(); still = still && p.fixes(men.pop()) {
			}
		}
		if same {
			whole++
			if still {
				fixed++
			}
		}
	}
	return permuted * fixed / whole
}

// symmetries returns which symmetries leave the anchors of a position where they are, a bit each.
func (c *block) symmetries(x *Tables, index uint64) uint16 {
	if c.anchor[0] < 0 {
		return 1<<len(c.ops) - 1
	}
	pair := c.pairs[(index-c.start)/(c.size/uint64(len(c.pairs)))]
	at := int(pair.a) * x.squares
	if c.anchor[1] >= 0 {
		at += int(pair.b)
	}
	return c.pairOf[at].ops
}

func (p permutation) fixes(s int) bool { return int(p[s]) == s }
