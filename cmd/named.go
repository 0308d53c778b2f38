package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// named is what the user has named: a game, the directory of a database, or both.
//
// The argument GAME is a game, whose rule options follow its name or are flags. The argument
// DATABASE|GAME is, in this order:
//
//   - a directory with a database, even a damaged or unfinished one, or the file of one, unless rule options are
//     given. If it is called like a game and has a database of another, the game is meant, but
//     only if that has a database in its default place, see [defaultDB]; otherwise that is an error;
//   - a game, which stands for the database in its default place. So does the name of that
//     place, while there is nothing;
//   - anything else that exists. Whoever opens it reports what is wrong with it.
//
// --db is such an argument without rule options, for the game that the first argument names. The
// database may be of a part of that game, or hold the whole game where a part is asked for: then
// the game is opened as the database has it, and Asked of the [app.Game] is as the user has it.
type named struct {
	games  plugins
	plugin *Plugin     // nil if only a directory is named
	rules  games.Rules // of the game
	dir    string      // of the database, empty if none is named
}

// game returns what GAME and --db name. Without --db there is no database.
func (l plugins) game(flags *pflag.FlagSet, name, dir string) (n named, err error) {
	if dir != "" {
		dir = l.flagDirectory(dir)
	}
	l, p, rules, err := l.rulesOver(ui.WithRules(flags, name), dir)
	return named{l, p, rules, dir}, err
}

// database returns what DATABASE|GAME and --db name. With --db the argument is a game.
func (l plugins) database(flags *pflag.FlagSet, name, dir string) (named, error) {
	if _, err := os.Stat(name); err != nil {
		if _, rules, err := l.rules(strings.TrimSuffix(name, ".db")); err == nil && defaultDB(rules) == name {
			name = rules.String()
		}
	}
	if dir != "" {
		return l.game(flags, name, dir)
	}
	spec := ui.WithRules(flags, name)
	info, missing := os.Stat(name)
	l, p, rules, err := l.rulesOver(spec, "")
	if missing == nil && spec == name && (info.IsDir() || store.IsPacked(nil, name)) && hasDatabase(name) {
		other := ""
		if err == nil {
			_, other = rulesIn(p, name, rules)
		}
		if other == "" {
			return named{games: l, dir: name}, nil
		}
		if at := defaultDB(rules); !hasDatabase(at) {
			return named{}, ui.Usage(fmt.Errorf("%s is a game without a database in %s, and a directory with a database of %s: for that, write ./%s", name, at, other, name))
		}
	}
	switch {
	case err == nil:
		return named{l, p, rules, defaultDB(rules)}, nil
	case p != nil:
		return named{}, err
	case missing == nil && spec != name:
		return named{}, ui.Usage(fmt.Errorf("rule options go with the name of a game, not with %s", name))
	case missing == nil:
		return named{games: l, dir: name}, nil
	}
	return named{}, fmt.Errorf("there is no file or directory %s, and %w", name, err)
}

// flagDirectory returns the directory that --db names.
func (l plugins) flagDirectory(name string) string {
	if n, err := l.database(&pflag.FlagSet{}, name, ""); err == nil {
		return n.dir
	}
	return name // whoever opens it reports that there is no such directory
}

// open opens the game, under the rules of the database if there is one.
func (n named) open(c *cobra.Command) (*app.Game, error) {
	switch {
	case n.plugin == nil:
		g, _, err := n.games.openDirectory(c, n.dir)
		return g, err
	case n.dir == "":
		return n.plugin.Under(n.rules, n.rules)
	}
	held, _ := rulesIn(n.plugin, n.dir, n.rules)
	return n.plugin.Under(held, n.rules)
}

// openOver opens the game, adjudicated by the database if there is one, and returns a function that
// closes that. Errors of the database are passed to fail.
func (n named) openOver(c *cobra.Command, fail func(error)) (*app.Game, func() error, error) {
	if n.dir == "" {
		g, err := n.open(c)
		return g, func() error { return nil }, err
	}
	held, _ := rulesIn(n.plugin, n.dir, n.rules.Whole())
	part, err := n.plugin.Under(held, n.rules)
	if err != nil {
		return nil, nil, err
	}
	d, err := openDatabase(c, part, n.dir)
	if err != nil {
		return nil, nil, err
	}
	g, err := part.Over(d, fail)
	if err != nil {
		return nil, nil, errors.Join(ui.Usage(err), d.Close())
	}
	return g, d.Close, nil
}

// openSearched is openOver for a search. If the database fails, the context of the command
// ends, and the function that closes the database returns the error.
func (n named) openSearched(c *cobra.Command) (*app.Game, func() error, error) {
	ctx, fail := context.WithCancelCause(c.Context())
	g, done, err := n.openOver(c, fail)
	if err != nil {
		fail(nil)
		return nil, nil, err
	}
	c.SetContext(ctx)
	return g, func() error {
		defer fail(nil)
		return errors.Join(failed(ctx), done())
	}, nil
}

