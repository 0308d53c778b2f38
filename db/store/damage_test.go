package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
)

// requirePlain checks that an error says that data is damaged, in one line and without the
// words of the store.
func requirePlain(t *testing.T, err error, damage string) {
	t.Helper()
	require.ErrorIs(t, err, db.ErrCorrupt, damage)
	require.NotRegexp(t, "(?i)pebble|crc32|corruption detail|\n", err.Error(), damage)
}

// checkReaders checks that a database, damaged or not, never gives a wrong
// value. It returns whether Open or Value has found the damage.
func checkReaders(t *testing.T, fs vfs.FS, s *dbtest.Solved, indices []uint64, damage string) (found bool) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: panic: %v", damage, r)
		}
	}()
	d, err := store.Open("db", &store.Options{FS: fs, CacheSize: 1 << 20})
	if err != nil {
		requirePlain(t, err, damage)
		return true
	}
	defer func() { require.NoError(t, d.Close(), damage) }()
	failed := map[uint64]bool{} // blocks; finding one to be damaged takes long
	for _, i := range indices {
		if failed[i/db.BlockSize] {
			continue
		}
		v, held, err := d.Value(i)
		if err != nil {
			requirePlain(t, err, damage)
			found, failed[i/db.BlockSize] = true, true
			continue
		}
		if want, ok := s.Values[i]; held != ok || v != want {
			t.Errorf("%s: index %d has the value %v (%t), want %v (%t)", damage, i, v, held, want, ok)
			return found
		}
	}
	return found
}

// checkVerify checks that Verify finds a damage.
func checkVerify(t *testing.T, fs vfs.FS, s *dbtest.Solved, damage string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: Verify panics: %v", damage, r)
		}
	}()
	v, problems, err := dbtest.Verify(fs, s.U)
	if err == nil && v.Problems == 0 {
		t.Errorf("%s: Verify finds nothing wrong", damage)
	}
	if v.Problems > 0 {
		require.NotEmpty(t, problems, damage)
	}
}

