//go:build race

package server_test

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// families are small games for the race detector: the engines of all games would be compiled for it once more.
func families() []*app.Family {
	return []*app.Family{app.New(tictactoe.Family), app.NewScored(awari.Family)}
}
