package cmd

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write a manual page for each command",
		Long:    "Man writes a manual page for each command into a directory, which it makes if there is none.",
		Example: "  yomikiri man man1",
		Args:    ui.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return ui.WriteManual(cmd.Root(), args[0])
		},
	}
}
