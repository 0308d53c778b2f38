package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// proveExtracted takes the proof of a position from the values of a database.
func (o *proveOptions) proveExtracted(cmd *cobra.Command, n named, args []string) (err error) {
	switch {
	case !o.extract:
		return ui.Usage(errors.New("--leave is for --extract"))
	case n.dir == "":
		return ui.Usage(errors.New("--extract: name a database of the game with --db"))
	case o.attack || o.tree.dir != "" || o.method != "":
		return ui.Usage(errors.New("--extract does not search: leave --attack, --method and --tree out"))
	}
	held, err := n.open(cmd)
	if err != nil {
		return err
	}
	d, err := openDatabase(cmd, held, n.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	g, err := n.plugin.Under(n.rules, n.rules) // without the database
	if err != nil {
		return err
	}
	root, err := readPosition(g.Board, args[1:])
	if err != nil {
		return err
	}
	o.interrupted = errSearchLost
	p, begin := o.Progress(cmd), time.Now()
	e, err := g.Extract(cmd.Context(), root, d, solver.ExtractConfig{Leave: o.leave, Progress: func(nodes, positions uint64) {
		p.Show(func() string {
			return fmt.Sprintf("%s  proof: %s, %s left to the check", ui.Seconds(time.Since(begin)), ui.Counted(nodes, "node"), ui.Counted(positions, "position"))
		}, extractedRecord{time.Since(begin).Seconds(), nodes, positions})
	}})
	p.Done()
	switch {
	case errors.Is(err, context.Canceled):
		return o.interrupted
	case errors.Is(err, solver.ErrValues):
		return ui.Usage(err)
	case err != nil:
		return err
	}
	out := provenValue{Game: g.Name(), Position: g.PositionText(root)}
	return o.finish(cmd, g, &out, e.Header(), func(w *proof.Writer) error { return e.WriteProof(w) }, nil, nil)
}

// extractedRecord is the progress of a proof from values as a record.
type extractedRecord struct {
	Seconds   float64 `json:"seconds"`
	Nodes     uint64  `json:"nodes"`
	Positions uint64  `json:"positions"` // left to the check
}
