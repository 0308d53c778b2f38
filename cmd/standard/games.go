// Package standard is the list of the games that the command yomikiri has. A package of its own, it is compiled
// once, with the engines for each game, for the programs and for the tests of commands.
package standard

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/extras"
	"github.com/yomikiri/yomikiri/cmd/gomoku"
	"github.com/yomikiri/yomikiri/cmd/shogi"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	gomokugame "github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	shogigame "github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// Games is the list. The first is the one that "bench retro" measures by default.
var Games = []ui.Plugin{
	{Family: app.New(dobutsu.Family, extras.Dobutsu)},
	{Family: app.NewScored(awari.Family)},
	{Family: app.New(checkers.Family, extras.Checkers)},
	{Family: app.New(connect4.Family, extras.Connect4)},
	{Family: app.New(gomokugame.Family, gomoku.Extra), Commands: gomoku.Commands},
	{Family: app.New(hex.Family, extras.Hex)},
	{Family: app.NewScored(othello.Family, extras.Othello)},
	{Family: app.New(shogigame.Family, shogi.Extra), Commands: shogi.Commands, Benches: shogi.Benches},
	{Family: app.New(tictactoe.Family)},
}
