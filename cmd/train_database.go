package cmd

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
)

// drawnPositions is how many positions are drawn from a database if there are no games.
const drawnPositions = 100_000

// draw teaches positions drawn from a database. They are groups of their own, after those of the games.
func (o *trainOptions) draw(c *cobra.Command, d app.Database, teacher app.Teacher, groups int) error {
	if o.drawn == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(o.fit.Seed, 0))
	shown, begin := o.Progress(c), time.Now()
	defer shown.Done()
	for i := range o.drawn {
		p, _, err := d.Draw(c.Context(), rng)
		switch {
		case c.Context().Err() != nil:
			return ui.Interrupted("interrupted; the same command goes on")
		case errors.Is(err, db.ErrNoneDrawn):
			return ui.Usage(err)
		}
		if err == nil {
			err = teacher.Add(&app.LearnedGame{Group: groups + i, From: p})
		}
		if err != nil {
			return err
		}
		shown.ShowDone(begin, "positions", uint64(i+1), uint64(o.drawn))
	}
	return nil
}
