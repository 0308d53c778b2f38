package verify_test

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

func ExampleRun() {
	fs := vfs.NewMem() // on disk, leave FS out
	u, err := games.UniverseOf(tictactoe.Game{})
	if err == nil {
		_, _, err = retro.Solve(context.Background(), u, "tictactoe.db", retro.Config{FS: fs})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := verify.Run(context.Background(), "tictactoe.db", u, verify.Options{
		FS:      fs,
		Problem: func(err error) { fmt.Println("wrong:", err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Positions, "positions,", v.Problems, "problems")
	// Output: 627 positions, 0 problems
}
