package ui

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/yomikiri/yomikiri/games"
)

// When text is coloured; automatically is on a terminal.
const (
	automatically = "auto"
	always        = "always"
	never         = "never"
)

var colourNames = []string{automatically, always, never}

// Paint says whether text is coloured. Only what is known is coloured: an estimate never looks like a value.
type Paint bool

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

func (p Paint) in(colour, text string) string {
	if !p || text == "" {
		return text
	}
	return colour + text + reset
}

// Value returns a value as text, in the colour of its result.
func (p Paint) Value(v games.Value) string { return p.Result(v.Result(), v.String()) }

// ValueText colours a value that is a text already. What is no value, such as a bound, keeps its colour.
func (p Paint) ValueText(text string) string {
	if v, err := games.ParseValue(text); err == nil {
		return p.Result(v.Result(), text)
	}
	return text
}

// Result colours a text about a result.
func (p Paint) Result(r games.Result, text string) string {
	switch r {
	case games.Won:
		return p.in(green, text)
	case games.Lost:
		return p.in(red, text)
	}
	return p.in(yellow, text)
}

// Bounds returns what is known of a value. It has a colour if the result is known.
func (p Paint) Bounds(b games.Bounds) string {
	if r, ok := b.Result(); ok {
		return p.Result(r, b.String())
	}
	return b.String()
}

// Good colours a verdict that one hopes for, Doubtful one that calls for a look, and Bad one that says what is wrong.
func (p Paint) Good(text string) string     { return p.in(green, text) }
func (p Paint) Doubtful(text string) string { return p.in(yellow, text) }
func (p Paint) Bad(text string) string      { return p.in(red, text) }

// PaintOf returns how to colour what is written to the results of a command.
func PaintOf(cmd *cobra.Command) Paint {
	o, ok := cmd.OutOrStdout().(*Output)
	return Paint(ok) && o.PaintOf(o.w)
}

// PaintOf returns how to colour what is written to w.
func (o *Output) PaintOf(w io.Writer) Paint {
	switch o.colour {
	case always:
		return true
	case never:
		return false
	}
	f, ok := w.(*os.File)
	return Paint(ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) && showsColour(f))
}

// ColourFlag adds the flag that says when text is coloured.
func (o *Output) ColourFlag(cmd *cobra.Command) {
	cmd.PersistentFlags().Var((*colourFlag)(&o.colour), "color", "colour values and errors: auto, which is on a terminal unless $NO_COLOR is set, always or never")
	cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colourNames, cobra.ShellCompDirectiveNoFileComp))
}

// colourFlag is read when the arguments are, since what is wrong with others may be coloured too.
type colourFlag string

func (c *colourFlag) String() string { return string(*c) }
func (c *colourFlag) Type() string   { return "when" }

func (c *colourFlag) Set(text string) error {
	if !slices.Contains(colourNames, text) {
		return errors.New("want " + strings.Join(colourNames, ", "))
	}
	*c = colourFlag(text)
	return nil
}

// Columns returns how wide the terminal is that w shows text on, or [TextWidth] if it shows none.
func Columns(w io.Writer) int {
	if o, ok := w.(*Output); ok {
		w = o.w
	}
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return TextWidth
}
