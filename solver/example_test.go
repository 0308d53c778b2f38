package solver_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Solve a position and write the proof of its value.
func ExampleSolver() {
	ctx := context.Background()
	g := tictactoe.Game{}
	s, err := solver.New(g, nil, g.Start(), solver.Config{Nodes: 10_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := s.Solve(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Value, result.Claims)

	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.Header())
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.WriteProof(ctx, w); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Close())
	// Output:
	// draw [other holds mover holds]
	// <nil>
}
