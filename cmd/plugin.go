package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// Plugin is a game as the command offers it.
type Plugin struct {
	*app.Family
	// Commands make commands for this game alone, and Benches the same under bench.
	Commands, Benches []func() *cobra.Command
}

// failed returns the error of a database that has ended a context.
func failed(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// plugins is the list of games.
type plugins []Plugin

// check refuses a list with a game that is not described well, or a name that comes twice.
func (l plugins) check() error {
	for i, p := range l {
		if err := p.Check(); err != nil {
			return err
		}
		if slices.ContainsFunc(l[:i], func(q Plugin) bool { return q.Name == p.Name }) {
			return fmt.Errorf("the game %s is listed twice", p.Name)
		}
	}
	return nil
}

// infos returns the descriptions of the games, sorted by name.
func (l plugins) infos() []*games.Info {
	var list []*games.Info
	for _, p := range l {
		list = append(list, p.Info)
	}
	slices.SortFunc(list, func(a, b *games.Info) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// rules returns the plugin and the rules that spec names.
func (l plugins) rules(spec string) (*Plugin, games.Rules, error) {
	name, _, _ := strings.Cut(spec, ":")
	for i := range l {
		if l[i].Name == name {
			r, err := l[i].Info.Rules(spec)
			if err != nil {
				err = ui.Usage(err)
			}
			return &l[i], r, err
		}
	}
	var names []string
	for _, info := range l.infos() {
		names = append(names, info.Name)
	}
	there := "this program has none"
	if len(names) > 0 {
		there = "there are: " + strings.Join(names, ", ")
	}
	return nil, games.Rules{}, ui.Usage(fmt.Errorf("no game %q%s; %s", name, games.DidYouMean(name, names), there))
}

// open opens the game that spec names.
func (l plugins) open(spec string) (*app.Game, error) {
	p, r, err := l.rules(spec)
	if err != nil {
		return nil, err
	}
	return p.Under(r, r)
}

// openArgument opens the game that the user named: an argument, with rule options as
// flags.
func (l plugins) openArgument(flags *pflag.FlagSet, spec string) (*app.Game, error) {
	return l.open(ui.WithRules(flags, spec))
}

// openSolved opens the game that the user named, under the rules of the database in dir or
// in the default place: perhaps only part of the game is solved. If dir is empty the user may
// have named a database instead. It returns the directory of the database.
func (l plugins) openSolved(c *cobra.Command, name, dir string) (*app.Game, string, error) {
	name = l.unsolved(name)
	spec := ui.WithRules(c.Flags(), name)
	if dir != "" {
		dir = l.databaseFlag(dir)
	} else if at, err := l.databaseOf(name, spec); err != nil {
		return nil, "", err
	} else if at == name {
		g, _, err := l.openDirectory(c, at)
		return g, at, err
	}
	p, asked, err := l.rules(spec)
	if err != nil {
		return nil, "", err
	}
	return p.openSolved(asked, dir)
}

// openDirectory opens the game that a database is of, which the user may ask for positions of
// the whole game.
func (l plugins) openDirectory(c *cobra.Command, dir string) (*app.Game, *db.Manifest, error) {
	m, err := db.ReadManifest(nil, dir)
	if err != nil {
		return nil, nil, unfinished(c, dir, err)
	}
	p, held, err := l.rules(m.Content.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	g, err := p.Under(held, held.Whole())
	return g, m, err
}

// openSolved opens the game under the rules of the database in dir or in the default place.
func (p *Plugin) openSolved(asked games.Rules, dir string) (*app.Game, string, error) {
	if dir == "" {
		dir = defaultDB(asked)
	}
	if m, err := db.ReadManifest(nil, dir); err == nil {
		if held, err := p.Info.Rules(m.Content.Game); err == nil && held.Match(asked) {
			g, err := p.Under(held, asked)
			return g, dir, err
		}
	}
	g, err := p.Under(asked, asked) // whoever opens the database reports what is wrong with it
	return g, dir, err
}

// databaseArgument returns the directory of the database that the user named; see databaseOf.
func (l plugins) databaseArgument(flags *pflag.FlagSet, name string) (string, error) {
	name = l.unsolved(name)
	return l.databaseOf(name, ui.WithRules(flags, name))
}

// databaseFlag does the same for a flag.
func (l plugins) databaseFlag(name string) string {
	if dir, err := l.databaseOf(name, name); err == nil {
		return dir
	}
	return name // whoever opens it reports that there is no such directory
}

// databaseOf returns the directory of the database that a name stands for. A directory with a
// database stands for itself, and a game for the database in its default place; spec is the
// name with the rule options among the flags. If name is something else that exists, it is
// returned, for whoever opens it to report what is wrong. If a game and a directory with a database of
// another game have the same name, it stands for the game.
func (l plugins) databaseOf(name, spec string) (string, error) {
	info, err := os.Stat(name)
	exists := err == nil
	p, asked, err := l.rules(spec)
	if exists && spec == name && info.IsDir() && hasDatabase(name) {
		other := ""
		if err == nil {
			other = otherGame(p, asked, name)
		}
		if other == "" {
			return name, nil
		}
		if at := defaultDB(asked); !hasDatabase(at) {
			return "", ui.Usage(fmt.Errorf("%s is a game without a database in %s, and a directory with a database of %s: for that, write ./%s", name, at, other, name))
		}
	}
	switch {
	case err == nil:
		return defaultDB(asked), nil
	case p != nil:
		return "", err
	case exists && spec != name:
		return "", ui.Usage(fmt.Errorf("rule options go with the name of a game, not with %s", name))
	case exists:
		return name, nil
	}
	return "", fmt.Errorf("there is no file or directory %s, and %w", name, err)
}

// otherGame returns the game of the database in a directory if it is not the one asked for.
func otherGame(p *Plugin, asked games.Rules, dir string) string {
	m, err := db.ReadManifest(nil, dir)
	if err != nil {
		return ""
	}
	if held, err := p.Info.Rules(m.Content.Game); err == nil && held.Match(asked) {
		return ""
	}
	return m.Content.Game
}

// unsolved returns the game that a name stands for if it is that of the game's directory, but
// there is no such directory; otherwise the name.
func (l plugins) unsolved(name string) string {
	if _, err := os.Stat(name); err == nil {
		return name
	}
	if _, asked, err := l.rules(strings.TrimSuffix(name, ".db")); err == nil && defaultDB(asked) == name {
		return asked.String()
	}
	return name
}

// hasDatabase reports whether a directory has a database, even a damaged one, or part of one
// that is being written.
func hasDatabase(dir string) bool {
	_, err := db.ReadManifest(nil, dir)
	_, begun := retro.Unfinished(nil, dir)
	return begun || !errors.Is(err, db.ErrNoDatabase)
}

// ownExamples removes examples of games that are not in the list, from the commands below c. A
// command left without examples gets one for the first game.
func (l plugins) ownExamples(c *cobra.Command) {
	for _, sub := range c.Commands() {
		l.ownExamples(sub)
		lines := strings.Split(sub.Example, "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool {
			used, rest, err := c.Root().Find(append(strings.Fields(line), "", "")[1:])
			if err != nil || !takesGame.MatchString(used.Use) {
				return false
			}
			name, _, _ := strings.Cut(rest[0], ":")
			name = strings.TrimSuffix(name, ".db")
			return !slices.ContainsFunc(l, func(p Plugin) bool { return p.Name == name })
		})
		if len(lines) == 0 && len(l) > 0 {
			lines = []string{fmt.Sprintf("  %s %s", sub.CommandPath(), exampleArguments(sub.Use, l[0].Name))}
		}
		sub.Example = strings.Join(lines, "\n")
	}
}

var takesGame = regexp.MustCompile(` \[?(GAME|DATABASE)`)

// exampleArguments returns the arguments that a command takes at least, by its Use, for a game. Of
// several kinds of arguments it takes the last.
func exampleArguments(use, name string) string {
	_, arguments, _ := strings.Cut(use, " ")
	arguments = strings.TrimSpace(arguments[strings.LastIndex(arguments, "| ")+1:])
	arguments, _, _ = strings.Cut(strings.Trim(arguments, "[]"), " [")
	arguments, _, _ = strings.Cut(arguments, " ...")
	return strings.NewReplacer("DATABASE|GAME|PROOF", name, "DATABASE|GAME", name, "GAME|DATABASE", name, "GAME", name,
		"DIR", name+".db", "POSITION", "startpos", "PLAYER PLAYER", "level=1 level=10", "FILE", name+".weights").Replace(arguments)
}

// completion completes the first argument of a command.
type completion = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeSolvable completes the names of games that can be solved.
func (l plugins) completeSolvable() completion {
	return l.complete(func(p *Plugin) bool { return !p.Large })
}

// completeGames completes the names of all games.
func (l plugins) completeGames() completion {
	return l.complete(func(*Plugin) bool { return true })
}

// complete completes the names of the games to keep.
func (l plugins) complete(keep func(*Plugin) bool) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for i := range l {
			if p := &l[i]; len(args) == 0 && keep(p) {
				names = append(names, p.Name+"\t"+p.Title)
			}
		}
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// defaultDB returns the default directory for the database of a game. It does not depend on
// how much of the game is to be solved.
func defaultDB(r games.Rules) string {
	return strings.NewReplacer(":", "-", "=", "-", ",", "-").Replace(r.Whole().String()) + ".db"
}
