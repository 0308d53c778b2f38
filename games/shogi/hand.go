package shogi

// Hand is the pieces that a player holds: a count for each kind, with a spare bit
// above it so that all counts are compared at once.
//
//	bits 0-5    6-9     10-13    14-17    18-21   22-24    25-27
//	pawns       lances  knights  silvers  golds   bishops  rooks
//
// The zero Hand is empty. Equal hands are equal numbers.
type Hand uint32

var (
	handShift = [handKinds]uint{Pawn: 0, Lance: 6, Knight: 10, Silver: 14, Gold: 18, Bishop: 22, Rook: 25}
	handOne   = [handKinds]Hand{Pawn: 1, Lance: 1 << 6, Knight: 1 << 10, Silver: 1 << 14, Gold: 1 << 18, Bishop: 1 << 22, Rook: 1 << 25}
)

// handField holds the bits of a kind's count in place.
var handField = [handKinds]Hand{Pawn: 31, Lance: 7 << 6, Knight: 7 << 10, Silver: 7 << 14, Gold: 7 << 18, Bishop: 3 << 22, Rook: 3 << 25}

// HandGuards are the spare bits above the counts.
const HandGuards Hand = 1<<5 | 1<<9 | 1<<13 | 1<<17 | 1<<21 | 1<<24 | 1<<27

// handOrder is the order in which kinds are written, the most valuable first.
var handOrder = [7]Kind{Rook, Bishop, Gold, Silver, Knight, Lance, Pawn}

// Count returns how many pieces of the unpromoted kind k are in hand.
func (h Hand) Count(k Kind) int { return int(h & handField[k] >> handShift[k]) }

// Has reports whether a piece of the unpromoted kind k is in hand.
func (h Hand) Has(k Kind) bool { return h&handField[k] != 0 }

// With returns h with one more piece of the unpromoted kind k. A hand must not hold
// more of a kind than a set has.
func (h Hand) With(k Kind) Hand { return h + handOne[k] }

// Without returns h with one piece less of kind k. It must have one.
func (h Hand) Without(k Kind) Hand { return h - handOne[k] }

// Field returns the bits of the count of the unpromoted kind k.
func Field(k Kind) Hand { return handField[k] }

// AllHands is a hand with every count as large as its field allows.
const AllHands Hand = 1<<28 - 1 - HandGuards

// Larger returns the larger count of each kind.
func (h Hand) Larger(other Hand) Hand {
	of := fieldsBelow((h | HandGuards) - other)
	return h&of | other&^of&AllHands
}

// Smaller returns the smaller count of each kind.
func (h Hand) Smaller(other Hand) Hand {
	of := fieldsBelow((other | HandGuards) - h)
	return h&of | other&^of&AllHands
}

// Held returns the count fields of the kinds that h has, with all bits set.
func (h Hand) Held() Hand { return ^fieldsBelow(HandGuards-h) & AllHands }

// fieldsBelow returns the count fields below the guard bits set in h. Bishops and rooks have
// fields of two bits, pawns five, and the others three.
func fieldsBelow(h Hand) Hand {
	two, five := h&(1<<24|1<<27), h&(1<<5)
	three := h & HandGuards &^ (two | five)
	return two - two>>2 | three - three>>3 | five - five>>5
}

// Len returns the number of pieces in hand.
func (h Hand) Len() int {
	n := 0
	for _, k := range handOrder {
		n += h.Count(k)
	}
	return n
}
