package gomoku

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

var writeCostly = flag.Bool("costly", false, "write the files of package proof that take much work")

// costlyTree returns a tree that is right, and a position for it on a board of 19x19
// with 19 in a row, where the defender can never make a line and the attacker wins at
// once in two ways. The tree makes n idle moves, one after the other, each of which has
// two replies, with a sign before them, that lead to the same node: so it is met on 2^n
// boards.
func costlyTree(n int, sign string) (position, tree string) {
	rows := strings.Repeat("18x/", 17) + strings.Repeat("x", 18) + "1/" + strings.Repeat("x", 18) + "1 x"
	square := func(i int) string { return fmt.Sprintf("%c%d", 'a'+i%18, 3+i/18) }
	var b strings.Builder
	b.WriteString("tree\ns1\ns2")
	moves := ""
	for i := range n {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s 2 +s1=1", square(0))
		} else {
			fmt.Fprintf(&b, "\n%s 1 .s1=%d .s2%s=%d", square(3*i), i+1, moves, i+2)
		}
		moves += "." + square(3*i)
		fmt.Fprintf(&b, " %s%s=1 %s%s=1", sign, square(3*i+1), sign, square(3*i+2))
	}
	return rows, b.String()
}

// costlySigns are what makes a tree costly: boards where nodes are proven, or boards
// of zones.
var costlySigns = map[string]string{"boards": "+", "zones": "."}

func TestCostlyTree(t *testing.T) {
	g := open(t, "gomoku:size=19x19,k=19")
	check := func(n int, sign string, limit int64) (steps int64, err error) {
		position, tree := costlyTree(n, sign)
		p, err := g.ParsePosition(position)
		require.NoError(t, err)
		w := proof.NewWork(t.Context(), limit)
		err = g.CheckCertificate(w, p, true, proof.Win, []byte(tree))
		return w.Steps(), err
	}
	for name, sign := range costlySigns {
		before := int64(0)
		for n := 1; n <= 6; n++ {
			steps, err := check(n, sign, 1<<24)
			require.NoError(t, err, name)
			require.Greater(t, steps, before, name)
			before = steps
		}
		const limit = 1 << 20
		steps, err := check(60, sign, limit)
		require.ErrorContains(t, err, "it takes more than 1048576 steps", name)
		require.Less(t, steps, int64(limit+limit/100), name)
		if *writeCostly {
			var out bytes.Buffer
			position, tree := costlyTree(60, sign)
			w, err := proof.NewWriter(&out, proof.Header{Game: g.Name(), Root: position, Claims: []proof.Claim{{}}})
			require.NoError(t, err)
			_, err = w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(position), Certificate: []byte(tree)})
			require.NoError(t, err)
			require.NoError(t, w.EndClaim(1))
			require.NoError(t, w.Close())
			require.NoError(t, os.WriteFile("../../testdata/costly-"+name+".proof", out.Bytes(), 0o644))
		}
	}
}

