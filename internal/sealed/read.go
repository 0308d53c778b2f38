package sealed

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/s2"
)

// ErrDamaged is returned for a file that is not as it was written.
var ErrDamaged = errors.New("the file is damaged")

// ErrKind is returned for a file of another kind or version.
var ErrKind = errors.New("the file is of another kind")

// A File is open for reading. It is safe for concurrent use.
type File struct {
	path string
	f    vfs.File
	ends []uint64 // that of the header first
}

// Open opens a file of a kind and decodes what it belongs to into of. The error is
// [ErrDamaged] or [ErrKind] if it is not such a file, and os.ErrNotExist if there is none.
func Open(fs vfs.FS, path string, kind Kind, of any) (*File, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	file := &File{path: path, f: f}
	if err := file.open(kind, of); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return file, nil
}

func (f *File) open(kind Kind, of any) error {
	info, err := f.f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	begin := make([]byte, len(magic)+4)
	if n, err := f.readAt(begin, 0); err != nil {
		return err
	} else if got := string(begin[:len(magic)]); n < len(begin) || got != magic {
		return fmt.Errorf("%w, of an older version or not one of ours: it begins with %q, want %q", ErrDamaged, got, magic)
	}
	n := binary.LittleEndian.Uint32(begin[len(magic):])
	if n > maxHeader || int64(n) > size {
		return ErrDamaged
	}
	text, err := f.summed(int64(len(begin)), int(n)+sum)
	if err != nil {
		return err
	}
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if h.Name != kind.Name {
		return fmt.Errorf("%w: it holds %s, not %s", ErrKind, h.Name, kind.Name)
	}
	if h.Version != kind.Version {
		return fmt.Errorf("%w: it is of version %d, this program reads version %d", ErrKind, h.Version, kind.Version)
	}
	if err := json.Unmarshal(h.Of, of); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return f.readEnds(uint64(len(begin))+uint64(n)+sum, uint64(size))
}

// readEnds reads the ends of the chunks of a file of a size; the header ends at first.
func (f *File) readEnds(first, size uint64) error {
	const least = 8 + sum
	if size < first+least {
		return ErrDamaged
	}
	var count [8]byte
	if n, err := f.readAt(count[:], int64(size-least)); n < len(count) || err != nil {
		return errors.Join(ErrDamaged, err)
	}
	chunks := binary.LittleEndian.Uint64(count[:])
	if chunks > (size-first-least)/8 {
		return ErrDamaged
	}
	at := size - least - 8*chunks
	text, err := f.summed(int64(at), int(8*chunks)+least)
	if err != nil {
		return err
	}
	f.ends = append(make([]uint64, 0, chunks+1), first)
	for i := range chunks {
		end := binary.LittleEndian.Uint64(text[8*i:])
		if end < f.ends[i]+sum || end > at {
			return ErrDamaged
		}
		f.ends = append(f.ends, end)
	}
	if f.ends[chunks] != at {
		return ErrDamaged
	}
	return nil
}

// readAt reads what there is. Only the end of the file is not an error.
func (f *File) readAt(buf []byte, at int64) (int, error) {
	n, err := f.f.ReadAt(buf, at)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// summed reads n bytes, the last of which are the sum of the others, which it returns.
func (f *File) summed(at int64, n int) ([]byte, error) {
	buf := make([]byte, n)
	if got, err := f.readAt(buf, at); err != nil {
		return nil, err
	} else if got < n || xxhash.Sum64(buf[:n-sum]) != binary.LittleEndian.Uint64(buf[n-sum:]) {
		return nil, ErrDamaged
	}
	return buf[:n-sum], nil
}

// Chunks returns the number of chunks.
func (f *File) Chunks() int { return len(f.ends) - 1 }

// Chunk reads a chunk, numbered from 0 in the order of the file. It reuses the memory of dst for
// what it returns, and that of packed for the form in the file, which it returns too. Its errors
// name the file.
func (f *File) Chunk(i int, dst, packed []byte) (data, read []byte, err error) {
	if data, read, err = f.chunk(i, dst, packed); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return data, read, nil
}

func (f *File) chunk(i int, dst, packed []byte) (data, read []byte, err error) {
	begin, end := f.ends[i], f.ends[i+1]
	packed = resized(packed, int(end-begin))
	if n, err := f.readAt(packed, int64(begin)); err != nil {
		return nil, nil, err
	} else if n < len(packed) {
		return nil, nil, ErrDamaged
	}
	body := packed[:len(packed)-sum]
	size, err := s2.DecodedLen(body)
	if err != nil || size > MaxChunk {
		return nil, nil, ErrDamaged
	}
	data, err = s2.Decode(resized(dst, size), body)
	if err != nil || xxhash.Sum64(data) != binary.LittleEndian.Uint64(packed[len(body):]) {
		return nil, nil, ErrDamaged
	}
	return data, packed, nil
}

func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }
