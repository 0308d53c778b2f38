package proof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Reader reads a proof file node by node. It checks the form and the checksums,
// not the proof; that is what [Check] does. It belongs to one goroutine.
type Reader struct {
	r      io.Reader
	header Header
	chunk  []byte // what is left of it
	data   []byte // for chunk
	stored []byte
	chunks uint64
	bytes  uint64 // read
	before uint64 // bytes before the chunk
	counts Counts
	search uint64 // positions of searched nodes
	claim  int
	number uint64 // of the last node
	node   Node
}

// NewReader returns a reader of the file r and reads its header. It needs at most
// a few megabytes of memory. It fails with [ErrCorrupt] or [ErrVersion].
func NewReader(r io.Reader) (*Reader, error) {
	pr := &Reader{r: r}
	var prefix [prefixSize]byte
	n, err := io.ReadFull(r, prefix[:])
	pr.bytes = uint64(n)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(prefix[:len(magic)]) != magic {
		return nil, ErrNotProof
	}
	if n < prefixSize {
		return nil, corrupt("it ends within its version, after %d bytes", n)
	}
	if version := binary.LittleEndian.Uint32(prefix[len(magic):]); version != Version {
		return nil, fmt.Errorf("%w: the file has version %d and this program reads version %d: have the proof written again", ErrVersion, version, Version)
	}
	kind, err := pr.next()
	if err != nil {
		return nil, err
	}
	if kind != chunkHeader {
		return nil, corrupt("the first chunk is of type %q, want the header", kind)
	}
	if pr.header, err = decodeHeader(pr.chunk); err != nil {
		return nil, corrupt("header: %v", err)
	}
	pr.chunk = nil
	return pr, nil
}

// Header returns what the file is about.
func (r *Reader) Header() Header { return r.header }

// Rename replaces the name of the game in the header by the one that the game has for the same
// rules: a file may spell out defaults and have options in any order, and [Check] compares
// names.
func (r *Reader) Rename(game string) { r.header.Game = game }

// offset estimates the offset of the last node in the file, as if all bytes of a chunk
// compressed equally well.
func (r *Reader) offset() uint64 {
	if len(r.data) == 0 {
		return r.bytes
	}
	return r.before + (r.bytes-r.before)*uint64(len(r.data)-len(r.chunk))/uint64(len(r.data))
}

// place describes where the reader is, for errors.
func (r *Reader) place() string {
	return fmt.Sprintf("chunk %d, which ends at byte %d", r.chunks-1, r.bytes)
}

func (r *Reader) readFull(data []byte, what string) error {
	n, err := io.ReadFull(r.r, data)
	r.bytes += uint64(n)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return corrupt("it ends at byte %d within %s of chunk %d", r.bytes, what, r.chunks)
	case err != nil:
		return err
	}
	return nil
}

// next reads a chunk.
func (r *Reader) next() (kind byte, err error) {
	r.before = r.bytes
	var head [chunkHeadSize]byte
	if err := r.readFull(head[:], "the head"); err != nil {
		return 0, err
	}
	kind = head[0]
	size := binary.LittleEndian.Uint32(head[1:])
	stored := binary.LittleEndian.Uint32(head[5:])
	sum := binary.LittleEndian.Uint64(head[9:])
	if size > maxChunk || stored > maxStored {
		return 0, corrupt("chunk %d has %d bytes, stored in %d: at most %d are possible", r.chunks, size, stored, maxChunk)
	}
	if cap(r.stored) < int(stored) {
		r.stored = make([]byte, max(int(stored), fullChunk))
	}
	r.stored = r.stored[:stored]
	if err := r.readFull(r.stored, "the payload"); err != nil {
		return 0, err
	}
	if chunkSum(kind, r.chunks, r.stored) != sum {
		return 0, corrupt("chunk %d, which ends at byte %d, has a wrong checksum", r.chunks, r.bytes)
	}
	if err = checkFrame(r.stored, size); err == nil {
		r.data, err = codec.AppendDecompressed(r.data[:0], r.stored)
	}
	if err != nil {
		return 0, corrupt("chunk %d: %v", r.chunks, err)
	}
	if len(r.data) != int(size) {
		return 0, corrupt("chunk %d, which ends at byte %d, holds %d bytes and says %d", r.chunks, r.bytes, len(r.data), size)
	}
	r.chunks++
	r.chunk = r.data
	return kind, nil
}