// TestSteps has the steps that certificates take. Who changes a charge runs
// BenchmarkCostlyTree again: a step may take about 10 ns.
func TestSteps(t *testing.T) {
	boards, boardsTree := costlyTree(4, "+")
	zones, zonesTree := costlyTree(4, ".")
	for _, c := range []struct {
		spec, position, certificate string
		goal                        proof.Goal
		want                        int64
	}{
		{"gomoku:size=1x5,k=2", "5 x", smallTree, proof.Win, 175},
		{"gomoku:size=1x6,k=2", "6 x", "tree\nb1\nd1\nc1 +f1=2 +b1=1", proof.Win, 201},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 .b1=1", proof.Win, 175},
		{"gomoku:size=19x19,k=19", boards, boardsTree, proof.Win, 49243},
		{"gomoku:size=19x19,k=19", zones, zonesTree, proof.Win, 13183},
		{"gomoku:size=3x3,k=3", "3/1x1/3 x", "pairing a1 b1 c1 c2 c3 b3 a3 a2", proof.Hold, 240},
	} {
		g := tiny(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		w := unlimited()
		require.NoError(t, g.CheckCertificate(w, p, true, c.goal, []byte(c.certificate)))
		require.Equal(t, c.want, w.Steps(), c.certificate)
		// It ends wherever the steps run out.
		for limit := range min(c.want, 300) {
			w := proof.NewWork(t.Context(), limit)
			require.ErrorContains(t, g.CheckCertificate(w, p, true, c.goal, []byte(c.certificate)), "it takes more than")
		}
	}
	for spec, want := range map[string]int{"gomoku": 122, "gomoku:size=2x3,k=3": 13, "gomoku:size=20x20": 210} {
		require.Equal(t, want, open(t, spec).PositionWork())
	}
}

// TestRemembered checks that no more places are remembered than memory allows.
func TestRemembered(t *testing.T) {
	g := open(t, "gomoku:size=19x19,k=19")
	position, tree := costlyTree(4, "+")
	p, err := g.ParsePosition(position)
	require.NoError(t, err)
	for before, want := range map[int]int{0: 40, maxRight - 1: maxRight, maxRight: maxRight} {
		c := g.newTreeChecker(p, unlimited())
		root, err := c.parse(tree)
		require.NoError(t, err)
		for i := range before {
			c.right[place{node: -1 - i}] = true
		}
		b := c.board(p)
		require.NoError(t, c.wins(root.then, &b))
		require.Equal(t, want, len(c.right))
	}
}

// BenchmarkCostlyTree reports the time for a step, with words that are repeated in a line.
func BenchmarkCostlyTree(b *testing.B) {
	g := open(b, "gomoku:size=19x19,k=19")
	for name, sign := range costlySigns {
		position, tree := costlyTree(60, sign)
		p, err := g.ParsePosition(position)
		require.NoError(b, err)
		for what, more := range map[string]string{"plain": "", "answers": " .q17=1", "placed": " +q17=1"} {
			b.Run(name+"/"+what, func(b *testing.B) {
				lines := strings.Split(tree, "\n")
				lines[4] += strings.Repeat(more, 2000)
				tree := []byte(strings.Join(lines, "\n"))
				const limit = 1 << 24
				for b.Loop() {
					require.ErrorContains(b, g.CheckCertificate(proof.NewWork(b.Context(), limit), p, true, proof.Win, tree), "steps")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/limit, "ns/step")
			})
		}
	}
}

// TestLongCertificates checks that certificates which are long in one way or another
// take work in proportion.
func TestLongCertificates(t *testing.T) {
	g := open(t, "gomoku:size=19x19,k=19")
	position, _ := costlyTree(1, ".")
	p, err := g.ParsePosition(position)
	require.NoError(t, err)
	const start = "tree\ns1\ns2\na3 2 +s1=1"
	for name, long := range map[string]func(n int) string{
		"lines":   func(n int) string { return "tree" + strings.Repeat("\ns1", n) },
		"answers": func(n int) string { return start + strings.Repeat(" .e4=1", n) },
		"replies": func(n int) string { return start + " " + strings.Repeat(".e4", n) + "=1" },
		"nodes":   func(n int) string { return start + strings.Repeat("\nd3 1 .s1=2 .s2.a3=3", n) },
		"squares": func(n int) string { return "tree " + strings.Repeat("+a3", n) + "\ns1" },
		"pairs":   func(n int) string { return "pairing" + strings.Repeat(" a3", 2*n) },
	} {
		text := long(1000)
		goal := proof.Win
		if name == "pairs" {
			goal = proof.Hold
		}
		w := proof.NewWork(t.Context(), 1<<30)
		err := g.CheckCertificate(w, p, true, goal, []byte(text))
		require.Equal(t, name == "answers" || name == "replies", err == nil, "%s: %v", name, err)
		require.Less(t, w.Steps(), 50*int64(len(text)), name)
		require.GreaterOrEqual(t, w.Steps(), int64(len(text)), name)
	}
}

// countdown is a context that is done after so many looks at it.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestCertificateCancelled ends the check of one certificate.
func TestCertificateCancelled(t *testing.T) {
	g := open(t, "gomoku:size=19x19,k=19")
	for name, sign := range costlySigns {
		position, tree := costlyTree(60, sign)
		p, err := g.ParsePosition(position)
		require.NoError(t, err)
		ctx := &countdown{t.Context(), 3}
		w := proof.NewWork(ctx, 1<<40)
		require.ErrorIs(t, g.CheckCertificate(w, p, true, proof.Win, []byte(tree)), context.Canceled, name)
		require.Equal(t, -1, ctx.looks, "one look more, and no further")
		require.Less(t, w.Steps(), int64(1<<20), name)
	}
}
