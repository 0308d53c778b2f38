package ui_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// countOptions are the flags of a command.
type countOptions struct {
	ui.Printing
	threads int
}

func (o *countOptions) addFlags(flags *pflag.FlagSet) {
	ui.ThreadsFlag(flags, &o.threads, "1", "number of threads")
	o.Flags(flags)
}

// counted is the result as a record.
type counted struct {
	Game      string `json:"game"`
	Positions uint64 `json:"positions"`
}

func (o *countOptions) run(cmd *cobra.Command, game string) error {
	if game != "tictactoe" {
		return ui.Usage(errors.New("want tictactoe"))
	}
	r := counted{game, 5478}
	return o.Result(cmd, r, fmt.Sprintf("%s: %s\n", r.Game, ui.Counted(r.Positions, "position")))
}

// A command has a struct of options, adds its flags, and runs.
func Example() {
	for _, args := range [][]string{{"tictactoe"}, {"tictactoe", "--json"}, {"tictactoe", "--threads", "2000"}, {"chess"}, {}} {
		var o countOptions
		cmd := &cobra.Command{
			Use: "count GAME", Args: ui.ExactArgs(1), PreRunE: ui.CheckFlags, SilenceErrors: true, SilenceUsage: true,
			RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
		}
		o.addFlags(cmd.Flags())
		cmd.SetArgs(args)
		cmd.SetOut(os.Stdout)
		if err := cmd.Execute(); err != nil {
			fmt.Println(ui.ExitCode(err), ui.Message(err))
		}
	}
	// Output:
	// tictactoe: 5,478 positions
	// {"game":"tictactoe","positions":5478}
	// 2 --threads "2000": want a whole number from 0 to 1024; see count --help
	// 2 want tictactoe
	// 2 accepts 1 argument, received 0; usage: count GAME [flags]
}
