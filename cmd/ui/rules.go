package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
)

// All commands that take a game take its rules in the same ways: after the name of the
// game, or as flags named like the rule options.

const (
	// ruleFlag marks flags that are rule options.
	ruleFlag = "rule"
	// collision is the annotation of a command that has a flag of its own with the
	// name of a rule option.
	collision = "collision"
)

// ruleHelp is a paragraph on rule options, with examples from the game that has most of them.
func ruleHelp(infos []*games.Info) string {
	var most games.Info
	for _, info := range infos {
		if len(info.Options) > len(most.Options) {
			most = *info
		}
	}
	if len(most.Options) == 0 {
		return ""
	}
	var options, flags []string
	for _, o := range most.Options[:min(2, len(most.Options))] {
		options = append(options, o.Name+"="+o.Values[0])
		flags = append(flags, "--"+o.Name+" "+o.Values[0])
	}
	return fmt.Sprintf(`

Rule options follow the game's name or are flags: %[1]s:%[2]s is the same
as %[1]s %[3]s. See yomikiri games.`, most.Name, strings.Join(options, ","), strings.Join(flags, " "))
}

// AddRuleFlags gives a command a flag for each rule option of games. It comes after
// the command's own flags. Flags of a single game are shown in the help.
func AddRuleFlags(c *cobra.Command, infos ...*games.Info) {
	flags := c.Flags()
	for _, info := range infos {
		for _, o := range info.Options {
			if f := flags.Lookup(o.Name); f == nil && o.Name != "help" {
				flags.String(o.Name, "", o.Help+" (default "+o.Values[0]+")")
				flags.SetAnnotation(o.Name, ruleFlag, nil)
				flags.Lookup(o.Name).Hidden = len(infos) > 1
				c.RegisterFlagCompletionFunc(o.Name, completeRule(o.Name, infos))
			} else if f == nil || !isRule(f) {
				c.Annotations = map[string]string{collision: o.Name + " of " + info.Name}
			}
		}
	}
	if strings.Contains(c.Use, "GAME") {
		c.Long += ruleHelp(infos)
	}
}

// completeRule completes the value of a rule option of the game that is named, or of all while there is none.
func completeRule(name string, infos []*games.Info) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (list []string, _ cobra.ShellCompDirective) {
		for _, info := range infos {
			if len(args) > 0 && args[0] != info.Name && !strings.HasPrefix(args[0], info.Name+":") {
				continue
			}
			for _, o := range info.Options {
				if o.Name == name {
					list = append(list, o.Values...)
				}
			}
		}
		slices.Sort(list)
		return slices.Compact(list), cobra.ShellCompDirectiveNoFileComp
	}
}

func isRule(f *pflag.Flag) bool {
	_, ok := f.Annotations[ruleFlag]
	return ok
}

// CheckRuleFlags fails if a rule option of a game has the name of a flag of a command.
func CheckRuleFlags(c *cobra.Command) error {
	if option, ok := c.Annotations[collision]; ok {
		return fmt.Errorf("the rule option %s is called like a flag of %q: rename it", option, c.CommandPath())
	}
	for _, sub := range c.Commands() {
		if err := CheckRuleFlags(sub); err != nil {
			return err
		}
	}
	return nil
}

// WithRecordRules adds rule options that records name to the name of a game, except those that the user has
// given.
func WithRecordRules(flags *pflag.FlagSet, spec string, options []string) string {
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		if _, given, _ := strings.Cut(spec, ":"); flags.Changed(name) || strings.Contains(","+given, ","+name+"=") {
			continue
		}
		spec = app.AddOption(spec, o)
	}
	return spec
}

// WithRules adds the rule options among the flags to the name of a game.
func WithRules(flags *pflag.FlagSet, spec string) string {
	flags.Visit(func(f *pflag.Flag) {
		if isRule(f) {
			spec = app.AddOption(spec, f.Name+"="+f.Value.String())
		}
	})
	return spec
}
