package play

// What orders the moves of a position: the move that the table has, tactical moves, quiet moves
// that were good elsewhere at this ply, the rest by how good they have been, and captures that lose material.
const (
	tableRank    = 1 << 30 // 1 more for a tactical move, less for one that loses material
	tacticalRank = 1 << 28
	killerRank   = 1 << 27
	quietRank    = 1 << 26
	losingRank   = 1 << 25
	mostHistory  = 1 << 14
)

// place is the rank of a move in its upper half. The lower half is greater for moves that were
// generated earlier.
type place uint64

func placeOf(rank int32, number int) place { return place(rank)<<32 | place(^uint32(number)) }

// number returns the number of the move among the moves as they were generated.
func (p place) number() int { return int(^uint32(p)) }

// quiet reports whether a move that [worker.rank] has ranked is not tactical.
func (p place) quiet() bool { return p>>32 < tacticalRank || p>>32 == tableRank }

// losing reports whether the move is a capture that loses material.
func (p place) losing() bool { return p>>32 <= losingRank }

// promise returns how good a quiet move has been, in ±mostHistory.
func (p place) promise() int32 {
	if p>>32 == tableRank {
		return 0
	}
	if p>>32 >= killerRank {
		return mostHistory
	}
	return int32(p>>32) - quietRank
}

// next returns the place of the most promising of the moves at a ply, of which i have been searched. That of
// the given number, if not negative, comes first. The others are ranked only if they are wanted.
func (w *worker[P, M]) next(at, i, first int) place {
	y := &w.plies[at]
	switch {
	case i == 0 && first >= 0:
		y.ranks = w.cursor.AppendRanks(y.ranks[:0], y.moves[first:first+1])
		y.order = append(y.order[:0], placeOf(tableRank+min(y.ranks[0], 1), first))
		return y.order[0]
	case i == 0 || i == 1 && first >= 0:
		w.rank(at, first)
	}
	return y.best(i)
}

// best brings the best of the places from number i on to that number, and returns it.
func (y *ply[M]) best(i int) place {
	best := i
	for j := i + 1; j < len(y.order); j++ {
		if y.order[j] > y.order[best] {
			best = j
		}
	}
	y.order[i], y.order[best] = y.order[best], y.order[i]
	return y.order[i]
}

// rank appends the places of the moves at a ply, except the first one.
func (w *worker[P, M]) rank(at, first int) {
	y := &w.plies[at]
	y.ranks = w.cursor.AppendRanks(y.ranks[:0], y.moves)
	y.order = y.order[:min(first+1, 1)]
	history := &w.history[at%2]
	for i, r := range y.ranks {
		switch {
		case i == first:
			continue
		case r > 0:
			r = tacticalRank + min(r, tacticalRank-1)
		case r < 0:
			r = losingRank + max(r, -losingRank)
		case y.killed > 0 && y.moves[i] == y.killers[0]:
			r = killerRank + 1
		case y.killed > 1 && y.moves[i] == y.killers[1]:
			r = killerRank
		default:
			r = int32(history[w.slotOf(&y.moves[i])%slots])
			if w.selects {
				r = max(r, 0)
			}
			r += quietRank
		}
		y.order = append(y.order, placeOf(r, i))
	}
}

// reward remembers a quiet move that was good enough, and that those before it were not: the less the nearer
// that brings them to mostHistory.
func (w *worker[P, M]) reward(at, depth, i int) {
	y := &w.plies[at]
	m := &y.moves[y.order[i].number()]
	if y.killed == 0 || y.killers[0] != *m {
		y.killers[0], y.killers[1] = *m, y.killers[0]
		y.killed = min(y.killed+1, len(y.killers))
	}
	history := &w.history[at%2]
	step := int32(min(32*depth*(depth+1), 2000))
	add := func(m *M, by int32) {
		h := &history[w.slotOf(m)%slots]
		v := int32(*h)
		*h = int16(v + by - v*max(by, -by)/mostHistory)
	}
	worse := -step
	if w.selects {
		worse /= 4
	}
	for _, p := range y.order[:i] {
		if p.quiet() {
			add(&y.moves[p.number()], worse)
		}
	}
	add(m, step)
}
