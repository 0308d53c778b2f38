package errno

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKinds has the numbers of both systems, which are those of winerror.h and errno.h.
func TestKinds(t *testing.T) {
	const windows = "windows"
	for _, c := range []struct {
		name, system string
		kind         Kind
		number       syscall.Errno
		want         bool
	}{
		{"sharing violation", windows, Locked, 32, true},
		{"lock violation", windows, Locked, 33, true},
		{"broken pipe of Unix", "linux", Locked, 32, false},
		{"lock held", "linux", Locked, syscall.EAGAIN, true},
		{"lock held", "darwin", Locked, syscall.EAGAIN, true},
		{"access denied", windows, Locked, 5, false},
		{"disk full", windows, DiskFull, 112, true},
		{"disk full, by handle", windows, DiskFull, 39, true},
		{"host is down on Linux", "linux", DiskFull, 112, false},
		{"no space", "linux", DiskFull, syscall.ENOSPC, true},
		{"file not found", windows, DiskFull, 2, false},
		{"reset", windows, Disconnect, 10054, true},
		{"reset", "linux", Disconnect, syscall.ECONNRESET, true},
		{"aborted", windows, Disconnect, 10053, false},
	} {
		for _, err := range []error{
			c.number,
			&fs.PathError{Op: "write", Path: "x", Err: c.number},
			fmt.Errorf("first: %w", errors.Join(errors.New("other"), c.number)),
		} {
			require.Equal(t, c.want, c.kind.of(c.system, err), "%s, %v", c.name, err)
		}
	}
	require.False(t, Locked.Is(nil))
	require.False(t, DiskFull.Is(errors.New("no space left on device")))
	if runtime.GOOS != windows {
		require.True(t, DiskFull.Is(syscall.ENOSPC))
	}
}
