package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

var errDevice = errors.New("the device is gone")

// chunkEnds returns where the chunks of a file end, and the first begins.
func chunkEnds(data []byte) []int {
	ends := []int{12}
	for last := 12; last < len(data); ends = append(ends, last) {
		last += 17 + int(data[last+5]) + int(data[last+6])<<8 + int(data[last+7])<<16
	}
	return ends
}

// TestReaderFails reads files that end, or fail, behind each byte.
func TestReaderFails(t *testing.T) {
	data := forged(goodHeader, goodNodes, goodEnd)
	ends := chunkEnds(data)
	require.Len(t, ends, 4)
	for size := range data {
		if size < 8 {
			_, err := checkBytes(data[:size])
			require.ErrorIs(t, err, proof.ErrNotProof)
			continue
		}
		want := fmt.Sprintf("it ends within its version, after %d bytes", size)
		for chunk, end := range ends {
			switch {
			case size >= end+17:
				want = fmt.Sprintf("it ends at byte %d within the payload of chunk %d", size, chunk)
			case size >= end:
				want = fmt.Sprintf("it ends at byte %d within the head of chunk %d", size, chunk)
			}
		}
		_, err := checkBytes(data[:size])
		require.EqualError(t, err, "damaged proof file: "+want)
	}
	for size := range len(data) + 1 {
		r, err := proof.NewReader(io.MultiReader(bytes.NewReader(data[:size]), iotest.ErrReader(errDevice)))
		for err == nil {
			_, _, err = r.Next()
		}
		require.Equal(t, errDevice, err, size)
	}
}

// TestPlaces has the places of what is wrong with chunks, behind nodes that are right.
func TestPlaces(t *testing.T) {
	header, nodes := proof.RawChunk{Kind: 'H', Data: []byte(goodHeader)}, proof.RawChunk{Kind: 'N', Data: []byte(goodNodes)}
	first := proof.RawChunk{Kind: 'N', Data: []byte(goodNodes[:len(goodNodes)-2])}
	for _, c := range []struct {
		before, chunk proof.RawChunk
		want          string
	}{
		{first, proof.RawChunk{Kind: 'N'}, "chunk 2, which ends at byte %d, has no nodes"},
		{first, proof.RawChunk{Kind: 'X', Data: []byte("x")}, "chunk 2, which ends at byte %d, is of type 'X', want nodes or the end"},
		{first, proof.RawChunk{Kind: 'N', Data: []byte("\x05\x03")}, "chunk 2, which ends at byte %d: claim 1, node 2: a reference 3 back from 2"},
		{nodes, proof.RawChunk{Kind: 'N', Data: []byte("\x05\x01")}, "chunk 2, which ends at byte %d: a node behind the last claim"},
		{nodes, proof.RawChunk{Kind: 'E', Data: []byte("{}")}, "end: no field"},
		// The largest chunks, and larger ones.
		{first, proof.RawChunk{Kind: 'N', Data: make([]byte, 1<<20)}, "chunk 2, which ends at byte %d: claim 1, node 2: kind 0"},
		{first, proof.RawChunk{Kind: 'N', Data: make([]byte, 1<<20+1)}, "chunk 2 has 1048577 bytes, stored in "},
		{first, proof.RawChunk{Kind: 'N', Frame: make([]byte, 1052736)}, "chunk 2: "},
		{first, proof.RawChunk{Kind: 'N', Frame: make([]byte, 1052737)}, "chunk 2 has 0 bytes, stored in 1052737: at most 1048576 are possible"},
	} {
		data := proof.WrapChunks(header, c.before, c.chunk)
		want := c.want
		if bytes.ContainsRune([]byte(want), '%') {
			want = fmt.Sprintf(want, len(data))
		}
		_, err := checkBytes(data)
		require.ErrorIs(t, err, proof.ErrCorrupt)
		require.ErrorContains(t, err, want)
	}
	data := proof.WrapChunks(header, nodes)
	data[len(data)-1] ^= 1
	_, err := checkBytes(data)
	require.EqualError(t, err, fmt.Sprintf("damaged proof file: chunk 1, which ends at byte %d, has a wrong checksum", len(data)))
}

// certified returns a certified node about the empty board with some certificate.
func certified(certificate []byte) proof.Node {
	return proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(emptyTicTacToe), Certificate: certificate}
}

var holding = proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}

