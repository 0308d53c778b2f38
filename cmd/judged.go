package cmd

import (
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// openJudged opens a game in which positions are judged, over the database that dir names if that is not
// empty: dir becomes its directory. The database may have only a part of the game.
func (l plugins) openJudged(c *cobra.Command, spec string, dir *string) (g instance, err error) {
	if *dir == "" {
		return l.openArgument(c.Flags(), spec)
	}
	g, *dir, err = l.openSolved(c, spec, *dir)
	return g, err
}

// judged returns the game that the user named, the database in dir, nil if dir is empty, and a function
// that closes it.
func (t *typed[G, P, M]) judged(c *cobra.Command, dir string) (games.Game[P, M], play.Database[P], func() error, error) {
	if dir == "" {
		return t.own, nil, func() error { return nil }, nil
	}
	d, prober, err := t.openProber(c, dir)
	if err != nil {
		return nil, nil, nil, err
	}
	return t.family.New(t.asked), db.NewEndgame(prober), d.Close, nil
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
