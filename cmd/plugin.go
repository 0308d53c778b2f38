package cmd

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
)

// Plugin is a game as the command offers it.
type Plugin = ui.Plugin

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

var takesGame = regexp.MustCompile(` \[?(GAME|DATABASE|FROM)`)

// exampleArguments returns the arguments that a command takes at least, by its Use, for a game. Of
// several kinds of arguments it takes the last.
func exampleArguments(use, name string) string {
	_, arguments, _ := strings.Cut(use, " ")
	arguments = strings.TrimSpace(arguments[strings.LastIndex(arguments, "| ")+1:])
	arguments, _, _ = strings.Cut(strings.Trim(arguments, "[]"), " [")
	arguments, _, _ = strings.Cut(arguments, " ...")
	return strings.NewReplacer("DATABASE|GAME|PROOF", name, "DATABASE|GAME", name, "GAME|DATABASE", name, "GAME", name,
		"DATABASE", name+".db", "FROM TO", name+".db small.db", "DIR", name+".db", "POSITION", "startpos", "PLAYER PLAYER", "level=1 level=10", "FILE", name+".weights").Replace(arguments)
}

// completion completes the first argument of a command: the name of a game and its rule options.
type completion = cobra.CompletionFunc

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
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for i := range l {
			switch p := &l[i]; {
			case len(args) > 0 || !keep(p):
			case strings.HasPrefix(typed, p.Name+":"):
				return completeOptions(p.Info, typed)
			default:
				names = append(names, p.Name+"\t"+p.Title)
			}
		}
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeOptions completes the last rule option after the name of a game: its name, or its value after that.
func completeOptions(info *games.Info, typed string) (list []string, shell cobra.ShellCompDirective) {
	at := strings.LastIndexAny(typed, ":,") + 1
	given, last := typed[:at], typed[at:]
	name, _, named := strings.Cut(last, "=")
	for _, o := range info.Options {
		switch {
		case named && o.Name == name:
			for _, v := range o.Values {
				list = append(list, given+name+"="+v)
			}
		case !named && !strings.Contains(","+given[len(info.Name)+1:], ","+o.Name+"="):
			list = append(list, given+o.Name+"=\t"+strings.Join(append(strings.Fields(o.Help), "("+optionValues(o)+")"), " "))
		}
	}
	if shell = cobra.ShellCompDirectiveNoFileComp; !named {
		shell |= cobra.ShellCompDirectiveNoSpace
	}
	return list, shell
}
