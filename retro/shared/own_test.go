package shared

import (
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// gone is a file system in which no directory can be made, as in one that has been deleted.
type gone struct{ vfs.FS }

func (gone) MkdirAll(string, os.FileMode) error { return os.ErrNotExist }

func TestOwnGone(t *testing.T) {
	_, err := takeOwn(gone{vfs.NewMem()}, "work")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestOwnForeign has a directory with a file of somebody else, which is left as it is.
func TestOwnForeign(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, storage.MkdirAll(fs, "work/1"))
	f, err := fs.Create("work/1/precious", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = takeOwn(fs, "work")
	require.ErrorIs(t, err, engine.ErrOther)
	names, err := fs.List("work/1")
	require.NoError(t, err)
	require.Equal(t, []string{"precious"}, names)
}

// TestCopied ends with what is longer than it may be.
func TestCopied(t *testing.T) {
	for most, want := range map[int64]error{4: errTooLong, 5: nil, 6: nil} {
		var b strings.Builder
		require.Equal(t, want, copied(strings.NewReader("12345"), most)(&b))
		require.LessOrEqual(t, int64(b.Len()), most+1)
	}
}
