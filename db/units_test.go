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

	"github.com/yomikiri/yomikiri/games"
)

// tierOfCodes returns the content of one tier with some codes, in units of a size.
func tierOfCodes(codes []byte, width, unit int) *Content {
	n := uint64(len(codes) / width)
	c := &Content{BlockSize: MediumBlock, UnitSize: unit, Codec: UnitsCodec, Positions: "reachable", Tiers: []Tier{{Open: n, Size: n}}}
	values := 255
	if width == 2 {
		values = 1<<16 - 2
	}
	for i := range values {
		c.Values = append(c.Values, games.Value(values-i))
	}
	seen := make([]bool, values+1)
	for i := range int(n) {
		seen[CodeAt(codes, i, width)] = true
	}
	t := &c.Tiers[0]
	for code, is := range seen {
		if is && code > 0 {
			t.Counts = append(t.Counts, Count{Value: c.Values[code-1], Positions: 1})
		}
	}
	if !seen[0] {
		t.Unfinished = n
	}
	return c
}

// requireUnits codes a block some of whose codes are free, and decodes all of it and each unit. It returns what is stored.
func requireUnits(t *testing.T, codes []byte, free []bool, width, unit int) []byte {
	t.Helper()
	c := tierOfCodes(codes, width, unit)
	list := make([]uint16, len(codes)/width)
	for i := range list {
		list[i] = uint16(CodeAt(codes, i, width))
	}
	m, err := c.LearnModel(0, []Sample{{list, free}})
	require.NoError(t, err)
	chosen := slices.Clone(list)
	key := AppendKey(nil, 0, 0)
	stored, err := m.appendUnits([]byte("before"), key, chosen, free, unit)
	require.NoError(t, err)
	require.Equal(t, "before", string(stored[:6]), "it appends")
	stored = stored[6:]
	model, err := decodeModel(key, m.appendStored(nil, key), c.alphabet(0))
	require.NoError(t, err)
	require.Equal(t, m.model, *model)
	payload, ok := checked(key, stored)
	require.True(t, ok)
	got := make([]byte, len(codes))
	require.True(t, (&coder{model: model}).decodeUnits(got, payload[1:], 0, len(list), unit, width))
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
	for first := 0; first*unit < len(list); first++ {
		want := got[first*unit*width : min((first+1)*unit, len(list))*width]
		one := make([]byte, len(want))
		require.True(t, (&coder{model: model}).decodeUnits(one, payload[1:], first, len(list), unit, width))
		require.Equal(t, want, one, "unit %d", first)
		half := (len(want)/width + 1) / 2
		part := one[:half*width]
		clear(part)
		require.True(t, (&coder{model: model}).decodeUnits(part, payload[1:], first, len(list), unit, width))
		require.Equal(t, want[:len(part)], part, "half of unit %d", first)
		by := &coder{model: model}
		part = one[:min((half+group-1)/group*group*width, len(want))]
		require.True(t, by.decodeUnits(part, payload[1:], first, len(list), unit, width))
		whole, ok := by.goOn(part, len(want)/width, width)
		require.True(t, ok)
		require.Equal(t, want, whole, "unit %d, from its middle on", first)
	}
	return stored
}

func TestUnits(t *testing.T) {
	for name, make := range codesOf {
		for _, width := range []int{1, 2} {
			for _, n := range []int{1, 2, 17, 512, 1000, BlockSize + 17} {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(width)))
				codes := make(rng, n, width)
				t.Log(name, n, width)
				requireUnits(t, codes, nil, width, SmallUnit)
				free := []bool{}
				for range n {
					free = append(free, rng.IntN(2) == 0)
				}
				requireUnits(t, codes, free, width, SmallUnit)
			}
		}
	}
}

// TestUnitsSize checks that a model learns what it looks for: runs, strides and free codes.
func TestUnitsSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	skewed := codesOf["skewed"](rng, MediumBlock, 1)
	free := make([]bool, MediumBlock)
	for i := range free {
		free[i] = i%16 != 0
	}
	// All free codes can go on with a code before them or after them.
	require.Less(t, len(requireUnits(t, skewed, free, 1, LargeUnit)), len(requireUnits(t, skewed, nil, 1, LargeUnit))/3)
	rows := slices.Clone(skewed)
	for i := 100; i < len(rows); i++ {
		rows[i] = rows[i-100]
	}
	require.Less(t, len(requireUnits(t, rows, nil, 1, LargeUnit)), 1000)
	for i := range rows {
		rows[i] = byte(i >> 8)
	}
	require.Less(t, len(requireUnits(t, rows, nil, 1, LargeUnit)), 200)
}

