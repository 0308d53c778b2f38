package alphabeta_test

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// White gives up a man and wins by force, which the search proves without a database.
func Example() {
	g, err := checkers.Family.Open("checkers")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.ParsePosition("W:W27,31,K32:B18,20")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := alphabeta.New(g, alphabeta.Config[checkers.Position]{Depth: 9})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Search(context.Background(), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("move %s, score %d, proven: at least a %v, at most a %v\n", g.AppendMove(nil, p, r.Move), r.Score, r.Lower, r.Upper)
	// Output:
	// move 27-24, score 16001, proven: at least a win, at most a win
}
