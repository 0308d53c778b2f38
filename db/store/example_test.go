package store_test

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// A database in a directory becomes one file, which is opened like the directory. On disk, leave FS out.
func ExamplePack() {
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
	if err := store.Pack(context.Background(), d, "tictactoe.packed", store.PackOptions{FS: fs}); err != nil {
		fmt.Println(err)
		return
	}
	packed, err := store.Open("tictactoe.packed", &store.Options{FS: fs})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer packed.Close()
	fmt.Println(packed.Manifest().Content.StartValue, packed.Manifest().Checksum == d.Manifest().Checksum)
	// Output: draw true
}
