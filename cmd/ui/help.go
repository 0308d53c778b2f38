package ui

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/bilingual"
)

// ShowUsage writes what a command and its flags are used for as cobra does, but wraps the flags at the width of the terminal. A template
// of cobra could do that too, but templates make the linker keep every exported method.
func ShowUsage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\nAvailable Commands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	width := Columns(c.OutOrStdout())
	flags := func(title string, set *pflag.FlagSet) {
		if set.HasAvailableFlags() {
			b.WriteString("\n\n" + title + ":\n" + strings.TrimRight(set.FlagUsagesWrapped(width), " \n"))
		}
	}
	flags("Flags", c.LocalFlags())
	flags("Global Flags", c.InheritedFlags())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	b.WriteString("\n")
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// ShowHelp runs a command that only has others below it.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// NoCommand returns an error for a subcommand that c does not have.
func NoCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return Usage(fmt.Errorf("no command %q%s; see %s --help", name, games.DidYouMean(name, names), c.CommandPath()))
}

// flagValues says which values flags of a type take.
var flagValues = map[string]bilingual.Message{
	"int": wantNumber, "int64": wantNumber, "uint64": wantCount, "duration": wantTime, "bool": wantBool, "when": wantWhen, "percent": wantPercents,
}

// FlagError turns an error about flags into one that says what would be right.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name := unknown.GetSpecifiedName(); len(name) > 1 {
			err = noFlag.Error(err, name, games.DidYouMean(name, names))
		}
	}
	var valueless *pflag.ValueRequiredError
	if errors.As(err, &valueless) {
		err = noValue.Error(err, valueless.GetFlag().Name)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := invalid.GetFlag()
		err = wrongValue.Error(flag.Name, invalid.GetValue(), flagValues[flag.Value.Type()].Error())
	}
	return Usage(wrongFlags.Error(err, cmd.CommandPath()))
}
