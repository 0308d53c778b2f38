package records

import (
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/connect4"
)

// Connect4 reads and writes games as the digits of their columns.
var Connect4 = []app.Format[*connect4.Game, connect4.Position, connect4.Move]{digits.format()}

// digits are lines of columns. What follows them after a blank, such as the score of a problem, is kept.
var digits = &lineFormat[*connect4.Game, connect4.Position, connect4.Move]{
	name: "digits of columns (4455352)", extension: extensionMoves,
	is: func(line string) bool {
		columns, rest, _ := strings.Cut(line, " ")
		return connect4.IsDigits(columns) && strings.Trim(rest, " -0123456789") == ""
	},
	read: func(g *connect4.Game, line string) (game app.Played[connect4.Position, connect4.Move], err error) {
		columns, rest, found := strings.Cut(line, " ")
		game.From = g.Start()
		if found {
			game.Record = " " + rest
		}
		game.Moves, err = g.ParseDigits(columns)
		return game, err
	},
	write: func(g *connect4.Game, x *app.Played[connect4.Position, connect4.Move]) (string, bool) {
		text := string(connect4.AppendDigits(nil, x.Moves))
		if r, ok := x.Record.(*lineRecord); ok {
			if rest, ok := r.game.(string); ok {
				text += rest
			}
		}
		return text, x.From == g.Start() && connect4.IsDigits(string(connect4.AppendDigits(nil, x.Moves)))
	},
}