// A node that no longer fits in the chunk begun gets one of its own.
func TestLargeNode(t *testing.T) {
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, holding)
	require.NoError(t, err)
	certificates := [][]byte{make([]byte, 1<<17), make([]byte, 1<<20-1<<12)}
	for _, c := range certificates {
		n := certified(c)
		_, err := w.Add(&n)
		require.NoError(t, err)
	}
	require.NoError(t, w.EndClaim(2))
	require.NoError(t, w.Close())
	r, err := proof.NewReader(&out)
	require.NoError(t, err)
	for _, c := range certificates {
		n, _, err := r.Next()
		require.NoError(t, err)
		require.True(t, bytes.Equal(c, n.Certificate))
	}
}

// TestSizes writes nodes that fill a chunk just so, and reads them.
func TestSizes(t *testing.T) {
	const others = 1 + 1 + 5 + 1 + len(emptyTicTacToe) + 3 // bytes beside the certificate
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		size    int
		written bool
		want    string
	}{
		{1<<18 - 1, false, ""},
		{1 << 18, true, ""},
		{1 << 20, true, ""},
		{1<<20 + 1, false, "a chunk of 1048577 bytes: at most 1048576 are possible"},
	} {
		certificate := make([]byte, c.size-others)
		for i := range certificate {
			certificate[i] = byte(rng.Uint32())
		}
		var out bytes.Buffer
		w, err := proof.NewWriter(&out, holding)
		require.NoError(t, err)
		before := proof.ChunksOf(w)
		n := certified(certificate)
		n.Rank = 1 << 32
		number, err := w.Add(&n)
		require.Equal(t, c.written, proof.ChunksOf(w) > before, c.size)
		require.EqualValues(t, out.Len(), w.Bytes())
		if c.want != "" {
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, w.EndClaim(1), c.want)
			continue
		}
		require.NoError(t, err)
		require.EqualValues(t, 1, number)
		require.NoError(t, w.EndClaim(1))
		require.NoError(t, w.Close())
		require.EqualValues(t, out.Len(), w.Bytes())
		require.Equal(t, proof.Counts{Nodes: 1, Certified: 1}, w.Counts())
		r, err := proof.NewReader(&out)
		require.NoError(t, err)
		read, root, err := r.Next()
		require.NoError(t, err)
		require.Zero(t, root)
		require.Equal(t, uint64(1<<32), read.Rank)
		require.True(t, bytes.Equal(certificate, read.Certificate))
	}
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(data []byte) (int, error) {
	n := min(len(data), f.left)
	f.left -= n
	if n < len(data) {
		return n, errDevice
	}
	return n, nil
}

// TestWriterFails writes to a device that fails behind each byte. The error stays.
func TestWriterFails(t *testing.T) {
	write := func(out io.Writer) (*proof.Writer, error) {
		w, err := proof.NewWriter(out, holding)
		if err != nil {
			return w, err
		}
		n := certified([]byte("x"))
		if _, err := w.Add(&n); err != nil {
			return w, err
		}
		if err := w.EndClaim(1); err != nil {
			return w, err
		}
		return w, w.Close()
	}
	var all bytes.Buffer
	_, err := write(&all)
	require.NoError(t, err)
	_, err = proof.NewWriter(&failing{20}, holding)
	require.Equal(t, errDevice, err)
	for size := range all.Len() {
		w, err := write(&failing{size})
		require.Equal(t, errDevice, err, size)
		require.EqualValues(t, size, w.Bytes())
		n := certified(nil)
		_, err = w.Add(&n)
		require.Equal(t, errDevice, err)
		require.Equal(t, errDevice, w.EndClaim(1))
		require.Equal(t, errDevice, w.Close())
	}
}

