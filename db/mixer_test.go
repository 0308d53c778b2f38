package db

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireMixed codes a block some of whose codes are free, and decodes it. It returns what is stored.
func requireMixed(t *testing.T, codes []byte, free []bool, width int) []byte {
	t.Helper()
	key := AppendKey(nil, 3, 7)
	list := make([]uint16, len(codes)/width)
	for i := range list {
		list[i] = uint16(CodeAt(codes, i, width))
	}
	chosen := slices.Clone(list)
	stored, sum := appendMixedBlock([]byte("before"), key, chosen, free, width)
	require.Equal(t, "before", string(stored[:6]), "it appends")
	got, sumRead, err := decodeBlock(key, stored[6:], len(codes), width)
	require.NoError(t, err)
	require.Equal(t, sum, sumRead)
	for i, code := range chosen {
		if int(code) != CodeAt(got, i, width) {
			require.Equal(t, int(code), CodeAt(got, i, width), "code %d", i)
		}
		if free != nil && free[i] && (code > list[i] || list[i] == 0) {
			continue
		}
		if code != list[i] {
			require.Equal(t, list[i], code, "code %d, which is not free or has become smaller", i)
		}
	}
	require.LessOrEqual(t, len(stored)-6, 1+len(codes)+checksumSize, "larger than raw")
	return stored[6:]
}

func TestMixed(t *testing.T) {
	for name, make := range codesOf {
		for _, width := range []int{1, 2} {
			for _, n := range append(blockLengths, MediumBlock, MediumBlock+17) {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(width)))
				codes := make(rng, n, width)
				requireMixed(t, codes, nil, width)
				free := []bool{}
				for range n {
					free = append(free, rng.IntN(2) == 0)
				}
				t.Log(name, n, width)
				requireMixed(t, codes, free, width)
			}
		}
	}
}

// TestMixedSize checks that the mixer finds what it looks for: runs, two strides and free codes.
func TestMixedSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	skewed := codesOf["skewed"](rng, MediumBlock, 1)
	free := make([]bool, MediumBlock)
	for i := range free {
		free[i] = i%16 != 0
	}
	// All free codes can go on with a code before them or after them.
	require.Less(t, len(requireMixed(t, skewed, free, 1)), len(requireMixed(t, skewed, nil, 1))/3)
	rows := slices.Clone(skewed)
	for i := 1000; i < len(rows); i++ {
		rows[i] = rows[i-1000]
	}
	require.Less(t, len(requireMixed(t, rows, nil, 1)), 1000)
	for i := range rows {
		rows[i] = byte(i >> 8)
	}
	require.Less(t, len(requireMixed(t, rows, nil, 1)), 120)
}

// TestMixedFlippedBits flips every bit of a block.
func TestMixedFlippedBits(t *testing.T) {
	for name, make := range codesOf {
		for _, width := range []int{1, 2} {
			codes := make(rand.New(rand.NewPCG(4, 5)), 200, width)
			stored := requireMixed(t, codes, nil, width)
			for bit := range 8 * len(stored) {
				damaged := slices.Clone(stored)
				damaged[bit/8] ^= 1 << (bit % 8)
				got, _, err := decodeBlock(AppendKey(nil, 3, 7), damaged, len(codes), width)
				if err == nil {
					require.Equal(t, codes, got, "%s, width %d, bit %d", name, width, bit)
				} else {
					require.ErrorIs(t, err, ErrCorrupt)
				}
			}
		}
	}
}

// TestMixedGolden decodes blocks as they were once written: another model would read them wrong.
func TestMixedGolden(t *testing.T) {
	path := filepath.Join("testdata", "mixed.golden")
	blocks := [][]byte{goldenCodes(1), goldenCodes(2)}
	if *update {
		var text []byte
		for i, codes := range blocks {
			list := make([]uint16, len(codes)/(i+1))
			for k := range list {
				list[k] = uint16(CodeAt(codes, k, i+1))
			}
			text = fmt.Appendln(text, base64.StdEncoding.EncodeToString(appendMixed(nil, list, nil)))
		}
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	for i, line := range strings.Fields(string(golden)) {
		payload, err := base64.StdEncoding.DecodeString(line)
		require.NoError(t, err)
		codes := make([]byte, len(blocks[i]))
		require.True(t, decodeMixed(codes, payload, i+1))
		require.Equal(t, blocks[i], codes)
	}
}

// goldenCodes are codes of a width with runs, rows at two strides, matches and noise.
func goldenCodes(width int) []byte {
	rng := rand.New(rand.NewPCG(7, 8))
	codes := make([]byte, 4096*width)
	for i := range 4096 {
		code := int(rng.Uint64()%7) * width * 60
		switch noise := rng.Uint64() % 16; {
		case noise == 0:
		case i/512%2 == 1:
			code = CodeAt(codes, i-1, width)
		case i >= 300 && noise < 12:
			code = CodeAt(codes, i-300, width)
		case i >= 37:
			code = CodeAt(codes, i-37, width)
		}
		SetCode(codes, i, width, code)
	}
	return codes
}

// FuzzMixed codes and decodes blocks, and changes a byte of what is stored.
func FuzzMixed(f *testing.F) {
	f.Add([]byte("a"), uint64(0), uint8(0), uint(0), byte(1))
	f.Add([]byte("abcabcabdabcabcabdabcabcabd"), uint64(5), uint8(3), uint(7), byte(2))
	f.Fuzz(func(t *testing.T, codes []byte, seed uint64, repeat uint8, at uint, change byte) {
		width := 1 + int(seed&1)
		codes = slices.Repeat(codes, 1+int(repeat)%32)
		if codes = codes[:min(len(codes), MediumBlock)/width*width]; len(codes) == 0 {
			return
		}
		var free []bool
		if rng := rand.New(rand.NewPCG(seed, 0)); seed&2 != 0 {
			for range len(codes) / width {
				free = append(free, rng.Uint32()&uint32(seed) != 0)
			}
		}
		stored := requireMixed(t, codes, free, width)
		key := AppendKey(nil, 3, 7)
		want, _, err := decodeBlock(key, stored, len(codes), width)
		require.NoError(t, err)
		stored[at%uint(len(stored))] ^= change
		if got, _, err := decodeBlock(key, stored, len(codes), width); err == nil {
			require.Equal(t, want, got)
		}
	})
}
