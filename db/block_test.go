package db

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// codesOf makes the codes of a block of n positions of a width.
var codesOf = map[string]func(rng *rand.Rand, n, width int) []byte{
	"none": func(_ *rand.Rand, n, width int) []byte { return make([]byte, n*width) },
	"constant": func(_ *rand.Rand, n, width int) []byte {
		return bytes.Repeat([]byte{0xa5, 0x5a}[:width], n)
	},
	"all but the last": func(_ *rand.Rand, n, width int) []byte {
		codes := bytes.Repeat([]byte{7, 1}[:width], n)
		codes[len(codes)-1]++
		return codes
	},
	"random": func(rng *rand.Rand, n, width int) []byte {
		codes := make([]byte, n*width)
		for i := range codes {
			codes[i] = byte(rng.Uint32())
		}
		return codes
	},
	"skewed": func(rng *rand.Rand, n, width int) []byte { // without any repetition worth a match
		codes := make([]byte, n*width)
		for i := range codes {
			codes[i] = byte(min(rng.ExpFloat64()*8, 255))
		}
		return codes
	},
	"sparse": func(rng *rand.Rand, n, width int) []byte {
		codes := make([]byte, n*width)
		for range n / 10 {
			codes[rng.IntN(n*width)] = byte(rng.Uint32())
		}
		return codes
	},
}

var blockLengths = []int{1, 2, 3, 15, 16, 255, 1000, BlockSize - 1, BlockSize}

func TestBlockRoundTrip(t *testing.T) {
	for name, make := range codesOf {
		for _, width := range []int{1, 2} {
			for _, n := range blockLengths {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(width)))
				codes := make(rng, n, width)
				key := AppendKey(nil, 3, 1<<40+7)
				stored, sum := appendBlock([]byte("before"), key, codes, width)
				require.Equal(t, "before", string(stored[:6]), "appendBlock appends")
				got, sumRead, err := decodeBlock(key, stored[6:], len(codes), width)
				require.NoError(t, err, "%s, %d positions of width %d", name, n, width)
				require.Equal(t, codes, got)
				require.Equal(t, sum, sumRead)
				require.LessOrEqual(t, len(stored)-6, 1+len(codes)+checksumSize, "%s, %d of width %d: larger than raw", name, n, width)
			}
		}
	}
}

// TestBlockEncoding checks that each encoding is used for what it is good for.
func TestBlockEncoding(t *testing.T) {
	for _, c := range []struct {
		codes    string
		n, width int
		want     byte
		most     int // bytes
	}{
		{"constant", BlockSize, 1, encodingConstant, 1 + 1 + 8},
		{"constant", BlockSize, 2, encodingConstant, 1 + 2 + 8},
		{"none", BlockSize, 2, encodingConstant, 1 + 2 + 8},
		{"random", 1, 1, encodingConstant, 1 + 1 + 8},
		{"random", BlockSize, 1, encodingRaw, 1 + BlockSize + 8},
		{"random", 3, 1, encodingRaw, 1 + 3 + 8},
		{"all but the last", BlockSize, 1, encodingZstd, 60},
		// Entropy coding alone, without matches, gets near the 4.44 bits that
		// log2(8e) says the skew is worth.
		{"skewed", BlockSize, 1, encodingZstd, BlockSize * 47 / 80},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		stored, _ := appendBlock(nil, AppendKey(nil, 0, 0), codesOf[c.codes](rng, c.n, c.width), c.width)
		require.Equal(t, c.want, stored[0], "encoding of %s, %d of width %d", c.codes, c.n, c.width)
		require.LessOrEqual(t, len(stored), c.most, "size of %s, %d of width %d", c.codes, c.n, c.width)
	}
}

