package cmd

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
)

// digestOptions are the flags of db digest.
type digestOptions struct {
	threads int
	ui.Printing
}

func (o *digestOptions) addFlags(flags *pflag.FlagSet) {
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	o.Flags(flags)
}

func newDigest(l plugins) *cobra.Command {
	var o digestOptions
	cmd := &cobra.Command{
		Use:   "digest DATABASE|GAME",
		Short: "Print the SHA-256 of all values",
		Long: `Digest prints the SHA-256 of the values of a database. It is that of a text with a line for
each index, in order: the value as query prints it, or nothing where the database has none.
So another program can find it, and a directory, a compact database with all distances and a
file of db pack have the same.

A compact database takes much longer, since its values need the rules of the game.`,
		Example: "  yomikiri db digest dobutsu.db",
		Args:    ui.ExactArgs(1),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(cmd.Flags(), args[0], "")
		if err != nil {
			return err
		}
		return o.run(cmd, l, n)
	}
	return cmd
}

// digestRecord is what db digest prints.
type digestRecord struct {
	Game     string  `json:"game"`
	Indices  uint64  `json:"indices"`
	Checksum string  `json:"checksum"`
	SHA256   string  `json:"sha256"`
	Seconds  float64 `json:"seconds"`
}

func (o *digestOptions) run(cmd *cobra.Command, l plugins, n named) (err error) {
	m, err := store.ReadManifest(nil, n.dir)
	if err != nil {
		return unfinished(cmd, n.dir, err)
	}
	source, closing, err := valuesOf(cmd, l, n, m, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	begin := time.Now()
	p := o.Progress(cmd)
	defer p.Done()
	r := digestRecord{Game: m.Content.Game, Checksum: m.Checksum}
	for i := range m.Content.Tiers {
		r.Indices += m.Content.Tiers[i].Size
	}
	r.SHA256, err = db.Digest(cmd.Context(), &m.Content, source.Block, db.DigestOptions{Threads: o.threads, Progress: p.Since(begin)})
	if errors.Is(err, context.Canceled) {
		return ui.Interrupted("interrupted")
	}
	if err != nil {
		return err
	}
	p.Done()
	r.Seconds = time.Since(begin).Seconds()
	var b ui.Table
	b.Line("game", "%s", r.Game)
	b.Line("indices", "%s", ui.Grouped(r.Indices))
	b.Line("checksum", "%s", r.Checksum)
	b.Line("sha256", "%s", r.SHA256)
	b.Line("time", "%.1f s", r.Seconds)
	return o.Result(cmd, r, b.String())
}
