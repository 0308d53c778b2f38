package manager

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// statusName is the name of the file with the last report of a running manager, for other
// processes, which cannot open the tree meanwhile.
const statusName = "status.json"

// writeStatus writes a report into the directory of the tree.
func (t *Tree) writeStatus(r *Report) error {
	return storage.WriteFile(t.fs, t.dir, statusName, func(w io.Writer) error {
		_, err := w.Write(encode(r))
		return err
	})
}

// ReadStatus returns the last report of the process that has the tree in dir open. A nil
// fs means vfs.Default.
func ReadStatus(fs vfs.FS, dir string) (*Report, error) {
	if fs == nil {
		fs = vfs.Default
	}
	f, err := fs.Open(fs.PathJoin(dir, statusName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", fs.PathJoin(dir, statusName), err)
	}
	return &r, nil
}