// TestBlockKey checks that keys sort like tiers and blocks, and that a block
// that stands in another's place is refused.
func TestBlockKey(t *testing.T) {
	keys := [][]byte{
		AppendKey(nil, 0, 0), AppendKey(nil, 0, 1), AppendKey(nil, 0, 256), AppendKey(nil, 0, 1<<36),
		AppendKey(nil, 1, 0), AppendKey(nil, 255, 9), AppendKey(nil, 256, 0), AppendKey(nil, 256, 1),
	}
	codes := []byte{1, 2, 3}
	for i, key := range keys {
		require.Len(t, key, keySize)
		stored, _ := appendBlock(nil, key, codes, 1)
		for j, other := range keys {
			if i < j {
				require.Negative(t, bytes.Compare(key, other))
			}
			if i != j {
				_, _, err := decodeBlock(other, stored, len(codes), 1)
				require.ErrorIs(t, err, ErrCorrupt)
			}
		}
	}
}

func TestBlockErrors(t *testing.T) {
	key := AppendKey(nil, 0, 0)
	block := func(codes string) []byte {
		b, _ := appendBlock(nil, key, []byte(codes), 1)
		return b
	}
	compressed := block(string(bytes.Repeat([]byte("abcabc"), 50)) + "d")
	require.EqualValues(t, encodingZstd, compressed[0])
	for _, c := range []struct {
		name   string
		stored []byte
		size   int
		want   string
	}{
		{"nothing", nil, 3, "damaged data: block of 0 bytes"},
		{"only a checksum", block("abc")[4:], 3, "damaged data: block of 8 bytes"},
		{"shorter than it should be", block("abc"), 4, "damaged data: block of 3 bytes, want 4"},
		{"longer than it should be", block("abc"), 2, "damaged data: block of 3 bytes, want 2"},
		{"compressed, longer", compressed, 300, "damaged data: block of 301 bytes, want 300"},
		{"constant of two bytes", append([]byte{encodingConstant, 1, 1}, make([]byte, 8)...), 4, "damaged data: block of 0 bytes, want 4"},
		{"constant of no byte", append([]byte{encodingConstant}, make([]byte, 8)...), 4, "damaged data: block of 0 bytes, want 4"},
		{"unknown encoding", append([]byte{9}, block("abc")[1:]...), 3, "damaged data: block of unknown encoding 9"},
		{"wrong checksum", append(block("abc")[:11], 0), 3, "damaged data: checksum of a block does not match"},
		{"another code", append([]byte{encodingRaw, 'x'}, block("abc")[2:]...), 3, "damaged data: checksum of a block does not match"},
	} {
		_, _, err := decodeBlock(key, c.stored, c.size, 1)
		require.ErrorIs(t, err, ErrCorrupt, c.name)
		require.EqualError(t, err, c.want, c.name)
	}
	_, _, err := decodeBlock(key, append([]byte{encodingZstd, 1, 2, 3}, make([]byte, 8)...), 3, 1)
	require.ErrorIs(t, err, ErrCorrupt, "what is no zstd frame")
}

// TestBlockFlippedBits flips every bit of blocks of every encoding.
func TestBlockFlippedBits(t *testing.T) {
	for name, make := range codesOf {
		for _, width := range []int{1, 2} {
			codes := make(rand.New(rand.NewPCG(4, 5)), 200, width)
			key := AppendKey(nil, 1, 2)
			stored, _ := appendBlock(nil, key, codes, width)
			for bit := range 8 * len(stored) {
				damaged := bytes.Clone(stored)
				damaged[bit/8] ^= 1 << (bit % 8)
				if got, _, err := decodeBlock(key, damaged, len(codes), width); err == nil {
					require.Equal(t, codes, got, "%s, width %d, bit %d", name, width, bit)
				} else {
					require.ErrorIs(t, err, ErrCorrupt)
				}
			}
		}
	}
}