// TestWriterForm has nodes and ends of claims that are right or wrong in one point each,
// behind two nodes.
func TestWriterForm(t *testing.T) {
	node := func(change func(n *proof.Node)) func(*proof.Writer) error {
		return func(w *proof.Writer) error {
			n := proof.Node{Kind: proof.And, Uses: 1, Rank: 1 << 32, Position: []byte(emptyTicTacToe), Children: []uint64{1, 2}}
			change(&n)
			number, err := w.Add(&n)
			if err == nil && number != 3 {
				err = fmt.Errorf("number %d", number)
			}
			return err
		}
	}
	end := func(root uint64) func(*proof.Writer) error {
		return func(w *proof.Writer) error { return w.EndClaim(root) }
	}
	or := func(children ...uint64) func(*proof.Writer) error {
		return node(func(n *proof.Node) { n.Kind, n.Move, n.Children = proof.Or, []byte("a1"), children })
	}
	for i, c := range []struct {
		do   func(*proof.Writer) error
		want string
	}{
		{node(func(n *proof.Node) {}), ""},
		{or(), ""},
		{or(2), ""},
		{or(1, 2), "node 3 of kind 1 with 2 children"},
		{node(func(n *proof.Node) { n.Kind, n.Children = proof.CertifiedReply, nil }), ""},
		{node(func(n *proof.Node) { n.Kind, n.Children = proof.Certified, nil }), ""},
		{node(func(n *proof.Node) { n.Kind = 5 }), "node 3 is of kind 5: there is none"},
		{node(func(n *proof.Node) { n.Kind = 0 }), "node 3 is of kind 0: there is none"},
		{node(func(n *proof.Node) { n.Rank = 0 }), "node 3 has rank 0: want 1 to 4294967296"},
		{node(func(n *proof.Node) { n.Rank = 1<<32 + 1 }), "node 3 has rank 4294967297: want 1 to 4294967296"},
		{node(func(n *proof.Node) { n.Uses = 0 }), "node 3 has no uses"},
		{node(func(n *proof.Node) { n.Position = nil }), "node 3 has no position"},
		{node(func(n *proof.Node) { n.Move = []byte("a1") }), `node 3 of kind 2 with move "a1"`},
		{node(func(n *proof.Node) { n.Kind, n.Children = proof.Or, nil }), `node 3 of kind 1 with move ""`},
		{node(func(n *proof.Node) { n.Children = []uint64{2, 1} }), "node 3: children [2 1] are not in ascending order"},
		{node(func(n *proof.Node) { n.Children = []uint64{2, 2} }), "node 3 refers to nodes [2 2]"},
		{node(func(n *proof.Node) { n.Children = []uint64{2, 3} }), "node 3 refers to nodes [2 3]"},
		{node(func(n *proof.Node) { n.Children = []uint64{0, 2} }), "node 3 refers to nodes [0 2]"},
		{end(0), ""},
		{end(2), ""},
		{end(3), "root 3 is behind the last node, 2"},
		{func(w *proof.Writer) error { return errors.Join(w.EndClaim(2), w.EndClaim(2)) }, "the header has 1 claims only"},
		{func(w *proof.Writer) error { _ = w.EndClaim(2); _, err := w.Add(new(proof.Node)); return err }, "a node behind the last claim"},
		{func(w *proof.Writer) error { return w.Close() }, "0 of 1 claims are proven"},
	} {
		w, err := proof.NewWriter(io.Discard, holding)
		require.NoError(t, err)
		for range 2 {
			n := certified(nil)
			_, err := w.Add(&n)
			require.NoError(t, err)
		}
		if err = c.do(w); c.want == "" {
			require.NoError(t, err, i)
			continue
		}
		require.EqualError(t, err, c.want)
	}
}

// silent is tic-tac-toe without moves, in which no game ends.
type silent struct{ tictactoe.Game }

func (silent) AppendMoves(dst []tictactoe.Move, _ tictactoe.Position) []tictactoe.Move { return dst }

// TestRefusedNodes has nodes refused that games which keep their own rules cannot have, and
// the first of two in a job.
func TestRefusedNodes(t *testing.T) {
	check := func(g games.Game[tictactoe.Position, tictactoe.Move], claim proof.Claim, nodes ...proof.Node) error {
		header := holding
		header.Claims = []proof.Claim{claim}
		data, err := file{header, []claimProof{{nodes, 1}}}.bytes()
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, g, proof.CheckOptions{})
		return err
	}
	all := proof.Node{Kind: proof.And, Uses: 1, Rank: 2, Position: []byte(emptyTicTacToe)}
	require.ErrorContains(t, check(silent{}, otherHolds, all), "the opponent has no move, and yet the game is not over")
	over := proof.Node{Kind: proof.And, Uses: 1, Rank: 2, Position: []byte("xxx/oo./...")}
	require.ErrorContains(t, check(tictactoe.Game{}, otherHolds, over), "the game is decided there (loss in 0), so there can be no node")
	require.EqualError(t, check(strict{}, moverHolds, certified([]byte("x")), certified([]byte("y"))),
		`claim 1 (mover holds): node 1, position ".../.../...": proof refused: certificate "x": not zero`)
}

