//go:build js && variants

package main

import (
	"context"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// open opens a database of a game from a file, by the rules that it carries. A reader of its own has these games: together
// with the others it would take too long to load.
func open(ctx context.Context, d *db.DB) (*lookup.Handler, error) {
	c := &d.Manifest().Content
	name, prefixed := strings.CutPrefix(c.Game, games.VariantPrefix)
	name, _, _ = strings.Cut(name, ":")
	f, err := variant.ReadRules(name, c.Rules)
	if err != nil {
		return nil, err
	}
	as := name
	if prefixed {
		as = games.VariantPrefix + name
	}
	return of(f.Family(name, as))(ctx, c.Game, d)
}
