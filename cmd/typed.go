package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/server"
)

// game returns the game of an instance.
func game(g instance, err error) (*app.Game, error) {
	if err != nil {
		return nil, err
	}
	return g.game()
}

func (t *typed[G, P, M]) number(c *cobra.Command) error {
	if t.indexer != nil {
		return nil
	}
	g, err := t.game()
	if err != nil {
		return err
	}
	n, err := games.Number(c.Context(), t.Game, games.NumberOptions{Memory: memoryLimit() / 2})
	if err == nil {
		t.indexer = n
	}
	return insteadOfSolving(c, g, err)
}

// openProber opens the database of a game.
func (t *typed[G, P, M]) openProber(c *cobra.Command, dir string) (*db.DB, *db.Prober[P, M], error) {
	d, err := db.Open(dir, nil)
	if errors.Is(err, db.ErrNoDatabase) {
		g, e := t.game()
		if e != nil {
			return nil, nil, e
		}
		return nil, nil, howToSolve(c, g, dir, err)
	}
	if err != nil {
		return nil, nil, err
	}
	if want := d.Manifest().Content.Game; want != t.Name() { // before numbering, which may take long
		err := usageError{fmt.Errorf("%s is a database of %s, not of %s", dir, want, t.Name())}
		return nil, nil, errors.Join(err, d.Close())
	}
	if err = t.number(c); err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	prober, err := db.NewProberWith(d, t.Game, t.indexer)
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	return d, prober, nil
}

// database opens the database of a game.
func (t *typed[G, P, M]) database(c *cobra.Command, dir string, named bool) (server.Database, error) {
	d, prober, err := t.openProber(c, dir)
	if err != nil {
		return nil, err
	}
	own := t.family.New(t.chosen.Whole())
	wholeGame, err := t.plugin.family.Open(t.chosen.Whole().String())
	if err != nil {
		return nil, err
	}
	whole := games.Game[P, M](own)
	e, err := play.EvaluationOf(whole)
	if err != nil && !errors.Is(err, play.ErrNoFeatures) {
		return nil, errors.Join(err, d.Close())
	}
	return server.NewDatabase(server.Source[P, M]{
		Game: t.Game, Whole: whole, Info: &t.family.Info, Rules: t.chosen,
		Name: filepath.Base(filepath.Clean(dir)), Named: named, DB: d, Prober: prober, Evaluation: e,
		Records: recordsFor(wholeGame),
	}), nil
}

// typedOver opens the game that the user named, over the database in dir if that is not
// empty, and returns a function that closes it. Errors of the database are passed to fail.
func (l plugins) typedOver(cmd *cobra.Command, spec, dir string, fail func(error)) (instance, func() error, error) {
	if dir == "" {
		g, err := l.openArgument(cmd.Flags(), spec)
		return g, func() error { return nil }, err
	}
	p, asked, err := l.rules(withRules(cmd.Flags(), spec))
	if err != nil {
		return nil, nil, err
	}
	g, dir, err := p.openSolved(asked.Whole(), l.databaseFlag(dir))
	if err != nil {
		return nil, nil, err
	}
	return g.over(cmd, asked, dir, fail)
}
