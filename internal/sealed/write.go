package sealed

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/internal/storage"
)

const (
	magic = "yomikiri state 1\n"
	sum   = 8 // the bytes of a sum

	maxHeader = 1 << 28
	// MaxChunk is the largest size of a chunk, in bytes.
	MaxChunk = 1 << 30
)

// Kind is what a file holds, and the version of that.
type Kind struct {
	Name    string `json:"kind"`
	Version int    `json:"version"`
}

// head is the header of a file.
type head struct {
	Kind
	Of json.RawMessage `json:"of"`
}

// Write creates or replaces a file atomically. Of, encoded as JSON, says what it belongs to.
// Chunks, if not nil, writes the chunks.
func Write(fs vfs.FS, path string, kind Kind, of any, chunks func(*Writer) error) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(head{kind, text}); err != nil {
		return err
	}
	return storage.WriteFile(fs, fs.PathDir(path), fs.PathBase(path), func(f io.Writer) error {
		first := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
		w := &Writer{w: f}
		if err := w.write(appendSummed(first, text)); err != nil {
			return err
		}
		if chunks != nil {
			if err := chunks(w); err != nil {
				return err
			}
		}
		return w.finish()
	})
}

// appendSummed appends data and its sum.
func appendSummed(dst, data []byte) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, data...), xxhash.Sum64(data))
}

// A Writer writes the chunks of a file. It is safe for concurrent use.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	offset uint64
	ends   []byte
	failed error
	packed sync.Pool
}

// Append adds a chunk of at most [MaxChunk] bytes. It does not keep data.
func (w *Writer) Append(data []byte) error {
	buffer, _ := w.packed.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer w.packed.Put(buffer)
	if n := s2.MaxEncodedLen(len(data)) + sum; cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	packed := s2.Encode((*buffer)[:cap(*buffer)-sum], data)
	packed = binary.LittleEndian.AppendUint64(packed, xxhash.Sum64(data))
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.write(packed); err != nil {
		return err
	}
	w.ends = binary.LittleEndian.AppendUint64(w.ends, w.offset)
	return nil
}

// finish writes the ends of the chunks.
func (w *Writer) finish() error {
	ends := binary.LittleEndian.AppendUint64(w.ends, uint64(len(w.ends)/8))
	return w.write(appendSummed(nil, ends))
}

// write writes data. After an error it writes nothing more.
func (w *Writer) write(data []byte) error {
	if w.failed == nil {
		_, w.failed = w.w.Write(data)
		w.offset += uint64(len(data))
	}
	return w.failed
}
