package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// solveOptions are the flags of solve.
type solveOptions struct {
	cfg       retro.Config
	db        string
	share     string
	from      string
	positions string
	force     bool
	results   bool
	compact   bool
	nodes     nodesOptions
	ui.Printing
}

func (o *solveOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.db, "db", "", "directory of the database (default ./GAME.db)")
	flags.StringVar(&o.share, "share", "", "instead of --db: directory of the database that several processes solve together")
	flags.StringVar(&o.from, "from", "", "directory of a database of a smaller part of the game, whose values are taken over")
	flags.StringVar(&o.positions, "positions", "", "reachable (from the start position) or all (default reachable, or all of a game with scores or of a part of a game)")
	flags.BoolVar(&o.results, "results", false, "find win, draw and loss without distances")
	flags.BoolVar(&o.compact, "compact", false, "do not store what one move shows; until that is done there is another database, in DB.full")
	ui.MemoryFlag(flags, &o.cfg.Memory, "memory", "", "memory limit, such as 12GiB; tiers that do not fit are solved on disk, or read from there once finished (default nine tenths of the machine's memory)")
	ui.ThreadsFlag(flags, &o.cfg.Threads, "0", "number of threads; with --nodes, of each node")
	ui.NumberFlag(flags, &o.cfg.Partitions, "partitions", 0, 0, ui.MostPartitions, "minimum number of partitions (default chosen to fit the caches)")
	ui.NumberFlag(flags, &o.cfg.BatchSize, "batch", 0, 0, ui.MostPartitions, "messages in a batch (default 1024)")
	ui.TimeFlag(flags, &o.cfg.CheckpointEvery, "checkpoint-every", "15s", "time between checkpoints; 0 for none except on interrupt")
	flags.BoolVar(&o.force, "force", false, "begin even if the plan says that memory or disk will not do")
	o.nodes.flags(flags)
	o.Printing.Flags(flags)
}

func newSolve(l plugins) *cobra.Command {
	var o solveOptions
	cmd := &cobra.Command{
		Use:   "solve GAME",
		Short: "Solve a game and write its database",
		Long: `Solve finds the value of every position of a game and writes a database.

If a solve is interrupted or killed, run the same command again: it continues from the
last checkpoint and ends with the same database.

With --nodes, several processes solve the game, each with a part of it in its memory. They
run on this machine, or with --listen on others: see yomikiri node. If one ends it is
started again, or waited for, and the solve continues from the last checkpoint.

With --share DIR, any number of processes with the same command solve all positions of a game
together, also on several machines that have the directory in common: each takes whole tiers.
Processes may be killed, and others may join, at any time; what is lost is the tiers in hand.
With --listen or --nats, such a process also hands out tiers to workers on machines that do not
see the directory: see yomikiri work.

With --from, the solve takes over the values of a database of a smaller part of the same
game, with all positions, and goes on from there. The result is the same.

With --results, values are win, draw and loss without distance: the database is several times
smaller. The best move then keeps the result, and lines make progress only as far as a search
of the database shows how.

With --compact, the database is then made smaller: see yomikiri db compact.`,
		Example:           "  yomikiri solve dobutsu\n  yomikiri solve dobutsu:try=no --db no-try.db\n  yomikiri solve dobutsu --positions all --db all.db\n  yomikiri solve checkers --pieces 4 --share shared.db --threads 1\n  yomikiri solve checkers --pieces 5 --share shared.db --listen 127.0.0.1:4222",
		Args:              ui.ExactArgs(1),
		ValidArgsFunction: l.completeSolvable(),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := l.open(ui.WithRules(cmd.Flags(), args[0]))
		if err != nil {
			return err
		}
		if err := o.check(cmd.Flags()); err != nil {
			return ui.Usage(err)
		}
		switch {
		case o.share != "":
			o.db = o.share
		case o.db == "":
			o.db = defaultDB(g.Rules)
		}
		p := o.Progress(cmd)
		u, taken, err := o.universe(cmd, g, p)
		if err != nil {
			return err
		}
		if o.from != "" {
			if o.cfg.From, err = l.openSmaller(o.from, g.Rules); err != nil {
				return err
			}
			defer o.cfg.From.Close()
		}
		dir := o.db
		if o.compact {
			missing, err := isMissing(dir)
			if err != nil {
				return err
			}
			if missing {
				dir = solvedFull(dir)
			}
		}
		if err := o.plan(cmd, u, dir, taken); err != nil {
			return err
		}
		// Nearly all of the memory is a few arrays without pointers, so that to collect garbage costs little. In a small
		// solve it would cost more than all else.
		if p := o.cfg.Plan; p != nil && p.Peak > 256<<20 {
			defer debug.SetGCPercent(debug.SetGCPercent(10))
		}
		m, remarks, err := o.solve(cmd, args, u, dir, g.Rules.String(), p)
		if err != nil {
			return err
		}
		if dir != o.db {
			if m, err = compactSolved(cmd, p, u, dir, o.db, o.cfg.Threads); err != nil {
				return err
			}
		}
		for _, line := range remarks {
			p.Note("%s", line)
		}
		return o.Result(cmd, solved{m, g.LeftOut()}, summary(g, o.db, m))
	}
	return cmd
}

