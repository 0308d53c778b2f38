package cmd

import (
	"iter"

	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// Checkers is what checkers has beyond other games: the plain rules to check proofs by, and games
// in PDN.
var Checkers = Extra[*checkers.Game, checkers.Position, checkers.Move]{
	Check: rules.Check,
	Records: &Records[*checkers.Game, checkers.Position, checkers.Move]{
		Recognise: checkers.IsPDN,
		Read: func(g *checkers.Game, text []byte) iter.Seq2[Recorded[checkers.Position, checkers.Move], error] {
			return func(yield func(Recorded[checkers.Position, checkers.Move], error) bool) {
				for r, err := range g.ParsePDN(string(text)) {
					var game Recorded[checkers.Position, checkers.Move]
					if r != nil {
						game.Line, game.From, game.Moves = r.Line, r.Start, r.Moves
					}
					if !yield(game, err) {
						return
					}
				}
			}
		},
	},
}
