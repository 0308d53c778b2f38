package proof_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// Write a proof by hand, and check it: with two in a row the side to move wins.
func ExampleCheck() {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{
		Game: "tictactoe", Root: "xx./oo./...", Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	root, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte("xx./oo./..."), Move: []byte("c3")})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.EndClaim(root); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	r, err := proof.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := proof.Check(context.Background(), r, tictactoe.Game{}, proof.CheckOptions{})
	fmt.Println(report.Nodes, err)
	// Output: 1 <nil>
}
