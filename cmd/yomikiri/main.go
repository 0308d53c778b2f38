package main

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/extras"
	"github.com/yomikiri/yomikiri/cmd"
	gomokucmd "github.com/yomikiri/yomikiri/cmd/gomoku"
	shogicmd "github.com/yomikiri/yomikiri/cmd/shogi"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// list is the games of the command. The first is the one that "bench retro" measures by
// default.
var list = []cmd.Plugin{
	{Family: app.New(dobutsu.Family)},
	{Family: app.NewScored(awari.Family)},
	{Family: app.New(checkers.Family, extras.Checkers)},
	{Family: app.New(connect4.Family)},
	{Family: app.New(gomoku.Family, gomokucmd.Extra), Commands: gomokucmd.Commands},
	{Family: app.New(hex.Family, extras.Hex)},
	{Family: app.NewScored(othello.Family, extras.Othello)},
	{Family: app.New(shogi.Family, shogicmd.Extra), Commands: shogicmd.Commands, Benches: shogicmd.Benches},
	{Family: app.New(tictactoe.Family)},
}

func main() { cmd.Main(list...) }
