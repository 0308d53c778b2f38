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
		Args:  NoArgs,
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
				fmt.Fprintln(out, wrapped("    "+strings.TrimSpace(line), 8))
			}
			for _, o := range info.Options {
				values := strings.Join(o.Values, "|")
				if o.Form != "" {
					values = fmt.Sprintf("%s (%s if not given)", o.Form, values)
				}
				line := fmt.Sprintf("    %s:%s=%s", info.Name, o.Name, values)
				if len(line) > textWidth {
					line = strings.ReplaceAll(line, "|", " | ")
				}
				fmt.Fprintln(out, wrapped(line, 8))
				fmt.Fprintln(out, wrapped("        "+strings.Join(strings.Fields(o.Help), " "), 8))
			}
		}
		return nil
	}
	return cmd
}
