// Package extras joins games to engines and rules that only they have. What has commands of its own
// too, as gomoku and shogi, is in a package of the command.
package extras

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver/connect"
	othellosolver "github.com/yomikiri/yomikiri/solver/othello"
)

// What games have beyond others: plain rules to check proofs by, records of games, deciders, and a search for scores.
var (
	Checkers = app.Extra[*checkers.Game, checkers.Position, checkers.Move]{Check: rules.Check, Records: records.Checkers}
	Connect4 = app.Extra[*connect4.Game, connect4.Position, connect4.Move]{Records: records.Connect4}
	Dobutsu  = app.Extra[*dobutsu.Game, dobutsu.Position, dobutsu.Move]{Records: records.Dobutsu}
	Hex      = app.Extra[*hex.Game, hex.Position, hex.Move]{Check: rules.Check, Decider: connect.NewDecider[*hex.Game], Records: records.Hex}
	Othello  = app.Extra[*othello.Game, othello.Position, othello.Move]{Check: rules.Check, Points: newOthelloSearch, Decider: othellosolver.NewDecider, Records: records.Othello}
)