// Next reads the next node. The node and its text are valid until the following
// call. At the end of a claim it returns no node and the number of the root, 0 if
// there is none; at the end of the file it returns [io.EOF]. It fails with
// [ErrCorrupt].
func (r *Reader) Next() (n *Node, root uint64, err error) {
	for len(r.chunk) == 0 {
		kind, err := r.next()
		if err != nil {
			return nil, 0, err
		}
		switch kind {
		case chunkNodes:
			if len(r.chunk) == 0 {
				return nil, 0, corrupt("%s, has no nodes", r.place())
			}
		case chunkEnd:
			return nil, 0, r.end()
		default:
			return nil, 0, corrupt("%s, is of type %q, want nodes or the end", r.place(), kind)
		}
	}
	if r.claim == len(r.header.Claims) {
		return nil, 0, corrupt("%s: a node behind the last claim", r.place())
	}
	d := fields{data: r.chunk}
	if n = &r.node; Kind(r.chunk[0]) == endOfClaim {
		d.data = d.data[1:]
		root, n = d.below(r.number+1), nil
	} else {
		d.node(n, r.number+1, &r.header)
	}
	if d.wrong != "" {
		return nil, 0, corrupt("%s: claim %d, node %d: %s", r.place(), r.claim+1, r.number+1, d.wrong)
	}
	r.chunk = d.data
	if n == nil {
		r.claim++
		r.number = 0
		return nil, root, nil
	}
	if n.Kind != Keeps {
		r.number++
	}
	if n.Positions > r.header.Positions-r.search {
		return nil, 0, corrupt("%s: claim %d, node %d: up to here there are more positions to search than the %d of the header", r.place(), r.claim+1, r.number, r.header.Positions)
	}
	r.search += n.Positions
	r.counts.add(n)
	return n, 0, nil
}

// end checks the counts in the end chunk, and that nothing follows it. It then returns
// [io.EOF].
func (r *Reader) end() error {
	counts, err := decodeCounts(r.chunk)
	if err != nil {
		return corrupt("end: %v", err)
	}
	if r.claim < len(r.header.Claims) {
		return corrupt("it proves %d of %d claims", r.claim, len(r.header.Claims))
	}
	if counts != r.counts {
		return corrupt("the end says %+v, but there were %+v", counts, r.counts)
	}
	if r.search != r.header.Positions {
		return corrupt("the header says that %d positions are to be searched, but there were %d", r.header.Positions, r.search)
	}
	var more [1]byte
	switch _, err := io.ReadFull(r.r, more[:]); {
	case err == nil:
		return corrupt("there are bytes behind the end, at byte %d", r.bytes)
	case !errors.Is(err, io.EOF):
		return err
	}
	return io.EOF
}

// fields reads the fields of a node. After the first error it reads zeros.
type fields struct {
	data  []byte
	wrong string
}

func (f *fields) fail(format string, args ...any) {
	if f.wrong == "" {
		f.wrong = fmt.Sprintf(format, args...)
		f.data = nil
	}
}

// uvarint reads a number. The parts of its name are joined only for an error.
func (f *fields) uvarint(name ...string) uint64 {
	x, n := binary.Uvarint(f.data)
	if n <= 0 {
		f.fail("no %s", strings.Join(name, ""))
		return 0
	}
	if n > 1 && f.data[n-1] == 0 {
		f.fail("%s in more bytes than it needs", strings.Join(name, ""))
		return 0
	}
	f.data = f.data[n:]
	return x
}

func (f *fields) text(name string) []byte {
	n := f.uvarint("length of the ", name)
	if n > uint64(len(f.data)) {
		f.fail("a %s of %d bytes, but %d are left", name, n, len(f.data))
		return nil
	}
	text := f.data[:n]
	f.data = f.data[n:]
	return text
}

// below reads the number of a node as a distance below another; 0 for none.
func (f *fields) below(number uint64) uint64 {
	distance := f.uvarint("reference")
	if distance >= number {
		f.fail("a reference %d back from %d", distance, number)
		return 0
	}
	if distance == 0 {
		return 0
	}
	return number - distance
}

func (f *fields) node(n *Node, number uint64, h *Header) {
	*n = Node{Kind: Kind(f.data[0]), Children: n.Children[:0]}
	f.data = f.data[1:]
	if wrong := n.Kind.wrongIn(h); wrong != "" {
		f.fail("kind %d: %s", n.Kind, wrong)
		return
	}
	if n.Kind == Keeps {
		ahead, node := f.below(number), f.below(number)
		if ahead == 0 || node <= ahead {
			f.fail("a reference to itself, or to a node before the one ahead")
		}
		n.Children = append(n.Children, ahead, node)
		return
	}
	if n.Uses = f.uvarint("number of uses"); n.Uses == 0 {
		f.fail("no uses")
	}
	if n.Kind.ahead() {
		if n.Position = f.text("position"); len(n.Position) == 0 {
			f.fail("no position")
		}
		return
	}
	if n.Rank = f.uvarint("rank"); n.Rank == 0 || n.Rank > maxRank {
		f.fail("rank %d: want 1 to %d", n.Rank, uint64(maxRank))
	}
	if n.Position = f.text("position"); len(n.Position) == 0 {
		f.fail("no position")
	}
	switch n.Kind {
	case Or:
		if n.Move = f.text("move"); len(n.Move) == 0 {
			f.fail("no move")
		}
		if child := f.below(number); child > 0 {
			n.Children = append(n.Children, child)
		}
	case And:
		count := f.uvarint("number of children")
		if count > uint64(len(f.data)) {
			f.fail("%d children, but %d bytes are left", count, len(f.data))
			return
		}
		for range count {
			child := f.below(number)
			if child == 0 {
				f.fail("a reference to itself or twice to the same node")
				return
			}
			n.Children = append(n.Children, child)
			number = child
		}
		slices.Reverse(n.Children)
	case Searched, SearchedReply:
		if n.Positions = f.uvarint("number of positions"); n.Positions == 0 {
			f.fail("no positions to search")
		}
	default:
		n.Certificate = f.text("certificate")
	}
}
