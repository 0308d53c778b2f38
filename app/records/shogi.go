package records

import (
	"fmt"
	"iter"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
)

// Shogi reads games in KIF, KI2, CSA and USI.
var Shogi = app.RecordReader[shogi.Game, shogi.Position, shogi.Move]{
	Recognise: func(begin []byte) bool {
		text := shogirecord.Decode(begin)
		if shogirecord.Detect(text) != shogirecord.SFEN {
			return true
		}
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return shogirecord.IsSFEN(line)
	},
	Read: func(_ shogi.Game, text []byte) iter.Seq2[app.Played[shogi.Position, shogi.Move], error] {
		return func(yield func(app.Played[shogi.Position, shogi.Move], error) bool) {
			list, err := shogirecord.Parse(text, shogi.UsualHands)
			if err != nil {
				yield(app.Played[shogi.Position, shogi.Move]{}, err)
				return
			}
			for _, r := range list {
				game := app.Played[shogi.Position, shogi.Move]{From: r.Start, Hands: r.Hands.String(), Moves: r.Moves, Resigned: r.Ending == shogirecord.Resigned}
				if r.Names != [2]string{} {
					game.Title = fmt.Sprintf("%s - %s", r.Names[shogi.Black], r.Names[shogi.White])
				}
				if !yield(game, r.Err) {
					return
				}
			}
		}
	},
}
