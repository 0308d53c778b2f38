package gomoku_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

func ExampleNew() {
	g, err := gomoku.New(gomoku.Rules{Rows: 7, Columns: 7, K: 4, Exact: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.Play(g.Start(), gomoku.SquareAt(3, 3))
	fmt.Println(g.Name())
	fmt.Println(string(g.AppendPosition(nil, p)))
	fmt.Print(string(g.AppendBoard(nil, p)))
	// Output:
	// gomoku:size=7x7,k=4,rule=exact
	// 7/7/7/3x3/7/7/7 o
	//  7 . . . . . . .
	//  6 . . . . . . .
	//  5 . . . . . . .
	//  4 . . . x . . .
	//  3 . . . . . . .
	//  2 . . . . . . .
	//  1 . . . . . . .
	//    a b c d e f g
}

func ExampleBoard_AppendThreats() {
	g, err := gomoku.New(gomoku.Rules{Rows: 7, Columns: 9, K: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("9/9/9/3xx4/9/9/oo7 x")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range g.NewBoard(p).AppendThreats(nil, gomoku.Black, nil) {
		fmt.Println(t.Gain, "four:", t.Four, "parried by", t.Costs())
	}
	// Output:
	// b4 four: false parried by [c4 a4 f4]
	// c4 four: false parried by [b4 f4]
	// f4 four: false parried by [c4 g4]
	// g4 four: false parried by [f4 c4 h4]
}
