package connect

import "github.com/yomikiri/yomikiri/games"

// carrierTree finds carriers of one side that fit a position. An inner node asks for a square whether
// the winner has a stone there, or else the other side has not: a carrier that demands the first is in
// below[0], one that demands the second in below[1], any other in below[2].
type carrierTree struct {
	numbers []uint32 // at a leaf
	square  int
	below   *[3]carrierTree
}

// leafCarriers is how many carriers a leaf has before it is split.
const leafCarriers = 16

// add adds a carrier.
func (t *carrierTree) add(carriers []carrier, number uint32) {
	x := &carriers[number]
	for t.below != nil {
		switch {
		case x.stones.Has(t.square):
			t = &t.below[0]
		case x.squares.Has(t.square):
			t = &t.below[1]
		default:
			t = &t.below[2]
		}
	}
	t.numbers = append(t.numbers, number)
	if len(t.numbers)%leafCarriers != 0 { // carriers that are alike are not split
		return
	}
	best, most := 0, 0
	for square := range games.MaxSquares {
		stones, free := 0, 0
		for _, number := range t.numbers {
			switch x := &carriers[number]; {
			case x.stones.Has(square):
				stones++
			case x.squares.Has(square):
				free++
			}
		}
		if stones == len(t.numbers) || free == len(t.numbers) {
			continue
		}
		if value := min(2*stones+free, len(t.numbers)-stones); value > most && stones+free > 0 {
			best, most = square, value
		}
	}
	if most == 0 {
		return
	}
	numbers := t.numbers
	*t = carrierTree{square: best, below: new([3]carrierTree)}
	for _, number := range numbers {
		t.add(carriers, number)
	}
}

// find returns the number of a carrier all of whose stones are among own, with no square in other, or
// 0 if there is none.
func (t *carrierTree) find(carriers []carrier, own, other games.Squares) uint32 {
	for t.below != nil {
		if own.Has(t.square) {
			if number := t.below[0].find(carriers, own, other); number != 0 {
				return number
			}
		}
		if !other.Has(t.square) {
			if number := t.below[1].find(carriers, own, other); number != 0 {
				return number
			}
		}
		t = &t.below[2]
	}
	for i, number := range t.numbers {
		x := &carriers[number]
		if x.stones.Minus(own).Empty() && x.squares.And(other).Empty() {
			if i > 0 { // it may be asked for again soon
				t.numbers[i-1], t.numbers[i] = number, t.numbers[i-1]
			}
			return number
		}
	}
	return 0
}

// all calls f for the number of each such carrier until it returns false.
func (t *carrierTree) all(carriers []carrier, own, other games.Squares, f func(uint32) bool) bool {
	for t.below != nil {
		if own.Has(t.square) && !t.below[0].all(carriers, own, other, f) {
			return false
		}
		if !other.Has(t.square) && !t.below[1].all(carriers, own, other, f) {
			return false
		}
		t = &t.below[2]
	}
	for _, number := range t.numbers {
		if x := &carriers[number]; x.stones.Minus(own).Empty() && x.squares.And(other).Empty() && !f(number) {
			return false
		}
	}
	return true
}
