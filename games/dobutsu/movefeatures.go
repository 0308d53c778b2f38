package dobutsu

import "github.com/yomikiri/yomikiri/games"

var _ games.MoveFeatures[Position, Move] = (*Game)(nil)

const (
	mostRanks      = fieldBits / files
	nearRanks      = 7 // up to three ahead and behind
	mostApart      = 3
	animalPromotes = int32(kinds)
	animalDrops    = animalPromotes + 1
)

// The groups of features of a move. An animal is one after its move, by kind.
var moveFeatureSet = games.MoveFeatureSet{Version: "dobutsu-moves-1", Sizes: []int32{
	animalDrops + int32(kindHen),     // moved, a chick that becomes a hen, or dropped
	int32(kindLion) * 2,              // the kind captured; whether it has just moved
	int32(kinds) * 2 * 3,             // an animal; whether it was attacked; how safe it is
	3,                                // it attacks the lion; how safe it is
	2,                                // the own lion can be captured; or it has won on the far rank
	int32(kinds) * files * nearRanks, // an animal beside the lion of the opponent
	int32(kinds) * files * nearRanks, // an animal beside its own lion
	int32(kinds) * mostRanks * 2,     // an animal and its square up to mirror images
	mostApart + 1,                    // steps from the animal that has just moved
}}

// MoveFeatureSet implements [games.MoveFeatures].
func (g *Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (g *Game) AppendMoveFeatures(dst []int32, p Position, last *Move, moves []Move) []int32 {
	for _, m := range moves {
		dst = g.appendMoveFeatures(dst, &p, last, m)
	}
	return dst
}

func (g *Game) appendMoveFeatures(dst []int32, p *Position, last *Move, m Move) []int32 {
	to := int(m.to)
	target := g.turnSquare(to) // as the opponent sees it, whose turn it is in q
	q := g.Play(*p, m)
	k := q.theirs.kindAt(1 << target)
	animal, wasAttacked := int32(k), int32(0)
	if dropped, ok := m.dropped(); ok {
		animal = animalDrops + int32(dropped)
	} else {
		if k != p.mine.kindAt(1<<m.from) {
			animal = animalPromotes
		}
		if g.attacking(&p.theirs, int(m.from)) != 0 {
			wasAttacked = 1
		}
	}
	apart, distance := games.NoFeature, -1
	if last != nil {
		from := g.turnSquare(int(last.to))
		distance = max(span(from/files, to/files), span(from%files, to%files))
		apart = int32(min(distance, mostApart))
	}
	captured := games.NoFeature
	if p.theirs.all()&(1<<to) != 0 {
		captured = 2 * int32(p.theirs.kindAt(1<<to))
		if distance == 0 {
			captured++
		}
	}
	safety := int32(0) // not attacked; else defended or not
	if g.attackers(&q.mine, target) != 0 {
		safety = 1
		if g.attacking(&q.theirs, target) != 0 {
			safety = 2
		}
	}
	check := games.NoFeature
	if g.attacking(&q.theirs, q.mine.lion()) != 0 {
		check = safety
	}
	end := games.NoFeature
	switch {
	case g.attackers(&q.mine, q.theirs.lion()) != 0:
		end = 0
	case k == kindLion && g.try && g.far&(1<<to) != 0:
		end = 1
	}
	middle := int32(0)
	if to%files == files/2 {
		middle = 1
	}
	return append(dst, animal, captured, (int32(k)*2+wasAttacked)*3+safety, check, end,
		beside(k, p.theirs.lion(), to), beside(k, p.mine.lion(), to), (int32(k)*mostRanks+int32(to/files))*2+middle, apart)
}

// attacking returns the animals of the side that is not to move that attack a square.
func (b *board) attacking(s *side, to int) (set uint32) {
	for k := range kinds {
		set |= s.board[k] & b.steps[k][to] // they step the other way
	}
	return set
}

// beside returns a number for an animal beside a lion, up to mirror images.
func beside(k kind, lion, to int) int32 {
	rank := to/files - lion/files + nearRanks/2
	if rank < 0 || rank >= nearRanks {
		return games.NoFeature
	}
	return (int32(k)*files+int32(span(to%files, lion%files)))*nearRanks + int32(rank)
}

// span returns how far apart two numbers are.
func span(a, b int) int { return max(a-b, b-a) }
