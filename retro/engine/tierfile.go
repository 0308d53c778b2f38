package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
)

// A tier file holds the codes of a solved tier in the order of indices. Checkpoints refer to it, a
// tier evicted from memory is read from it, and processes that share the tiers of a game read it. It
// is a file of package sealed whose chunks are pieces. A piece holds the codes of those of pieceSize
// positions that belong to this process, all low bytes before all high bytes.
const (
	tierPrefix = "tier-"
	pieceSize  = 16 * db.BlockSize
)

var tierKind = sealed.Kind{Name: "a solved tier", Version: 3}

// tierOf says what a tier file belongs to, and what its codes mean: who reads it may have given
// other codes to the same values.
type tierOf struct {
	Game     string
	Tier     int
	Codes    []games.Value // values by code, as in [State]
	Outcomes []games.Value // by the number that Counts has, from 1 on
	Counts   TierState
	Passes   []Pass // of the tier
}

// TierFileName returns the name of the file of a tier.
func TierFileName(tier int) string { return fmt.Sprintf("%s%d", tierPrefix, tier) }

// TierOfFile returns the tier whose file has a name.
func TierOfFile(name string) (tier int, ok bool) {
	digits, ok := strings.CutPrefix(name, tierPrefix)
	tier, err := strconv.Atoi(digits)
	return tier, ok && err == nil && tier >= 0 && name == TierFileName(tier)
}

// IsTierFile reports whether a file has the name of a tier file, perhaps of an unfinished one.
func IsTierFile(name string) bool {
	_, ok := TierOfFile(strings.TrimSuffix(name, ".tmp"))
	return ok
}

// pieces returns the number of pieces of a tier.
func (e *Engine) pieces(tier int) uint64 { return piecesOf(e.universe, tier) }

