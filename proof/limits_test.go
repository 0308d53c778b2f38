package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// TestCostlyFiles has small files refused that are right, and would take for ever.
func TestCostlyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("as much work as a file may take")
	}
	for _, name := range []string{"boards", "zones"} {
		data, err := os.ReadFile("testdata/costly-" + name + ".proof")
		require.NoError(t, err)
		require.Less(t, len(data), 2000)
		_, err = checkBytes(data)
		require.ErrorIs(t, err, proof.ErrLimit)
		require.ErrorContains(t, err, "claim 1 (mover wins): too much work: node 1: up to here it takes more than 1073741824 steps", name)
	}
}

func TestAllowedWork(t *testing.T) {
	for bytes, want := range map[uint64]int64{0: 1 << 30, 1 << 20: 1 << 30, 1<<20 + 1: 1<<30 + 1<<12, 3 << 20: 1<<30 + 2<<32} {
		require.Equal(t, want, proof.AllowedWork(bytes), bytes)
	}
}

// TestLiveNodes has a small file refused that would have many nodes kept.
func TestLiveNodes(t *testing.T) {
	for more, want := range map[int]string{0: "", 1: "node 131073, position \".../.../...\": too much work: more than 131072 nodes have to be kept"} {
		f := file{holding, []claimProof{{slices.Repeat([]proof.Node{certified([]byte{0})}, proof.LiveNodes+more), 1}}}
		long := make([]byte, 1<<15) // so that the file has more bytes than an eighth of the nodes
		for i := range long[1:] {
			long[1+i] = byte(i*i>>3 ^ i*i>>11)
		}
		f.claims[0].nodes[0].Certificate = long
		data, err := f.bytes()
		require.NoError(t, err)
		require.Greater(t, len(data), (proof.LiveNodes+more)/8)
		require.Less(t, len(data), 1<<16)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		report, err := proof.Check(t.Context(), r, strict{}, proof.CheckOptions{})
		if more == 0 {
			require.ErrorIs(t, err, proof.ErrRefused)
			require.ErrorContains(t, err, "131071 nodes are referred to less often than they say, such as node 2, position")
			require.EqualValues(t, proof.LiveNodes, report.Live)
			continue
		}
		require.ErrorIs(t, err, proof.ErrLimit)
		require.ErrorContains(t, err, want)
	}
}

// TestLiveNodesOfLargeFile has a large file that may have one node kept for every eight bytes.
func TestLiveNodesOfLargeFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	nodes := slices.Repeat([]proof.Node{certified([]byte{0})}, proof.LiveNodes*5/4)
	for i := range 18 { // 18/16 of what allows for liveNodes
		certificate := make([]byte, 1<<16)
		for j := range certificate[1:] {
			certificate[1+j] = byte(rng.Uint32())
		}
		nodes[i].Certificate = certificate
	}
	for n, want := range map[int]error{proof.LiveNodes * 17 / 16: proof.ErrRefused, proof.LiveNodes * 5 / 4: proof.ErrLimit} {
		data, err := file{holding, []claimProof{{nodes[:n], 1}}}.bytes()
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, strict{}, proof.CheckOptions{})
		require.ErrorIs(t, err, want)
	}
}

// TestLargeJob has a node with so many children that it is more than may be pending.
func TestLargeJob(t *testing.T) {
	nodes := slices.Repeat([]proof.Node{certified([]byte{0})}, proof.LiveNodes)
	all := proof.Node{Kind: proof.And, Uses: 1, Rank: 2, Position: []byte(emptyTicTacToe)}
	for i := range nodes {
		all.Children = append(all.Children, uint64(i+1))
	}
	data, err := file{holding, []claimProof{{append(nodes, all), proof.LiveNodes + 1}}}.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	_, err = proof.Check(t.Context(), r, strict{}, proof.CheckOptions{})
	require.ErrorContains(t, err, "node 131073, position")
	require.ErrorContains(t, err, "two children are the same position")
}

// slow is tic-tac-toe in which it is much work to look at a position.
type slow struct {
	tictactoe.Game
	work int
}

func (s slow) PositionWork() int { return s.work }

// TestPositionWork has a file refused for the work that its positions are.
func TestPositionWork(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds).bytes()
	require.NoError(t, err)
	check := func(work int) error {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, slow{work: work}, proof.CheckOptions{})
		return err
	}
	require.NoError(t, check(1<<14))
	// Wherever it ends, it ends there each time, though nodes are checked in parallel.
	for _, work := range []int{1 << 23, 1 << 26, 1 << 29} {
		first := check(work)
		require.ErrorIs(t, first, proof.ErrLimit)
		require.ErrorContains(t, first, "it takes more than 1073741824 steps")
		for range 5 {
			require.EqualError(t, check(work), first.Error())
		}
	}
}

