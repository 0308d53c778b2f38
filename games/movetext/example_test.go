package movetext_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/movetext"
)

func Example() {
	var a movetext.Asides
	a.Remark(0, 1, "?!", "the pawn hangs", []string{"c5", "Nf3"})
	fmt.Printf("%s", movetext.Append(nil, 0, []string{"e4", "e5"}, &a, "*"))
	// Output: 1. e4 e5?! {yomikiri: ?! the pawn hangs} ({yomikiri} 1... c5 2. Nf3) *
}
