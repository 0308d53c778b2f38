package db_test

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// solveTicTacToe makes a database in memory. On disk, leave FS out.
func solveTicTacToe() vfs.FS {
	fs := vfs.NewMem()
	u, err := games.UniverseOf(tictactoe.Game{})
	if err == nil {
		_, _, err = retro.Solve(context.Background(), u, "tictactoe.db", retro.Config{FS: fs})
	}
	if err != nil {
		panic(err)
	}
	return fs
}

func ExampleProber() {
	d, err := store.Open("tictactoe.db", &store.Options{FS: solveTicTacToe()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	g := tictactoe.Game{}
	prober, err := db.NewProber(d, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("xo./.x./..o")
	if err != nil {
		fmt.Println(err)
		return
	}
	moves, err := prober.ProbeMoves(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range moves {
		fmt.Printf("%s %v\n", g.AppendMove(nil, p, m.Move), m.Value)
	}
	// Output:
	// a1 win in 3
	// a2 win in 3
	// b1 draw
	// c2 draw
	// c3 draw
}

// With three pieces left, checkers on 4×4 is over.
func ExampleAdjudicated() {
	part, err := checkers.Family.Open("checkers:size=4x4,pieces=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fs := vfs.NewMem()
	u, err := games.UniverseOf(part)
	if err == nil {
		_, _, err = retro.Solve(context.Background(), u, "part.db", retro.Config{FS: fs, Positions: retro.All})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := store.Open("part.db", &store.Options{FS: fs})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	prober, err := db.NewProber(d, part)
	if err != nil {
		fmt.Println(err)
		return
	}
	whole, err := checkers.Family.Open("checkers:size=4x4")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := db.Adjudicate(whole, db.NewEndgame(prober), func(err error) { panic(err) })
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("B:WK4,K7:BK1,K2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range g.AppendMoves(nil, p) {
		v, over := g.Outcome(g.Play(p, m))
		fmt.Printf("%s: over %v, %v for White\n", g.AppendMove(nil, p, m), over, v.Result())
	}
	// Output:
	// 1x6: over true, draw for White
	// 2x5: over true, loss for White
}

// An Answer holds everything about a position in the game's notation, for a program
// that prints it or sends it on as JSON.
func ExampleProber_Answer() {
	d, err := store.Open("tictactoe.db", &store.Options{FS: solveTicTacToe()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	prober, err := db.NewProber(d, tictactoe.Game{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := prober.Answer(tictactoe.Game{}.Start(), [2]int{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Position, a.Value)
	fmt.Println(len(a.Moves), "moves, the first optimal:", a.Moves[0].Optimal)
	// Output:
	// .../.../... draw
	// 9 moves, the first optimal: true
}
