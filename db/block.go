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

// LargeBlock is the number of positions of a block that [Compact] writes for values without
// distances: larger blocks compress better. MediumBlock is that for other values, which take longer
// to decode.
const (
	LargeBlock  = 1 << 16
	MediumBlock = 1 << 14
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
// The payload is the codes, raw or compressed with zstd or by a mixer, or the one code that
// all positions have. The checksum, little-endian, is the XXH64 of the key and the codes,
// so it also detects a block stored under another key.
const (
	encodingRaw = iota
	encodingZstd
	encodingConstant
	encodingMixed
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

// AppendMixed is AppendSummed for a compact database. It chooses the codes that are free, if free is not nil.
func (c *Content) AppendMixed(dst []byte, tier int, block uint64, codes []uint16, free []bool) ([]byte, uint64) {
	var key [keySize]byte
	return appendMixedBlock(dst, AppendKey(key[:0], tier, block), codes, free, c.Width())
}

// DecodeBlock returns the codes of a block, in new memory, and their checksum. It returns an error that is
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

// appendMixedBlock is appendBlock of a compact database, by the mixer where that makes a smaller block.
// It chooses the codes that are free, if free is not nil.
func appendMixedBlock(dst, key []byte, list []uint16, free []bool, width int) ([]byte, uint64) {
	begin := len(dst)
	dst = appendMixed(append(dst, encodingMixed), list, free)
	codes := make([]byte, len(list)*width)
	for i, code := range list {
		SetCode(codes, i, width, int(code))
	}
	sum := blockSum(key, codes)
	dst = binary.LittleEndian.AppendUint64(dst, sum)
	if other, _ := appendBlock(nil, key, codes, width); len(other) <= len(dst)-begin {
		dst = append(dst[:begin], other...)
	}
	return dst, sum
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
	case encodingMixed:
		codes = codes[:size]
		if !decodeMixed(codes, payload, width) {
			return nil, 0, fmt.Errorf("%w: block of %d bytes", ErrCorrupt, len(stored))
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
