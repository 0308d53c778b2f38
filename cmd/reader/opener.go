//go:build js

package main

import (
	"context"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// opener opens a database of the game that a spec names.
type opener func(ctx context.Context, spec string, d *db.DB) (*lookup.Handler, error)

func of[G games.Game[P, M], P, M comparable](f *games.Family[G]) opener {
	return func(ctx context.Context, spec string, d *db.DB) (*lookup.Handler, error) {
		rules, err := f.Rules(spec)
		if err != nil {
			return nil, err
		}
		return lookup.Open(ctx, games.Game[P, M](f.New(rules)), games.Game[P, M](f.New(rules.Whole())), d)
	}
}
