package pgn_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/pgn"
)

func Example() {
	for game, err := range pgn.Chess.Games("[Event \"Café\"]\n1. e4 {best by test} e5 2. Nf3! 1-0") {
		fmt.Println(err, game.Tags[0].Value, game.Result)
		for _, w := range game.Words {
			fmt.Print(w.Text, " ")
		}
		fmt.Println(game.Comments, game.Marks)
	}
	// Output:
	// <nil> Café 1-0
	// e4 e5 Nf3 [{1 best by test}] [{3 !}]
}
