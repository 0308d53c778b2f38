package checkers_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/checkers"
)

func Example() {
	g, err := checkers.Family.Open("checkers")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("W:W22,K26:B9,10,17,18,K25")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range g.AppendMoves(nil, p) {
		fmt.Printf("%s -> %s\n", g.AppendMove(nil, p, m), g.AppendPosition(nil, g.Play(p, m)))
	}
	// Output:
	// 22x15x6 -> B:W6,K26:B9,17,K25
	// 22x13x6 -> B:W6,K26:B10,18,K25
}

func ExampleGame_ParsePDN() {
	g, err := checkers.Family.Open("checkers")
	if err != nil {
		fmt.Println(err)
		return
	}
	for record, err := range g.ParsePDN(`[Event "Skittles"]
1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 2... 22-17 *
[Event "Skittles again"]
1. 11-14`) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s", g.AppendPDN(nil, record))
	}
	// Output:
	// [Event "Skittles"]
	// [Result "*"]
	//
	// 1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 2... 22-17 *
	// PDN line 4: ply 1: move "11-14": not one of the legal moves: 9-13 10-14 11-15 12-16 9-14 10-15 11-16
}
