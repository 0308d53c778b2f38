package lookup_test

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// A handler answers what a page asks, without a server. In a browser, db.OpenPacked opens the database.
func ExampleOpen() {
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
	g := games.Game[tictactoe.Position, tictactoe.Move](tictactoe.Game{})
	h, err := lookup.Open(context.Background(), g, g, d)
	if err != nil {
		fmt.Println(err)
		return
	}
	status, answer := h.Serve(context.Background(), lookup.Request{Method: "GET", Path: "tictactoe/line", Query: "position=xo./xx./.oo"})
	fmt.Printf("%d %s", status, answer)
	// Output: 200 {"game":"tictactoe","position":"xo./xx./.oo","moves":["a1"],"positions":["xo./xx./xoo"],"end":"over"}
}
