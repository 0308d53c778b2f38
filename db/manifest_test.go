package db

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// someManifest has something in every field.
func someManifest() *Manifest {
	return &Manifest{
		Format: 1,
		Content: Content{
			Game: "game:rule=other", Order: "distance", Positions: "reachable", BlockSize: BlockSize,
			Start: 5, StartValue: games.Loss(2),
			Values:  []games.Value{games.Win(1), games.Draw, games.Loss(2)},
			Longest: &Example{games.Loss(2), 5},
			Tiers: []Tier{
				{Name: "1", Size: 10, Open: 6, Unfinished: 3, Moves: 7,
					Counts: []Count{{games.Win(1), 1, 0}, {games.Loss(2), 2, 0}}},
				{Name: "2", Start: 10, Size: 5000, Open: 5000, Unfinished: 1, Moves: 1,
					Counts: []Count{{games.Draw, 1, 0}, {games.Loss(0), 3, 3}}},
			},
		},
		Checksum: "0123456789abcdef",
		Built:    Built{By: "test 1.0", At: time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), Time: time.Minute, Threads: 2, Memory: 1 << 20},
		Files:    []File{{"000004.sst", 1234, "fedcba9876543210"}},
	}
}

func resealed(text string) []byte {
	return fmt.Appendf([]byte(text), sumLine, xxhash.Sum64String(text))
}

// TestManifestGolden keeps the format: a database that was written must be read
// for as long as FormatVersion stays the same.
func TestManifestGolden(t *testing.T) {
	data, err := Seal(someManifest())
	require.NoError(t, err)
	path := filepath.Join("testdata", "manifest.golden")
	if *update {
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(golden), string(data))
	m, err := DecodeManifest(golden)
	require.NoError(t, err)
	require.Equal(t, someManifest(), m)
}

func TestManifestChecksum(t *testing.T) {
	m := someManifest()
	sums := [][]uint64{{1}, {2, 3}}
	sum, err := m.Content.Sum(sums)
	require.NoError(t, err)
	text, err := json.Marshal(m.Content)
	require.NoError(t, err)
	for _, word := range []byte{1, 2, 3} {
		text = append(text, word, 0, 0, 0, 0, 0, 0, 0)
	}
	require.Equal(t, fmt.Sprintf("%016x", xxhash.Sum64(text)), sum)
	sums[1][1]++
	other, err := m.Content.Sum(sums)
	require.NoError(t, err)
	require.NotEqual(t, sum, other)
}

func TestManifestErrors(t *testing.T) {
	change := func(from, to string) []byte {
		data, err := Seal(someManifest())
		require.NoError(t, err)
		text := data[:bytes.LastIndex(data, []byte("xxh64"))]
		require.Contains(t, string(text), from)
		return resealed(string(bytes.Replace(text, []byte(from), []byte(to), 1)))
	}
	for _, c := range []struct {
		name    string
		data    []byte
		want    string
		corrupt bool
	}{
		{"empty", nil, "damaged data: the manifest has 0 bytes", true},
		{"only a checksum", resealed(""), "damaged data: the manifest has 23 bytes", true},
		{"newer", change(`"format": 1`, `"format": 4`),
			"the database has format 4, this program reads formats 1 and 3: use a newer program", false},
		{"newer than what it has", change(`"format": 1`, `"format": 3`),
			"the database has format 3 and the content of format 1; this program reads formats 1 and 3", false},
		{"compact in the old format", change(`"moves": 7,`, `"moves": 7, "compact": true,`),
			"the database has format 1 and the content of format 3; this program reads formats 1 and 3", false},
		{"newer and otherwise different", resealed(`{"format": 7, "content": ["none", "of it"], "files": 3}`),
			"the database has format 7, this program reads formats 1 and 3: use a newer program", false},
		{"older", change(`"format": 1`, `"format": 0`), "the database has format 0 and the content of format 1; this program reads formats 1 and 3", false},
		{"without format", resealed(`{}`), "the database has format 0 and the content of format 3; this program reads formats 1 and 3", false},
		{"newer, but damaged", bytes.Replace(change(`"format": 1`, `"format": 4`), []byte("test 1.0"), []byte("test 1.1"), 1),
			"damaged data: the checksum of the manifest does not match", true},
		{"units in the old format", resealed(`{"format": 1, "content": {"block_size": 4096, "codec": "units"}}`),
			"the database has format 1 and the content of format 3; this program reads formats 1 and 3", false},
		{"another codec", resealed(`{"format": 3, "content": {"block_size": 16384, "codec": "lead"}}`),
			"the database has the codec lead, this program reads zstd and units", false},
		{"an earlier compact one", resealed(`{"format": 2, "content": {"block_size": 16384, "codec": "mixed"}}`),
			"the database has format 2, that of compact databases of earlier programs; this program reads formats 1 and 3: make it again with db compact", false},
		{"other units", resealed(`{"format": 3, "content": {"block_size": 16384, "codec": "units", "unit_size": 1000}}`),
			"the database has units of 1000 positions in blocks of 16384", false},
		{"no units", resealed(`{"format": 3, "content": {"block_size": 16384, "codec": "units"}}`),
			"the database has units of 0 positions in blocks of 16384", false},
		{"units without a codec", resealed(`{"format": 3, "content": {"block_size": 16384, "unit_size": 512}}`),
			"the database has units of 512 positions in blocks of 16384", false},
		{"other blocks", resealed(`{"format": 3, "content": {"block_size": 5000}}`),
			"the database has blocks of 5000 positions, this program reads blocks of 4096 to 65536", false},
		{"no JSON", resealed("hello, world"),
			"damaged data: manifest: invalid character 'h' looking for beginning of value", true},
		{"no value", change(`"win in 1"`, `"win in x"`), "", true},
		{"a file elsewhere", change(`"000004.sst"`, `"../../etc/passwd"`),
			`damaged data: the manifest names the file "../../etc/passwd", want one of the directory store`, true},
		{"the directory above", change(`"000004.sst"`, `".."`), `damaged data: the manifest names the file "..", want one of the directory store`, true},
		{"escape sequence", change(`"game:rule=other"`, `"game\u001b[2J"`),
			`damaged data: the manifest has the name "game\x1b[2J", want printable characters`, true},
		{"lines", change(`"test 1.0"`, `"test\n1.0"`), `damaged data: the manifest has the name "test\n1.0", want printable characters`, true},
	} {
		_, err := DecodeManifest(c.data)
		require.Error(t, err, c.name)
		if c.want != "" {
			require.EqualError(t, err, c.want, c.name)
		}
		if c.corrupt {
			require.ErrorIs(t, err, ErrCorrupt, c.name)
		} else {
			require.NotErrorIs(t, err, ErrCorrupt, c.name)
		}
	}
}