func piecesOf(u *games.Universe, tier int) uint64 {
	return (u.Tiers[tier].Open + pieceSize - 1) / pieceSize
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
	of := tierOf{Game: e.universe.Name, Tier: tier, Codes: e.state.Codes, Outcomes: e.state.Outcomes, Counts: e.state.Tiers[tier]}
	for _, p := range e.state.Passes {
		if p.Tier == tier && p.Name != "reach" {
			of.Passes = append(of.Passes, p)
		}
	}
	err := sealed.Write(e.cfg.FS, e.tierPath(tier), tierKind, of, func(w *sealed.Writer) error {
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

func (e *Engine) tierPath(tier int) string {
	return e.cfg.FS.PathJoin(e.cfg.Checkpoint, TierFileName(tier))
}

// tierFile is an open tier file. It is safe for concurrent use.
type tierFile struct {
	e    *Engine
	tier int
	file *sealed.File
	// codes has the engine's code for each one of the file; nil if they are the same.
	codes []uint16
}

// noCode stands for a code that no position of a file has.
const noCode = ^uint16(0)

// cachedPieces is the number of pieces that are cached for each worker.
const cachedPieces = 8

// pieceNumber identifies a piece.
type pieceNumber struct {
	tier  int
	piece uint64
}

// openTier opens the file of a tier.
func (e *Engine) openTier(tier int) (*tierFile, *tierOf, error) {
	file, of, err := openTierFile(e.cfg.FS, e.tierPath(tier), e.universe, tier)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, fmt.Errorf("%s is missing: %w", e.tierPath(tier), e.damaged)
	case errors.Is(err, errOtherTier):
		return nil, nil, fmt.Errorf("%w: %w", err, e.damaged)
	case err != nil:
		return nil, nil, unusable(err, e.damaged)
	}
	return &tierFile{e: e, tier: tier, file: file, codes: e.codesOf(of)}, of, nil
}

var errOtherTier = errors.New("is of another tier")

// openTierFile opens a file that must be that of a tier.
func openTierFile(fs vfs.FS, path string, u *games.Universe, tier int) (*sealed.File, *tierOf, error) {
	of := new(tierOf)
	file, err := sealed.Open(fs, path, tierKind, of)
	if err != nil {
		return nil, nil, err
	}
	if of.Game != u.Name || of.Tier != tier || uint64(file.Chunks()) != piecesOf(u, tier) ||
		len(of.Counts.Settled) > len(of.Codes)+firstCode || len(of.Counts.Finished) > len(of.Outcomes)+1 {
		return nil, nil, errors.Join(fmt.Errorf("%s %w", path, errOtherTier), file.Close())
	}
	return file, of, nil
}

// MostTierFile returns a number of bytes that no file of a tier has: it has two for a position, which are compressed unless that makes
// them more, and what it says of itself.
func MostTierFile(u *games.Universe, tier int) int64 {
	const head = 64 << 20
	return head + int64(3*u.Tiers[tier].Open)
}

// CheckTierFile returns an error if a file is not that of a tier, by what it says of itself and by its length.
func CheckTierFile(fs vfs.FS, path string, u *games.Universe, tier int) error {
	file, _, err := openTierFile(fs, path, u, tier)
	if err != nil {
		return err
	}
	return file.Close()
}

// codesOf returns the codes of this engine for those of a file. Only values that occur get one, so
// that a process has no more codes than if it solved the game alone.
func (e *Engine) codesOf(of *tierOf) []uint16 {
	list := []uint16{codeNone, codeDraw}
	same := true
	for i, v := range of.Codes {
		code := noCode
		if n := i + firstCode; n < len(of.Counts.Settled) && of.Counts.Settled[n] > 0 {
			code = e.code(v)
			same = same && int(code) == n
		}
		list = append(list, code)
	}
	if same {
		return nil
	}
	return list
}

// readPiece reads a piece, two bytes a code. It reuses the memory of dst and packed
// and returns both.
func (f *tierFile) readPiece(piece uint64, dst, packed []byte) (codes, memory []byte, err error) {
	codes, memory, err = f.file.Chunk(int(piece), dst, packed)
	if err != nil {
		return nil, nil, unusable(err, f.e.damaged)
	}
	n, _ := f.e.pieceBlocks(f.tier, piece, nil)
	if len(codes) != 2*n || !f.translate(codes) {
		return nil, nil, fmt.Errorf("%s: %w", f.e.tierPath(f.tier), f.e.damaged)
	}
	return codes, memory, nil
}

// translate replaces the codes of a piece by those of the engine, and reports whether it knows all.
func (f *tierFile) translate(piece []byte) (known bool) {
	if f.codes == nil {
		return true
	}
	known = true
	low, high := piece[:len(piece)/2], piece[len(piece)/2:]
	for i := range low {
		code := noCode
		if n := int(low[i]) | int(high[i])<<8; n < len(f.codes) {
			code = f.codes[n]
		}
		known = known && code != noCode
		low[i], high[i] = byte(code), byte(code>>8)
	}
	return known
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
			p.allocateCodes(e.codes() > 256)
		}
	}
	var piece, packed []byte
	var err error
	for n := range e.pieces(tier) {
		if piece, packed, err = f.readPiece(n, piece, packed); err != nil {
			break
		}
		e.pieceBlocks(tier, n, func(p *partition, slot uint32, at, n int) error {
			if p.narrow != nil { // no code has a high byte
				copy(p.narrow[slot:], piece[at:at+n])
				return nil
			}
			for i := range n {
				p.setCode(slot+uint32(i), codeAt(piece, uint64(at+i)))
			}
			return nil
		})
	}
	e.resident[tier] = true
	return errors.Join(err, f.file.Close())
}

// evictTier frees the memory of a solved tier, after writing its file if there is
// none.
func (e *Engine) evictTier(tier int) error {
	if err := e.storeTier(tier); err != nil {
		return err
	}
	f, _, err := e.openTier(tier)
	if err != nil {
		return err
	}
	e.resident[tier] = false
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
