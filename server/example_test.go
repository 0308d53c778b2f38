//go:build !race

package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// open3x3 solves tic-tac-toe in memory and opens the database.
func open3x3() (server.Database, error) {
	g, err := app.New(tictactoe.Family).Open("tictactoe")
	if err != nil {
		return nil, err
	}
	u, err := g.Universe()
	if err != nil {
		return nil, err
	}
	fs := vfs.NewMem()
	if _, _, err := retro.Solve(context.Background(), u, "tictactoe.db", retro.Config{FS: fs}); err != nil {
		return nil, err
	}
	files, err := store.Open("tictactoe.db", &store.Options{FS: fs})
	if err != nil {
		return nil, err
	}
	d, err := g.Database(files)
	if err != nil {
		return nil, err
	}
	return server.NewDatabase(server.Source{Game: g, Name: "tictactoe.db", Database: d}), nil
}

// A server is a handler. Its method Serve adds what a process needs: checks, timeouts,
// and an end that cuts nobody off.
func ExampleNew() {
	d, err := open3x3()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	s, err := server.New(server.Config{Databases: []server.Database{d}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/tictactoe?position=xo./xx./.oo", nil))
	fmt.Print(w.Body)
	// Output:
	// {"game":"tictactoe","position":"xo./xx./.oo","category":"win","dtm":1,"score":null,"finished":false,"moves":[{"move":"a1","position":"xo./xx./xoo","category":"win","dtm":1,"score":null,"preserves_result":true,"optimal":true},{"move":"c2","position":"xo./xxx/.oo","category":"win","dtm":1,"score":null,"preserves_result":true,"optimal":true},{"move":"c3","position":"xox/xx./.oo","category":"loss","dtm":2,"score":null,"preserves_result":false,"optimal":false}]}
}
