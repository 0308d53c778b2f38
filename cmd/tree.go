package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

func newTree(l plugins) *cobra.Command {
	var form ui.Printing
	var plot string
	cmd := &cobra.Command{
		Use:   "tree DIR",
		Short: "Show how far a proof tree is",
		Long: `Tree shows a proof tree that yomikiri prove --tree keeps: bounds and numbers of the root,
nodes, jobs, the hardest open leaves. Bounds rest on checked proofs. What workers say
without a proof, that a side holds where positions can repeat, is shown apart, as not
verified. While prove is at work it shows the state of a few seconds ago. A job is out
until a worker has answered it, also if there is no worker.`,
		Example: "  yomikiri prove gomoku:size=4x7,k=4 --tree 4x7 --workers 2\n  yomikiri tree 4x7\n  yomikiri tree 4x7 --plot 4x7.svg",
		Args:    ui.ExactArgs(1),
	}
	flags := cmd.Flags()
	form.JSONFlag(flags)
	ui.PlotFlag(flags, &plot, "draw the numbers of the root and the settled leaves over time")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := l.treeReport(args[0])
		if err != nil {
			return err
		}
		err = form.Result(cmd, r, treeText(r))
		switch {
		case err != nil || plot == "":
		case len(r.History) == 0:
			err = errors.New("--plot: no job has ended yet, so there is nothing to draw")
		default:
			err = ui.WritePlot(plot, treePlot(r))
		}
		return err
	}
	return cmd
}

// treeReport returns the report of the tree in a directory.
func (l plugins) treeReport(dir string) (*manager.Report, error) {
	m, err := manager.ReadManifest(nil, dir)
	if err != nil {
		return nil, err
	}
	g, err := l.open(m.Game)
	if err != nil {
		return nil, err
	}
	tree, err := manager.Open(dir, g.TreeRules(), m, manager.Options{})
	if errors.Is(err, manager.ErrLocked) {
		if r, err := manager.ReadStatus(nil, dir); err == nil {
			return r, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return tree.Front().Report(), tree.Close()
}

// treeText describes a tree in human-readable form.
func treeText(r *manager.Report) string {
	var b ui.Table
	b.Line("game", "%s", r.Game)
	b.Line("position", "%s", r.Position)
	bounds := r.AtLeast
	if r.AtLeast != r.AtMost {
		bounds = fmt.Sprintf("between %s and %s", r.AtLeast, r.AtMost)
	}
	b.Line("value", "%s", bounds)
	if r.Unverified != "" {
		b.Line("not verified", "%s: workers say that a side holds, and the tree has no proof of it", r.Unverified)
	}
	for i, q := range r.Questions {
		text := q.Outcome.String()
		if q.Outcome == solver.Unknown {
			text = fmt.Sprintf("proof %s, disproof %s", groupedNumber(q.Proof), groupedNumber(q.Disproof))
		}
		b.Line("question", "can %s win? %s", sideNames[i], text)
	}
	n, s := r.Nodes, r.Stats
	b.Line("nodes", "%s: %s proven, %s disproven, %s failed, %s no longer needed", ui.Grouped(uint64(n.All)),
		ui.Grouped(uint64(n.Proven)), ui.Grouped(uint64(n.Disproven)), ui.Grouped(uint64(n.Failed)), ui.Grouped(uint64(n.Detached)))
	if n.Unverified > 0 {
		b.Line("not verified", "%s at which workers say that the defender holds", ui.Counted(uint64(n.Unverified), "node"))
	}
	b.Line("open", "%s with moves, %s without", ui.Grouped(uint64(n.Inner)), ui.Grouped(uint64(n.Leaves)))
	b.Line("jobs", "%s done, %s recalled, %s out", ui.Grouped(s.Jobs), ui.Grouped(s.Recalled), ui.Grouped(uint64(r.Out)))
	if s.Refused > 0 {
		b.Line("refused", "%s", ui.Counted(s.Refused, "result"))
	}
	if r.Out > 0 {
		b.Line("oldest", "%s", ui.Seconds(r.Oldest))
	}
	b.Line("searched", "%s, and %s to write proofs, in %s of work", ui.Counted(s.Nodes, "position"), ui.Grouped(s.Written), ui.Seconds(s.Work))
	b.Line("time", "%s, %.1f jobs a second recently", ui.Seconds(s.Elapsed), r.Rate)
	if r.Estimate > 0 {
		b.Line("left", "about %s, if leaves are settled as fast as recently and no more come", ui.Seconds(r.Estimate))
	}
	for _, x := range r.History {
		if raised := x.Raised; raised != nil {
			b.Line("threshold", "%d: %s, %s; %s of %s open leaves likely settled", raised.Threshold, ui.Counted(x.Jobs, "job"), ui.Counted(x.Nodes, "position"),
				ui.Grouped(uint64(raised.Likely)), ui.Grouped(uint64(raised.Leaves)))
		}
	}
	for _, x := range r.Leaves {
		b.Line("leaf", "%s: proof %s, disproof %s, %s, %s", x.Position, groupedNumber(x.Proof), groupedNumber(x.Disproof),
			ui.Counted(uint64(x.Jobs), "job"), ui.Counted(x.Spent, "position"))
	}
	return b.String()
}

// treePlot draws the history of a tree.
func treePlot(r *manager.Report) *plot.Plot {
	proof := plot.Series{Name: "proof", Color: "#2a6f97"}
	disproof := plot.Series{Name: "disproof", Color: "#bc4749"}
	settled := plot.Series{Name: "settled leaves", Color: "#6a994e"}
	for _, p := range r.History {
		x := p.Elapsed.Seconds()
		for _, s := range []struct {
			series *plot.Series
			y      uint64
		}{{&proof, uint64(p.Proof)}, {&disproof, uint64(p.Disproof)}, {&settled, p.Settled}} {
			if s.y > 0 && (s.series == &settled || !solver.Number(s.y).Infinite()) {
				s.series.Points = append(s.series.Points, plot.Point{X: x, Y: float64(s.y)})
			}
		}
	}
	return &plot.Plot{
		Title: r.Game + ": numbers of the root, and settled leaves", X: "seconds", Y: "number",
		Series: []plot.Series{proof, disproof, settled}, LogY: true,
	}
}

// groupedNumber formats a proof or disproof number like grouped.
func groupedNumber(n solver.Number) string {
	if n.Infinite() {
		return n.String()
	}
	return ui.Grouped(uint64(n))
}
