package app

import (
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
)

// Proven is what proofs say about the values of positions of a game; see [proof.Values]. It is safe for concurrent use.
type Proven interface {
	play.Proofs[Position]
	Add(check func(node func(proof.Claim, *proof.Node)) error) error
}

// proven is the [Proven] of a game with positions P.
type proven[P comparable] struct{ *proof.Values[P] }

func (v proven[P]) Bounds(p Position) (games.Bounds, uint64) { return v.Values.Bounds(p.value.(P)) }

// provenOf returns what engines ask of a [Proven]; nil if x is nil.
func provenOf[P comparable](x play.Proofs[Position]) play.Proofs[P] {
	if x == nil {
		return nil
	}
	return x.(proven[P]).Values
}
