package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games"
)

func (t *typed[G, P, M]) number(c *cobra.Command, memory uint64, p *progress) (uint64, error) {
	if t.indexer != nil {
		return 0, nil
	}
	if memory > 0 {
		debug.SetMemoryLimit(int64(memory))
	}
	begin := time.Now()
	n, err := games.Number(c.Context(), t.Game, games.NumberOptions{Memory: memory / 2, Progress: func(positions uint64) {
		p.show(func() string {
			return fmt.Sprintf("%s  number: %s positions, %s at most", seconds(time.Since(begin)), grouped(positions), grouped(games.MaxNumbered))
		},
			map[string]any{"seconds": time.Since(begin).Seconds(), "pass": "number", "done": positions})
	}})
	p.done()
	if err != nil {
		return 0, t.insteadOfSolving(c, err)
	}
	t.indexer = n
	return n.Memory(), nil
}

// insteadOfSolving adds to an error that no memory will do what to use instead.
func (t *typed[G, P, M]) insteadOfSolving(c *cobra.Command, err error) error {
	if !errors.Is(err, games.ErrTooMany) {
		return err
	}
	return fmt.Errorf("%w; to search a position use: %s %s", err, c.Root().Name(), cmp.Or(t.extra.Instead, "prove"))
}

func (t *typed[G, P, M]) universe() (*games.Universe, error) {
	return games.UniverseWith(t.Game, t.indexer)
}

func (t *typed[G, P, M]) positionText(index uint64) string {
	if p, ok := t.indexer.Position(index); ok {
		return string(t.AppendPosition(nil, p))
	}
	return ""
}