// check checks the flags.
func (o *solveOptions) check(flags *pflag.FlagSet) error {
	o.cfg.Positions = retro.Positions(o.positions)
	if err := o.cfg.Check(); err != nil {
		return err
	}
	for _, other := range []string{"db", "from", "compact", "nodes", "checkpoint-every"} {
		if o.share != "" && flags.Changed(other) {
			return fmt.Errorf("--%s and --share exclude each other", other)
		}
	}
	return o.nodes.check(flags, &o.cfg.Threads, o.share != "")
}

// universe returns the positions of a game, and how much memory their numbering and a queue take beside the solve.
func (o *solveOptions) universe(cmd *cobra.Command, g *app.Game, p *ui.Progress) (u *games.Universe, taken uint64, err error) {
	if o.cfg.Memory == 0 {
		o.cfg.Memory = ui.MemoryLimit()
	}
	taken, err = number(cmd, g, o.cfg.Memory, p)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, 0, ui.Interrupted("interrupted before there was anything to keep")
	case err != nil:
		return nil, 0, err
	case taken > 0 && o.cfg.Positions == retro.All:
		return nil, 0, ui.Usage(fmt.Errorf("--positions all: %s does not number its positions, so only those that can be reached are known", g.Name()))
	case taken == 0 && o.positions == "" && !g.Rules.FromStart():
		o.cfg.Positions = retro.All // the start position of a part of a game means nothing
	}
	if o.share != "" && o.nodes.shared() {
		queue := uint64(queueMemory)
		if o.cfg.Memory > 0 {
			queue = min(queue, o.cfg.Memory/4) // which is enough for a game that small
		}
		taken += queue
	}
	if o.cfg.Memory > 0 {
		o.cfg.Memory = max(o.cfg.Memory, taken+1) - taken
	}
	if u, err = g.Universe(); err != nil {
		return u, taken, err
	}
	if o.nodes.count > 0 { // they have no use for a Settler, and the plan should know
		whole := *u
		whole.Settler = nil
		u = &whole
	}
	if o.cfg.ChoosePositions(u); o.share != "" && o.cfg.Positions != retro.All {
		return nil, 0, ui.Usage(fmt.Errorf("--share: processes share all positions of a game, and not only those that can be reached from the start of %s; add --positions all", g.Name()))
	}
	if !o.results {
		return u, taken, nil
	}
	if u, err = u.Results(); err != nil {
		err = ui.Usage(fmt.Errorf("--results: %w", err))
	}
	return u, taken, err
}

// plan plans a new solve in a directory, shows the plan, and fails if memory or disk is too
// small for it.
func (o *solveOptions) plan(cmd *cobra.Command, u *games.Universe, dir string, taken uint64) error {
	if _, err := store.ReadManifest(nil, dir); !errors.Is(err, db.ErrNoDatabase) {
		return nil
	}
	o.cfg.Plan = retro.PlanOf(u, o.cfg)
	show := !o.Quiet && !o.JSON
	if o.nodes.count > 0 {
		return o.nodes.plan(cmd, u, &o.cfg, dir, o.force, show)
	}
	if show {
		if err := writePlan(cmd.ErrOrStderr(), u, o.cfg.Plan, taken); err != nil {
			return err
		}
	}
	if err := checkPlan(o.cfg.Plan, dir); err != nil && !o.force {
		return err
	}
	debug.SetMemoryLimit(o.cfg.Plan.GoLimit() + int64(taken))
	return nil
}

