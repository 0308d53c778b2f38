package proof_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// TestRepeatsKept has records refused that keep a node in a wrong way. In the game 0 and 1
// lead to each other.
func TestRepeatsKept(t *testing.T) {
	g := &loops{[][]int{{1}, {0}}, make([]bool, 2)}
	ahead := func(uses uint64, kind proof.Kind, p string) proof.Node {
		return proof.Node{Kind: kind, Uses: uses, Position: []byte(p)}
	}
	or := func(uses uint64, p, move string, child uint64) proof.Node {
		return proof.Node{Kind: proof.Or, Uses: uses, Rank: 5, Position: []byte(p), Move: []byte(move), Children: []uint64{child}}
	}
	and := func(uses, rank uint64, p string, child uint64) proof.Node {
		return proof.Node{Kind: proof.And, Uses: uses, Rank: rank, Position: []byte(p), Children: []uint64{child}}
	}
	keeps := func(ahead, node uint64) proof.Node {
		return proof.Node{Kind: proof.Keeps, Children: []uint64{ahead, node}}
	}
	mover := func(nodes ...proof.Node) file {
		return file{proof.Header{Game: "loops", Root: "0", Claims: []proof.Claim{moverHolds}, Repeats: true}, []claimProof{{nodes, 3}}}
	}
	for _, c := range []struct {
		name string
		file file
		want string
	}{
		{"not ahead", mover(ahead(2, proof.Ahead, "0"), and(2, 3, "1", 1), or(2, "0", "1", 2), keeps(2, 3)), "node 2 is to be kept, which is not ahead"},
		{"too early", mover(ahead(3, proof.Ahead, "0"), and(1, 3, "1", 1), or(2, "0", "1", 2), keeps(1, 3)), "node 1 is kept, but 1 more"},
		{"by what is used up", mover(ahead(2, proof.Ahead, "0"), and(1, 3, "1", 1), or(1, "0", "1", 2), keeps(1, 2)), "a reference to node 2, which is not there"},
		{
			"by the same position with the other side to move",
			mover(ahead(2, proof.Ahead, "0"), and(1, 3, "1", 1), or(1, "0", "1", 2),
				ahead(2, proof.AheadReply, "0"), or(1, "1", "0", 4), and(2, 6, "0", 5), keeps(4, 6), keeps(1, 6)),
			"or another side is to move",
		},
	} {
		require.ErrorContains(t, g.check(c.file, nil), c.want, c.name)
	}
	good := mover(ahead(2, proof.Ahead, "0"), and(1, 3, "1", 1), or(2, "0", "1", 2), keeps(1, 3))
	require.NoError(t, g.check(good, nil))
	data, err := good.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	steps, err := proof.CheckSteps[int, int](t.Context(), r, g)
	require.NoError(t, err)
	// Three nodes of 400 and 20 bytes, the record that keeps, and two moves.
	require.EqualValues(t, 3*400+20+100+2*100, steps)
}

// TestRepeatsForm has nodes refused whose form is wrong, by the reader and by the writer.
func TestRepeatsForm(t *testing.T) {
	header := proof.Header{Game: "loops", Root: "0", Claims: []proof.Claim{moverHolds}, Repeats: true}
	node := []byte{6, 2, 1, '0'}
	for _, c := range []struct {
		nodes []byte
		want  string
	}{
		{[]byte{9, 1, 1}, "kind 9: there is none"},
		{[]byte{6, 2, 0}, "no position"},
		{[]byte{8, 0, 0}, "a reference to itself, or to a node before the one ahead"},
		{append(bytes.Clone(node), 8, 0, 1), "a reference to itself, or to a node before the one ahead"},
		{append(bytes.Clone(node), 8, 1, 1), "a reference to itself, or to a node before the one ahead"},
		{append(append(bytes.Clone(node), node...), 8, 1, 2), "a reference to itself, or to a node before the one ahead"},
	} {
		r, err := proof.NewReader(bytes.NewReader(proof.WrapNodes(header, c.nodes)))
		require.NoError(t, err)
		for err == nil {
			_, _, err = r.Next()
		}
		require.ErrorContains(t, err, c.want, "%v", c.nodes)
	}
	ahead := proof.Node{Kind: proof.Ahead, Uses: 2, Position: []byte("0")}
	for _, children := range [][]uint64{nil, {1}, {0, 1}, {1, 1}, {2, 1}, {1, 3}, {1, 2, 2}} {
		w, err := proof.NewWriter(io.Discard, header)
		require.NoError(t, err)
		for range 2 {
			_, err = w.Add(&ahead)
			require.NoError(t, err)
		}
		_, err = w.Add(&proof.Node{Kind: proof.Keeps, Children: children})
		require.ErrorContains(t, err, "after node 2: what keeps a node ahead has children", "%d", children)
	}
	w, err := proof.NewWriter(io.Discard, header)
	require.NoError(t, err)
	_, err = w.Add(&proof.Node{Kind: 9, Uses: 1, Position: []byte("0")})
	require.ErrorContains(t, err, "node 1 is of kind 9: there is none")
	header.Repeats = false
	for kind, want := range map[proof.Kind]string{
		proof.Ahead: "kind 6: there is none in a file without repeats", proof.Keeps: "kind 8: there is none in a file without repeats", 9: "kind 9: there is none",
	} {
		w, err := proof.NewWriter(io.Discard, header)
		require.NoError(t, err)
		_, err = w.Add(&proof.Node{Kind: kind, Uses: 1, Position: []byte("0"), Children: []uint64{1, 2}})
		require.ErrorContains(t, err, want)
	}
}

// TestEmptyCertificate has a node without a certificate refused where none is assumed.
func TestEmptyCertificate(t *testing.T) {
	n := proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("2/2 x")}
	f := file{proof.Header{Game: "gomoku:size=2x2,k=3", Root: "2/2 x", Claims: []proof.Claim{moverHolds}}, []claimProof{{[]proof.Node{n}, 1}}}
	data, err := f.bytes()
	require.NoError(t, err)
	_, err = checkBytes(data)
	require.ErrorIs(t, err, proof.ErrRefused)
}
