package plain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// Write a proof that x wins by a third x in a row, check it, and check it once more after a
// byte has changed.
func ExampleCheck() {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{
		Game: "tictactoe", Root: "xx./oo./...", Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}},
	})
	if err != nil {
		log.Fatal(err)
	}
	root, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte("xx./oo./..."), Move: []byte("c3")})
	if err = errors.Join(err, w.EndClaim(root), w.Close()); err != nil {
		log.Fatal(err)
	}

	report, err := plain.Check(context.Background(), bytes.NewReader(file.Bytes()), plain.Options{})
	fmt.Println(report.Claims, report.Ranks, err)

	file.Bytes()[file.Len()-1] ^= 1
	_, err = plain.Check(context.Background(), &file, plain.Options{})
	fmt.Println(errors.Is(err, plain.ErrRefused))
	// Output:
	// [mover wins] [1] <nil>
	// true
}