// FuzzBlock changes the bytes of a block's stored form: it is then refused, or
// decoded to what was encoded (a compressed form may have bytes without meaning).
func FuzzBlock(f *testing.F) {
	f.Add([]byte("a"), false, uint(0), byte(1))
	f.Add([]byte("abcabcabd"), false, uint(3), byte(0x80))
	f.Add([]byte("ababab"), true, uint(1), byte(1))
	f.Add(bytes.Repeat([]byte("abcd"), 300), true, uint(20), byte(4))
	f.Add(bytes.Repeat([]byte("a"), BlockSize), false, uint(1), byte(2))
	f.Fuzz(func(t *testing.T, codes []byte, wide bool, at uint, change byte) {
		width := 1
		if wide {
			width = 2
		}
		if codes = codes[:min(len(codes), BlockSize*width)/width*width]; len(codes) == 0 {
			return
		}
		key := AppendKey(nil, 0, 5)
		stored, sum := appendBlock(nil, key, codes, width)
		got, sumRead, err := decodeBlock(key, stored, len(codes), width)
		require.NoError(t, err)
		require.Equal(t, codes, got)
		require.Equal(t, sum, sumRead)
		stored[at%uint(len(stored))] ^= change
		if got, _, err := decodeBlock(key, stored, len(codes), width); err == nil {
			require.Equal(t, codes, got)
		}
	})
}

// FuzzDecodeBlock decodes whatever bytes there are. What is accepted is what some
// block would have been written as.
func FuzzDecodeBlock(f *testing.F) {
	key := AppendKey(nil, 0, 5)
	for _, codes := range [][]byte{[]byte("a"), []byte("abc"), bytes.Repeat([]byte("abcd"), 300)} {
		stored, _ := appendBlock(nil, key, codes, 1)
		f.Add(stored, uint16(len(codes)), false)
		f.Add(stored, uint16(len(codes)), true)
	}
	f.Add([]byte{encodingConstant, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0}, uint16(7), true)
	f.Fuzz(func(t *testing.T, stored []byte, size uint16, wide bool) {
		width := 1
		if wide {
			width = 2
		}
		codes, sum, err := decodeBlock(key, stored, int(size), width)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.Len(t, codes, int(size))
		require.Equal(t, blockSum(key, codes), sum)
	})
}

func TestBlockLength(t *testing.T) {
	for _, c := range []struct {
		open   uint64
		blocks uint64
		last   int
	}{
		{0, 0, 0}, {1, 1, 1}, {BlockSize - 1, 1, BlockSize - 1}, {BlockSize, 1, BlockSize},
		{BlockSize + 1, 2, 1}, {10*BlockSize + 5, 11, 5},
	} {
		s := Content{BlockSize: BlockSize, Tiers: []Tier{{Open: c.open, Size: c.open + 1}}}
		require.Equal(t, c.blocks, s.Blocks(0), "blocks of %d positions", c.open)
		for b := range c.blocks {
			want := BlockSize
			if b == c.blocks-1 {
				want = c.last
			}
			require.Equal(t, want, s.BlockLength(0, b), "block %d of %d positions", b, c.open)
		}
	}
}

func TestCache(t *testing.T) {
	for _, c := range []struct{ size, blocks int }{
		{0, shards}, {shards * (BlockSize + entryOverhead), shards}, {1 << 20, 1 << 20 / (BlockSize + entryOverhead) / shards * shards},
	} {
		cache := newCache(int64(c.size), BlockSize)
		held := 0
		for tier := range 3 {
			for b := range uint64(10_000) {
				cache.shard(blockID{tier, b}).Add(blockID{tier, b}, piece{codes: []byte(fmt.Sprint(tier, b))})
				p, ok := cache.shard(blockID{tier, b}).Get(blockID{tier, b})
				require.True(t, ok)
				require.Equal(t, fmt.Sprint(tier, b), string(p.codes))
			}
		}
		for tier := range 100 {
			for b := range uint64(10_000) {
				if p, ok := cache.shard(blockID{tier, b}).Get(blockID{tier, b}); ok {
					held++
					require.Equal(t, fmt.Sprint(tier, b), string(p.codes))
				}
			}
		}
		require.Equal(t, c.blocks, held, "blocks in a cache of %d bytes", c.size)
	}
}