// TestFlippedBits flips each bit of a manifest, and some all over the files of the
// store: Verify must find it, and readers may fail but never give a wrong value.
func TestFlippedBits(t *testing.T) {
	step := 3 // on average every second byte of the store's files
	if testing.Short() {
		step = 30
	}
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	s.Write(t, fs)
	indices := s.Indices()
	require.False(t, checkReaders(t, fs, s, indices, "no damage"))
	rng := rand.New(rand.NewPCG(1, 2))
	flip := func(path string, data []byte, bit int, check func(damage string)) {
		damaged := bytes.Clone(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		dbtest.WriteFile(t, fs, path, damaged)
		check(fmt.Sprintf("%s, byte %d of %d, bit %d", path, bit/8, len(data), bit%8))
	}
	manifest := "db/" + db.ManifestName
	data := dbtest.ReadFile(t, fs, manifest)
	for bit := range 8 * len(data) {
		flip(manifest, data, bit, func(damage string) {
			_, err := store.ReadManifest(fs, "db")
			require.ErrorIs(t, err, db.ErrCorrupt, damage)
			checkVerify(t, fs, s, damage)
			_, err = store.Open("db", &store.Options{FS: fs})
			require.ErrorIs(t, err, db.ErrCorrupt, damage)
		})
	}
	dbtest.WriteFile(t, fs, manifest, data)
	for _, path := range dbtest.StoreFiles(t, fs) {
		data := dbtest.ReadFile(t, fs, path)
		for at := 0; at < len(data); at += 1 + rng.IntN(step) {
			flip(path, data, 8*at+rng.IntN(8), func(damage string) {
				checkReaders(t, fs, s, indices, damage)
				if at%4 == 0 {
					checkVerify(t, fs, s, damage)
				}
			})
		}
		dbtest.WriteFile(t, fs, path, data)
	}
	require.False(t, checkReaders(t, fs, s, indices, "after all"))
	dbtest.RequireSound(t, fs, s.U)
}

// TestDamagedFiles damages the files of a database as a whole.
func TestDamagedFiles(t *testing.T) {
	s, fs := dbtest.Databases["tiers"](t), vfs.NewMem()
	s.Write(t, fs)
	m, err := store.ReadManifest(fs, "db")
	require.NoError(t, err)
	for _, path := range dbtest.StoreFiles(t, fs) {
		data := dbtest.ReadFile(t, fs, path)
		check := func(how string, detected bool) {
			t.Helper()
			damage := fmt.Sprintf("%s %s", path, how)
			checkVerify(t, fs, s, damage)
			found := checkReaders(t, fs, s, s.Indices(), damage)
			if detected {
				require.True(t, found, damage)
				_, err := store.Open("db", &store.Options{FS: fs})
				require.ErrorIs(t, err, db.ErrCorrupt, damage)
			}
			dbtest.WriteFile(t, fs, path, data)
		}
		require.NoError(t, fs.Remove(path))
		check("missing", true)
		dbtest.WriteFile(t, fs, path, append(bytes.Clone(data), 0))
		check("with a byte more", true)
		if len(data) == 0 {
			continue
		}
		for _, n := range []int{0, 1, len(data) / 2, len(data) - 1} {
			dbtest.WriteFile(t, fs, path, data[:n])
			check(fmt.Sprintf("cut off after %d bytes", n), true)
		}
		dbtest.WriteFile(t, fs, path, make([]byte, len(data)))
		check("full of zeros", false)
	}
	require.Len(t, m.Files, len(dbtest.StoreFiles(t, fs)))
	dbtest.RequireSound(t, fs, s.U)

	data := dbtest.ReadFile(t, fs, "db/"+db.ManifestName)
	for _, n := range []int{0, 1, len(data) / 2, len(data) - 1} {
		dbtest.WriteFile(t, fs, "db/"+db.ManifestName, data[:n])
		damage := fmt.Sprintf("manifest cut off after %d bytes", n)
		checkVerify(t, fs, s, damage)
		require.True(t, checkReaders(t, fs, s, nil, damage), damage)
	}
	dbtest.WriteFile(t, fs, "db/"+db.ManifestName, data)
	require.NoError(t, fs.RemoveAll("db/store"))
	checkVerify(t, fs, s, "no store")
	_, err = store.Open("db", &store.Options{FS: fs})
	require.ErrorIs(t, err, db.ErrCorrupt)
}

// TestSwappedStores puts the store of one database under the manifest of another
// one of the same game.
func TestSwappedStores(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	m := s.Write(t, fs)
	other, otherFS := s.Clone(), vfs.NewMem()
	for i, v := range other.Values {
		if plies, ok := v.Plies(); ok && plies > 2 {
			other.Values[i] = m.Content.Values[0] // another value of this game
		}
	}
	other.Write(t, otherFS)
	for _, path := range dbtest.StoreFiles(t, fs) {
		dbtest.WriteFile(t, fs, path, dbtest.ReadFile(t, otherFS, path))
	}
	checkVerify(t, fs, s, "swapped store")
}

// changeStore changes the store of a database and makes the manifest list its
// new files.
func changeStore(t *testing.T, fs vfs.FS, change func(*pebble.DB)) {
	t.Helper()
	p, err := pebble.Open("db/store", &pebble.Options{FS: fs, FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
	require.NoError(t, err)
	change(p)
	require.NoError(t, p.Flush())
	require.NoError(t, p.Close())
	var files []db.File
	for _, path := range dbtest.StoreFiles(t, fs) {
		data := dbtest.ReadFile(t, fs, path)
		sum := dbtest.Sealed(data)[len(data):]
		files = append(files, db.File{Name: fs.PathBase(path), Size: int64(len(data)), Sum: string(bytes.Fields(sum)[1])})
	}
	dbtest.RewriteManifest(t, fs, func(m *db.Manifest) { m.Files = files })
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}

// TestBlocks changes single blocks of a store whose files all have the right
// checksums.
func TestBlocks(t *testing.T) {
	s := dbtest.Databases["tiers"](t)
	key := func(tier, block byte) []byte { return []byte{'v', 0, 0, 0, tier, 0, 0, 0, 0, 0, 0, 0, block} }
	get := func(t *testing.T, p *pebble.DB, key []byte) []byte {
		value, closer, err := p.Get(key)
		require.NoError(t, err)
		defer closer.Close()
		return bytes.Clone(value)
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, *pebble.DB)
		want   string // Verify's first problem
	}{
		{"nothing", func(*testing.T, *pebble.DB) {}, ""},
		{"rewritten", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set(key(2, 1), get(t, p, key(2, 1)), nil))
		}, ""},
		{"missing", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Delete(key(2, 1), nil))
		}, "db: tier 2, block 1: damaged data: the block is missing"},
		{"another's", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set(key(3, 0), get(t, p, key(2, 0)), nil))
		}, "db: tier 3, block 0: damaged data: checksum of a block does not match"},
		{"empty", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set(key(0, 0), nil, nil))
		}, "db: tier 0, block 0: damaged data: block of 0 bytes"},
		{"extra", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set(key(2, 2), get(t, p, key(2, 1)), nil))
		}, "extra"},
		{"extra, of no tier", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set(key(9, 0), get(t, p, key(2, 1)), nil))
		}, "extra"},
		{"extra, of no kind", func(t *testing.T, p *pebble.DB) {
			require.NoError(t, p.Set([]byte("hello"), []byte("world"), nil))
		}, "extra"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			s.Write(t, fs)
			changeStore(t, fs, func(p *pebble.DB) { c.change(t, p) })
			found := checkReaders(t, fs, s, s.Indices(), c.name)
			if c.want == "" {
				require.False(t, found)
				dbtest.RequireSound(t, fs, s.U)
				return
			}
			checkVerify(t, fs, s, c.name)
			_, problems, err := dbtest.Verify(fs, s.U)
			require.NoError(t, err)
			if c.want != "extra" {
				require.Equal(t, []string{c.want}, problems)
				require.True(t, found)
			}
		})
	}
}

// TestExtraFile puts a file into the store that the manifest does not list.
func TestExtraFile(t *testing.T) {
	s, fs := dbtest.TicTacToe(t), vfs.NewMem()
	s.Write(t, fs)
	dbtest.WriteFile(t, fs, "db/store/999999.sst", []byte("hello"))
	checkVerify(t, fs, s, "extra file")
	checkReaders(t, fs, s, s.Indices(), "extra file")
}
