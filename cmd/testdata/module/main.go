// Command nim is yomikiri with one game, which is not in its repository.
package main

import (
	"example.com/mygames/nim"
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func main() {
	cmd.Main(cmd.Plugin{Family: app.New(nim.Family, nim.Sums), Commands: nim.Commands}, cmd.Plugin{Family: app.New(tictactoe.Family)})
}
