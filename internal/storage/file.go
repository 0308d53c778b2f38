package storage

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// WriteFile creates or replaces a file atomically: after a crash there is either the old
// file or the whole new one. If there is something that is not a regular file, such as a
// device, it is left alone.
func WriteFile(fs vfs.FS, dir, name string, write func(io.Writer) error) error {
	return WriteChecked(fs, dir, name, write, nil)
}

// WriteChecked is [WriteFile] with a check of the file before it gets its name: check, if not
// nil, is called with the path of the complete new file. If it fails, WriteChecked returns its
// error, and the new file is deleted.
func WriteChecked(fs vfs.FS, dir, name string, write func(io.Writer) error, check func(path string) error) (err error) {
	path := fs.PathJoin(dir, name)
	if info, err := fs.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: name one, or one that does not exist", path)
	}
	unfinished := path + ".tmp"
	f, err := fs.Create(unfinished, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), fs.Remove(unfinished))
	}
	if check != nil {
		if err := check(unfinished); err != nil {
			return errors.Join(err, fs.Remove(unfinished))
		}
	}
	if err := fs.Rename(unfinished, path); err != nil {
		return err
	}
	return SyncDir(fs, dir)
}

// MkdirAll creates a directory, and those above it, so that they survive a crash.
func MkdirAll(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := MkdirAll(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return SyncDir(fs, parent)
}

// SyncDir makes the names in a directory durable.
func SyncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
