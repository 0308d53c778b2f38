package db

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/yomikiri/yomikiri/internal/compression"
)

// BlockSize is the number of positions of a block, the unit of compression and
// caching.
const BlockSize = 1 << 12

// LargeBlock is the number of positions of a block of a compact database whose values have no
// distances, and MediumBlock that for other values. SmallUnit is that of a unit of scores, and LargeUnit
// that of other units.
const (
	LargeBlock  = 1 << 16
	MediumBlock = 1 << 14
	LargeUnit   = 1 << 12
	SmallUnit   = 1 << 8
)

// A block is stored under the key
//
//	+-----+------------------+-------------------------+
//	| 'v' | tier, 32 bits   | block number, 64 bits   |   big-endian
//	+-----+------------------+-------------------------+
//
// as
//
//	+----------+--------------+----------------------------+
//	| encoding | payload      | checksum, 64 bits          |
//	+----------+--------------+----------------------------+
//
// The payload is the codes, raw, compressed with zstd or in units, or the one code that
// all positions have. The checksum, little-endian, is the XXH64 of the key and the codes,
// so it also detects a block stored under another key. That of units is of what is stored.
const (
	encodingRaw = iota
	encodingZstd
	encodingConstant
	_ // of an earlier version of the format
	encodingUnits
	encodingModel
	checksumSize = 8
)

// keySize is the size of a key.
const keySize = 13

// AppendKey appends the key of a block, by which a store finds it, to dst.
func AppendKey(dst []byte, tier int, block uint64) []byte {
	dst = append(dst, 'v')
	dst = binary.BigEndian.AppendUint32(dst, uint32(tier))
	return binary.BigEndian.AppendUint64(dst, block)
}

func blockSum(key, codes []byte) uint64 {
	var d xxhash.Digest
	d.ResetWithSeed(0)
	d.Write(key)
	d.Write(codes)
	return d.Sum64()
}

// codec has a window larger than any block.
var codec = compression.NewCodec(4*LargeBlock,
	zstd.WithEncoderLevel(zstd.SpeedDefault),
	zstd.WithLowerEncoderMem(true),
	zstd.WithWindowSize(16<<10))

// AppendBlock appends the stored form of a block, given its codes, to dst.
func (c *Content) AppendBlock(dst []byte, tier int, block uint64, codes []byte) []byte {
	dst, _ = c.AppendSummed(dst, tier, block, codes)
	return dst
}

// AppendSummed is AppendBlock, and returns the checksum of the block too.
func (c *Content) AppendSummed(dst []byte, tier int, block uint64, codes []byte) ([]byte, uint64) {
	var key [keySize]byte
	return appendBlock(dst, AppendKey(key[:0], tier, block), codes, c.Width())
}

// AppendModelled is AppendSummed for a tier with a model, or for another one if that is nil. It chooses the codes that are
// free, if free is not nil: they can be larger, or anything if they are 0. It replaces codes by those that are stored.
func (c *Content) AppendModelled(dst []byte, tier int, block uint64, m *Model, codes []uint16, free []bool) ([]byte, uint64, error) {
	var buffer [keySize]byte
	key := AppendKey(buffer[:0], tier, block)
	if m == nil {
		choose(codes, free)
	} else {
		var err error
		if dst, err = m.appendUnits(dst, key, codes, free, c.UnitSize); err != nil {
			return nil, 0, err
		}
	}
	list := make([]byte, len(codes)*c.Width())
	for i, code := range codes {
		SetCode(list, i, c.Width(), int(code))
	}
	if m == nil {
		dst, sum := appendBlock(dst, key, list, c.Width())
		return dst, sum, nil
	}
	return dst, blockSum(key, list), nil
}

// choose makes free codes like the one before them, or else like the next that is not free, where they may be.
func choose(codes []uint16, free []bool) {
	fixed, before := following(codes, free), uint16(0)
	for i, code := range codes {
		if free != nil && free[i] {
			if before >= code && before > 0 {
				codes[i] = before
			} else if fixed[i] >= code {
				codes[i] = fixed[i]
			}
		}
		before = codes[i]
	}
}

// DecodeBlock returns the codes of a block of an ordinary database, in new memory, and their checksum. It returns an error that is
// [ErrCorrupt] if the stored form is damaged, or that of another block.
func (c *Content) DecodeBlock(tier int, block uint64, stored []byte) (codes []byte, sum uint64, err error) {
	var key [keySize]byte
	return decodeBlock(AppendKey(key[:0], tier, block), stored, c.BlockBytes(tier, block), c.Width())
}

// appendBlock appends the stored form of a block to dst. It also returns the
// checksum.
func appendBlock(dst, key, codes []byte, width int) ([]byte, uint64) {
	sum := blockSum(key, codes)
	if constant(codes, width) {
		dst = append(dst, encodingConstant)
		dst = append(dst, codes[:width]...)
		return binary.LittleEndian.AppendUint64(dst, sum), sum
	}
	begin := len(dst)
	dst = codec.AppendCompressed(append(dst, encodingZstd), codes)
	if len(dst)-begin > len(codes) {
		dst = append(append(dst[:begin], encodingRaw), codes...)
	}
	return binary.LittleEndian.AppendUint64(dst, sum), sum
}

func constant(codes []byte, width int) bool {
	for i := width; i < len(codes); i++ {
		if codes[i] != codes[i-width] {
			return false
		}
	}
	return true
}

// Source fills dst with the codes of a block in the order of indices, for who writes a database. It is called by
// several goroutines at once. An error ends the writing.
type Source func(tier int, block uint64, dst []byte) error

// ErrCorrupt is returned for damaged data.
var ErrCorrupt = errors.New("damaged data")

// decodeBlock returns the codes of a block, size bytes in new memory, and their
// checksum.
func decodeBlock(key, stored []byte, size, width int) ([]byte, uint64, error) {
	if len(stored) < 1+checksumSize {
		return nil, 0, fmt.Errorf("%w: block of %d bytes", ErrCorrupt, len(stored))
	}
	payload := stored[1 : len(stored)-checksumSize]
	codes := make([]byte, 0, size)
	switch stored[0] {
	case encodingRaw:
		codes = append(codes, payload...)
	case encodingZstd:
		var err error
		if codes, err = codec.AppendDecompressed(codes, payload); err != nil {
			return nil, 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	case encodingConstant:
		for len(payload) == width && len(codes) < size {
			codes = append(codes, payload...)
		}
	default:
		return nil, 0, fmt.Errorf("%w: block of unknown encoding %d", ErrCorrupt, stored[0])
	}
	if len(codes) != size {
		return nil, 0, fmt.Errorf("%w: block of %d bytes, want %d", ErrCorrupt, len(codes), size)
	}
	sum := binary.LittleEndian.Uint64(stored[len(stored)-checksumSize:])
	if blockSum(key, codes) != sum {
		return nil, 0, fmt.Errorf("%w: checksum of a block does not match", ErrCorrupt)
	}
	return codes, sum, nil
}
