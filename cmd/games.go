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
		Use:     "games [GAME]",
		Short:   "List the games, their rule options and notations",
		Example: "  yomikiri games\n  yomikiri games atomic\n  yomikiri games --json",
		Args:    ui.MostArgs(1),
	}
	form.JSONFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return describe(cmd, l, args[0], &form)
		}
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

// describe prints what there is to know of a game before it is solved or searched.
func describe(cmd *cobra.Command, l plugins, name string, form *ui.Printing) error {
	g, err := l.open(name)
	if err != nil {
		return err
	}
	r := describedGame{Info: g.Family.Info, Start: g.PositionText(g.Start()), Section: g.RulesText(), LeftOut: g.LeftOut(), Numbered: g.Numbered()}
	for _, o := range r.Options {
		r.Classes = r.Classes || o.FromStart != ""
	}
	return form.Result(cmd, r, r.text())
}

// describedGame is a game as games GAME describes it.
type describedGame struct {
	*games.Info
	Start string `json:"start"`
	// Section has the rules of a game from a file, and LeftOut those that values leave out.
	Section string   `json:"section,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
	// Numbered says that the game numbers its positions. Positions of other games are numbered by solve, unless they are too many.
	Numbered bool `json:"numbered"`
	// Classes says that positions with few pieces can be solved by themselves, with --pieces.
	Classes bool `json:"classes,omitempty"`
}

func (r *describedGame) text() string {
	var b strings.Builder
	b.WriteString(gameText(r.Info))
	say := func(text string) { fmt.Fprintln(&b, ui.Wrapped("    "+text, 8)) }
	say("start: " + r.Start)
	switch {
	case r.Classes:
		say("solve: whole, if few enough positions can be reached, or by classes of pieces")
	case r.Numbered:
		say("solve: whole, as far as memory and disk go")
	default:
		say("solve: whole, if few enough positions can be reached")
	}
	if len(r.LeftOut) > 0 {
		say("values leave out: " + strings.Join(r.LeftOut, ", "))
	}
	for line := range strings.Lines(r.Section) {
		fmt.Fprintln(&b, ui.Wrapped("    "+strings.TrimSpace(line), 8))
	}
	return b.String()
}

// notOffered is a section of a file that cannot be read.
type notOffered struct {
	Error string `json:"error"`
}

// optionValues names the values of a rule option.
func optionValues(o games.Option) string {
	values := strings.Join(o.Values, "|")
	if o.Form != "" {
		values = fmt.Sprintf("%s (%s if not given)", o.Form, values)
	}
	return values
}

// gameText describes a game in lines of text.
func gameText(info *games.Info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  (%s)\n", info.Name, info.Title)
	for line := range strings.Lines(info.Notation) {
		fmt.Fprintln(&b, ui.Wrapped("    "+strings.TrimSpace(line), 8))
	}
	for _, o := range info.Options {
		line := fmt.Sprintf("    %s:%s=%s", info.Name, o.Name, optionValues(o))
		if len(line) > ui.TextWidth {
			line = strings.ReplaceAll(line, "|", " | ")
		}
		fmt.Fprintln(&b, ui.Wrapped(line, 8))
		fmt.Fprintln(&b, ui.Wrapped("        "+strings.Join(strings.Fields(o.Help), " "), 8))
	}
	return b.String()
}
