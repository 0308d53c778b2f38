package db_test

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
)

// packedOf returns a packed database of a game.
func packedOf(t testing.TB, s *dbtest.Solved) []byte {
	t.Helper()
	m := s.Manifest()
	m.Content.BlockSize, m.Checksum = db.BlockSize, "0123456789abcdef"
	m.Format = m.Content.Format()
	var b bytes.Buffer
	p, err := db.NewPacker(&b)
	require.NoError(t, err)
	source := s.Source(&m.Content)
	for _, r := range m.Content.Ranges(1) {
		codes := make([]byte, m.Content.BlockBytes(r.Tier, r.First))
		require.NoError(t, source(r.Tier, r.First, codes))
		require.NoError(t, p.Add(m.Content.AppendBlock(nil, r.Tier, r.First, codes)))
	}
	require.NoError(t, p.Finish(m))
	return b.Bytes()
}

func openPacked(data []byte) (*db.DB, error) {
	p, err := db.OpenPacked(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return db.New("packed", p.Manifest(), p, 1<<20), nil
}

// TestPacked packs databases of one block and of several tiers, and more blocks than a page has.
func TestPacked(t *testing.T) {
	large := dbtest.Solve(t, dbtest.Ladder("large", 24, 250_000, 10, 15), "reachable")
	list := map[string]func(testing.TB) *dbtest.Solved{"pages": func(testing.TB) *dbtest.Solved { return large }}
	for name, s := range dbtest.Databases {
		list[name] = s
	}
	for name, solved := range list {
		t.Run(name, func(t *testing.T) {
			s := solved(t)
			data := packedOf(t, s)
			require.Equal(t, data, packedOf(t, s))
			d, err := openPacked(data)
			require.NoError(t, err)
			for _, i := range s.Indices() {
				v, ok, err := d.Value(i)
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, s.Values[i], v)
			}
			v, err := d.Verification()
			require.NoError(t, err)
			require.Equal(t, db.Unverified, v.State)
			require.NoError(t, d.Close())
		})
	}
}

// TestPackedDamage cuts a packed database off anywhere and flips each of its bits: readers may fail, but never give a wrong
// value.
func TestPackedDamage(t *testing.T) {
	s := dbtest.Solve(t, dbtest.Ladder("small", 24, 500, 10, 15), "reachable")
	data := packedOf(t, s)
	indices := s.Indices()
	for n := range data {
		_, err := openPacked(data[:n])
		require.ErrorIs(t, err, db.ErrCorrupt, "the first %d bytes of %d", n, len(data))
	}
	_, err := openPacked(append(bytes.Clone(data), 0))
	require.ErrorIs(t, err, db.ErrCorrupt, "a byte more")
	root := int(binary.LittleEndian.Uint64(data[len(data)-72+3*8:])) // its place
	for at := len(db.PackedMagic); at < len(data); at++ {
		for bit := range 8 {
			damaged := bytes.Clone(data)
			damaged[at] ^= 1 << bit
			d, err := openPacked(damaged)
			found := err != nil
			if found {
				require.ErrorIs(t, err, db.ErrCorrupt, "bit %d of byte %d", bit, at)
				continue
			}
			require.Less(t, at, root, "bit %d: the root and the footer are checked at once", bit)
			for _, i := range indices {
				v, held, err := d.Value(i)
				if err != nil {
					require.ErrorIs(t, err, db.ErrCorrupt, "bit %d of byte %d", bit, at)
					found = true
				} else if !held || v != s.Values[i] {
					require.Fail(t, "a wrong value", "bit %d of byte %d, index %d", bit, at, i)
				}
			}
			_, err = d.Check(t.Context())
			require.ErrorIs(t, err, db.ErrCorrupt, "bit %d of byte %d; Check has to find it too", bit, at)
		}
	}
}

// resummed gives a packed database, or the footer of one, the right checksum of its footer.
func resummed(data []byte) []byte {
	const footer = 72
	if len(data) < footer {
		return data
	}
	data = bytes.Clone(data)
	end := data[len(data)-footer:]
	binary.LittleEndian.PutUint64(end[footer-16:], xxhash.Sum64(end[:footer-16]))
	return data
}

// TestPackedVersion refuses a file of a later version.
func TestPackedVersion(t *testing.T) {
	data := packedOf(t, dbtest.TicTacToe(t))
	data[len(data)-72] = 2
	_, err := openPacked(resummed(data))
	require.ErrorIs(t, err, db.ErrOther)
	require.ErrorContains(t, err, "has version 2, this program reads version 1")
}

// FuzzPacked opens files with any ends, as they are and with the right checksum of the footer.
func FuzzPacked(f *testing.F) {
	data := packedOf(f, dbtest.Solve(f, dbtest.Ladder("small", 24, 500, 10, 15), "reachable"))
	f.Add(data)
	f.Add(data[len(data)-200:])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, resummed(data)} {
			d, err := openPacked(data)
			if err != nil {
				continue
			}
			for tier := range d.Manifest().Content.Tiers {
				for block := range min(d.Manifest().Content.Blocks(tier), 4) {
					codes, err := d.Block(tier, block)
					if err == nil {
						require.Len(t, codes, d.Manifest().Content.BlockBytes(tier, block))
					}
				}
			}
		}
	})
}

// TestPackedPages damages the root behind right checksums of the root and the footer.
func TestPackedPages(t *testing.T) {
	s := dbtest.Solve(t, dbtest.Ladder("small", 24, 500, 10, 15), "reachable")
	data := packedOf(t, s)
	const footer = 72
	rootAt := binary.LittleEndian.Uint64(data[len(data)-footer+8+16:])
	for at := rootAt; at < uint64(len(data)-footer); at++ {
		damaged := bytes.Clone(data)
		damaged[at]++
		binary.LittleEndian.PutUint64(damaged[len(data)-footer+8+40:], xxhash.Sum64(damaged[rootAt:len(data)-footer]))
		d, err := openPacked(resummed(damaged))
		if err == nil {
			_, err = d.Block(0, 0)
		}
		require.ErrorIs(t, err, db.ErrCorrupt, "byte %d of the root", at-rootAt)
	}
}

// TestWithoutPebble checks that databases can be read in a browser, for which Pebble is not built.
func TestWithoutPebble(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	cmd := exec.Command(tool, "list", "-deps", ".")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	list, err := cmd.Output()
	require.NoError(t, err)
	for name := range strings.Lines(string(list)) {
		require.NotContains(t, name, "pebble")
	}
}