// TestGraphRefuses asks for nodes that are not there, of a file that changes, and of one
// whose reading is cancelled.
func TestGraphRefuses(t *testing.T) {
	f := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds)
	data, err := f.bytes()
	require.NoError(t, err)
	for claim, c := range f.claims {
		g, err := proof.OpenGraph(t.Context(), bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		last := uint64(len(c.nodes))
		for _, number := range []uint64{0, last + 1, last + 2, 1 << 40} {
			_, err = g.Node(claim, number)
			require.EqualError(t, err, fmt.Sprintf("proof refused: claim %d has no node %d", claim+1, number))
		}
		n, err := g.Node(claim, last)
		require.NoError(t, err)
		require.Equal(t, c.nodes[last-1].Uses, n.Uses)
	}
	g, err := proof.OpenGraph(t.Context(), bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	_, err = g.Node(2, 1)
	require.EqualError(t, err, "proof refused: claim 3 has no node 1")
	// Another file in its place, with fewer nodes.
	end := chunkEnds(data)[1]
	header := proof.RawChunk{Kind: 'H', Frame: data[12+17 : end], Data: make([]byte, int(data[12+1])+int(data[12+2])<<8)}
	copy(data, proof.WrapChunks(header, proof.RawChunk{Kind: 'N', Data: []byte(goodNodes)}))
	for _, number := range []uint64{2, 3} {
		_, err = g.Node(0, number)
		require.ErrorIs(t, err, proof.ErrCorrupt)
		require.ErrorContains(t, err, fmt.Sprintf("claim 1 has no node %d any more", number))
	}
	text := manyChunks(t)
	g, err = proof.OpenGraph(t.Context(), bytes.NewReader(text), int64(len(text)))
	require.NoError(t, err)
	_, err = g.Node(1, 1)
	require.NoError(t, err)
	clear(text)
	n, err := g.Node(1, 1)
	require.NoError(t, err, "its chunk is kept")
	require.EqualValues(t, 1, n.Rank)
	_, err = g.Node(1, 9000)
	require.ErrorIs(t, err, proof.ErrCorrupt)
	require.ErrorContains(t, err, "has a wrong checksum")
	_, err = proof.OpenGraph(t.Context(), bytes.NewReader(text), int64(len(text)))
	require.ErrorIs(t, err, proof.ErrNotProof)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text = forged(goodHeader, goodNodes, goodEnd)
	_, err = proof.OpenGraph(ctx, bytes.NewReader(text), int64(len(text)))
	require.ErrorIs(t, err, context.Canceled)
}

// TestJobs has a wrong node found when the last job waits for room.
func TestJobs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	check := func(certificates ...[]byte) error {
		c := claimProof{root: 1}
		for _, certificate := range certificates {
			c.nodes = append(c.nodes, certified(certificate))
		}
		data, err := file{holding, []claimProof{c}}.bytes()
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, strict{}, proof.CheckOptions{})
		return err
	}
	full, wrong := make([]byte, 1<<12), make([]byte, 1<<12)
	wrong[0] = 'x'
	require.ErrorContains(t, check(wrong, full, full[:1]), "node 1, position \".../.../...\": proof refused: certificate")
}

// lasting is tic-tac-toe with certificates that fail, when another is at work, or last until
// the check ends.
type lasting struct {
	tictactoe.Game
	started chan bool
	ended   *atomic.Bool
}

func (l lasting) CheckCertificate(w *proof.Work, _ tictactoe.Position, _ bool, _ proof.Goal, certificate []byte) error {
	if certificate[0] == 0 {
		<-l.started
		return errors.New("it fails")
	}
	close(l.started)
	<-w.Context().Done()
	runtime.Gosched()
	l.ended.Store(true)
	return nil
}

// TestCheckEnds checks that nothing goes on when a check has ended.
func TestCheckEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	first, second := certified(make([]byte, proof.JobSize)), certified(bytes.Repeat([]byte{'x'}, proof.JobSize))
	data, err := file{holding, []claimProof{{[]proof.Node{first, second}, 1}}}.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	game := lasting{started: make(chan bool), ended: new(atomic.Bool)}
	_, err = proof.Check(t.Context(), r, game, proof.CheckOptions{})
	require.ErrorContains(t, err, "it fails")
	require.True(t, game.ended.Load())
	require.Equal(t, 2, runtime.GOMAXPROCS(0))
}

// TestOffsets has the bytes that are reported after each of four jobs in a chunk.
func TestOffsets(t *testing.T) {
	nodes := slices.Repeat([]proof.Node{certified(make([]byte, proof.JobSize))}, 4)
	data, err := file{holding, []claimProof{{nodes, 1}}}.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var got, want []uint64
	_, err = proof.Check(t.Context(), r, strict{}, proof.CheckOptions{Progress: func(now proof.Report) { got = append(got, now.Bytes) }})
	require.ErrorContains(t, err, "3 nodes are referred to less often than they say")
	const size = 4 + len(emptyTicTacToe) + 3 + proof.JobSize // of a node; the end of the claim has 2 bytes
	for ends, i := chunkEnds(data), 1; i <= 4; i++ {
		want = append(want, uint64(ends[1]+(ends[2]-ends[1])*i*size/(4*size+2)))
	}
	require.Equal(t, want, got)
}
