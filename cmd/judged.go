package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
)

// openJudged opens a game in which positions are judged, over the database that dir names if that is not
// empty: dir becomes its directory. The database may have only a part of the game.
func (l plugins) openJudged(c *cobra.Command, spec string, dir *string) (g *app.Game, err error) {
	n, err := l.game(c.Flags(), spec, *dir)
	if err != nil {
		return nil, err
	}
	*dir = n.dir
	return n.open(c)
}

// judgedGame returns the game that the user named, the database in dir, nil if dir is empty, and a function
// that closes it.
func judgedGame(c *cobra.Command, g *app.Game, dir string) (*app.Game, app.Database, func() error, error) {
	if dir == "" {
		return g, nil, func() error { return nil }, nil
	}
	d, err := openDatabase(c, g, dir)
	if err != nil {
		return nil, nil, nil, err
	}
	return g.Asked, d, d.Close, nil
}

// judgedBy returns what is known of the verification of the database in dir, and the line that says so;
// nothing if dir is empty.
func judgedBy(dir string) (*db.Verification, string, error) {
	if dir == "" {
		return nil, "", nil
	}
	v, err := verificationOf(dir)
	return &v, databaseLine(dir, v), err
}

// proven checks proof files of a game, and returns what they prove of its positions, nil if there are none. A proof
// may rest on the database in dir.
func (l plugins) proven(c *cobra.Command, g *app.Game, dir string, files []string, p *ui.Progress) (play.Proofs[app.Position], error) {
	if len(files) == 0 {
		return nil, nil
	}
	defer p.Done()
	known := g.Proven()
	for _, name := range files {
		switch err := l.addProven(c, g, dir, name, known, p); {
		case c.Context().Err() != nil:
			return nil, ui.Interrupted("interrupted")
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return known, nil
}

// addProven adds what one file proves.
func (l plugins) addProven(c *cobra.Command, g *app.Game, dir, name string, known app.Proven, p *ui.Progress) (err error) {
	f, _, err := prooffile.OpenFile(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := proof.NewReader(f)
	if err != nil {
		return err
	}
	h := r.Header()
	if h.Database == "" {
		dir = "" // it is there for other positions
	}
	checked, done, err := l.openProven(c, &h, dir, func(error) {}) // the checker asks the database itself
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if checked.Name() != g.Name() {
		return ui.Usage(fmt.Errorf("the proof is about %s, not %s", checked.Name(), g.Name()))
	}
	if err := games.CheckRules(g.Name(), checked.RulesText(), g.RulesText()); err != nil {
		return ui.Usage(err)
	}
	r.Rename(g.Name())
	return known.Add(func(node func(proof.Claim, *proof.Node)) error {
		_, err := checked.Check(c.Context(), r, proof.CheckOptions{Progress: checkProgress(f, p), Node: node})
		return err
	})
}
