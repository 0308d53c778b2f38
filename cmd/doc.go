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
//		"github.com/yomikiri/yomikiri/cmd"
//		"github.com/yomikiri/yomikiri/games/tictactoe"
//	)
//
//	func main() { cmd.Main(cmd.Game(nim.Family), cmd.Game(tictactoe.Family)) }
//
// [Game] compiles the commands for the game's own types of position and move. Whether a
// game has a capability is found out when a command needs it. Anything that only one game
// has, such as threats or commands of its own, is an [Extra] beside it in the list.
package cmd
