package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/retro"
)

// solveTiers solves tiers for a solve in another process until that has all.
func (o *workOptions) solveTiers(cmd *cobra.Command, l plugins, w natscarrier.Worker, a about, note func(string)) error {
	ctx := cmd.Context()
	if o.db != "" {
		return ui.Usage(fmt.Errorf("--db is for a proof, and %s has a solve", w.URL))
	}
	g, err := l.open(a.Game)
	if err != nil {
		return err
	}
	u, err := g.Universe()
	if err == nil && a.Results {
		u, err = u.Results()
	}
	if err != nil {
		return err
	}
	if w.Terms, err = retro.Terms(u, w.Terms.Version); err != nil {
		return err
	}
	p := ui.NewProgress(cmd.ErrOrStderr(), false, o.quiet)
	cfg := retro.Config{
		Positions: retro.All, Threads: o.threads, Memory: cmp.Or(o.memory, ui.MemoryLimit()), ProgressEvery: p.Every(),
		Progress: func(r retro.Progress) { p.Show(func() string { return solveLine(r) }, nil) },
	}
	cfg.Plan = retro.PlanOf(u, cfg)
	if err := cfg.Plan.Check(freeDisk(o.dir)); err != nil {
		return err
	}
	debug.SetMemoryLimit(cfg.Plan.GoLimit())
	w.Name = thisProcess()
	w.Report = func(text string) { p.Note("%s: %s", w.URL, text) }
	var back cluster.Back
	var files *natscarrier.Files
	err = o.await(ctx, note, func() (err error) { // it may have gone since it was asked
		if back, err = natscarrier.Join(ctx, w); err != nil {
			return err
		}
		if files, err = natscarrier.OpenFiles(ctx, w); err != nil {
			err = errors.Join(err, back.Close())
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, cluster.ErrClosed):
		note("the solve is done")
		return nil
	case err != nil:
		return err
	}
	defer files.Close()
	defer back.Close()
	note("working on " + a.Game)
	n, err := retro.Work(ctx, u, o.dir, cfg, back, files)
	p.Done()
	if err != nil {
		return err
	}
	note(fmt.Sprintf("the solve is done; this process solved %s", ui.Counted(uint64(n), "tier")))
	return nil
}
