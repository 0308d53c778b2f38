package threat_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

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
	tree, verdict := threat.NewSearcher(g, 12).VCF(b, p.ToMove(), threat.AllMoves, 0)
	fmt.Println(verdict)
	if tree != nil {
		fmt.Println(tree.Move, "wins in", tree.Moves(), "moves at most")
		zone := tree.Zone(b, p.ToMove())
		for s := range zone.All() {
			fmt.Print(s, " ")
		}
	}
	// Output:
	// proven
	// e4 wins in 3 moves at most
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
	if tree := threat.NewSearcher(g, 12).ThreatSpace(g.NewBoard(p), p.ToMove()); tree != nil {
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
