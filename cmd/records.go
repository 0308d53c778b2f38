package cmd

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/play/match"
)

// notationRules returns the game of the first game that match --notation wrote, and its rule options;
// no name if a text is none of these.
func notationRules(text []byte) (name string, options []string) {
	if !match.IsNotation(text) {
		return "", nil
	}
	for n := range match.ReadNotation(string(text)) {
		name, given, found := strings.Cut(n.Game, ":")
		if found {
			options = strings.Split(given, ",")
		}
		return name, options
	}
	return "", nil
}

// withRecordRules adds rule options that records name to the name of a game, except those that the user has
// given.
func withRecordRules(flags *pflag.FlagSet, spec string, options []string) string {
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		if _, given, _ := strings.Cut(spec, ":"); flags.Changed(name) || strings.Contains(","+given, ","+name+"=") {
			continue
		}
		spec = addOption(spec, o)
	}
	return spec
}