// solve solves a game into a directory, which may already have the database. It returns remarks
// for the user.
func (o *solveOptions) solve(cmd *cobra.Command, args []string, u *games.Universe, dir, game string, p *ui.Progress) (m *db.Manifest, remarks []string, err error) {
	o.cfg.ProgressEvery = p.Every()
	o.cfg.Progress = func(r retro.Progress) { p.Show(func() string { return solveLine(r) }, solveRecord(r)) }
	resumed := 0
	switch {
	case o.nodes.count > 0:
		var r *retro.NodesReport
		if r, m, err = o.nodes.solve(cmd, u, dir, game, o.cfg, p); err == nil {
			resumed, remarks = r.Resumed, []string{nodesTable(r)}
		}
	case o.share != "":
		var n int
		if o.nodes.shared() {
			n, m, err = o.solveQueued(cmd, u, dir, game, p)
		} else {
			n, m, err = retro.SolveShared(cmd.Context(), u, dir, o.cfg)
		}
		if err == nil {
			remarks = []string{fmt.Sprintf("this process solved %d of %s", n, ui.Counted(uint64(len(u.Tiers)), "tier"))}
		}
	default:
		var s *retro.Solution
		if s, m, err = retro.Solve(cmd.Context(), u, dir, o.cfg); err == nil {
			resumed, remarks = s.Resumed, onDisk(s)
		}
	}
	p.Done()
	switch {
	case errors.Is(err, retro.ErrSolved):
		p.Note("%v; delete the directory to solve again", err)
		m, err = store.ReadManifest(nil, dir)
		if err == nil && o.compact && m.Content.IsCompact() { // a killed run may not have removed it
			err = os.RemoveAll(solvedFull(dir))
		}
	case errors.Is(err, retro.ErrInterrupted):
		err = fmt.Errorf("%w; to resume: %s", err, resumeCommand(cmd, args))
	}
	if resumed > 0 {
		remarks = append(remarks, "continued from a checkpoint "+ui.Counted(uint64(resumed), "time"))
	}
	return m, remarks, err
}

// openSmaller opens a database of a part of a game with some rules.
func (l plugins) openSmaller(dir string, rules games.Rules) (*db.DB, error) {
	d, err := store.Open(dir, nil)
	if err != nil {
		return nil, err
	}
	name := d.Manifest().Content.Game
	if _, r, err := l.rules(name); err != nil || r.Whole().String() != rules.Whole().String() {
		return nil, errors.Join(ui.Usage(fmt.Errorf("--from %s: it is a database of %s, whose rules are not those of %s", dir, name, rules)), d.Close())
	}
	return d, nil
}

// resumeCommand returns the command that resumes the solve, quoted for a shell.
func resumeCommand(cmd *cobra.Command, args []string) string {
	parts := append([]string{cmd.CommandPath()}, args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == tokenFlag { // a secret
			parts = append(parts, "--"+tokenFlag, "TOKEN")
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok { // each value has a flag
			for _, value := range list.GetSlice() {
				parts = append(parts, "--"+f.Name, value)
			}
			return
		}
		if parts = append(parts, "--"+f.Name); f.Value.Type() != "bool" {
			parts = append(parts, f.Value.String())
		}
	})
	for i, part := range parts[1:] {
		parts[i+1] = ui.ShellQuoted(part)
	}
	return strings.Join(parts, " ")
}

// solveLine is the progress of a solve as text. What matters most comes first, since a
// narrow terminal cuts off the rest.
func solveLine(r retro.Progress) string {
	var b strings.Builder
	b.WriteString(ui.Seconds(r.Time))
	if r.Left > 0 {
		fmt.Fprintf(&b, ", about %s left", ui.Seconds(r.Left))
	}
	if r.Tiers > 0 {
		fmt.Fprintf(&b, ", %d of %d tiers", r.Finished, r.Tiers)
	}
	if r.Pass == "wait" {
		fmt.Fprintf(&b, "  waiting for other processes, %s", ui.Size(r.Memory))
		return b.String()
	}
	fmt.Fprintf(&b, "  %s", r.Pass)
	if r.Tier != "" {
		fmt.Fprintf(&b, " %s", r.Tier)
	}
	if r.Pass == "levels" {
		fmt.Fprintf(&b, " %d", r.Level)
	}
	fmt.Fprintf(&b, ": %s", ui.Grouped(r.Done))
	if r.Total > 0 {
		fmt.Fprintf(&b, " of %s", ui.Grouped(r.Total))
	}
	fmt.Fprintf(&b, " positions, %s", ui.Size(r.Memory))
	if s := r.Elapsed.Seconds(); s > 0.1 && r.Counts.Moves > 0 {
		fmt.Fprintf(&b, ", %.1f M moves/s", float64(r.Counts.Moves)/s/1e6)
		for i, n := range r.Nodes {
			fmt.Fprintf(&b, "; node %d: %.1f M moves/s, %s", i+1, float64(n.Counts.Moves)/s/1e6, ui.Size(n.Memory))
		}
	}
	if r.Counts.Loads > 0 {
		fmt.Fprintf(&b, ", on disk: %s read, %s written", ui.FileSize(r.Counts.Read), ui.FileSize(r.Counts.Written))
	}
	return b.String()
}

