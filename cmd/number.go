package cmd

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
)

// number numbers the positions of a game if it does not, using at most half of the memory,
// and returns how many bytes that takes.
func number(c *cobra.Command, g *app.Game, memory uint64, p *ui.Progress) (uint64, error) {
	if g.Numbered() {
		return 0, nil
	}
	if memory > 0 {
		debug.SetMemoryLimit(int64(memory))
	}
	begin := time.Now()
	taken, err := g.Number(c.Context(), games.NumberOptions{Memory: memory / 2, Progress: func(_ string, positions, _ uint64) {
		p.Show(func() string {
			return fmt.Sprintf("%s  number: %s positions, %s at most", ui.Seconds(time.Since(begin)), ui.Grouped(positions), ui.Grouped(games.MaxNumbered))
		},
			map[string]any{"seconds": time.Since(begin).Seconds(), "pass": "number", "done": positions})
	}})
	p.Done()
	return taken, insteadOfSolving(c, g, err)
}

// universe returns the positions of a game, which it numbers with at most half of the machine's memory.
func universe(c *cobra.Command, g *app.Game, p *ui.Progress) (*games.Universe, error) {
	if _, err := number(c, g, ui.MemoryLimit(), p); err != nil {
		return nil, err
	}
	return g.Universe()
}

// insteadOfSolving adds to an error that there are too many positions what to use instead.
func insteadOfSolving(c *cobra.Command, g *app.Game, err error) error {
	if !errors.Is(err, games.ErrTooMany) && !errors.Is(err, games.ErrMemory) {
		return err
	}
	for _, o := range g.Family.Options {
		spec := fmt.Sprintf("%s:%s=%s", g.Family.Name, o.Name, o.FromStart)
		if _, e := g.Family.Rules(spec); o.FromStart != "" && e == nil {
			err = fmt.Errorf("%w; it has one with: %s solve %s --%s %s", err, c.Root().Name(), g.Family.Name, o.Name, o.FromStart)
		}
	}
	if errors.Is(err, games.ErrMemory) {
		return err
	}
	return fmt.Errorf("%w; to search a position use: %s %s", err, c.Root().Name(), g.Family.Instead)
}
