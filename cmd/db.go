package cmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
)

func newDB(l plugins) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Work on databases as a whole",
		RunE:  showHelp,
	}
	cmd.AddCommand(newDBMerge(l))
	return cmd
}

func newDBMerge(l plugins) *cobra.Command {
	var form printing
	var threads int
	var force bool
	cmd := &cobra.Command{
		Use:   "merge DATABASE|GAME",
		Short: "Make one database of the parts that the nodes of a solve have written",
		Long: `Merge makes one database of the parts that the nodes of a solve have written, which must
all be in its directory: the one that a solve by one process writes. It checks every block,
and then removes the parts; until then both are on disk. If it is interrupted or killed, run
it again. A database in parts can be used as it is, too.`,
		Example: "  yomikiri db merge big.db",
		Args:    arguments(cobra.ExactArgs(1)),
	}
	flags := cmd.Flags()
	threadsFlag(flags, &threads, "0", "number of threads")
	flags.BoolVar(&force, "force", false, "begin even if there is too little space on disk")
	form.flags(flags)
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := l.databaseOf(flags, args[0])
		if err != nil {
			return err
		}
		m, err := db.ReadManifest(nil, dir)
		if err != nil {
			return unfinished(cmd, dir, err)
		}
		if m.Parts != nil && !force {
			if _, bytes := m.StoreFiles(); uint64(bytes) > freeDisk(dir) {
				return fmt.Errorf("merging takes up to %s of disk, and %s is free; --force tries nevertheless", size(uint64(bytes)), size(freeDisk(dir)))
			}
		}
		p := form.progress(cmd)
		begin := time.Now()
		merged, err := db.Merge(cmd.Context(), dir, db.WriteOptions{Threads: threads, Progress: func(done, total uint64) {
			p.showDone(begin, "blocks", done, total)
		}})
		p.done()
		if err != nil {
			return err
		}
		parts := 0
		if m.Parts != nil {
			parts = len(m.Parts.List)
		}
		_, bytes := merged.StoreFiles()
		return form.result(cmd, map[string]any{"parts": parts, "bytes": bytes, "checksum": merged.Checksum, "seconds": time.Since(begin).Seconds()},
			fmt.Sprintf("%s is one database: %s, checksum %s, in %s\n", dir, size(uint64(bytes)), merged.Checksum, seconds(time.Since(begin))))
	}
	return cmd
}
