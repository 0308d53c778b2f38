package storage_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// newDir returns a file system with a durable directory "db".
func newDir(t testing.TB) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	require.NoError(t, fs.MkdirAll("db", 0o755))
	require.NoError(t, storage.SyncDir(fs, ""))
	return fs
}

// onWrite calls do before each operation that changes a file system.
func onWrite(fs vfs.FS, do func() error) vfs.FS {
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return do()
		}
		return nil
	}))
}

func readFile(t testing.TB, fs vfs.FS, path string) []byte {
	t.Helper()
	f, err := fs.Open(path)
	require.NoError(t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	return data
}

// TestWriteFile checks that a file is replaced as a whole or not at all, whichever
// operation fails and whenever the machine crashes.
func TestWriteFile(t *testing.T) {
	const path = "db/file"
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			for i := range text {
				if _, err := io.WriteString(w, text[i:i+1]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	fs := newDir(t)
	require.NoError(t, storage.WriteFile(fs, "db", "file", write("old")))
	var crashed []*vfs.MemFS
	rng := rand.New(rand.NewPCG(1, 1))
	require.NoError(t, storage.WriteFile(onWrite(fs, func() error {
		for _, percent := range []int{0, 50, 100} {
			crashed = append(crashed, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng}))
		}
		return nil
	}), "db", "file", write("much newer")))
	seen := map[string]int{}
	for _, fs := range crashed {
		seen[string(readFile(t, fs, path))]++
	}
	require.Contains(t, seen, "old")
	delete(seen, "old")
	delete(seen, "much newer")
	require.Empty(t, seen)
	require.Equal(t, "much newer", string(readFile(t, fs.CrashClone(vfs.CrashCloneCfg{}), path)))

	for n := 0; ; n++ {
		fs := newDir(t)
		require.NoError(t, storage.WriteFile(fs, "db", "file", write("old")))
		count := 0
		err := storage.WriteFile(onWrite(fs, func() error {
			if count++; count == n+1 {
				return errorfs.ErrInjected
			}
			return nil
		}), "db", "file", write("new"))
		if count <= n {
			require.NoError(t, err)
			break
		}
		text := string(readFile(t, fs, path))
		if err == nil {
			require.Equal(t, "new", text, "operation %d", n)
		} else {
			require.ErrorIs(t, err, errorfs.ErrInjected)
			require.Contains(t, []string{"old", "new"}, text, "operation %d", n)
		}
	}

	cause := errors.New("no more to write")
	err := storage.WriteFile(fs, "db", "file", func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, cause)
	})
	require.ErrorIs(t, err, cause)
	require.Equal(t, "much newer", string(readFile(t, fs, path)))
	names, err := fs.List("db")
	require.NoError(t, err)
	require.Equal(t, []string{"file"}, names, "nothing unfinished is left")
}

// TestWriteFileIrregular leaves directories and the like alone.
func TestWriteFileIrregular(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("dir/name", 0o755))
	err := storage.WriteFile(fs, "dir", "name", func(io.Writer) error { return nil })
	require.ErrorContains(t, err, "dir/name is not a regular file")
	list, err := fs.List("dir")
	require.NoError(t, err)
	require.Equal(t, []string{"name"}, list)
}
