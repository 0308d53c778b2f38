package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/server/static"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// publishOptions are the flags of publish.
type publishOptions struct {
	out, source string
	part        uint64
	threads     int
	ui.Printing
}

// Limits of the size of parts: smaller ones would be too many files.
const (
	leastPart = 1 << 10
	mostPart  = 1 << 50
)

func (o *publishOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.out, "out", "", "new `directory` for the site")
	ui.CheckedFlag(flags, "part", "size", "0", "cut each database into files of this size, for a host with a limit or without HTTP ranges; 0 for one file", func(text string) (err error) {
		if o.part = 0; text == "0" {
			return nil
		}
		if o.part, err = ui.ParseBytes(text); err == nil && (o.part < leastPart || o.part > mostPart) {
			err = fmt.Errorf("want at least %s and at most %s", ui.Size(leastPart), ui.Size(mostPart))
		}
		if err != nil {
			err = fmt.Errorf("%q: %w", text, err)
		}
		return err
	})
	flags.StringVar(&o.source, "source", ".", "`directory` of the source of this program, from which the reader is built unless the program has it")
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	o.Flags(flags)
}

func newPublish(l plugins) *cobra.Command {
	var o publishOptions
	cmd := &cobra.Command{
		Use:   "publish DATABASE|GAME ...",
		Short: "Write a static site of solved games, for any web host",
		Long: `Publish writes a site of files: the page that serve shows, the databases, each packed into
one file, and a reader that answers in the browser what the page asks. It needs no server of
its own: put the files on any web host that serves ranges of files, as most do. With --part,
a host that does not will do too.

The site has what a database knows: values, moves, lines, positions of a value, an opponent
that plays by the values. Searches, levels, reviews and records need serve. A database that is
damaged is not published.`,
		Example: "  yomikiri publish dobutsu.db --out site\n  yomikiri publish dobutsu.db awari.db --out site --part 20MiB",
		Args:    ui.LeastArgs(1),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, l, args) }
	return cmd
}

// publishRecord is what publish prints.
type publishRecord struct {
	Directory string          `json:"directory"`
	Games     []publishedGame `json:"games"`
	Seconds   float64         `json:"seconds"`
}

type publishedGame struct {
	Game     string `json:"game"`
	Bytes    int64  `json:"bytes"`
	Files    int64  `json:"files"`
	Checksum string `json:"checksum"`
}

func (o *publishOptions) run(cmd *cobra.Command, l plugins, args []string) (err error) {
	if o.out == "" {
		return ui.Usage(errors.New("--out is missing: name a new directory for the site"))
	}
	if err := ui.CheckNew(o.out, "a new directory"); err != nil {
		return err
	}
	begin := time.Now()
	var dirs []string
	for _, arg := range args {
		n, err := l.database(cmd.Flags(), arg, "")
		if err != nil {
			return err
		}
		if _, _, err := l.openDirectory(cmd, n.dir); err != nil {
			return err
		}
		dirs = append(dirs, n.dir)
	}
	out := filepath.Clean(o.out)
	part := out + ".part" // so that a directory of the other name is always whole
	if err := unfinishedSite(part); err != nil {
		return err
	}
	p := o.Progress(cmd)
	if !static.HasReaders() {
		p.Note("building the reader of sites by the command go: the first time takes a minute")
	}
	readers, err := static.FindReaders(cmd.Context(), o.source)
	if errors.Is(err, static.ErrNoReader) {
		return ui.Usage(err)
	}
	if err != nil {
		return interruptedPublish(err)
	}
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := storage.MkdirAll(vfs.Default, filepath.Join(part, "data")); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	r := publishRecord{Directory: out}
	var list []static.Database
	text := ""
	for _, dir := range dirs {
		d, err := o.database(cmd, l, p, dir, part)
		if err != nil {
			return interruptedPublish(err)
		}
		for _, other := range list {
			if other.Game.Name == d.Game.Name {
				return ui.Usage(fmt.Errorf("two databases of %s are named: publish one of them", d.Game.Name))
			}
		}
		list = append(list, d)
		files := int64(1)
		if d.Part > 0 {
			files = max((d.Size+d.Part-1)/d.Part, 1)
		}
		r.Games = append(r.Games, publishedGame{d.Game.Name, d.Size, files, d.Game.Checksum})
		text += fmt.Sprintf("%s: %s in %s, checksum %s\n", d.Game.Name, ui.FileSize(uint64(d.Size)), ui.Counted(uint64(files), "file"), d.Game.Checksum)
	}
	if err := static.Write(part, list, readers); err != nil {
		return err
	}
	if err := os.Rename(part, out); err != nil {
		return err
	}
	r.Seconds = time.Since(begin).Seconds()
	return o.Result(cmd, r, text+fmt.Sprintf("%s: written in %s\n", out, ui.Seconds(time.Since(begin))))
}

// unfinishedSite fails if there is something else than what an earlier run, which was killed, has left of a site.
func unfinishedSite(part string) error {
	err := filepath.WalkDir(part, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(part, path)
		if err == nil && !static.Belongs(filepath.ToSlash(name)) {
			err = ui.Usage(fmt.Errorf("%s is in the way, and no part of an unfinished site: move it, or choose another directory", path))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func interruptedPublish(err error) error {
	if errors.Is(err, context.Canceled) {
		return ui.Interrupted("interrupted; nothing is published")
	}
	return err
}

// database checks and packs a database into the directory of a site.
func (o *publishOptions) database(cmd *cobra.Command, l plugins, p *ui.Progress, dir, site string) (d static.Database, err error) {
	solved, _, err := l.openDirectory(cmd, dir)
	if err != nil {
		return d, err
	}
	values, err := openDatabase(cmd, solved, dir)
	if err != nil {
		return d, err
	}
	served := server.NewDatabase(server.Source{Game: solved, Name: filepath.Base(filepath.Clean(dir)), Database: values})
	defer func() { err = errors.Join(err, served.Close()) }()
	v, err := served.Check(cmd.Context())
	if err != nil {
		return d, err
	}
	g := served.Game()
	g.Formats = nil // to read records needs serve
	g.Status = &server.Status{State: server.Intact, Verification: &v}
	packed, err := pack(cmd, p, dir, filepath.Join(site, filepath.FromSlash(static.PackedName(g))), o.threads)
	if err != nil {
		return d, err
	}
	return static.Database{Game: g, Size: packed.Bytes, Part: int64(o.part), Carried: carried(served.Manifest())}, nil
}

// carried reports whether the game of a database comes from a file.
func carried(m *db.Manifest) bool { return m.Content.Rules != "" }
