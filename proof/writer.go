package proof

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// Writer writes a proof file node by node. For each claim of the header, in order, call
// [Writer.Add] for the nodes, children first, and then [Writer.EndClaim]; at the end call
// [Writer.Close]. The writer checks the form of its input, not the proof. It belongs to one
// goroutine and compresses on others, so a write error may be returned for a later node.
type Writer struct {
	w      io.Writer
	chunk  []byte
	behind []chan []byte // chunks that are being compressed, in order
	chunks uint64
	number uint64 // of the last node of this claim
	ended  int    // claims
	header Header
	counts Counts
	search uint64 // positions of searched nodes
	bytes  uint64
	err    error // of an earlier call; sticks
}

// NewWriter returns a writer to w and writes the header.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	pw := &Writer{w: w, header: h}
	pw.write(binary.LittleEndian.AppendUint32([]byte(magic), Version))
	pw.chunk = text
	pw.flush(chunkHeader)
	pw.settle(0)
	return pw, pw.err
}

func (w *Writer) write(data []byte) {
	if w.err == nil {
		var n int
		n, w.err = w.w.Write(data)
		w.bytes += uint64(n)
	}
}

// flush starts to compress the collected data as a chunk, which settle writes.
func (w *Writer) flush(kind byte) {
	if len(w.chunk) > maxChunk {
		w.err = errors.Join(w.err, fmt.Errorf("a chunk of %d bytes: at most %d are possible", len(w.chunk), maxChunk))
		return
	}
	w.settle(runtime.GOMAXPROCS(0) - 1)
	data, number, done := w.chunk, w.chunks, make(chan []byte, 1)
	go func() { done <- newChunk(kind, number, data) }()
	w.behind = append(w.behind, done)
	w.chunks++
	w.chunk = nil
}

// settle writes compressed chunks, in order, until at most left chunks are still to be
// written.
func (w *Writer) settle(left int) {
	for len(w.behind) > left {
		w.write(<-w.behind[0])
		w.behind = w.behind[1:]
	}
}

// newChunk returns a chunk as it is stored.
func newChunk(kind byte, number uint64, data []byte) []byte {
	chunk := codec.AppendCompressed(make([]byte, chunkHeadSize), data)
	stored := chunk[chunkHeadSize:]
	chunk[0] = kind
	binary.LittleEndian.PutUint32(chunk[1:], uint32(len(data)))
	binary.LittleEndian.PutUint32(chunk[5:], uint32(len(stored)))
	binary.LittleEndian.PutUint64(chunk[9:], chunkSum(kind, number, stored))
	return chunk
}

// Add writes a node and returns its number, or 0 for one that [Keeps]. It does not retain
// n.
func (w *Writer) Add(n *Node) (uint64, error) {
	if w.err == nil {
		w.err = w.wrong(n)
	}
	if w.err != nil {
		return 0, w.err
	}
	number := w.number + 1
	w.search += n.Positions
	w.counts.add(n)
	before := len(w.chunk)
	if w.chunk = appendNode(w.chunk, n, number); len(w.chunk) > maxChunk && before > 0 {
		// It may fit in a chunk of its own.
		node := slices.Clone(w.chunk[before:])
		w.chunk = w.chunk[:before]
		w.flush(chunkNodes)
		w.chunk = append(w.chunk, node...)
	}
	if len(w.chunk) >= fullChunk {
		w.flush(chunkNodes)
	}
	if n.Kind == Keeps {
		return 0, w.err
	}
	w.number = number
	return number, w.err
}

// wrong returns an error that says what is wrong with the form of n, or nil.
func (w *Writer) wrong(n *Node) error {
	number := w.number + 1
	switch {
	case w.ended == len(w.header.Claims):
		return errors.New("a node behind the last claim")
	case n.Kind.wrongIn(&w.header) != "":
		return fmt.Errorf("node %d is of kind %d: %s", number, n.Kind, n.Kind.wrongIn(&w.header))
	case n.Kind == Keeps:
		if len(n.Children) != 2 || n.Children[0] == 0 || n.Children[1] <= n.Children[0] || n.Children[1] >= number {
			return fmt.Errorf("after node %d: what keeps a node ahead has children %d", w.number, n.Children)
		}
		return nil
	case n.Uses == 0:
		return fmt.Errorf("node %d has no uses", number)
	case n.Kind.ahead() != (n.Rank == 0) || n.Rank > maxRank:
		return fmt.Errorf("node %d has rank %d: want 1 to %d", number, n.Rank, uint64(maxRank))
	case len(n.Position) == 0:
		return fmt.Errorf("node %d has no position", number)
	case (n.Positions > 0) != n.Kind.searched() || n.Positions > w.header.Positions-w.search:
		return fmt.Errorf("node %d of kind %d with %d positions to search, and the header leaves %d", number, n.Kind, n.Positions, w.header.Positions-w.search)
	case (len(n.Move) > 0) != (n.Kind == Or):
		return fmt.Errorf("node %d of kind %d with move %q", number, n.Kind, n.Move)
	case len(n.Children) > 1 && n.Kind != And || len(n.Children) > 0 && n.Kind > And:
		return fmt.Errorf("node %d of kind %d with %d children", number, n.Kind, len(n.Children))
	case !slices.IsSorted(n.Children):
		return fmt.Errorf("node %d: children %d are not in ascending order", number, n.Children)
	}
	for i, child := range n.Children {
		if child == 0 || child >= number || i > 0 && child == n.Children[i-1] {
			return fmt.Errorf("node %d refers to nodes %d", number, n.Children)
		}
	}
	return nil
}

