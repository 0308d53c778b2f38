package cmd

import (
	"iter"
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/games"
)

// Records reads whole games in the notations that a game has for them, such as PDN.
type Records[G games.Game[P, M], P, M comparable] struct {
	// Recognise reports whether a text that begins so is in one of the notations.
	Recognise func(begin []byte) bool
	// Rules returns the rule options that a text in one of them names, such as size=15x15. It is
	// nil if texts name none.
	Rules func(text []byte) []string
	// Read reads the games of a text. An error says what is wrong with a game, and where; the
	// game is then as far as it could be read.
	Read func(g G, text []byte) iter.Seq2[Recorded[P, M], error]
}

// reads reports whether a move of the game of a text can be read.
func (r *Records[G, P, M]) reads(f *games.Family[G], text []byte) bool {
	if !r.Recognise(text) {
		return false
	}
	spec := f.Info.Name
	if r.Rules != nil {
		for _, o := range r.Rules(text) {
			spec = addOption(spec, o)
		}
	}
	g, err := f.Open(spec)
	if err != nil {
		return false
	}
	for game := range r.Read(g, text) {
		if len(game.Moves) > 0 {
			return true
		}
	}
	return false
}

// Recorded is a game that was played.
type Recorded[P, M comparable] struct {
	Line  int    // where it begins in its text, from 1
	Title string // such as its players
	From  P
	Moves []M
	// Resigned says that the side to move at the end resigned.
	Resigned bool
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
