package records

import (
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
)

type playedDobutsu = app.Played[dobutsu.Position, dobutsu.Move]

// Dobutsu reads and writes games as lines of USI.
var Dobutsu = []app.Format[*dobutsu.Game, dobutsu.Position, dobutsu.Move]{animals.format()}

// animals are lines of USI.
var animals = &lineFormat[*dobutsu.Game, dobutsu.Position, dobutsu.Move]{
	name: "USI (position startpos moves b3b2)", extension: extensionUSI,
	is: func(line string) bool { return withoutUSI(line) != line }, // other lines are positions, of which a file may be a list
	of: func(line string) bool {
		g, err := dobutsu.Family.Open("dobutsu")
		if err != nil {
			return false
		}
		_, _, err = readAnimals(g, line)
		return err == nil
	},
	read: func(g *dobutsu.Game, line string) (game playedDobutsu, err error) {
		game.From, game.Moves, err = readAnimals(g, line)
		return game, err
	},
	write: func(g *dobutsu.Game, x *playedDobutsu) (string, bool) { return "position " + positionLine(g, x), true },
}

// withoutUSI returns a line without the words that USI has before a position.
func withoutUSI(line string) string {
	line = strings.TrimSpace(strings.TrimPrefix(line+" ", "position "))
	return strings.TrimSpace(strings.TrimPrefix(line+" ", "sfen "))
}

func readAnimals(g *dobutsu.Game, line string) (dobutsu.Position, []dobutsu.Move, error) {
	return games.ReadGame(games.Game[dobutsu.Position, dobutsu.Move](g), withoutUSI(line))
}
