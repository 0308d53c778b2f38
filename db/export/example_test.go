package export_test

import (
	"context"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db/export"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// Some losses of tic-tac-toe.
func ExampleWrite() {
	fs := vfs.NewMem()
	u, err := games.UniverseOf(tictactoe.Game{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, _, err := retro.Solve(context.Background(), u, "tictactoe.db", retro.Config{FS: fs}); err != nil {
		fmt.Println(err)
		return
	}
	d, err := store.Open("tictactoe.db", &store.Options{FS: fs})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	where, err := export.ParseWhere("value = loss and distance >= 4 and index < 100", &d.Manifest().Content)
	if err != nil {
		fmt.Println(err)
		return
	}
	source := &export.Source{Manifest: d.Manifest(), Block: func(_ context.Context, tier int, block uint64) ([]byte, error) { return d.Block(tier, block) }}
	rows, err := export.Write(context.Background(), os.Stdout, source, export.Options{Format: export.CSV, Where: where, Threads: 1})
	fmt.Println(rows, err)
	// Output:
	// index,value,distance
	// 34,loss,4
	// 46,loss,4
	// 64,loss,4
	// 68,loss,4
	// 88,loss,4
	// 5 <nil>
}
