package retro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// A tier file holds the codes of a finished tier in the order of indices,
// little-endian. Checkpoints refer to it, and a tier evicted from memory is read from
// it.
//
//	+-------+-------+     +--------------------------+-----+
//	| magic | piece | ... | end of each piece, 64 bit | sum |
//	+-------+-------+     +--------------------------+-----+
//
// A piece holds the codes of pieceSize positions, all low bytes before all high
// bytes, compressed with S2 and followed by the XXH64 of the uncompressed codes. The
// sum at the end is the XXH64 of the ends.
const (
	// Format 1 calls a tier a slice.
	tierMagic  = "yomikiri slice 1\n"
	tierPrefix = "slice-"
	pieceSize  = 16 * db.BlockSize
)

func tierFileName(tier int) string { return fmt.Sprintf("%s%d", tierPrefix, tier) }

func isTierFile(name string) bool {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".tmp"), tierPrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && digits == strconv.Itoa(n) && n >= 0
}

// pieces returns the number of pieces of a tier.
func (e *engine) pieces(tier int) uint64 {
	return (e.universe.Tiers[tier].Open + pieceSize - 1) / pieceSize
}

// pieceLength returns the number of positions of a piece.
func (e *engine) pieceLength(tier int, piece uint64) int {
	return int(min(pieceSize, e.universe.Tiers[tier].Open-piece*pieceSize))
}

// storeTier writes the file of a finished tier that is in memory, unless there is one already.
func (e *engine) storeTier(tier int) error {
	if e.state.Tiers[tier].Stored {
		return nil
	}
	err := storage.WriteFile(e.cfg.FS, e.cfg.Checkpoint, tierFileName(tier), func(w io.Writer) error {
		if _, err := io.WriteString(w, tierMagic); err != nil {
			return err
		}
		var raw, packed, ends []byte
		end := uint64(len(tierMagic))
		for piece := range e.pieces(tier) {
			if e.quit.Load() {
				return errStopped
			}
			raw = resized(raw, 2*e.pieceLength(tier, piece))
			if err := e.copyCodes(raw, tier, piece*pieceSize); err != nil {
				return err
			}
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
	e.state.Tiers[tier].Stored = true
	return nil
}

// copyCodes fills a piece with codes of a tier that has no file yet, from the offset
// first on.
func (e *engine) copyCodes(piece []byte, tier int, first uint64) error {
	index := e.universe.Tiers[tier].Start + first
	r := e.layout.find(index, &e.layout.regions[0])
	n := len(piece) / 2
	for i := 0; i < n; i += db.BlockSize {
		number, slot := r.locate(index + uint64(i))
		p := e.partitions[number]
		if p.stored != nil {
			if err := p.copyStored(slot, piece[i:min(i+db.BlockSize, n)], piece[n+i:]); err != nil {
				return err
			}
			continue
		}
		for j := i; j < min(i+db.BlockSize, n); j++ {
			code := p.code(slot + uint32(j-i))
			piece[j], piece[n+j] = byte(code), byte(code>>8)
		}
	}
	return nil
}

// tierFile is an open tier file. It is safe for concurrent use.
type tierFile struct {
	e    *engine
	tier int
	file vfs.File
	ends []uint64
}

// cachedPieces is the number of pieces that are cached for each worker.
const cachedPieces = 8

// pieceNumber identifies a piece.
type pieceNumber struct {
	tier  int
	piece uint64
}

// openTier opens the file of a tier.
func (e *engine) openTier(tier int) (f *tierFile, err error) {
	file, err := e.cfg.FS.Open(e.cfg.FS.PathJoin(e.cfg.Checkpoint, tierFileName(tier)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: %w", tierFileName(tier), errDamaged)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", tierFileName(tier), err), file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	n := int64(8*e.pieces(tier) + 8)
	if info.Size() < n {
		return nil, errDamaged
	}
	text := make([]byte, n)
	if _, err := file.ReadAt(text, info.Size()-n); err != nil {
		return nil, err
	}
	magic := make([]byte, len(tierMagic))
	if _, err := file.ReadAt(magic, 0); err != nil {
		return nil, err
	}
	if string(magic) != tierMagic || xxhash.Sum64(text[:n-8]) != binary.LittleEndian.Uint64(text[n-8:]) {
		return nil, errDamaged
	}
	f = &tierFile{e: e, tier: tier, file: file}
	for ; len(text) > 8; text = text[8:] {
		f.ends = append(f.ends, binary.LittleEndian.Uint64(text))
	}
	return f, nil
}

// readPiece reads a piece, two bytes a code. It reuses the memory of dst and packed
// and returns both.
func (f *tierFile) readPiece(piece uint64, dst, packed []byte) (codes, memory []byte, err error) {
	begin := uint64(len(tierMagic))
	if piece > 0 {
		begin = f.ends[piece-1]
	}
	packed = resized(packed, int(f.ends[piece]-begin))
	if _, err := f.file.ReadAt(packed, int64(begin)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", tierFileName(f.tier), err)
	}
	body, sum := packed[:len(packed)-8], binary.LittleEndian.Uint64(packed[len(packed)-8:])
	size := 2 * f.e.pieceLength(f.tier, piece)
	if n, err := s2.DecodedLen(body); err != nil || n != size {
		return nil, nil, fmt.Errorf("%s: %w", tierFileName(f.tier), errDamaged)
	}
	codes, err = s2.Decode(resized(dst, size), body)
	if err != nil || xxhash.Sum64(codes) != sum {
		return nil, nil, fmt.Errorf("%s: %w", tierFileName(f.tier), errDamaged)
	}
	return codes, packed, nil
}

// codeAt returns the i-th code of a piece.
func codeAt(piece []byte, i uint64) uint16 {
	return uint16(piece[i]) | uint16(piece[uint64(len(piece)/2)+i])<<8
}

// piece returns a piece, from the cache if possible.
func (f *tierFile) piece(piece uint64) ([]byte, error) {
	key := pieceNumber{f.tier, piece}
	if codes, ok := f.e.pieceCache.Get(key); ok {
		return codes, nil
	}
	codes, _, err := f.readPiece(piece, nil, nil)
	if err == nil {
		f.e.pieceCache.Add(key, codes)
	}
	return codes, err
}

// block copies the codes of a block to dst, mapped by a table, like
// [partition.block].
func (f *tierFile) block(block uint64, table []uint16, width int, dst []byte) error {
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

// loadTier loads a tier from its file.
func (e *engine) loadTier(tier int) error {
	f := e.files[tier]
	e.files[tier] = nil
	for _, p := range e.partitions {
		if p.tier == tier && p.open {
			p.allocateCodes(len(e.state.Codes)+codes > 256)
		}
	}
	start := e.universe.Tiers[tier].Start
	r := e.layout.find(start, &e.layout.regions[0])
	var piece, packed []byte
	var err error
	for n := range e.pieces(tier) {
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

// evictTier frees the memory of a finished tier, after writing its file if there is
// none.
func (e *engine) evictTier(tier int) error {
	if err := e.storeTier(tier); err != nil {
		return err
	}
	f, err := e.openTier(tier)
	if err != nil {
		return err
	}
	for _, p := range e.partitions {
		if p.tier == tier {
			p.narrow, p.wide, p.stored = nil, nil, nil
		}
	}
	e.files[tier] = f
	return e.closeScratch(tier)
}

// closeFiles closes the tier files.
func (e *engine) closeFiles() error {
	var err error
	for _, f := range e.files {
		if f != nil {
			err = errors.Join(err, f.file.Close())
		}
	}
	e.files = make([]*tierFile, len(e.universe.Tiers))
	return err
}
