package cmd

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	verify.Options
	sample int
	ui.Printing
}

// sampleSeed is the seed of a sample.
const sampleSeed = 1

func newVerify(l plugins) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify DATABASE|GAME",
		Short: "Derive every value of a database again and check every checksum",
		Long: `Verify reads a whole database. It checks every checksum, and that the value of each
position follows from the values of its successors. Where values are scores it also
checks that they can be forced. It shares no code with the solver. It prints OK or what
is wrong. The database is a directory, or that of a game in its default place, ./GAME.db.

If nothing is wrong, the directory gets a record of that with a hash of each file. Query,
serve, check and prove compare the database with the record, and say whether it was
verified. Whoever can write to the directory can forge the record.

With --sample, it derives only the values of so many random positions, the same ones each
time. That needs little memory, shows nothing of other positions, and is not recorded.`,
		Example: "  yomikiri verify dobutsu.db\n  yomikiri verify awari --slam none\n  yomikiri verify all.db --sample 1000000",
		Args:    ui.ExactArgs(1),
	}
	flags := cmd.Flags()
	ui.ThreadsFlag(flags, &o.Threads, "0", "number of threads")
	ui.NumberFlag(flags, &o.sample, "sample", 0, 0, 1<<30, "derive only the values of so many random positions (default all)")
	o.Printing.Flags(flags)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(flags, args[0], "")
		if err != nil {
			return err
		}
		g, m, err := l.openDirectory(cmd, n.dir)
		if err != nil {
			return err
		}
		return o.run(cmd, g, m, n.dir)
	}
	return cmd
}

func (o *verifyOptions) run(cmd *cobra.Command, g *app.Game, m *db.Manifest, dir string) error {
	p := o.Printing.Progress(cmd)
	begin := time.Now()
	u, err := universe(cmd, g, p)
	if err != nil {
		return err
	}
	o.Options.Progress = p.Since(begin)
	o.Problem = func(err error) {
		p.Done()
		o.Result(cmd, map[string]string{"problem": err.Error()}, fmt.Sprintf("%s %v\n", ui.PaintOf(cmd).Bad("wrong:"), err))
	}
	var v *verify.Result
	if o.sample > 0 {
		v, err = verify.Sample(cmd.Context(), dir, u, uint64(o.sample), sampleSeed, o.Options)
	} else {
		v, err = verify.Run(cmd.Context(), dir, u, o.Options)
	}
	p.Done()
	switch {
	case errors.Is(err, verify.ErrNotAll):
		return ui.Usage(fmt.Errorf("--sample: %w", err))
	case err != nil:
		return err
	}
	if v.Problems > 0 {
		err := fmt.Errorf("%s: %w: %s found", dir, verify.ErrFailed, ui.Counted(v.Problems, "error"))
		return errors.Join(err, store.RemoveVerification(nil, dir))
	}
	if o.sample > 0 {
		return o.Result(cmd, map[string]any{"ok": true, "sample": o.sample, "positions": v.Positions, "moves": v.Moves, "checksum": m.Checksum,
			"recorded": false, "seconds": time.Since(begin).Seconds()},
			fmt.Sprintf("%s: a sample of %s random indices, %s with %s, in %s; nothing is known of the others\n", ui.PaintOf(cmd).Good("OK"), ui.Grouped(uint64(o.sample)),
				ui.Counted(v.Positions, "unfinished position"), ui.Counted(v.Moves, "move"), ui.Seconds(time.Since(begin))))
	}
	unrecorded := store.WriteVerification(nil, dir, "yomikiri "+ui.Version(), time.Now().UTC().Truncate(time.Second), v.Content)
	if unrecorded != nil {
		p.Note("%s: this is not recorded: %s", dir, ui.Message(unrecorded))
	}
	return o.Result(cmd, map[string]any{"ok": true, "files": v.Files, "blocks": v.Blocks, "positions": v.Positions,
		"moves": v.Moves, "checksum": m.Checksum, "recorded": unrecorded == nil, "seconds": time.Since(begin).Seconds()},
		fmt.Sprintf("%s: %s with %s, %s in %s, checksum %s, in %s\n", ui.PaintOf(cmd).Good("OK"), ui.Counted(v.Positions, "position"), ui.Counted(v.Moves, "move"),
			ui.Counted(v.Blocks, "block"), ui.Counted(uint64(v.Files), "file"), m.Checksum, ui.Seconds(time.Since(begin))))
}
