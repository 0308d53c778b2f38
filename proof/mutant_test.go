//go:build !race

package proof_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// requireRefused checks that a file is not accepted, and why.
func requireRefused(t *testing.T, f file, want error, text string, args ...any) {
	t.Helper()
	data, err := f.bytes()
	require.NoError(t, err, args...)
	_, err = checkBytes(data)
	require.ErrorIs(t, err, want, args...)
	require.ErrorContains(t, err, text, args...)
}

// originals are files that are right, to be made wrong.
func originals(t *testing.T) map[string]file {
	return map[string]file{
		"draw": prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds),
		"win":  prove(t, plain(t, "gomoku:size=3x4,k=3"), "4/4/4 x", moverWins),
	}
}

// TestMutantNodes makes each node wrong in each way that there is. Checksums and
// form are right, so that the proof itself has to be looked at.
func TestMutantNodes(t *testing.T) {
	mutants := 0
	for name, original := range originals(t) {
		for ci, c := range original.claims {
			for i := range c.nodes {
				at := fmt.Sprintf("%s, claim %d, node %d", name, ci+1, i+1)
				try := func(text string, change func(f *file, nodes []proof.Node, n *proof.Node)) {
					f := original.clone()
					nodes := f.claims[ci].nodes
					change(&f, nodes, &nodes[i])
					requireRefused(t, f, proof.ErrRefused, text, at)
					mutants++
				}
				for j := range c.nodes[i].Children {
					if c.nodes[i].Kind != proof.And {
						break
					}
					try("is not answered", func(_ *file, nodes []proof.Node, n *proof.Node) { // a reply is dropped
						child := n.Children[j]
						n.Children = slices.Delete(n.Children, j, j+1)
						nodes[child-1].Uses = max(nodes[child-1].Uses-1, 1)
					})
					try("is not above that of node", func(_ *file, nodes []proof.Node, n *proof.Node) {
						n.Rank = nodes[n.Children[j]-1].Rank
					})
				}
				if len(c.nodes[i].Children) == 0 && c.nodes[i].Kind == proof.Or {
					try("", func(_ *file, _ []proof.Node, n *proof.Node) { n.Move = anotherMove(n) })
				}
				try("", func(_ *file, _ []proof.Node, n *proof.Node) { n.Uses++ })
				if c.nodes[i].Uses > 1 {
					try("referred to as often as it says", func(_ *file, _ []proof.Node, n *proof.Node) { n.Uses-- })
				}
				if c.nodes[i].Kind == proof.Or {
					try("", func(_ *file, _ []proof.Node, n *proof.Node) { n.Move = []byte("z9") })
					try("", func(_ *file, _ []proof.Node, n *proof.Node) { // the other side's turn
						n.Kind, n.Move = proof.And, nil
					})
				}
				try("", func(_ *file, _ []proof.Node, n *proof.Node) { n.Position = []byte(otherPosition(name)) })
				try("", func(_ *file, _ []proof.Node, n *proof.Node) { n.Position = n.Position[1:] })
				try("", func(_ *file, _ []proof.Node, n *proof.Node) { // a certificate in place of children
					*n = proof.Node{Kind: proof.Certified, Uses: n.Uses, Rank: n.Rank, Position: n.Position, Certificate: []byte("pairing")}
				})
			}
		}
	}
	require.Greater(t, mutants, 400)
}

// anotherMove returns a legal move that does not end the game, for a node whose
// move does: an empty square that is not its own.
func anotherMove(n *proof.Node) []byte {
	if bytes.Equal(n.Move, []byte("a1")) {
		return []byte("b1")
	}
	return []byte("a1")
}

func otherPosition(name string) string {
	if name == "win" {
		return "4/xxo1/oo2 x"
	}
	return "x.x/oo./..x"
}