// A node is written as
//
//	+------+------+------+----------+--------------------------------------+
//	| kind | uses | rank | position | Or: move, child                      |
//	|      |      |      |          | And: number of children, children    |
//	|      |      |      |          | Certified...: certificate            |
//	|      |      |      |          | Searched...: number of positions     |
//	+------+------+------+----------+--------------------------------------+
//
// Kind is a byte, other numbers are varints (as of Go's encoding/binary); text is
// its length and its bytes. Children are written from the nearest to the farthest, each as a
// distance: the first as the difference between the node's number and its own, the others as
// the difference between the number of the child written before and their own. 0 stands for
// none.
//
// Ahead has no rank. Keeps has nothing but its two children, both as distances from the
// number that the next node would have.
func appendNode(dst []byte, n *Node, number uint64) []byte {
	dst = append(dst, byte(n.Kind))
	if n.Kind == Keeps {
		return binary.AppendUvarint(binary.AppendUvarint(dst, number-n.Children[0]), number-n.Children[1])
	}
	dst = binary.AppendUvarint(dst, n.Uses)
	if n.Kind.ahead() {
		return appendText(dst, n.Position)
	}
	dst = binary.AppendUvarint(dst, n.Rank)
	dst = appendText(dst, n.Position)
	switch n.Kind {
	case Or:
		dst = appendText(dst, n.Move)
		distance := uint64(0)
		if len(n.Children) > 0 {
			distance = number - n.Children[0]
		}
		dst = binary.AppendUvarint(dst, distance)
	case And:
		dst = binary.AppendUvarint(dst, uint64(len(n.Children)))
		for _, child := range slices.Backward(n.Children) {
			dst = binary.AppendUvarint(dst, number-child)
			number = child
		}
	case Searched, SearchedReply:
		dst = binary.AppendUvarint(dst, n.Positions)
	default:
		dst = appendText(dst, n.Certificate)
	}
	return dst
}

func appendText(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// EndClaim ends the proof of a claim. root is the number of its root node, or 0 if the root
// position is finished.
func (w *Writer) EndClaim(root uint64) error {
	switch {
	case w.err != nil:
	case w.ended == len(w.header.Claims):
		w.err = fmt.Errorf("the header has %d claims only", w.ended)
	case root > w.number:
		w.err = fmt.Errorf("root %d is behind the last node, %d", root, w.number)
	default:
		distance := uint64(0)
		if root > 0 {
			distance = w.number + 1 - root
		}
		w.chunk = binary.AppendUvarint(append(w.chunk, byte(endOfClaim)), distance)
		w.ended++
		w.number = 0
	}
	return w.err
}

// Counts returns what has been written so far.
func (w *Writer) Counts() Counts { return w.counts }

// Bytes returns how many bytes have been written so far. Until [Writer.Close] it does not
// count data that is still being compressed.
func (w *Writer) Bytes() uint64 { return w.bytes }

// Close writes what is left, and the end. It does not close the underlying
// writer. A file without its end is refused by readers.
func (w *Writer) Close() error {
	if w.err == nil && w.ended < len(w.header.Claims) {
		w.err = fmt.Errorf("%d of %d claims are proven", w.ended, len(w.header.Claims))
	}
	if w.err == nil && w.search != w.header.Positions {
		w.err = fmt.Errorf("the header says that %d positions are to be searched, but there are %d", w.header.Positions, w.search)
	}
	if w.err != nil {
		return w.err
	}
	w.flush(chunkNodes) // never empty: it has at least the end of the last claim
	var err error
	if w.chunk, err = json.Marshal(w.counts); err != nil {
		return err
	}
	w.flush(chunkEnd)
	w.settle(0)
	return w.err
}
