package dfpn_test

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/dfpn"
)

// counters is a game in which the sides take one to three counters in turn. Who takes
// the last one wins.
type counters struct {
	left     int
	attacker bool // is to move
}

func (c *counters) key(left int, attacker bool) uint64 {
	key := 0x9e3779b97f4a7c15 * uint64(left)
	if attacker {
		key = ^key
	}
	return key
}

// Root implements [dfpn.Cursor].
func (c *counters) Root() uint64 { return c.key(c.left, c.attacker) }

// Expand implements [dfpn.Cursor].
func (c *counters) Expand(node *dfpn.Node) {
	node.Or = c.attacker
	if c.left == 0 { // the other side took the last counter
		node.Status = dfpn.Won
		if c.attacker {
			node.Status = dfpn.Lost
		}
		return
	}
	for n := 1; n <= min(3, c.left); n++ {
		node.Children = append(node.Children, dfpn.Child{
			Key: c.key(c.left-n, !c.attacker), Move: dfpn.Move(n), Proof: 1, Disproof: 1,
		})
	}
}

// Do implements [dfpn.Cursor].
func (c *counters) Do(m dfpn.Move) { c.left, c.attacker = c.left-int(m), !c.attacker }

// Undo implements [dfpn.Cursor].
func (c *counters) Undo(m dfpn.Move) { c.left, c.attacker = c.left+int(m), !c.attacker }

func ExampleSolve() {
	ctx := context.Background()
	table, err := dfpn.NewFixedTable(1 << 20)
	if err != nil {
		fmt.Println(err)
		return
	}
	for left := 10; left <= 12; left++ {
		newCursor := func() dfpn.Cursor { return &counters{left, true} }
		r, err := dfpn.Solve(ctx, table, newCursor, dfpn.Config{Nodes: 100_000})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(left, r.Outcome)
		if r.Outcome != dfpn.Proven {
			continue
		}
		line, err := dfpn.NewReader(ctx, table, newCursor(), dfpn.Config{}).Line(true)
		fmt.Println("take", r.Move, "and win in", len(line), err)
	}
	// Output:
	// 10 proven
	// take 2 and win in 5 <nil>
	// 11 proven
	// take 3 and win in 5 <nil>
	// 12 disproven
}
