package cmd

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/verify"
)

func newVerify(l plugins) *cobra.Command {
	var o verify.Options
	var form printing
	cmd := &cobra.Command{
		Use:   "verify DATABASE|GAME",
		Short: "Derive every value of a database again and check every checksum",
		Long: `Verify reads a whole database. It checks every checksum, and that the value of each
position follows from the values of its successors. Where values are scores it also
checks that they can be forced. It shares no code with the solver. It prints OK or what
is wrong. The database is a directory, or that of a game in its default place, ./GAME.db.

If nothing is wrong, the directory gets a record of that with a hash of each file. Query,
serve, check and prove compare the database with the record, and say whether it was
verified. Whoever can write to the directory can forge the record.`,
		Example: "  yomikiri verify dobutsu.db\n  yomikiri verify awari --slam none",
		Args:    ExactArgs(1),
	}
	flags := cmd.Flags()
	threadsFlag(flags, &o.Threads, "0", "number of threads")
	form.flags(flags)
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := l.databaseArgument(flags, args[0])
		if err != nil {
			return err
		}
		g, m, err := l.openStored(cmd, dir)
		if err != nil {
			return err
		}
		p := form.progress(cmd)
		begin := time.Now()
		u, err := universe(cmd, g, p)
		if err != nil {
			return err
		}
		o.Progress = func(unit string, done, total uint64) { p.showDone(begin, unit, done, total) }
		o.Problem = func(err error) {
			p.done()
			form.result(cmd, map[string]string{"problem": err.Error()}, fmt.Sprintf("wrong: %v\n", err))
		}
		v, err := verify.Run(cmd.Context(), dir, u, o)
		p.done()
		if err != nil {
			return err
		}
		if v.Problems > 0 {
			err := fmt.Errorf("%s: %w: %s found", dir, verify.ErrFailed, counted(v.Problems, "error"))
			return errors.Join(err, db.RemoveVerification(nil, dir))
		}
		unrecorded := db.WriteVerification(nil, dir, "yomikiri "+version(), time.Now().UTC().Truncate(time.Second), v.Content)
		if unrecorded != nil {
			p.note("%s: this is not recorded: %s", dir, message(unrecorded))
		}
		return form.result(cmd, map[string]any{"ok": true, "files": v.Files, "blocks": v.Blocks, "positions": v.Positions,
			"moves": v.Moves, "checksum": m.Checksum, "recorded": unrecorded == nil, "seconds": time.Since(begin).Seconds()},
			fmt.Sprintf("OK: %s with %s, %s in %s, checksum %s, in %s\n", counted(v.Positions, "position"), counted(v.Moves, "move"),
				counted(v.Blocks, "block"), counted(uint64(v.Files), "file"), m.Checksum, seconds(time.Since(begin))))
	}
	return cmd
}
