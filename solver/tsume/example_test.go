package tsume_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func ExampleSolve() {
	problem, err := tsume.ParseProblem("4k4/9/4P4/9/9/9/9/9/9 b RS", tsume.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	table, err := dfpn.NewTable(1 << 20)
	if err != nil {
		log.Fatal(err)
	}
	s, err := tsume.Solve(context.Background(), problem, table, tsume.Options{Shortest: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Outcome, s.Length, s.Shortest, s.Line)
	// Output:
	// proven 3 true [R*5b 5a4a S*3b]
}

// ExampleWriteProof writes the proof of a mate and checks it by the plain rules.
func ExampleWriteProof() {
	ctx := context.Background()
	problem, err := tsume.ParseProblem("4k4/9/4P4/9/9/9/9/9/9 b RS", tsume.Reading{})
	if err != nil {
		log.Fatal(err)
	}
	table, err := dfpn.NewTable(1 << 20)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := tsume.Solve(ctx, problem, table, tsume.Options{}); err != nil {
		log.Fatal(err)
	}

	var file bytes.Buffer
	w, err := proof.NewWriter(&file, tsume.ProofHeader(problem))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := tsume.WriteProof(ctx, w, problem, table, tsume.Options{}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := proof.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	report, err := rules.Check(ctx, r, proof.CheckOptions{})
	fmt.Println(r.Header().Claims[0], report.Nodes, err)
	// Output:
	// mover wins 2 <nil>
}
