// Package cmd is the command yomikiri: a file for each subcommand, which reads flags
// and prints results, and leaves the work to the engines.
//
// A program with games of its own lists them, each in a line, and gets all the
// commands:
//
//	package main
//
//	import (
//		"example.com/mygames/nim"
//		"github.com/yomikiri/yomikiri/app"
//		"github.com/yomikiri/yomikiri/cmd"
//		"github.com/yomikiri/yomikiri/games/tictactoe"
//	)
//
//	func main() {
//		cmd.Main(cmd.Plugin{Family: app.New(nim.Family)}, cmd.Plugin{Family: app.New(tictactoe.Family)})
//	}
//
// A command knows no type of a game: it gets a game as an [app.Game], which says what the game has.
package cmd
