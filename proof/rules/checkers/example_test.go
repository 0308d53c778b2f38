package checkers_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/proof/rules/checkers"
)

// A king captures along two routes, and comes back to where it began.
func Example() {
	g, ok := checkers.Open("checkers")
	if !ok {
		return
	}
	p, err := g.ParsePosition("B:W7,8,15,16:BK3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range g.AppendMoves(nil, p) {
		fmt.Printf("%s leads to %s\n", g.AppendMove(nil, p, m), g.AppendPosition(nil, g.Play(p, m)))
	}
	// Output:
	// 3x10x19x12x3 leads to W:W:BK3
	// 3x12x19x10x3 leads to W:W:BK3
}
