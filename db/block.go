package db

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// BlockSize is how many positions a block has: the unit of ownership, of
// compression and of caching.
const BlockSize = 1 << 12

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
// where the payload is the block's codes, as they are or compressed with zstd,
// or the one code that all its positions have. The checksum, little-endian, is
// the XXH64 of the key and the codes: so it also tells a block that stands in
// another's place.
const (
	encodingRaw = iota
	encodingZstd
	encodingConstant
	checksumSize = 8
)

const keySize = 13

func appendKey(dst []byte, tier int, block uint64) []byte {
	dst = append(dst, 'v')
	dst = binary.BigEndian.AppendUint32(dst, uint32(tier))
	return binary.BigEndian.AppendUint64(dst, block)
}

// blockSum returns the checksum of a block.
func blockSum(key, codes []byte) uint64 {
	var d xxhash.Digest
	d.ResetWithSeed(0)
	d.Write(key)
	d.Write(codes)
	return d.Sum64()
}

// encoders and decoders are shared: making one is dear.
var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true),
		zstd.WithAllLitEntropyCompression(true),
		zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(16<<10))
	if err != nil {
		panic(err)
	}
	return e
}}

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithDecoderMaxMemory(4*BlockSize),
		zstd.WithDecoderLowmem(true),
		zstd.IgnoreChecksum(true))
	if err != nil {
		panic(err)
	}
	return d
})

// appendBlock appends the stored form of a block to dst, and returns its
// checksum too.
func appendBlock(dst, key, codes []byte, width int) ([]byte, uint64) {
	sum := blockSum(key, codes)
	if constant(codes, width) {
		dst = append(dst, encodingConstant)
		dst = append(dst, codes[:width]...)
		return binary.LittleEndian.AppendUint64(dst, sum), sum
	}
	begin := len(dst)
	e := encoders.Get().(*zstd.Encoder)
	dst = e.EncodeAll(codes, append(dst, encodingZstd))
	encoders.Put(e)
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

// ErrCorrupt is returned for data that is not what was written.
var ErrCorrupt = errors.New("damaged data")

// decodeBlock returns the codes of a block, size bytes, in new memory, and their
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
		if codes, err = decoder().DecodeAll(payload, codes); err != nil {
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
