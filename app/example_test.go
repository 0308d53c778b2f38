package app_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
)

// Example solves a game, looks up a position, searches it, and proves its value. Nothing here but
// app.New knows which game it is.
func Example() {
	ctx := context.Background()
	g, err := app.New(tictactoe.Family).Open("tictactoe")
	if err != nil {
		log.Fatal(err)
	}
	p, err := games.PlayMoves(g.Board, g.Start(), []string{"b2", "a2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.PositionText(p))

	dir, err := os.MkdirTemp("", "tictactoe")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	u, err := g.Universe()
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := retro.Solve(ctx, u, dir, retro.Config{}); err != nil {
		log.Fatal(err)
	}
	files, err := store.Open(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	d, err := g.Database(files)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	v, err := d.Probe(p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("by the database:", v)

	search, err := g.Search(play.Config[app.Position]{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := search.Search(ctx, play.Query[app.Position, app.Move]{From: p, Limits: play.Limits{Depth: 7}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("by a search:", g.MoveText(p, r.Best().Moves[0]))

	prover, err := g.Prover(p, solver.Config{Memory: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	asked, known, err := prover.Solve(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("by proof:", known, asked[0].Outcome)
	// Output:
	// .../ox./...
	// by the database: win in 5
	// by a search: c1
	// by proof: true proven
}
