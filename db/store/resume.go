package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// keeper keeps the finished tables of a compaction until the database is complete, so that the next
// run goes on where this one has ended. They depend on nothing but the values of the other database
// and the content.
type keeper struct {
	fs        vfs.FS
	dir       string // of the tables
	compactor *compactor
	of        string // tells tables of other compactions apart
}

var finishedKind = sealed.Kind{Name: "a finished table", Version: 1}

// finishedTable is the record of a finished table, in a file beside it.
type finishedTable struct {
	Of   string
	File db.File
	Sums []uint64 // of the blocks
	// Edges are those that the compactor knew when the table was finished.
	Edges []int
}

// newKeeper returns the keeper of a compaction into a directory.
func newKeeper(fs vfs.FS, dir string, p *compactor) (*keeper, error) {
	data, err := json.Marshal(p.content)
	if err != nil {
		return nil, err
	}
	of := fmt.Sprintf("%s %016x", p.from.Manifest().Checksum, xxhash.Sum64(data))
	k := &keeper{fs, fs.PathJoin(dir, "tables.tmp"), p, of}
	return k, storage.MkdirAll(fs, k.dir)
}

func (k *keeper) record(path string) string { return path + ".finished" }

// resume reports whether an earlier run has finished a table, and fills in the checksums of its blocks.
func (k *keeper) resume(ctx context.Context, path string, sums []uint64) (bool, error) {
	var r finishedTable
	record, err := sealed.Open(k.fs, k.record(path), finishedKind, &r)
	if err != nil {
		return false, nil
	}
	if err := record.Close(); err != nil || r.Of != k.of || len(r.Sums) != len(sums) {
		return false, err
	}
	if f, err := sumFile(ctx, k.fs, path, io.Discard); err != nil || f != r.File {
		return false, ctx.Err()
	}
	copy(sums, r.Sums)
	for _, e := range r.Edges {
		k.compactor.edges[e].Store(true)
	}
	return true, nil
}

// finish records that a table is finished.
func (k *keeper) finish(ctx context.Context, path string, sums []uint64) (err error) {
	r := finishedTable{Of: k.of, Sums: sums}
	for i := range k.compactor.edges {
		if k.compactor.edges[i].Load() {
			r.Edges = append(r.Edges, i)
		}
	}
	if r.File, err = sumFile(ctx, k.fs, path, io.Discard); err != nil {
		return err
	}
	return sealed.Write(k.fs, k.record(path), finishedKind, r, nil)
}

// close removes the tables of a complete database, and otherwise the directory if none is finished.
func (k *keeper) close(err error) error {
	if err == nil {
		return k.fs.RemoveAll(k.dir)
	}
	if names, listErr := k.fs.List(k.dir); listErr == nil && len(names) == 0 {
		err = errors.Join(err, k.fs.Remove(k.dir))
	}
	return err
}
