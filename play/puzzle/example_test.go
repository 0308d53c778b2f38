package puzzle

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games/tictactoe"
)

func ExampleFinder() {
	g := tictactoe.Game{}
	f := Finder[position, move]{Game: g, Database: solve(), Wins: true} // elsewhere a prober of a database
	list, _, err := f.Find(context.Background(), 1, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := list[0]
	fmt.Printf("%s: %s is a %v, the best other move a %v\n", g.AppendPosition(nil, p.Position), g.AppendMove(nil, p.Position, p.Move), p.Value, p.Second)
	// Output: .o./oxx/.x.: a3 is a win in 3, the best other move a draw
}
