package records

import (
	"iter"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/pgn"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
)

// Checkers reads and writes games in PDN.
var Checkers = []app.Format[*checkers.Game, checkers.Position, checkers.Move]{{
	Name: "PDN",
	Recognise: func(begin []byte) bool {
		return checkers.IsPDN(begin) && !shogirecord.IsWestern(string(begin)) // which may have tags too
	},
	Read: func(g *checkers.Game, text []byte) iter.Seq2[app.Played[checkers.Position, checkers.Move], error] {
		return func(yield func(app.Played[checkers.Position, checkers.Move], error) bool) {
			for r, err := range g.ParsePDN(pgn.Decode(text)) {
				var game app.Played[checkers.Position, checkers.Move]
				if r != nil {
					game = app.Played[checkers.Position, checkers.Move]{Line: r.Line, Title: r.Title(), From: r.Start, Moves: r.Moves, Points: r.Points(), Times: r.Times(), Record: r}
				}
				if !yield(game, err) {
					return
				}
			}
		}
	},
	Extensions: []string{extensionPDN},
	Write: func(g *checkers.Game, _ string, list []app.Annotated[checkers.Position, checkers.Move]) (text []byte) {
		for _, x := range list {
			r := g.NewRecord(x.From, x.Moves, playersOf(x.Title, 0), pointsOf(&x.Played))
			if known, ok := x.Record.(*checkers.Record); ok {
				*r = *known
				r.Asides = asidesOf(&known.Asides, x.Remarks != nil)
			}
			addRemarks(&r.Asides, 0, g, &x, g.AppendMove)
			if len(text) > 0 {
				text = append(text, '\n')
			}
			text = g.AppendPDN(text, r)
		}
		return text
	},
}}

const extensionPDN = "pdn"