// nodeProgress is the progress of a node in a record.
type nodeProgress struct {
	Done    uint64 `json:"done"`
	Moves   uint64 `json:"moves"`
	Sent    uint64 `json:"bytes_sent"`
	Packets uint64 `json:"packets"`
	Memory  uint64 `json:"memory"`
}

// solveRecord is the progress of a solve as a record.
func solveRecord(r retro.Progress) any {
	var nodes []nodeProgress
	for _, n := range r.Nodes {
		nodes = append(nodes, nodeProgress{n.Done, n.Counts.Moves, n.Counts.Sent, n.Counts.Packets, n.Memory})
	}
	return struct {
		Seconds  float64 `json:"seconds"`
		Pass     string  `json:"pass"`
		Slice    string  `json:"slice,omitempty"`
		Level    int     `json:"level,omitempty"`
		Done     uint64  `json:"done"`
		Total    uint64  `json:"total,omitempty"`
		Moves    uint64  `json:"moves"`
		Messages uint64  `json:"messages"`
		Batches  uint64  `json:"batches"`
		Bytes    uint64  `json:"bytes"`
		Loads    uint64  `json:"loads,omitempty"`
		Read     uint64  `json:"read,omitempty"`
		Written  uint64  `json:"written,omitempty"`
		Left     float64 `json:"seconds_left,omitempty"`
		Memory   uint64  `json:"memory"`

		Nodes []nodeProgress `json:"nodes,omitempty"`

		Finished int `json:"tiers_finished,omitempty"`
		Tiers    int `json:"tiers,omitempty"`
	}{r.Time.Seconds(), r.Pass, r.Tier, r.Level, r.Done, r.Total, r.Counts.Moves, r.Counts.Messages,
		r.Counts.Batches, r.Counts.Bytes, r.Counts.Loads, r.Counts.Read, r.Counts.Written, r.Left.Seconds(), r.Memory, nodes, r.Finished, r.Tiers}
}

// solved describes a database.
type solved struct {
	*db.Manifest
	LeftOut []string `json:"left_out,omitempty"` // rules that the values do without; see [games.Forgetful]
}

// summary describes the results of a solve.
func summary(g *app.Game, dir string, m *db.Manifest) string {
	c := &m.Content
	total := c.Total()
	var finished, positions uint64
	byResult := map[games.Result]uint64{}
	var ends []string
	for _, n := range total.Counts {
		positions += n.Positions
		finished += n.Finished
		byResult[n.Value.Result()] += n.Positions - n.Finished
		if n.Finished > 0 {
			ends = append(ends, fmt.Sprintf("%s %v", ui.Grouped(n.Finished), n.Value))
		}
	}
	var b ui.Table
	b.Line("game", "%s", c.Game)
	if g.Rules.IsWhole() {
		b.Line("start position", "%v", c.StartValue)
	}
	if rules := g.LeftOut(); len(rules) > 0 {
		b.Prose("left out", "%s", strings.Join(rules, ", "))
	}
	b.Line("positions", "%s (%s)", ui.Grouped(positions), c.Positions)
	b.Line("  finished", "%s: %s", ui.Grouped(finished), strings.Join(ends, ", "))
	b.Line("  not finished", "%s: %s won, %s drawn, %s lost", ui.Grouped(total.Unfinished),
		ui.Grouped(byResult[games.Won]), ui.Grouped(byResult[games.Drawn]), ui.Grouped(byResult[games.Lost]))
	b.Line("moves", "%s", ui.Grouped(total.Moves))
	if c.Longest != nil && c.Longest.Value != games.Draw {
		name := "longest"
		if c.Order == games.ByScore.String() {
			name = "largest"
		}
		at := ""
		if p, ok := g.At(c.Longest.Index); ok {
			at = g.PositionText(p)
		}
		b.Line(name, "%v: %s", c.Longest.Value, at)
	}
	_, bytes := m.StoreFiles()
	b.Line("time", "%.1f s, %s", m.Built.Time.Seconds(), ui.Counted(uint64(m.Built.Threads), "thread"))
	b.Line("peak memory", "%s", ui.Size(m.Built.Memory))
	b.Line("database", "%s, %s, %.2f bits for each position not finished", dir, ui.FileSize(uint64(bytes)), 8*float64(bytes)/float64(max(total.Unfinished, 1)))
	b.Line("checksum", "%s", m.Checksum)
	return b.String()
}