// TestMutantFiles makes a file wrong as a whole.
func TestMutantFiles(t *testing.T) {
	for _, c := range []struct {
		name, original, text string
		want                 error
		change               func(f *file)
	}{
		{"a value swapped", "draw", "", proof.ErrRefused, func(f *file) { f.header.Claims[0].Side = proof.Mover; f.header.Claims[1].Side = proof.Other }},
		{"a win in place of a draw", "draw", "", proof.ErrRefused, func(f *file) {
			f.header.Claims = []proof.Claim{moverWins}
			f.claims = f.claims[1:]
		}},
		{"the other side wins", "win", "wrong side as the claimant", proof.ErrRefused, func(f *file) { f.header.Claims[0].Side = proof.Other }},
		{"wrong k", "win", "", proof.ErrRefused, func(f *file) { f.header.Game = "gomoku:size=3x4,k=4" }},
		{"wrong size", "win", "", proof.ErrRefused, func(f *file) { f.header.Game = "gomoku:size=4x3,k=3" }},
		{"wrong game", "win", "", proof.ErrRefused, func(f *file) { f.header.Game = "tictactoe" }},
		{"wrong root", "draw", "but the file is about", proof.ErrRefused, func(f *file) { f.header.Root = "x../.../..." }},
		{"no root", "draw", "position", proof.ErrRefused, func(f *file) { f.header.Root = "nowhere" }},
		{"finished root", "draw", "is decided, but has node", proof.ErrRefused, func(f *file) { f.header.Root = "xox/xxo/oxo" }},
		{"another node is the root", "draw", "", proof.ErrRefused, func(f *file) { f.claims[0].root-- }},
		{"nothing is the root", "draw", "a reference to node 0", proof.ErrRefused, func(f *file) { f.claims[0].root = 0 }},
		{"claims exchanged", "draw", "", proof.ErrRefused, func(f *file) { f.claims[0], f.claims[1] = f.claims[1], f.claims[0] }},
		{"a node too many", "draw", "", proof.ErrRefused, func(f *file) {
			c := &f.claims[0]
			c.nodes = append(c.nodes, c.nodes[0])
		}},
		{"two nodes exchanged", "win", "", proof.ErrRefused, func(f *file) {
			nodes := f.claims[0].nodes
			last := len(nodes) - 1 // the root
			nodes[0], nodes[last] = nodes[last], nodes[0]
			for _, n := range []*proof.Node{&nodes[0], &nodes[last]} {
				n.Children = nil
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := originals(t)[c.original].clone()
			c.change(&f)
			requireRefused(t, f, c.want, c.text)
		})
	}
}

// TestMutantReferences writes references that a writer refuses: to a node itself,
// and to one that is still to come.
func TestMutantReferences(t *testing.T) {
	header := proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}
	position := append([]byte{11}, emptyTicTacToe...)
	node := func(children ...byte) []byte {
		return slices.Concat([]byte{byte(proof.And), 1, 2}, position, []byte{byte(len(children))}, children)
	}
	for _, c := range []struct {
		name  string
		nodes []byte
		want  string
	}{
		{"to itself", node(0), "a reference to itself"},
		{"before the first", node(1), "a reference 1 back from 1"},
		{"far before the first", node(255, 1), "a reference 255 back from 1"},
		{"twice", slices.Concat(node(), node(1, 0)), "a reference to itself or twice"},
		{"more than there are", node()[:len(node())-1], "no number of children"},
		{"many", append(node()[:len(node())-1], 200, 200, 200, 1), "children, but 0 bytes are left"},
		{"no kind", []byte{9}, "kind 9: there is none"},
		{"long position", []byte{2, 1, 2, 100, 'x'}, "a position of 100 bytes, but 1 are left"},
	} {
		r, err := proof.NewReader(bytes.NewReader(proof.WrapNodes(header, c.nodes)))
		for err == nil {
			_, _, err = r.Next()
		}
		require.ErrorIs(t, err, proof.ErrCorrupt, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

// TestDamage flips each bit of a file and cuts it at each byte.
func TestDamage(t *testing.T) {
	data, err := originals(t)["draw"].bytes()
	require.NoError(t, err)
	_, err = checkBytes(data)
	require.NoError(t, err)
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			_, err := checkBytes(data)
			require.Error(t, err, "byte %d, bit %d", at, bit)
			switch {
			case at < 8:
				require.ErrorIs(t, err, proof.ErrNotProof, "byte %d, bit %d", at, bit)
			case at >= 12:
				require.ErrorIs(t, err, proof.ErrCorrupt, "byte %d, bit %d", at, bit)
			default:
				require.ErrorIs(t, err, proof.ErrVersion)
			}
			data[at] ^= 1 << bit
		}
	}
	for size := 8; size < len(data); size++ { // a shorter one does not begin like a proof
		_, err := checkBytes(data[:size])
		require.ErrorIs(t, err, proof.ErrCorrupt, "%d bytes", size)
	}
	_, err = checkBytes(append(slices.Clone(data), 0))
	require.ErrorIs(t, err, proof.ErrCorrupt)
	require.ErrorContains(t, err, "bytes behind the end")
}

// FuzzReader reads anything.
func FuzzReader(f *testing.F) {
	for _, original := range []file{
		prove(f, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds),
		prove(f, tictactoe.Game{}, "xxx/oo./...", otherWins),
	} {
		data, err := original.bytes()
		require.NoError(f, err)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := checkBytes(data); err == nil {
			r, err := proof.NewReader(bytes.NewReader(data))
			require.NoError(t, err)
			_, err = proof.Value(r.Header().Claims)
			require.NoError(t, err)
		}
	})
}

// FuzzNodes tries to prove that a side wins a drawn game. Whatever the nodes are,
// this must not be accepted.
func FuzzNodes(f *testing.F) {
	header := proof.Header{Game: "gomoku:size=3x3,k=3", Root: "3/3/3 x", Claims: []proof.Claim{moverWins}}
	f.Add([]byte("\x02\x01\x02\x073/3/3 x\x00\x05\x01"))
	f.Add([]byte("\x01\x01\x02\x073/3/3 x\x02b2\x00\x05\x01"))
	f.Add([]byte("\x03\x01\x02\x073/3/3 x\x07pairing\x05\x01"))
	f.Add([]byte("\x05\x00"))
	f.Fuzz(func(t *testing.T, nodes []byte) {
		if len(nodes) > 1<<16 {
			return
		}
		_, err := checkBytes(proof.WrapNodes(header, nodes))
		require.Error(t, err)
		require.True(t, isRefusal(err), "%v", err)
	})
}
