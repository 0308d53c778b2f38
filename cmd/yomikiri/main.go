package main

import (
	"github.com/yomikiri/yomikiri/cmd"
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
	cmd.Game(dobutsu.Family),
	cmd.Game(awari.Family),
	cmd.Game(checkers.Family, cmd.Checkers),
	cmd.Game(connect4.Family),
	cmd.Game(gomoku.Family, cmd.Gomoku),
	cmd.Game(hex.Family, cmd.Hex),
	cmd.Game(othello.Family, cmd.Othello),
	cmd.Game(shogi.Family, cmd.Tsume),
	cmd.Game(tictactoe.Family),
}

func main() { cmd.Main(list...) }
