// Command nim is yomikiri with one game, which is not in its repository.
package main

import (
	"example.com/mygames/nim"
	"github.com/yomikiri/yomikiri/cmd"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func main() { cmd.Main(cmd.Game(nim.Family, nim.Sums), cmd.Game(tictactoe.Family)) }
