package records

import (
	"iter"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/checkers"
)

// Checkers reads games in PDN.
var Checkers = app.RecordReader[*checkers.Game, checkers.Position, checkers.Move]{
	Recognise: checkers.IsPDN,
	Read: func(g *checkers.Game, text []byte) iter.Seq2[app.Played[checkers.Position, checkers.Move], error] {
		return func(yield func(app.Played[checkers.Position, checkers.Move], error) bool) {
			for r, err := range g.ParsePDN(string(text)) {
				var game app.Played[checkers.Position, checkers.Move]
				if r != nil {
					game.Line, game.From, game.Moves = r.Line, r.Start, r.Moves
				}
				if !yield(game, err) {
					return
				}
			}
		}
	},
}
