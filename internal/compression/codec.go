package compression

import (
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Codec compresses pieces of data into zstd frames without a checksum and back.
// It is safe for concurrent use. Encoders and the decoder are created on first
// use and reused, since creating one is expensive.
type Codec struct {
	encoders sync.Pool
	decoder  func() *zstd.Decoder
}

// NewCodec returns a codec for pieces of at most maxSize bytes. The options are
// for compression and must be valid.
func NewCodec(maxSize uint64, options ...zstd.EOption) *Codec {
	options = append([]zstd.EOption{
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
		zstd.WithSingleSegment(true),
		zstd.WithAllLitEntropyCompression(true),
	}, options...)
	c := &Codec{decoder: sync.OnceValue(func() *zstd.Decoder {
		return must(zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
			zstd.WithDecoderMaxMemory(maxSize),
			zstd.WithDecoderLowmem(true),
			zstd.IgnoreChecksum(true)))
	})}
	c.encoders.New = func() any { return must(zstd.NewWriter(nil, options...)) }
	return c
}

// AppendCompressed appends the compressed form of data to dst.
func (c *Codec) AppendCompressed(dst, data []byte) []byte {
	e := c.encoders.Get().(*zstd.Encoder)
	defer c.encoders.Put(e)
	return e.EncodeAll(data, dst)
}

// AppendDecompressed appends to dst what AppendCompressed compressed.
func (c *Codec) AppendDecompressed(dst, compressed []byte) ([]byte, error) {
	return c.decoder().DecodeAll(compressed, dst)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
