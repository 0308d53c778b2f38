package records

import (
	"iter"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/pgn"
	"github.com/yomikiri/yomikiri/games/variant"
)

// variantGame is the type of the games from files.
type variantGame = games.Game[variant.Position, variant.Move]

// Variant reads games of a variant in PGN. The tag Variant says which text is one of this variant.
func Variant(name string) *app.RecordReader[variantGame, variant.Position, variant.Move] {
	type played = app.Played[variant.Position, variant.Move]
	return &app.RecordReader[variantGame, variant.Position, variant.Move]{
		Recognise: variant.IsPGN,
		Of:        func(text []byte) bool { return variant.IsPGNOf(name, text) },
		Read: func(g variantGame, text []byte) iter.Seq2[played, error] {
			return func(yield func(played, error) bool) {
				reader := g.(interface {
					ParsePGN(text string) iter.Seq2[*variant.Record, error]
				})
				for r, err := range reader.ParsePGN(pgn.Decode(text)) {
					var game played
					if r != nil {
						game = played{Line: r.Line, Title: r.Title(), From: r.Start, Moves: r.Moves, Points: r.Points()}
					}
					if !yield(game, err) {
						return
					}
				}
			}
		},
	}
}