// TestFirstError has a file with two faults checked: it is the first that is named, in
// the order of the file, whichever is found first.
func TestFirstError(t *testing.T) {
	g := plain(t, "gomoku:size=4x4,k=4")
	f := prove(t, g, "4/4/4/4 x", moverHolds)
	nodes := f.claims[0].nodes
	var replies []int // nodes with all replies and children
	for i := range nodes {
		if nodes[i].Kind == proof.And && len(nodes[i].Children) > 1 {
			replies = append(replies, i)
		}
	}
	require.Greater(t, len(replies), 10)
	first, last := replies[1], replies[len(replies)-2]
	for _, wrong := range []func(n *proof.Node){
		func(n *proof.Node) { n.Rank = 1 },               // which is found when it is linked
		func(n *proof.Node) { n.Position[0] ^= 'x' },     // when it is parsed
		func(n *proof.Node) { n.Uses++ },                 // which is found in the end
		func(n *proof.Node) { n.Kind = proof.Certified }, // which a worker finds
	} {
		broken := f.clone()
		nodes := broken.claims[0].nodes
		nodes[first].Children = nil // the worker finds that replies are not answered
		for _, child := range f.claims[0].nodes[first].Children {
			nodes[child-1].Uses = max(1, nodes[child-1].Uses-1)
		}
		wrong(&nodes[last])
		if nodes[last].Kind == proof.Certified {
			nodes[last].Children = nil
		}
		data, err := broken.bytes()
		require.NoError(t, err)
		for range 5 {
			_, err = checkBytes(data)
			require.ErrorIs(t, err, proof.ErrRefused)
			require.ErrorContains(t, err, fmt.Sprintf("claim 1 (mover holds): node %d, position ", first+1))
			require.ErrorContains(t, err, "is not answered")
		}
	}
}

// TestReportOfFailure has files with a fault near their beginning checked. What is reported
// is what was checked before, and does not depend on how many workers there are, and so on how
// far the file was read.
func TestReportOfFailure(t *testing.T) {
	g := plain(t, "gomoku:size=2x2,k=3")
	nodes := make([]proof.Node, 1<<14)
	for i := range nodes {
		nodes[i] = proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("2/2 x"), Certificate: []byte("pairing")}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, wrong := range []proof.Node{
		{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("2/2 x"), Certificate: []byte("wrong")},
		{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("wrong"), Certificate: []byte("pairing")},
		{Kind: proof.And, Uses: 1, Rank: 1, Position: []byte("2/2 x"), Children: []uint64{1}},
	} {
		list := slices.Clone(nodes)
		list[4000] = wrong
		data, err := file{proof.Header{Game: g.Name(), Root: "2/2 x", Claims: []proof.Claim{moverHolds}}, []claimProof{{list, 1}}}.bytes()
		require.NoError(t, err)
		runtime.GOMAXPROCS(1)
		first, err := checkBytes(data)
		require.ErrorContains(t, err, "node 4001, position")
		require.Greater(t, first.Nodes, uint64(3500))
		require.LessOrEqual(t, first.Nodes, uint64(4000))
		require.Equal(t, first.Nodes, first.Live)
		runtime.GOMAXPROCS(8)
		report, again := checkBytes(data)
		require.EqualError(t, again, err.Error())
		require.Equal(t, first, report)
	}
}

// stopping is a game whose certificates end the check of the whole file.
type stopping struct {
	games.Game[tictactoe.Position, tictactoe.Move]
	cancel func()
}

func (s stopping) CheckCertificate(w *proof.Work, _ tictactoe.Position, _ bool, _ proof.Goal, _ []byte) error {
	s.cancel()
	for {
		if err := w.Spend(proof.LookEvery / 8); err != nil {
			return err
		}
	}
}

// TestCheckCancelledWithin ends a check while a certificate is at work.
func TestCheckCancelledWithin(t *testing.T) {
	n := proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(emptyTicTacToe), Certificate: []byte("endless")}
	f := file{header: proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}, claims: []claimProof{{root: 1, nodes: []proof.Node{n}}}}
	data, err := f.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = proof.Check(ctx, r, stopping{tictactoe.Game{}, cancel}, proof.CheckOptions{})
	require.Equal(t, context.Canceled, err)
}

func TestWork(t *testing.T) {
	w := proof.NewWork(t.Context(), 10)
	require.NoError(t, w.Spend(4))
	require.NoError(t, w.Spend(6))
	require.EqualValues(t, 10, w.Steps())
	require.ErrorContains(t, w.Spend(1), "it takes more than 10 steps")
	require.Equal(t, t.Context(), w.Context())

	ctx, cancel := context.WithCancel(t.Context())
	w = proof.NewWork(ctx, 1<<40)
	require.NoError(t, w.Spend(1))
	cancel()
	require.NoError(t, w.Spend(proof.LookEvery-1))
	require.ErrorIs(t, w.Spend(1), context.Canceled)
	require.ErrorIs(t, w.Spend(proof.LookEvery), context.Canceled)
	require.ErrorIs(t, proof.NewWork(ctx, 10).Spend(1), context.Canceled, "it looks at once")
}