// TestUnitsDamaged flips every bit of a block and of a model.
func TestUnitsDamaged(t *testing.T) {
	for name, make := range codesOf {
		codes := make(rand.New(rand.NewPCG(4, 5)), 200, 1)
		stored := requireUnits(t, codes, nil, 1, 64)
		key := AppendKey(nil, 0, 0)
		for bit := range 8 * len(stored) {
			damaged := slices.Clone(stored)
			damaged[bit/8] ^= 1 << (bit % 8)
			_, ok := checked(key, damaged)
			require.False(t, ok, "%s, bit %d", name, bit)
		}
	}
	c := tierOfCodes([]byte{1, 2, 3}, 1, 64)
	m, err := c.LearnModel(0, []Sample{{[]uint16{1, 2, 3}, nil}})
	require.NoError(t, err)
	stored := m.Append(nil, 0, 1)
	for bit := range 8 * len(stored) {
		damaged := slices.Clone(stored)
		damaged[bit/8] ^= 1 << (bit % 8)
		_, err := decodeModel(AppendKey(nil, 0, 1), damaged, c.alphabet(0))
		require.ErrorIs(t, err, ErrCorrupt)
	}
	_, err = decodeModel(AppendKey(nil, 0, 2), stored, c.alphabet(0))
	require.ErrorIs(t, err, ErrCorrupt, "the model of another tier")
	_, err = c.LearnModel(0, []Sample{{[]uint16{1, 9}, nil}})
	require.ErrorIs(t, err, ErrCorrupt, "a code that the manifest does not count")
}

// TestUnitsGolden decodes blocks as they were once written: other contexts would read them wrong.
func TestUnitsGolden(t *testing.T) {
	path := filepath.Join("testdata", "units.golden")
	blocks := [][]byte{goldenCodes(1), goldenCodes(2)}
	key := AppendKey(nil, 0, 0)
	if *update {
		var text []byte
		for i, codes := range blocks {
			list := make([]uint16, len(codes)/(i+1))
			for k := range list {
				list[k] = uint16(CodeAt(codes, k, i+1))
			}
			m, err := tierOfCodes(codes, i+1, SmallUnit).LearnModel(0, []Sample{{list, nil}})
			require.NoError(t, err)
			stored, err := m.appendUnits(nil, key, list, nil, SmallUnit)
			require.NoError(t, err)
			text = fmt.Appendln(text, base64.StdEncoding.EncodeToString(m.appendStored(nil, key)), base64.StdEncoding.EncodeToString(stored))
		}
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSpace(string(golden)), "\n") {
		var parts [2][]byte
		for k, field := range strings.Fields(line) {
			parts[k], err = base64.StdEncoding.DecodeString(field)
			require.NoError(t, err)
		}
		want := blocks[i]
		m, err := decodeModel(key, parts[0], tierOfCodes(want, i+1, SmallUnit).alphabet(0))
		require.NoError(t, err)
		payload, ok := checked(key, parts[1])
		require.True(t, ok)
		codes := make([]byte, len(want))
		require.True(t, (&coder{model: m}).decodeUnits(codes, payload[1:], 0, len(want)/(i+1), SmallUnit, i+1))
		require.Equal(t, want, codes)
	}
}

// goldenCodes are codes of a width with runs, rows at two strides and noise.
func goldenCodes(width int) []byte {
	rng := rand.New(rand.NewPCG(7, 8))
	codes := make([]byte, 4096*width)
	for i := range 4096 {
		code := int(rng.Uint64()%7) * width * 60 % 255
		switch noise := rng.Uint64() % 16; {
		case noise == 0:
		case i/512%2 == 1:
			code = CodeAt(codes, i-1, width)
		case i >= 100 && noise < 12:
			code = CodeAt(codes, i-100, width)
		case i >= 37:
			code = CodeAt(codes, i-37, width)
		}
		SetCode(codes, i, width, code)
	}
	return codes
}

// FuzzUnits codes and decodes blocks, and decodes units of other bytes.
func FuzzUnits(f *testing.F) {
	f.Add([]byte("a"), uint64(0), uint8(0), []byte{1})
	f.Add([]byte("abcabcabdabcabcabdabcabcabd"), uint64(5), uint8(3), []byte{2, 2, 2, 2, 0xff, 0x80})
	f.Fuzz(func(t *testing.T, codes []byte, seed uint64, repeat uint8, other []byte) {
		width, unit := 1+int(seed&1), 16<<(seed>>2&7)
		codes = slices.Repeat(codes, 1+int(repeat)%32)
		if codes = codes[:min(len(codes), BlockSize)/width*width]; len(codes) == 0 {
			return
		}
		for i := range len(codes) / width {
			if CodeAt(codes, i, width) == 1<<16-1 {
				SetCode(codes, i, width, 0)
			}
		}
		var free []bool
		if rng := rand.New(rand.NewPCG(seed, 0)); seed&2 != 0 {
			for range len(codes) / width {
				free = append(free, rng.Uint32()&uint32(seed) != 0)
			}
		}
		requireUnits(t, codes, free, width, unit)
		c := tierOfCodes(codes, width, unit)
		m, err := c.LearnModel(0, nil)
		require.NoError(t, err)
		(&coder{model: &m.model}).decodeUnits(make([]byte, len(codes)), other, 0, len(codes)/width, unit, width)
	})
}
