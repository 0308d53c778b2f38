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

func ExampleBoard_Threats() {
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
	for _, t := range g.NewBoard(p).Threats(gomoku.Black) {
		fmt.Println(t.Gain, "four:", t.Four, "parried by", t.Costs)
	}
	// Output:
	// b4 four: false parried by [c4 a4 f4]
	// c4 four: false parried by [b4 f4]
	// f4 four: false parried by [c4 g4]
	// g4 four: false parried by [f4 c4 h4]
}

func ExampleSearcher_VCF() {
	g, err := gomoku.New(gomoku.Rules{Rows: 9, Columns: 9, K: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("o7o/9/4x4/4x4/9/oxxx5/9/1o5o1/9 x")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := g.NewBoard(p)
	tree, verdict := gomoku.NewSearcher(g, 12).VCF(b, p.ToMove(), gomoku.AllMoves, 0)
	fmt.Println(verdict)
	if tree != nil {
		fmt.Println(tree.Moves(), "moves:", tree.Line())
		zone := tree.Zone(b, p.ToMove())
		for s := range zone.All() {
			fmt.Print(s, " ")
		}
	}
	// Output:
	// proven
	// 3 moves: [e4 f4 e5 e3 e8]
	// e3 e4 f4 e5 e8
}

func ExampleSearcher_ThreatSpace() {
	g, err := gomoku.New(gomoku.Rules{Rows: 9, Columns: 9, K: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("9/2x6/2xo3o1/3o5/4xx3/9/7o1/9/9 x")
	if err != nil {
		fmt.Println(err)
		return
	}
	if tree := gomoku.NewSearcher(g, 12).ThreatSpace(g.NewBoard(p), p.ToMove()); tree != nil {
		fmt.Println(tree.Move, "wins in", tree.Moves(), "moves at most")
		for _, r := range tree.Replies {
			fmt.Println("after", r.Move, "comes", r.Then.Move)
		}
		fmt.Println("after any other reply comes", tree.Otherwise.Move)
	}
	// Output:
	// c5 wins in 3 moves at most
	// after d5 comes c6
	// after b5 comes c6
	// after g5 comes c6
	// after any other reply comes d5
}
