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
	// returns why there are sections that it cannot read. A plugin with it has no game of its own, but
	// the command gives it to the games that it makes too, which can then make more.
	Variants func(files []string) (list []Plugin, broken []error, err error)
	// RulesText returns the rules of a game from a file; nil for other games. Carried returns a game by its name, perhaps with
	// rule options, and the rules that a database or a proof carries; a game from a file has it.
	RulesText func() string
	Carried   func(name, rules string) (Plugin, error)
}
