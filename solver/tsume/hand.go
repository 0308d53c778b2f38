package tsume

import "github.com/yomikiri/yomikiri/games/shogi"

// handKinds lists the kinds that can be in hand.
var handKinds = [7]shogi.Kind{
	shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook,
}

// handField holds the bits of the count of each kind.
var handField [shogi.King]shogi.Hand

// allHands is a hand with every count as large as its field allows.
var allHands shogi.Hand

// guardsOfWidth are the guard bits above counts of 2, 3 and 5 bits.
var guardsOfWidth [6]shogi.Hand

func init() {
	const guards = shogi.HandGuards
	for _, k := range handKinds {
		one := shogi.Hand(0).With(k)
		width := 0
		for one<<width&guards == 0 {
			width++
		}
		handField[k] = one<<width - one
		allHands |= handField[k]
		guardsOfWidth[width] |= one << width
	}
}

// fieldsBelow returns the bits of the counts below the given guard bits.
func fieldsBelow(guards shogi.Hand) shogi.Hand {
	two, three, five := guards&guardsOfWidth[2], guards&guardsOfWidth[3], guards&guardsOfWidth[5]
	return two - two>>2 | three - three>>3 | five - five>>5
}

// larger returns the larger count of each kind.
func larger(a, b shogi.Hand) shogi.Hand {
	of := fieldsBelow(((a | shogi.HandGuards) - b) & shogi.HandGuards)
	return a&of | b&^of&allHands
}

// smaller returns the smaller count of each kind.
func smaller(a, b shogi.Hand) shogi.Hand {
	of := fieldsBelow(((b | shogi.HandGuards) - a) & shogi.HandGuards)
	return a&of | b&^of&allHands
}

// held returns the fields of the kinds that h has.
func held(h shogi.Hand) shogi.Hand {
	return ^fieldsBelow((shogi.HandGuards-h)&shogi.HandGuards) & allHands
}