// failed returns the error of a database that has ended a context.
func failed(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// open opens the game that a file names, such as a proof.
func (l plugins) open(spec string) (*app.Game, error) {
	n, err := l.game(&pflag.FlagSet{}, spec, "")
	if err != nil {
		return nil, err
	}
	return n.open(nil)
}

// openDirectory opens the game of a database as it is solved. Asked is the whole game.
func (l plugins) openDirectory(c *cobra.Command, dir string) (*app.Game, *db.Manifest, error) {
	m, err := store.ReadManifest(nil, dir)
	if err != nil {
		return nil, nil, unfinished(c, dir, err)
	}
	if l, err = l.carrying(m.Content.Game, m.Content.Rules); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	p, held, err := l.rules(m.Content.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	g, err := p.Under(held, held.Whole())
	return g, m, err
}

// leftOut returns the rules that values of a game leave out, which a database or a proof names with the rules that it carries.
func (l plugins) leftOut(spec, rules string) ([]string, error) {
	if rules == "" {
		return nil, nil // only games from files have such rules
	}
	l, err := l.carrying(spec, rules)
	if err != nil {
		return nil, err
	}
	g, err := l.open(spec)
	if err != nil {
		return nil, err
	}
	return g.LeftOut(), nil
}

// rules returns the plugin and the rules that spec names: a game and its rule options. Where only
// the options are wrong it also returns the plugin.
func (l plugins) rules(spec string) (*Plugin, games.Rules, error) {
	if err := l.refused(spec); err != nil {
		return nil, games.Rules{}, err
	}
	name, _, _ := strings.Cut(spec, ":")
	for i := range l {
		if own := l[i].Name; spec == own || strings.HasPrefix(spec, own+":") {
			r, err := l[i].Info.Rules(spec)
			if err != nil {
				err = ui.Usage(err)
			}
			return &l[i], r, err
		}
	}
	var names, own []string
	for _, info := range l.infos() {
		names = append(names, info.Name)
		if !info.Variant {
			own = append(own, info.Name)
		}
	}
	there := "this program has none"
	if len(own) > 0 {
		there = "there are: " + strings.Join(own, ", ")
	}
	if variants := len(names) - len(own); variants > 0 {
		there += fmt.Sprintf(", and %d variants, which the command games lists", variants)
	}
	return nil, games.Rules{}, ui.Usage(fmt.Errorf("no game %q%s; %s", name, games.DidYouMean(name, names), there))
}

// carrying returns the list with the game that a database or a proof names, by the rules that it carries. It fails if the list has
// other rules under that name.
func (l plugins) carrying(spec, rules string) (plugins, error) {
	if err := l.refused(spec); err != nil {
		return nil, err
	}
	var carried func(name, rules string) (Plugin, error)
	for _, p := range l {
		if spec == p.Name || strings.HasPrefix(spec, p.Name+":") {
			own := ""
			if p.RulesText != nil {
				own = p.RulesText()
			}
			if err := games.CheckRules(p.Name, rules, own); err != nil {
				return nil, ui.Usage(err)
			}
			return l, nil
		}
		if p.Carried != nil {
			carried = p.Carried
		}
	}
	if rules == "" || carried == nil {
		return l, nil // whoever looks up the game reports that there is none
	}
	p, err := carried(spec, rules)
	return append(slices.Clip(l), p), err
}

// rulesOver is rules for a game that may be known only from the rules that a database of it carries: that in dir or, if dir is
// empty, in its default place. It also returns the list with that game.
func (l plugins) rulesOver(spec, dir string) (plugins, *Plugin, games.Rules, error) {
	p, rules, err := l.rules(spec)
	if err == nil || p != nil || l.refused(spec) != nil {
		return l, p, rules, err
	}
	if dir == "" {
		dir = databaseName(gameName(spec))
	}
	m, unread := store.ReadManifest(nil, dir)
	if unread != nil || m.Content.Rules == "" {
		return l, nil, rules, err
	}
	if l, unread = l.carrying(m.Content.Game, m.Content.Rules); unread != nil {
		return l, nil, rules, fmt.Errorf("%s: %w", dir, unread)
	}
	p, rules, err = l.rules(spec)
	return l, p, rules, err
}

// rulesIn returns the rules of a game for the database in dir if they match those asked for; perhaps it has only
// part of the game. Otherwise it returns those asked for, and the game of the database if that can be read.
func rulesIn(p *Plugin, dir string, asked games.Rules) (held games.Rules, other string) {
	m, err := store.ReadManifest(nil, dir)
	if err != nil {
		return asked, "" // whoever opens the database reports what is wrong with it
	}
	if held, err := p.Info.Rules(m.Content.Game); err == nil && held.Match(asked) {
		return held, ""
	}
	return asked, m.Content.Game
}

// hasDatabase reports whether a directory has a database, even a damaged one, or part of one
// that is being written.
func hasDatabase(dir string) bool {
	_, err := store.ReadManifest(nil, dir)
	_, begun := retro.Unfinished(nil, dir)
	return begun || !errors.Is(err, db.ErrNoDatabase)
}

// defaultDB returns the default directory for the database of a game. It does not depend on
// how much of the game is to be solved.
func defaultDB(r games.Rules) string {
	return databaseName(r.Whole().String())
}

func databaseName(game string) string {
	return strings.NewReplacer(":", "-", "=", "-", ",", "-").Replace(game) + ".db"
}
