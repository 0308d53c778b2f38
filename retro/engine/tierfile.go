package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/sealed"
)

// A tier file holds the codes of a solved tier in the order of indices. Checkpoints refer to it, and
// a tier evicted from memory is read from it. It is a file of package sealed whose chunks are
// pieces. A piece holds the codes of those of pieceSize positions that belong to this process, all
// low bytes before all high bytes.
const (
	tierPrefix = "tier-"
	pieceSize  = 16 * db.BlockSize
)

var tierKind = sealed.Kind{Name: "a solved tier", Version: 2}

// tierOf says what a tier file belongs to.
type tierOf struct {
	Game string
	Tier int
}

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
	path := e.cfg.FS.PathJoin(e.cfg.Checkpoint, tierFileName(tier))
	err := sealed.Write(e.cfg.FS, path, tierKind, tierOf{e.universe.Name, tier}, func(w *sealed.Writer) error {
		raw := make([]byte, 2*pieceSize)
		for piece := range e.pieces(tier) {
			if e.pause.abandoned.Load() {
				return ErrStopped
			}
			n, err := e.pieceBlocks(tier, piece, func(p *partition, slot uint32, at, n int) error {
				// The high bytes are moved behind the low ones when their number is known.
				return p.store.copyCodes(p, slot, raw[at:at+n], raw[pieceSize+at:])
			})
			if err != nil {
				return err
			}
			if err := w.Append(raw[:n+copy(raw[n:], raw[pieceSize:pieceSize+n])]); err != nil {
				return err
			}
		}
		return nil
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
	file *sealed.File
}

// cachedPieces is the number of pieces that are cached for each worker.
const cachedPieces = 8

// pieceNumber identifies a piece.
type pieceNumber struct {
	tier  int
	piece uint64
}

// openTier opens the file of a tier.
func (e *Engine) openTier(tier int) (*tierFile, error) {
	var of tierOf
	file, err := sealed.Open(e.cfg.FS, e.cfg.FS.PathJoin(e.cfg.Checkpoint, tierFileName(tier)), tierKind, &of)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s is missing: %w", tierFileName(tier), errDamaged)
	case err != nil:
		return nil, unusable(err)
	case of != tierOf{e.universe.Name, tier} || uint64(file.Chunks()) != e.pieces(tier):
		return nil, errors.Join(fmt.Errorf("%s is of another tier: %w", tierFileName(tier), errDamaged), file.Close())
	}
	return &tierFile{e: e, tier: tier, file: file}, nil
}

// readPiece reads a piece, two bytes a code. It reuses the memory of dst and packed
// and returns both.
func (f *tierFile) readPiece(piece uint64, dst, packed []byte) (codes, memory []byte, err error) {
	codes, memory, err = f.file.Chunk(int(piece), dst, packed)
	if err != nil {
		return nil, nil, unusable(err)
	}
	if n, _ := f.e.pieceBlocks(f.tier, piece, nil); len(codes) != 2*n {
		return nil, nil, fmt.Errorf("%s: %w", tierFileName(f.tier), errDamaged)
	}
	return codes, memory, nil
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
