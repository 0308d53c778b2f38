package variant_test

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
)

// A king and a knight against a king and a pawn, on a board of one's own.
func Example() {
	const file = `
[tiny:chess]
maxRank = 4
maxFile = 4
startFen = k1p1/4/4/1N1K w - - 0 1
promotionRegionWhite = *4
promotionRegionBlack = *1
castling = false
doubleStep = false
`
	f, err := variant.Read("tiny.ini", strings.NewReader(file), variant.BuiltIn())
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := f.Game("tiny")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.Start()
	var names []string
	for _, m := range g.AppendMoves(nil, p) {
		names = append(names, string(g.AppendMove(nil, p, m)))
	}
	fmt.Println(strings.Join(names, " "))
	p, err = games.PlayMoves(g, p, []string{"d1d2", "c4c3"})
	fmt.Println(string(g.AppendPosition(nil, p)), err)

	f, _ = variant.Read("bad.ini", strings.NewReader("[bad:chess]\nflagPeice = k\n"), variant.BuiltIn())
	_, err = f.Game("bad")
	fmt.Println(err)
	// Output:
	// b1d2 b1a3 b1c3 d1c1 d1c2 d1d2
	// k3/2p1/3K/1N2 w - - 0 1 <nil>
	// bad.ini:2: [bad] flagPeice: not a key that is understood (did you mean flagPiece?)
}
