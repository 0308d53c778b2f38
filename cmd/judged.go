package cmd

import (
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
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
