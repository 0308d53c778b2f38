package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
)

func newGames(l plugins, refused []ui.Refused) *cobra.Command {
	var form ui.Printing
	cmd := &cobra.Command{
		Use:     "games",
		Short:   "List the games, their rule options and notations",
		Example: "  yomikiri games --json",
		Args:    ui.NoArgs,
	}
	form.JSONFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var variants []string
		for _, info := range l.infos() {
			text := gameText(info)
			if info.Variant {
				variants, text = append(variants, info.Name), ""
			}
			if err := form.Result(cmd, info, text); err != nil {
				return err
			}
		}
		if len(variants) > 0 && !form.JSON {
			names := ui.Wrapped("Variants, whose rules come from files: "+strings.Join(variants, ", "), 4)
			if err := form.Result(cmd, nil, names+"\n"); err != nil {
				return err
			}
		}
		for _, r := range refused {
			if err := form.Result(cmd, notOffered{r.Err.Error()}, ui.Wrapped("not offered: "+r.Err.Error(), 4)+"\n"); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// notOffered is a section of a file that cannot be read.
type notOffered struct {
	Error string `json:"error"`
}

// gameText describes a game in lines of text.
func gameText(info *games.Info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  (%s)\n", info.Name, info.Title)
	for line := range strings.Lines(info.Notation) {
		fmt.Fprintln(&b, ui.Wrapped("    "+strings.TrimSpace(line), 8))
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
		fmt.Fprintln(&b, ui.Wrapped(line, 8))
		fmt.Fprintln(&b, ui.Wrapped("        "+strings.Join(strings.Fields(o.Help), " "), 8))
	}
	return b.String()
}
