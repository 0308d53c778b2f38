package retro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/db"
)

// A slice file has the codes of a finished slice in the order of their indices,
// little-endian. Checkpoints refer to it instead of holding them, and a slice
// that has to leave memory is read from it.
//
//	+-------+-------+     +--------------------------+-----+
//	| magic | piece | ... | end of each piece, 64 bit | sum |
//	+-------+-------+     +--------------------------+-----+
//
// A piece has the codes of pieceSize positions, the low bytes of all and then the
// high bytes, compressed with S2, and behind them the XXH64 of what they were. The
// sum at the end is the XXH64 of the ends.
const (
	sliceMagic  = "yomikiri slice 1\n"
	slicePrefix = "slice-"
	pieceSize   = 16 * db.BlockSize
)

func sliceFileName(slice int) string { return fmt.Sprintf("%s%d", slicePrefix, slice) }

func isSliceFile(name string) bool {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".tmp"), slicePrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && digits == strconv.Itoa(n) && n >= 0
}

// pieces returns the number of pieces of a slice.
func (e *engine) pieces(slice int) uint64 {
	return (e.universe.Slices[slice].Open + pieceSize - 1) / pieceSize
}

// pieceLength returns how many positions a piece has.
func (e *engine) pieceLength(slice int, piece uint64) int {
	return int(min(pieceSize, e.universe.Slices[slice].Open-piece*pieceSize))
}

// storeSlice writes the file of a finished slice that is in memory.
func (e *engine) storeSlice(slice int) error {
	err := db.WriteFile(e.cfg.FS, e.cfg.Checkpoint, sliceFileName(slice), func(w io.Writer) error {
		if _, err := io.WriteString(w, sliceMagic); err != nil {
			return err
		}
		var raw, packed, ends []byte
		end := uint64(len(sliceMagic))
		for piece := range e.pieces(slice) {
			raw = resized(raw, 2*e.pieceLength(slice, piece))
			e.copyCodes(raw, slice, piece*pieceSize)
			packed = s2.Encode(resized(packed, s2.MaxEncodedLen(len(raw))+8)[:0:cap(packed)], raw)
			packed = binary.LittleEndian.AppendUint64(packed, xxhash.Sum64(raw))
			if _, err := w.Write(packed); err != nil {
				return err
			}
			end += uint64(len(packed))
			ends = binary.LittleEndian.AppendUint64(ends, end)
		}
		ends = binary.LittleEndian.AppendUint64(ends, xxhash.Sum64(ends))
		_, err := w.Write(ends)
		return err
	})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	e.state.Slices[slice].Stored = true
	return nil
}

// copyCodes fills a piece with the codes of positions of a slice in memory, the
// first with the given number in the slice.
func (e *engine) copyCodes(piece []byte, slice int, first uint64) {
	index := e.universe.Slices[slice].Start + first
	r := e.layout.find(index, &e.layout.regions[0])
	n := len(piece) / 2
	for i := 0; i < n; i += db.BlockSize {
		number, slot := r.locate(index + uint64(i))
		p := e.partitions[number]
		for j := i; j < min(i+db.BlockSize, n); j++ {
			code := p.code(slot + uint32(j-i))
			piece[j], piece[n+j] = byte(code), byte(code>>8)
		}
	}
}

// sliceFile is an open slice file. It is safe for concurrent use.
type sliceFile struct {
	e     *engine
	slice int
	file  vfs.File
	ends  []uint64

	mu    sync.Mutex
	cache []cachedPiece // for readers of single codes, the latest used first
}

type cachedPiece struct {
	piece uint64
	codes []byte
}

const cachedPieces = 8

