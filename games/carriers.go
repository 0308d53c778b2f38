package games

import "math/bits"

// Carriers are sets of squares by which one side wins: it must have some stones, and the other side none on some
// squares. They have numbers from 1 on. The zero value has none.
//
// They are a tree. An inner node asks for a square whether the winner has a stone there, or else the other side has not: a
// carrier that demands the first is in below[0], one that demands the second in below[1], any other in below[2]. A leaf has
// a word for each square and demand, with a bit for each carrier, so that it is searched by a few operations on words.
type Carriers struct {
	all     demands // of every carrier
	below   *[3]Carriers
	square  int
	numbers []uint32
	any     demands // of the carriers of a leaf
	words   []word  // by square
}

// demands are the squares on which the winner must have a stone, and those on which the other side must not, these included.
type demands struct{ stones, squares Squares }

// word is which carriers of a leaf demand a stone of the winner's on a square, and no stone of the other side's.
type word struct{ stone, free uint64 }

// leafCarriers is how many carriers a leaf has at most, one for each bit of a word.
const leafCarriers = 64

// Add adds a carrier. It may leave it out if another demands no more.
func (c *Carriers) Add(stones, squares Squares, number uint32) {
	x := demands{stones, squares.Or(stones)}
	for {
		for c.include(&x); c.below != nil; c.include(&x) {
			switch {
			case x.stones.Has(c.square):
				c = &c.below[0]
			case x.squares.Has(c.square):
				c = &c.below[1]
			default:
				c = &c.below[2]
			}
		}
		if c.fitting(x.stones, Squares{^x.squares[0], ^x.squares[1]}) != 0 {
			return
		}
		if len(c.numbers) < leafCarriers {
			c.put(&x, number)
			return
		}
		c.split()
	}
}

// include leaves only what a carrier demands too in what all demand.
func (c *Carriers) include(x *demands) {
	if c.below == nil && len(c.numbers) == 0 {
		c.all = *x
	}
	c.all.stones, c.all.squares = c.all.stones.And(x.stones), c.all.squares.And(x.squares)
}

// put puts a carrier into a leaf that has room.
func (c *Carriers) put(x *demands, number uint32) {
	bit := uint64(1) << len(c.numbers)
	c.numbers = append(c.numbers, number)
	c.any.stones, c.any.squares = c.any.stones.Or(x.stones), c.any.squares.Or(x.squares)
	if most := x.squares.last(); most >= len(c.words) {
		c.words = append(c.words, make([]word, most+1-len(c.words))...)
	}
	for left := x.squares; !left.Empty(); left = left.Rest() {
		square := left.First()
		c.words[square].free |= bit
		if x.stones.Has(square) {
			c.words[square].stone |= bit
		}
	}
}

// last returns the highest square of a set, -1 if it is empty.
func (s Squares) last() int {
	if s[1] != 0 {
		return 64 + bits.Len64(s[1]) - 1
	}
	return bits.Len64(s[0]) - 1
}

// split makes an inner node of a full leaf. None of its carriers demands all that another does, so there is a square that
// they do not treat alike.
func (c *Carriers) split() {
	leaf, most := *c, 0
	*c = Carriers{all: leaf.all, below: new([3]Carriers)}
	for square, w := range leaf.words {
		stone, free := bits.OnesCount64(w.stone), bits.OnesCount64(w.free&^w.stone)
		if stone == leafCarriers || free == leafCarriers {
			continue
		}
		if value := min(2*stone+free, leafCarriers-stone); value > most {
			c.square, most = square, value
		}
	}
	for i, number := range leaf.numbers {
		var x demands
		for square, w := range leaf.words {
			if w.free>>i&1 != 0 {
				x.squares = x.squares.With(square)
			}
			if w.stone>>i&1 != 0 {
				x.stones = x.stones.With(square)
			}
		}
		c.Add(x.stones, x.squares, number)
	}
}

// fitting returns which carriers of a leaf fit.
func (c *Carriers) fitting(own, other Squares) uint64 {
	if len(c.numbers) == 0 {
		return 0
	}
	fit := ^uint64(0) >> (leafCarriers - len(c.numbers))
	for i := range other {
		for left := c.any.squares[i] & other[i]; left != 0 && fit != 0; left &= left - 1 {
			fit &^= c.words[64*i+bits.TrailingZeros64(left)].free
		}
	}
	for i := range own {
		for left := c.any.stones[i] &^ own[i]; left != 0 && fit != 0; left &= left - 1 {
			fit &^= c.words[64*i+bits.TrailingZeros64(left)].stone
		}
	}
	return fit
}

// barred reports whether no carrier fits since all demand too much.
func (c *Carriers) barred(own, other Squares) bool {
	return (c.all.stones[0]&^own[0] | c.all.stones[1]&^own[1] | c.all.squares[0]&other[0] | c.all.squares[1]&other[1]) != 0
}

// Find returns the number of a carrier that fits: all its stones are among own, and none of its squares is in other. It
// returns 0 if there is none.
func (c *Carriers) Find(own, other Squares) uint32 {
	for !c.barred(own, other) {
		if c.below == nil {
			if fit := c.fitting(own, other); fit != 0 {
				return c.numbers[bits.TrailingZeros64(fit)]
			}
			return 0
		}
		if own.Has(c.square) {
			if number := c.below[0].Find(own, other); number != 0 {
				return number
			}
		}
		if !other.Has(c.square) {
			if number := c.below[1].Find(own, other); number != 0 {
				return number
			}
		}
		c = &c.below[2]
	}
	return 0
}

// All calls f for the number of each carrier that fits until it returns false.
func (c *Carriers) All(own, other Squares, f func(number uint32) bool) bool {
	for !c.barred(own, other) {
		if c.below == nil {
			for fit := c.fitting(own, other); fit != 0; fit &= fit - 1 {
				if !f(c.numbers[bits.TrailingZeros64(fit)]) {
					return false
				}
			}
			return true
		}
		if own.Has(c.square) && !c.below[0].All(own, other, f) {
			return false
		}
		if !other.Has(c.square) && !c.below[1].All(own, other, f) {
			return false
		}
		c = &c.below[2]
	}
	return true
}
