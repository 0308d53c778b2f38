package records_test

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/games/checkers"
)

// A game is read up to its first error.
func ExampleRead() {
	family := app.New(checkers.Family, app.Extra[*checkers.Game, checkers.Position, checkers.Move]{Records: records.Checkers})
	g, err := family.Open("checkers")
	if err != nil {
		panic(err)
	}
	list, err := records.Read(context.Background(), g, "games.pdn", []byte("1. 11-15 22-18 2. 15x22 9-5 *"))
	if err != nil {
		panic(err)
	}
	for _, r := range list {
		p := r.From
		for _, m := range r.Moves {
			fmt.Println(g.MoveText(p, m))
			p = g.Play(p, m)
		}
		fmt.Println(r.Err)
	}
	// Output:
	// 11-15
	// 22-18
	// 15x22
	// PDN line 1: ply 4: move "9-5": not one of the legal moves: 26x17 25x18
}