// openSlice opens the file of a slice.
func (e *engine) openSlice(slice int) (f *sliceFile, err error) {
	file, err := e.cfg.FS.Open(e.cfg.FS.PathJoin(e.cfg.Checkpoint, sliceFileName(slice)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: %w", sliceFileName(slice), errDamaged)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", sliceFileName(slice), err), file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	n := int64(8*e.pieces(slice) + 8)
	if info.Size() < n {
		return nil, errDamaged
	}
	text := make([]byte, n)
	if _, err := file.ReadAt(text, info.Size()-n); err != nil {
		return nil, err
	}
	magic := make([]byte, len(sliceMagic))
	if _, err := file.ReadAt(magic, 0); err != nil {
		return nil, err
	}
	if string(magic) != sliceMagic || xxhash.Sum64(text[:n-8]) != binary.LittleEndian.Uint64(text[n-8:]) {
		return nil, errDamaged
	}
	f = &sliceFile{e: e, slice: slice, file: file}
	for ; len(text) > 8; text = text[8:] {
		f.ends = append(f.ends, binary.LittleEndian.Uint64(text))
	}
	return f, nil
}

// readPiece reads a piece, two bytes a code, into dst, which may be used again,
// like the memory of packed.
func (f *sliceFile) readPiece(piece uint64, dst, packed []byte) (codes, memory []byte, err error) {
	begin := uint64(len(sliceMagic))
	if piece > 0 {
		begin = f.ends[piece-1]
	}
	packed = resized(packed, int(f.ends[piece]-begin))
	if _, err := f.file.ReadAt(packed, int64(begin)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", sliceFileName(f.slice), err)
	}
	body, sum := packed[:len(packed)-8], binary.LittleEndian.Uint64(packed[len(packed)-8:])
	size := 2 * f.e.pieceLength(f.slice, piece)
	if n, err := s2.DecodedLen(body); err != nil || n != size {
		return nil, nil, fmt.Errorf("%s: %w", sliceFileName(f.slice), errDamaged)
	}
	codes, err = s2.Decode(resized(dst, size), body)
	if err != nil || xxhash.Sum64(codes) != sum {
		return nil, nil, fmt.Errorf("%s: %w", sliceFileName(f.slice), errDamaged)
	}
	return codes, packed, nil
}

// codeAt returns the code in a piece.
func codeAt(piece []byte, i uint64) uint16 {
	return uint16(piece[i]) | uint16(piece[uint64(len(piece)/2)+i])<<8
}

// piece returns a piece, perhaps from the cache.
func (f *sliceFile) piece(piece uint64) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, c := range f.cache {
		if c.piece == piece {
			copy(f.cache[1:i+1], f.cache[:i])
			f.cache[0] = c
			return c.codes, nil
		}
	}
	codes, _, err := f.readPiece(piece, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(f.cache) < cachedPieces {
		f.cache = append(f.cache, cachedPiece{})
	}
	copy(f.cache[1:], f.cache)
	f.cache[0] = cachedPiece{piece, codes}
	return codes, nil
}

// block copies the codes of a block to dst through a table, as a partition does.
func (f *sliceFile) block(block uint64, table []uint16, width int, dst []byte) error {
	piece, err := f.piece(block * db.BlockSize / pieceSize)
	if err != nil {
		return err
	}
	first := block * db.BlockSize % pieceSize
	for i := range uint64(len(dst) / width) {
		code := table[codeAt(piece, first+i)]
		if width == 1 {
			dst[i] = byte(code)
		} else {
			dst[2*i], dst[2*i+1] = byte(code), byte(code>>8)
		}
	}
	return nil
}

// loadSlice brings a slice from its file into memory.
func (e *engine) loadSlice(slice int) error {
	f := e.files[slice]
	e.files[slice] = nil
	for _, p := range e.partitions {
		if p.slice == slice && p.open {
			p.allocateCodes(len(e.state.Codes)+codes > 256)
		}
	}
	start := e.universe.Slices[slice].Start
	r := e.layout.find(start, &e.layout.regions[0])
	var piece, packed []byte
	var err error
	for n := range e.pieces(slice) {
		if piece, packed, err = f.readPiece(n, piece, packed); err != nil {
			break
		}
		for i := range uint64(len(piece) / 2) {
			number, slot := r.locate(start + n*pieceSize + i)
			e.partitions[number].setCode(slot, codeAt(piece, i))
		}
	}
	return errors.Join(err, f.file.Close())
}

// dropSlice lets a finished slice leave memory; it is in its file.
func (e *engine) dropSlice(slice int) error {
	if !e.state.Slices[slice].Stored {
		if err := e.storeSlice(slice); err != nil {
			return err
		}
	}
	f, err := e.openSlice(slice)
	if err != nil {
		return err
	}
	for _, p := range e.partitions {
		if p.slice == slice {
			p.narrow, p.wide = nil, nil
		}
	}
	e.files[slice] = f
	return nil
}

// closeFiles closes the slice files.
func (e *engine) closeFiles() error {
	var err error
	for _, f := range e.files {
		if f != nil {
			err = errors.Join(err, f.file.Close())
		}
	}
	e.files = make([]*sliceFile, len(e.universe.Slices))
	return err
}
