package variant

import (
	"math/bits"

	"github.com/yomikiri/yomikiri/games"
)

// A [Walled] game is settled a placement of its pieces at a time. On a board without walls, each move and shot is a set of
// free squares that must have no wall. So for each set of walls what remains is to compare sets, and to look up a bit of the
// position after the move. How a move changes the numbers of walls is a table for each two squares that a piece moves
// between, made when it is first needed.

// settling is the memory of a Settle.
type settling struct {
	moves []walledMove
	order []uint16 // of moves, those that have won lately first
	shots []walledShot
	// tables has for each move, by a lower and an upper half of a set of walls before it, that part of the set after it, as
	// bits for the free squares of the placement that stands for it.
	tables []uint32
	men    walledMen
	place  uint64
	free   uint64
	number [64]uint8 // of a free square
}

// walledMove is a move of a piece between two squares.
type walledMove struct {
	path       uint32 // free squares that must have no wall
	first, end int    // of its shots
	group      int
	from, to   uint8
	ready      bool   // the rest is known
	many       bool   // symmetries leave the pieces after it where they are
	base       uint64 // of the placement after it, in the tier before
	place      uint64
	men        walledMen
}

// walledShot is a wall that is set after a move.
type walledShot struct {
	path uint32 // free squares that must have no wall, with those of the move
	wall uint32 // the bit of the wall; that after the free squares is the square that the piece has left
}

// Settle implements [games.Settler].
func (x *Walled) Settle(first uint64, n int, lost []uint64, out *games.Settled) {
	out.Verdicts, out.Moves = out.Verdicts[:0], 0
	w := x.pool.Get().(*settling)
	defer x.pool.Put(w)
	tier := x.tierOf(first)
	walls := x.free - tier
	sets := x.sets[walls]
	offset := first - x.tiers[tier].Start
	for n > 0 {
		place, rank := offset/uint64(len(sets)), offset%uint64(len(sets))
		end := min(rank+uint64(n), uint64(len(sets)))
		x.begin(w, place, int(x.turn(walls)))
		simple := x.still[place] == 1
		if simple && rank == 0 {
			out.Moves += x.countMoves(w, walls)
		}
		for _, set := range sets[rank:end] {
			verdict := games.NoPosition
			if simple || x.lowest(place, &w.men, set) {
				verdict = x.settle(w, set, walls, lost)
				if !simple {
					out.Moves += w.legal(set)
				}
			}
			out.Verdicts = append(out.Verdicts, verdict)
		}
		n -= int(end - rank)
		offset += end - rank
	}
}

// begin lists the moves of a side from a placement.
func (x *Walled) begin(w *settling, place uint64, turn int) {
	w.moves, w.order, w.shots = w.moves[:0], w.order[:0], w.shots[:0]
	w.place, w.men = place, x.place(uint64(x.places[place]))
	w.free = x.freeOf(&w.men)
	i := uint8(0)
	for free := w.free; free != 0; free &= free - 1 {
		w.number[bits.TrailingZeros64(free)] = i
		i++
	}
	for group := range x.groups {
		g := &x.groups[group]
		if g.side != turn {
			continue
		}
		reach := x.reach[g.side][g.kind]
		for men := w.men[group]; men != 0; men &= men - 1 {
			from := bits.TrailingZeros64(men)
			for i := range reach[from] {
				x.movesAlong(w, group, from, &reach[from][i], reach)
			}
		}
	}
}

// movesAlong lists the moves of a piece along a ray, and their shots.
func (x *Walled) movesAlong(w *settling, group, from int, ray *walledRay, reach [][]walledRay) {
	path := uint32(0)
	for _, to := range ray.squares {
		if w.free>>to&1 == 0 {
			return
		}
		path |= 1 << w.number[to]
		if ray.moves>>to&1 == 0 {
			continue
		}
		m := walledMove{path: path, first: len(w.shots), group: group, from: uint8(from), to: to}
		rays := reach[to]
		for i := range rays {
			shot := path
			for _, at := range rays[i].squares {
				wall := uint32(1) << x.free
				if int(at) != from {
					if w.free>>at&1 == 0 {
						break
					}
					wall = 1 << w.number[at]
					shot |= wall
				}
				if rays[i].shots>>at&1 != 0 {
					w.shots = append(w.shots, walledShot{shot, wall})
				}
			}
		}
		if m.end = len(w.shots); m.end > m.first {
			w.order = append(w.order, uint16(len(w.moves)))
			w.moves = append(w.moves, m)
		}
	}
}

