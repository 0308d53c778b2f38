package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

func newGames(l plugins) *cobra.Command {
	var form ui.Printing
	cmd := &cobra.Command{
		Use:     "games",
		Short:   "List the games, their rule options and notations",
		Example: "  yomikiri games --json",
		Args:    ui.NoArgs,
	}
	form.JSONFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		out := cmd.OutOrStdout()
		for _, info := range l.infos() {
			if form.JSON {
				if err := ui.WriteRecord(out, info); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(out, "%s  (%s)\n", info.Name, info.Title)
			for line := range strings.Lines(info.Notation) {
				fmt.Fprintln(out, ui.Wrapped("    "+strings.TrimSpace(line), 8))
			}
			for _, o := range info.Options {
				values := strings.Join(o.Values, "|")
				if o.Form != "" {
					values = fmt.Sprintf("%s (%s if not given)", o.Form, values)
				}
				line := fmt.Sprintf("    %s:%s=%s", info.Name, o.Name, values)
				if len(line) > ui.TextWidth {
					line = strings.ReplaceAll(line, "|", " | ")
				}
				fmt.Fprintln(out, ui.Wrapped(line, 8))
				fmt.Fprintln(out, ui.Wrapped("        "+strings.Join(strings.Fields(o.Help), " "), 8))
			}
		}
		return nil
	}
	return cmd
}
