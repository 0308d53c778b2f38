package engine

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

// A tier file holds the codes of a solved tier in the order of indices,
// little-endian. Checkpoints refer to it, and a tier evicted from memory is read from
// it.
//
//	+-------+-------+     +--------------------------+-----+
//	| magic | piece | ... | end of each piece, 64 bit | sum |
//	+-------+-------+     +--------------------------+-----+
//
// A piece holds the codes of those of pieceSize positions that belong to this process, all low
// bytes before all high bytes, compressed with S2 and followed by the XXH64 of the uncompressed codes. The
// sum at the end is the XXH64 of the ends.
const (
	tierMagic  = "yomikiri tier 1\n"
	tierPrefix = "tier-"
	pieceSize  = 16 * db.BlockSize
)

func tierFileName(tier int) string { return fmt.Sprintf("%s%d", tierPrefix, tier) }

// IsTierFile reports whether a file has the name of a tier file, perhaps of an unfinished one.
func IsTierFile(name string) bool {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".tmp"), tierPrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && digits == strconv.Itoa(n) && n >= 0
}

// pieces returns the number of pieces of a tier.
func (e *Engine) pieces(tier int) uint64 {
	return (e.universe.Tiers[tier].Open + pieceSize - 1) / pieceSize
}

// pieceBlocks calls do with the partition and the first slot of each block of a piece that
// belongs to this process, and with the offset of its codes in the piece. It returns the number
// of codes.
func (e *Engine) pieceBlocks(tier int, piece uint64, do func(p *partition, slot uint32, at, n int) error) (codes int, err error) {
	t := e.universe.Tiers[tier]
	r := e.layout.find(t.Start, &e.layout.regions[0])
	for first := piece * pieceSize; first < min((piece+1)*pieceSize, t.Open); first += db.BlockSize {
		number, slot := r.locate(t.Start + first)
		p := e.partitions[number]
		if p.remote {
			continue
		}
		n := int(min(db.BlockSize, t.Open-first))
		if do != nil {
			if err := do(p, slot, codes, n); err != nil {
				return 0, err
			}
		}
		codes += n
	}
	return codes, nil
}

// storeTier writes the file of a solved tier that is in memory, unless there is one already.
func (e *Engine) storeTier(tier int) error {
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
				return ErrStopped
			}
			raw = resized(raw, 2*pieceSize)
			n, err := e.pieceBlocks(tier, piece, func(p *partition, slot uint32, at, n int) error {
				// The high bytes are moved behind the low ones when their number is known.
				return p.store.copyCodes(p, slot, raw[at:at+n], raw[pieceSize+at:])
			})
			if err != nil {
				return err
			}
			raw = raw[:n+copy(raw[n:], raw[pieceSize:pieceSize+n])]
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

// tierFile is an open tier file. It is safe for concurrent use.
type tierFile struct {
	e    *Engine
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
func (e *Engine) openTier(tier int) (f *tierFile, err error) {
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
	n, _ := f.e.pieceBlocks(f.tier, piece, nil)
	size := 2 * n
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
func (e *Engine) loadTier(tier int) error {
	f := e.files[tier]
	e.files[tier] = nil
	for _, p := range e.held {
		if p.tier == tier && p.open {
			p.allocateCodes(len(e.state.Codes)+firstCode > 256)
		}
	}
	var piece, packed []byte
	var err error
	for n := range e.pieces(tier) {
		if piece, packed, err = f.readPiece(n, piece, packed); err != nil {
			break
		}
		e.pieceBlocks(tier, n, func(p *partition, slot uint32, at, n int) error {
			for i := range n {
				p.setCode(slot+uint32(i), codeAt(piece, uint64(at+i)))
			}
			return nil
		})
	}
	return errors.Join(err, f.file.Close())
}

// evictTier frees the memory of a solved tier, after writing its file if there is
// none.
func (e *Engine) evictTier(tier int) error {
	if err := e.storeTier(tier); err != nil {
		return err
	}
	f, err := e.openTier(tier)
	if err != nil {
		return err
	}
	for _, p := range e.partitions {
		if p.tier == tier {
			p.narrow, p.wide, p.store = nil, nil, inMemory{}
		}
	}
	e.files[tier] = f
	return e.closeScratch(tier)
}

// CloseFiles closes the tier files.
func (e *Engine) CloseFiles() error {
	var err error
	for _, f := range e.files {
		if f != nil {
			err = errors.Join(err, f.file.Close())
		}
	}
	e.files = make([]*tierFile, len(e.universe.Tiers))
	return err
}
