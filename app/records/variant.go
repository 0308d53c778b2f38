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

// variantPGN is what such a game has for PGN.
type variantPGN interface {
	ParsePGN(text string) iter.Seq2[*variant.Record, error]
	NewRecord(from variant.Position, moves []variant.Move, players [2]string, points *float64) *variant.Record
	AppendPGN(dst []byte, r *variant.Record) []byte
	AppendSAN(dst []byte, p variant.Position, m variant.Move) []byte
}

// Variant reads and writes games of a variant in PGN. The tag Variant says which text is one of this variant.
func Variant(name string) []app.Format[variantGame, variant.Position, variant.Move] {
	type played = app.Played[variant.Position, variant.Move]
	return []app.Format[variantGame, variant.Position, variant.Move]{{
		Name:      "PGN",
		Recognise: variant.IsPGN,
		Of:        func(text []byte) bool { return variant.IsPGNOf(name, text) },
		Read: func(g variantGame, text []byte) iter.Seq2[played, error] {
			return func(yield func(played, error) bool) {
				for r, err := range g.(variantPGN).ParsePGN(pgn.Decode(text)) {
					var game played
					if r != nil {
						game = played{Line: r.Line, Title: r.Title(), From: r.Start, Moves: r.Moves, Points: r.Points(), Times: r.Times(), Record: r}
					}
					if !yield(game, err) {
						return
					}
				}
			}
		},
		Extensions: []string{Notation},
		Write: func(g variantGame, _ string, list []app.Annotated[variant.Position, variant.Move]) (text []byte) {
			writer := g.(variantPGN)
			for _, x := range list {
				r := writer.NewRecord(x.From, x.Moves, playersOf(x.Title, 0), pointsOf(&x.Played))
				if known, ok := x.Record.(*variant.Record); ok {
					*r = *known
					r.Asides = asidesOf(&known.Asides, x.Remarks != nil)
				}
				addRemarks(&r.Asides, r.Before(), g, &x, writer.AppendSAN)
				if len(text) > 0 {
					text = append(text, '\n')
				}
				text = writer.AppendPGN(text, r)
			}
			return text
		},
	}}
}