// TestNewer checks the error for a newer format.
func TestNewer(t *testing.T) {
	m := someManifest()
	m.Format = FormatVersion + 1
	data, err := Seal(m)
	require.NoError(t, err)
	_, err = DecodeManifest(data)
	require.EqualError(t, err, "the database has format 4, this program reads formats 1 and 3: use a newer program")
}

// TestManifestFlippedBits flips each bit of a manifest, and cuts it off anywhere.
func TestManifestFlippedBits(t *testing.T) {
	data, err := Seal(someManifest())
	require.NoError(t, err)
	for at := range data {
		for bit := range 8 {
			damaged := bytes.Clone(data)
			damaged[at] ^= 1 << bit
			_, err := DecodeManifest(damaged)
			require.ErrorIs(t, err, ErrCorrupt, "bit %d of byte %d", bit, at)
		}
	}
	for n := range data {
		_, err := DecodeManifest(data[:n])
		require.ErrorIs(t, err, ErrCorrupt, "the first %d bytes of %d", n, len(data))
	}
	_, err = DecodeManifest(append(bytes.Clone(data), '\n'))
	require.ErrorIs(t, err, ErrCorrupt, "a byte more")
}

// FuzzDecodeManifest reads whatever bytes there are, as they are and with the
// right checksum appended.
func FuzzDecodeManifest(f *testing.F) {
	data, err := Seal(someManifest())
	require.NoError(f, err)
	f.Add(data)
	f.Add(data[:bytes.LastIndex(data, []byte("xxh64"))])
	f.Add([]byte(`{"format":1,"content":{"block_size":4096,"slices":[{"open":18446744073709551615}]}}`))
	f.Add([]byte(`{"format":1,"content":{"block_size":4096,"values":["draw","draw","+5"],"slices":null}}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, resealed(string(data))} {
			m, err := DecodeManifest(data)
			if err != nil {
				continue
			}
			require.Equal(t, m.Content.Format(), m.Format)
			require.Zero(t, m.Content.BlockSize%BlockSize)
			m.Content.Width()
			m.Content.Total()
			again, err := Seal(m)
			require.NoError(t, err)
			n, err := DecodeManifest(again)
			require.NoError(t, err)
			text, err := Seal(n)
			require.NoError(t, err)
			require.Equal(t, string(again), string(text))
			data[len(data)/2] ^= 1
			_, err = DecodeManifest(data)
			require.ErrorIs(t, err, ErrCorrupt)
		}
	})
}

// TestManifestRules has the rules of a game from a file: the checksum covers them, their digest is compared, and a game with
// other rules is refused.
func TestManifestRules(t *testing.T) {
	m := someManifest()
	without, err := m.Content.Sum(nil)
	require.NoError(t, err)
	m.Content.Rules = "maxRank = 3\nflagPieceWhite = p\n"
	m.Content.RulesDigest = games.RulesDigest(m.Content.Rules)
	with, err := m.Content.Sum(nil)
	require.NoError(t, err)
	require.NotEqual(t, without, with)
	data, err := Seal(m)
	require.NoError(t, err)
	read, err := DecodeManifest(data)
	require.NoError(t, err)
	require.Equal(t, m, read)

	u := &games.Universe{Name: m.Content.Game, Rules: m.Content.Rules, Start: m.Content.Start}
	for _, tier := range m.Content.Tiers {
		u.Tiers = append(u.Tiers, games.Tier{Start: tier.Start, Size: tier.Size, Open: tier.Open})
	}
	require.NoError(t, m.Content.Fits(u))
	u.Rules = "maxRank = 4\n"
	require.ErrorIs(t, m.Content.Fits(u), ErrOther)
	require.EqualError(t, m.Content.Fits(u), "rules of game:rule=other have changed since it was made: flagPieceWhite was p, is not given; maxRank was 3, is 4")
	u.Rules = ""
	require.ErrorContains(t, m.Content.Fits(u), "has its own rules here")
	u.Rules, m.Content.Rules = m.Content.Rules, ""
	require.ErrorContains(t, m.Content.Fits(u), "does not say by which rules")

	for _, c := range []struct{ rules, digest string }{{"maxRank = 3\n", read.Content.RulesDigest}, {"", read.Content.RulesDigest}, {read.Content.Rules, ""}, {"\x1b[2J", games.RulesDigest("\x1b[2J")}} {
		m.Content.Rules, m.Content.RulesDigest = c.rules, c.digest
		data, err := Seal(m)
		require.NoError(t, err)
		_, err = DecodeManifest(data)
		require.ErrorIs(t, err, ErrCorrupt, "%q", c.rules)
	}
}
