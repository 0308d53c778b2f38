package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func newDB(l plugins) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Make a smaller database of a solved game, one file, or a table",
		Long:  "Db makes a database from another one, a table for programs that analyse data, or a digest.",
		Args:  ui.NoArgs,
		RunE:  ui.ShowHelp,
	}
	cmd.AddCommand(newCompact(l), newDigest(l), newExport(l), newPack(l))
	return cmd
}

// compactOptions are the flags of db compact.
type compactOptions struct {
	results bool
	threads int
	ui.Printing
}

func (o *compactOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.results, "results", false, "leave out the distances of wins and losses")
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	o.Flags(flags)
}

func newCompact(l plugins) *cobra.Command {
	var o compactOptions
	cmd := &cobra.Command{
		Use:   "compact FROM TO",
		Short: "Write a smaller database with the same values",
		Long: `Compact writes a database with the values of another one. It does not store what one move
shows: where the best move ends the game or leads to a finished tier, any value from the
worst up to the right one is stored, whichever compresses best. A lookup then also looks at
these moves, so it takes longer, and it needs the rules of the game.

With --results, the values have no distances.

If it is interrupted or killed, run the same command again: it goes on from there.`,
		Example: "  yomikiri db compact checkers.db small.db --results",
		Args:    ui.ExactArgs(2),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, l, args[0], args[1]) }
	return cmd
}

func (o *compactOptions) run(cmd *cobra.Command, l plugins, from, to string) error {
	g, m, err := l.openDirectory(cmd, from)
	if err != nil {
		return err
	}
	p := o.Progress(cmd)
	u, err := universe(cmd, g, p)
	if err != nil {
		return err
	}
	if o.results && m.Content.Order == games.ByScore.String() {
		_, err := u.Results()
		return ui.Usage(fmt.Errorf("--results: %w", err))
	}
	if m, err = compact(cmd, p, u, from, to, o.results, o.threads); err != nil {
		return err
	}
	return o.Result(cmd, m, summary(g, to, m))
}

// compact writes a compact database into the new directory to.
func compact(cmd *cobra.Command, p *ui.Progress, u *games.Universe, from, to string, results bool, threads int) (m *db.Manifest, err error) {
	if err := ui.CheckNew(to, "a new directory"); err != nil {
		return nil, err
	}
	d, err := store.Open(from, &store.Options{CacheSize: int64(max(ui.MemoryLimit()/4, db.DefaultCacheSize))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	to = filepath.Clean(to)
	// A directory of another name, so that one of this name is always whole.
	part := to + ".part"
	if m, err = compactPart(cmd, p, u, d, part, results, threads); err != nil {
		return nil, err
	}
	if err := os.Rename(part, to); err != nil {
		return nil, err
	}
	return m, storage.SyncDir(vfs.Default, filepath.Dir(to))
}

// compactPart writes a compact database into the directory part, in which an earlier run may have
// finished some tables.
func compactPart(cmd *cobra.Command, p *ui.Progress, u *games.Universe, from *db.DB, part string, results bool, threads int) (m *db.Manifest, err error) {
	if err := storage.MkdirAll(vfs.Default, part); err != nil {
		return nil, err
	}
	names, err := vfs.Default.List(part)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.Contains([]string{"store", "store.tmp", "tables.tmp", db.ManifestName, db.ManifestName + ".tmp", "LOCK"}, name) {
			return nil, ui.Usage(fmt.Errorf("%s has files that do not belong to a database, such as %s: move it, or choose another directory", part, name))
		}
	}
	lock, err := storage.Lock(vfs.Default, part, time.Now().Add(time.Second))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	defer func() {
		if err = errors.Join(err, storage.Unlock(vfs.Default, filepath.Join(part, "LOCK"), lock)); err != nil {
			os.Remove(part) // fails if it has finished tables
		}
	}()
	defer p.Done()
	var begin time.Time
	var before uint64
	m, err = store.Compact(cmd.Context(), part, from, u, results, store.WriteOptions{Threads: threads, Progress: func(unit string, done, total uint64) {
		if begin.IsZero() {
			begin, before = time.Now(), done
		}
		p.ShowResumed(begin, unit, before, done, total)
	}})
	if errors.Is(err, context.Canceled) {
		return nil, ui.Interrupted("interrupted; the same command goes on")
	}
	return m, err
}

// compactSolved makes a compact database in dir of the one that a solve has written into full,
// and removes that.
func compactSolved(cmd *cobra.Command, p *ui.Progress, u *games.Universe, full, dir string, threads int) (*db.Manifest, error) {
	m, err := compact(cmd, p, u, full, dir, false, threads)
	if err != nil {
		return nil, err
	}
	return m, os.RemoveAll(full)
}

// solvedFull is where solve --compact has its ordinary database.
func solvedFull(dir string) string { return filepath.Clean(dir) + ".full" }

// isMissing reports whether there is no database in dir, which then must not exist. It fails for one
// that is not compact.
func isMissing(dir string) (bool, error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	m, err := store.ReadManifest(nil, dir)
	switch {
	case errors.Is(err, db.ErrNoDatabase):
		err = ui.Usage(fmt.Errorf("%s exists and is not a database: choose another directory", dir))
	case err == nil && m.Content.Codec == "":
		err = ui.Usage(fmt.Errorf("%s is an ordinary database: make a compact one of it with db compact", dir))
	}
	return false, err
}