// countMoves returns how many moves a placement has with all sets of so many walls: a shot is legal with each set that
// does not meet its path.
func (x *Walled) countMoves(w *settling, walls int) (n uint64) {
	for i := range w.shots {
		if free := x.free - bits.OnesCount32(w.shots[i].path); walls <= free {
			n += x.ways[free][walls]
		}
	}
	return n
}

// legal returns the number of moves with a set of walls.
func (w *settling) legal(set uint32) (n uint64) {
	for i := range w.shots {
		if w.shots[i].path&set == 0 {
			n++
		}
	}
	return n
}

// settle returns the verdict of a placement with a set of walls.
func (x *Walled) settle(w *settling, set uint32, walls int, lost []uint64) games.Verdict {
	verdict := games.OverLost
	if x.rules.stalemate == win {
		verdict = games.OverWon
	}
	half := uint(x.free+2) / 2
	low := uint32(1)<<half - 1
	size := 1<<half + 1<<(uint(x.free+1)-half)
	for k, number := range w.order {
		m := &w.moves[number]
		if m.path&set != 0 {
			continue
		}
		if !m.ready {
			x.follow(w, m, int(number), walls)
		}
		table := w.tables[int(number)*size : int(number)*size+size]
		upper := table[1<<half:]
		shots := w.shots[m.first:m.end]
		for i := range shots {
			s := &shots[i]
			if s.path&set != 0 {
				continue
			}
			before := set | s.wall
			after := table[before&low] | upper[before>>half]
			rank := uint64(x.ranks[after])
			if m.many {
				rank = x.lowestRank(m, after)
			}
			if at := m.base + rank; lost[at/64]>>(at%64)&1 != 0 {
				w.order[k], w.order[k/2] = w.order[k/2], w.order[k]
				shots[i], shots[i/2] = shots[i/2], shots[i]
				return games.ToWin
			}
			verdict = games.ToLose
		}
	}
	return verdict
}

// follow finds the placement after a move, and its tables.
func (x *Walled) follow(w *settling, m *walledMove, number, walls int) {
	m.ready = true
	men := w.men
	men[m.group] ^= 1<<m.from | 1<<m.to
	at := x.placements[x.placement(&men)]
	to := x.images[at%maxImages]
	m.place = uint64(at / maxImages)
	m.base = m.place * uint64(len(x.sets[walls+1]))
	m.men = x.image(to, &men)
	m.many = x.still[m.place] != 1
	free := x.freeOf(&m.men)
	half := uint(x.free+2) / 2
	size := 1<<half + 1<<(uint(x.free+1)-half)
	if need := (number + 1) * size; len(w.tables) < need {
		w.tables = append(w.tables, make([]uint32, need-len(w.tables))...)
	}
	table := w.tables[number*size : (number+1)*size]
	fill := func(table []uint32, bit uint, square int) {
		after := uint32(0)
		if square != int(m.to) {
			after = 1 << bits.OnesCount64((uint64(1)<<to[square]-1)&free)
		}
		half := table[:1<<bit]
		for i, before := range half {
			table[1<<bit+i] = before | after
		}
	}
	table[0], table[1<<half] = 0, 0
	bit := uint(0)
	add := func(square int) {
		if bit < half {
			fill(table, bit, square)
		} else {
			fill(table[1<<half:], bit-half, square)
		}
		bit++
	}
	for before := w.free; before != 0; before &= before - 1 {
		add(bits.TrailingZeros64(before))
	}
	add(int(m.from))
}

// lowestRank returns the lowest number of a set of walls after a move whose pieces are the same by symmetry.
func (x *Walled) lowestRank(m *walledMove, set uint32) uint64 {
	rank := x.ranks[set]
	walls := spread(x.freeOf(&m.men), set)
	for i, p := range x.images {
		if x.still[m.place]>>i&1 != 0 {
			rank = min(rank, x.rankOf(&m.men, image(p, walls)))
		}
	}
	return uint64(rank)
}
