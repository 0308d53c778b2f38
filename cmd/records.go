package cmd

import (
	"strings"

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
