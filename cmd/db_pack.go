package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db/store"
)

// packOptions are the flags of db pack.
type packOptions struct {
	threads int
	ui.Printing
}

func (o *packOptions) addFlags(flags *pflag.FlagSet) {
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	o.Flags(flags)
}

func newPack(l plugins) *cobra.Command {
	var o packOptions
	cmd := &cobra.Command{
		Use:   "pack DATABASE|GAME FILE",
		Short: "Write a database into one file",
		Long: `Pack writes a database into a new file, from which any command reads it as from a
directory; docs/packed.md describes it. It checks every block and the logical checksum. The
same database always gives the same bytes. The file can be copied and put on a web server.`,
		Example: "  yomikiri db pack dobutsu.db dobutsu.packed\n  yomikiri query dobutsu.packed startpos",
		Args:    ui.ExactArgs(2),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(cmd.Flags(), args[0], "")
		if err != nil {
			return err
		}
		return o.run(cmd, n.dir, args[1])
	}
	return cmd
}

// packRecord is what db pack prints.
type packRecord struct {
	File     string  `json:"file"`
	Bytes    int64   `json:"bytes"`
	Checksum string  `json:"checksum"`
	Seconds  float64 `json:"seconds"`
}

func (o *packOptions) run(cmd *cobra.Command, from, to string) error {
	if err := ui.CheckNew(to, "a new file"); err != nil {
		return err
	}
	if err := ui.CheckOutput(to, true); err != nil {
		return ui.Usage(err)
	}
	begin := time.Now()
	r, err := pack(cmd, o.Progress(cmd), from, to, o.threads)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begin).Seconds()
	return o.Result(cmd, r, fmt.Sprintf("%s: %s, checksum %s, in %s\n", to, ui.FileSize(uint64(r.Bytes)), r.Checksum, ui.Seconds(time.Since(begin))))
}

// pack writes a database into a file.
func pack(cmd *cobra.Command, p *ui.Progress, from, to string, threads int) (r packRecord, err error) {
	d, err := store.Open(from, &store.Options{CacheSize: 1 << 20})
	if err != nil {
		return r, unfinished(cmd, from, err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	defer p.Done()
	err = store.Pack(cmd.Context(), d, to, store.PackOptions{Threads: threads, Progress: p.Since(time.Now())})
	if errors.Is(err, context.Canceled) {
		return r, ui.Interrupted("interrupted; nothing is written")
	}
	if err != nil {
		return r, err
	}
	info, err := os.Stat(to)
	if err != nil {
		return r, err
	}
	return packRecord{File: to, Bytes: info.Size(), Checksum: d.Manifest().Checksum}, nil
}
