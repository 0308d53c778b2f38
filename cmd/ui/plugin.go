package ui

import (
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
)

// Plugin is a game as the command offers it.
type Plugin struct {
	*app.Family
	// Commands make commands for this game alone, and Benches the same under bench.
	Commands, Benches []func() *cobra.Command
	// Variants makes games from files of variants, in the form of variants.ini, and those that it has without any. It also
	// returns the sections that are no games, and why. A plugin with it has no game of its own, but
	// the command gives it to the games that it makes too, which can then make more.
	Variants func(files []string) (list []Plugin, refused []Refused, err error)
	// Refused are the sections of the files that are no games of the list; the command gives them to the games that Variants makes.
	Refused []Refused
	// RulesText returns the rules of a game from a file; nil for other games. Carried returns a game by its name, perhaps with
	// rule options, and the rules that a database or a proof carries; a game from a file has it.
	RulesText func() string
	Carried   func(name, rules string) (Plugin, error)
}

// Refused is a section of a file of variants that is not a game of the program, though it has the name of one.
type Refused struct {
	Name string
	Err  error
}
