package retro_test

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// subtraction is a game with one pile of stones. A move takes one, two or three, and
// whoever cannot move has lost. The index of a position is its number of stones.
type subtraction struct{}

func (subtraction) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	for _, stones := range indices {
		status := outcome(stones)
		for taken := uint64(1); taken <= min(3, stones); taken++ {
			out.Successors = append(out.Successors, games.NewSuccessor(stones-taken, outcome(stones-taken)))
			out.Moves++
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

func outcome(stones uint64) games.Value {
	if stones == 0 {
		return games.Loss(0)
	}
	return games.Unfinished
}

// A universe made by hand: the engine needs no more of a game than indices and their
// successors.
func ExampleAnalyze() {
	u := &games.Universe{
		Name:     "subtraction",
		Tiers:    []games.Tier{{Size: 22, Open: 22}},
		Start:    21,
		Expander: subtraction{},
	}
	s, err := retro.Analyze(context.Background(), u, retro.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("21 stones:", s.StartValue())
	for _, stones := range []uint64{3, 4, 20} {
		v, _ := s.Value(stones)
		fmt.Println(stones, "stones:", v)
	}
	// Output:
	// 21 stones: win in 11
	// 3 stones: win in 1
	// 4 stones: loss in 2
	// 20 stones: loss in 10
}

func ExampleSolve() {
	u, err := games.UniverseOf(tictactoe.Game{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// On disk, leave FS out.
	_, m, err := retro.Solve(context.Background(), u, "tictactoe.db", retro.Config{FS: vfs.NewMem()})
	if err != nil {
		fmt.Println(err)
		return
	}
	total := m.Content.Total()
	fmt.Println(m.Content.Game, m.Content.StartValue)
	fmt.Println(total.Unfinished, "unfinished positions,", total.Moves, "moves")
	// Output:
	// tictactoe draw
	// 627 unfinished positions, 2270 moves
}

// A solve by two nodes, which as a rule are processes of their own. What they share is a
// network; each has a directory for its part.
func ExampleSolveNodes() {
	u, err := games.UniverseOf(tictactoe.Game{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	network, fs := &cluster.Loopback{}, vfs.NewMem()
	for _, dir := range []string{"one", "two"} {
		n := retro.Node{
			Network: network, Dir: dir, FS: fs,
			Universe: func(context.Context, retro.About) (*games.Universe, error) { return u, nil },
		}
		go n.Run(ctx)
	}
	_, m, err := retro.SolveNodes(ctx, u, "tictactoe.db", retro.Config{FS: fs}, retro.Nodes{Network: network, Count: 2, Game: u.Name})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Content.StartValue)
	// Output: draw
}
