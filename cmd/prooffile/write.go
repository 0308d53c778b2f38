package prooffile

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/proof"
)

// File is a proof file that was written.
type File struct {
	File    string  `json:"file"`
	Bytes   uint64  `json:"bytes"`
	Seconds float64 `json:"seconds"`
	proof.Counts
}

// Write writes a proof file and shows the progress; write adds the nodes. If verify is
// not nil, it reads the file before that gets its name.
func Write(path string, header proof.Header, p *ui.Progress, write func(w *proof.Writer) error, verify func(path string, nodes uint64) error) (*File, error) {
	begin := time.Now()
	file := &File{File: path}
	header.By = "yomikiri " + ui.Version()
	err := storage.WriteChecked(vfs.Default, filepath.Dir(path), filepath.Base(path), func(f io.Writer) error {
		w, err := proof.NewWriter(p.Watch(f, "proof", "written"), header)
		if err != nil {
			return err
		}
		if err := write(w); err != nil {
			return err
		}
		err = w.Close()
		file.Counts, file.Bytes, file.Seconds = w.Counts(), w.Bytes(), time.Since(begin).Seconds()
		return err
	}, func(path string) error {
		if verify == nil {
			return nil
		}
		return verify(path, file.Nodes)
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// String describes the file in human-readable form.
func (f *File) String() string {
	return fmt.Sprintf("%s: %s in %s, %.1f s", f.File, ui.Counted(f.Nodes, "node"), ui.FileSize(f.Bytes), f.Seconds)
}
