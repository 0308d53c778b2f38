package proof

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"

	"github.com/klauspost/compress/zstd"

	"github.com/yomikiri/yomikiri/games"
)

// Limits of a file.
const (
	LookEvery = lookEvery
	LiveNodes = liveNodes
	JobSize   = jobSize
)

// CheckSteps is [Check], and returns how many steps of work were counted.
func CheckSteps[P, M comparable](ctx context.Context, r *Reader, g games.Game[P, M]) (steps int64, err error) {
	c := newChecker[P, M](r, g, CheckOptions{})
	err = c.run(ctx)
	return c.steps, err
}

// Parts of the checker.
var (
	AllowedWork = allowedWork
	CheckFrame  = checkFrame
	AppendNode  = appendNode
	ChunkSum    = chunkSum
)

// NodesRead returns how many nodes were read.
func NodesRead(r *Reader) int { return int(r.counts.Nodes) }

// ChunksOf returns how many chunks a writer has filled.
func ChunksOf(w *Writer) uint64 { return w.chunks }

// RawChunk is a chunk as a forger writes it, with the right checksum.
type RawChunk struct {
	Kind  byte
	Data  []byte
	Frame []byte // in place of the frame that holds Data
}

// WrapChunks returns a file with some chunks.
func WrapChunks(chunks ...RawChunk) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(magic), Version)
	for i, c := range chunks {
		if c.Frame == nil {
			c.Frame = codec.AppendCompressed(nil, c.Data)
		}
		out = append(out, c.Kind)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(c.Data)))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(c.Frame)))
		out = binary.LittleEndian.AppendUint64(out, chunkSum(c.Kind, uint64(i), c.Frame))
		out = append(out, c.Frame...)
	}
	return out
}

// WrapNodes returns a file with a header and the given bytes as nodes, with right
// checksums and as many nodes in the end as can be read.
func WrapNodes(h Header, nodes []byte) []byte {
	header, err := json.Marshal(h)
	if err != nil {
		panic(err)
	}
	chunks := []RawChunk{{Kind: 'H', Data: header}, {Kind: 'N', Data: nodes}, {Kind: 'E', Data: []byte("{}")}}
	r, err := NewReader(bytes.NewReader(WrapChunks(chunks...)))
	if err != nil {
		panic(err)
	}
	for err == nil {
		_, _, err = r.Next()
	}
	c := r.counts
	if chunks[2].Data, err = json.Marshal(c); err != nil {
		panic(err)
	}
	return WrapChunks(chunks...)
}

// Frame compresses data with options.
func Frame(data []byte, options ...zstd.EOption) []byte {
	e, err := zstd.NewWriter(nil, options...)
	if err != nil {
		panic(err)
	}
	return e.EncodeAll(data, nil)
}
