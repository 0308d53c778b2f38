package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// player is a player of a game without types, and playerMaker makes one.
type (
	player      = match.Player[app.Position, app.Move]
	playerMaker = match.Maker[app.Position, app.Move]
)

// engine is a search of a game without types.
type engine = play.Engine[app.Position, app.Move]

// familyOf returns the game that spec names, such as connect4:size=5x6, and its rules.
func familyOf(spec string) (*app.Family, games.Rules, error) {
	name, _, _ := strings.Cut(spec, ":")
	var names []string
	for _, p := range standard.Games {
		if p.Name == name {
			r, err := p.Info.Rules(spec)
			if err != nil {
				err = app.InputError{Err: err}
			}
			return p.Family, r, err
		}
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return nil, games.Rules{}, usage("no game %q; there are: %s", name, strings.Join(names, ", "))
}

// open opens the game that spec names.
func open(spec string) (*app.Game, error) {
	f, r, err := familyOf(spec)
	if err != nil {
		return nil, err
	}
	return f.Under(r, r)
}

// openOver opens the game that spec names, and the database in a directory, which may have only a part of the game.
// Without a directory there is no database. The function returned closes it.
func openOver(ctx context.Context, spec, dir string) (*app.Game, app.Database, func() error, error) {
	if dir == "" {
		g, err := open(spec)
		return g, nil, func() error { return nil }, err
	}
	f, asked, err := familyOf(spec)
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := store.Open(dir, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	g, x, err := over(ctx, f, asked, d)
	if err != nil {
		return nil, nil, nil, errors.Join(fmt.Errorf("%s: %w", dir, err), d.Close())
	}
	return g, x, x.Close, nil
}

func over(ctx context.Context, f *app.Family, asked games.Rules, d *db.DB) (*app.Game, app.Database, error) {
	held, err := f.Rules(d.Manifest().Content.Game)
	if err != nil || !held.Match(asked) {
		return nil, nil, usage("it is a database of %s, not of %s", d.Manifest().Content.Game, asked)
	}
	g, err := f.Under(held, asked)
	if err != nil {
		return nil, nil, err
	}
	if !g.Numbered() {
		bytes, _ := memory.Physical()
		if _, err := g.Number(ctx, games.NumberOptions{Memory: bytes / 2}); err != nil {
			return nil, nil, err
		}
	}
	x, err := g.Database(d)
	return g.Asked, x, err
}

// search returns a search by some weights, on one thread.
func search(g *app.Game, w app.Weights, memory uint64, pruning play.Pruning) (engine, error) {
	e, err := w.Of(g)
	if err != nil {
		return nil, err
	}
	return g.Search(play.Config[app.Position]{Evaluation: e, Memory: memory, Pruning: pruning})
}

// lessons reads the games of files, to learn from them, and the number of what could not be read whole.
func lessons(g *app.Game, files []string, complain func(...any)) (list []app.LearnedGame, unread int, err error) {
	list = records.Lessons(g, files, func(err error) {
		unread++
		complain(err)
	})
	if len(list) == 0 {
		err = usage("none of the %d files has a game that could be read", len(files))
	}
	return list, unread, err
}
