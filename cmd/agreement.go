package cmd

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
)

// agreed compares how weights predict the moves of the games held out before and after a training.
type agreed struct {
	Before *learn.Agreement `json:"before"`
	After  *learn.Agreement `json:"after"`
}

// agree measures the agreement of an evaluation with the games held out, and shows it.
func (o *trainOptions) agree(c *cobra.Command, g *app.Game, e *play.Evaluation, list []app.LearnedGame) (*learn.Agreement, error) {
	shown, begin := o.Progress(c), time.Now()
	defer shown.Done()
	a, err := g.Agree(c.Context(), e, list, o.fit.HeldOut, o.agreement, uint64(o.nodes), shown.Since(begin))
	if c.Context().Err() != nil {
		return nil, ui.Interrupted("interrupted; the same command goes on")
	}
	return a, err
}

func (a *agreed) text() string {
	if a == nil || a.Before.Positions == 0 {
		return ""
	}
	n := a.Before.Positions
	share := func(before, after float64) string {
		const deviations = 1.96
		return fmt.Sprintf("%.1f → %.1f %% ± %.1f", 100*before, 100*after, 100*deviations*math.Sqrt(after*(1-after)/float64(n)))
	}
	return fmt.Sprintf("agreement with the moves played in %s held out, before → after\n"+
		"quiescence      %s\n"+
		"%-14s  %s\n"+
		"log-likelihood  %.3f → %.3f, temperature %.0f → %.0f\n",
		ui.Counted(uint64(n), "position"), share(a.Before.Quiet, a.After.Quiet),
		ui.Grouped(a.Before.Nodes)+" nodes", share(a.Before.Search, a.After.Search),
		a.Before.LogLikelihood, a.After.LogLikelihood, a.Before.Temperature, a.After.Temperature)
}
