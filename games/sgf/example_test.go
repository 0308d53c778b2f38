package sgf_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/sgf"
)

// A game is read, played and written with a mark.
func Example() {
	list, err := sgf.Parse("(;GM[2]PB[Ann];B[f5];W[d6](;B[c3])(;B[c5]))")
	if err != nil {
		panic(err)
	}
	g, err := othello.Family.Open("othello")
	if err != nil {
		panic(err)
	}
	d := g.SGF()
	from, moves, err := d.Replay(list[0])
	if err != nil {
		panic(err)
	}
	p := from
	for i, m := range moves {
		fmt.Printf("%d. %s\n", i+1, g.AppendMove(nil, p, m))
		p = g.Play(p, m)
	}
	d.Remark(list[0], from, 0, "!", "all first moves are the same", nil)
	fmt.Printf("%s", list[0].Append(nil))
	// Output:
	// 1. f5
	// 2. d6
	// 3. c3
	// (;GM[2]PB[Ann]CA[UTF-8]
	// ;B[f5]TE[1]C[yomikiri: ! all first moves are the same];W[d6]
	// (;B[c3])
	// (;B[c5]))
}
