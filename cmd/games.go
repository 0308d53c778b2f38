package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newGames(l plugins) *cobra.Command {
	var form printing
	cmd := &cobra.Command{
		Use:   "games",
		Short: "List the games, their rule options and notations",
		Args:  arguments(cobra.NoArgs),
	}
	form.jsonFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		out := cmd.OutOrStdout()
		for _, info := range l.infos() {
			if form.json {
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
				values := strings.Join(o.Values, "|")
				if o.Form != "" {
					values = fmt.Sprintf("%s (%s if not given)", o.Form, values)
				}
				fmt.Fprintf(out, "    %s:%s=%s\n", info.Name, o.Name, values)
				for line := range strings.Lines(o.Help) {
					fmt.Fprintf(out, "        %s\n", strings.TrimSpace(line))
				}
			}
		}
		return nil
	}
	return cmd
}
