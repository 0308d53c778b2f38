package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games"
)

func newGames() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the games, their rule options and notations",
		Args:  arguments(cobra.NoArgs),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a JSON record for each game")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		out := cmd.OutOrStdout()
		for _, info := range games.List() {
			if asJSON {
				if err := record(out, info); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(out, "%s  (%s)\n", info.Name, info.Title)
			for line := range strings.Lines(info.Notation) {
				fmt.Fprintf(out, "    %s\n", strings.TrimSpace(line))
			}
			for _, o := range info.Options {
				form := o.Form
				if form == "" {
					form = strings.Join(o.Values, "|")
				}
				fmt.Fprintf(out, "    %s:%s=%s\n        %s\n", info.Name, o.Name, form, o.Help)
			}
		}
		return nil
	}
	return cmd
}
