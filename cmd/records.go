package cmd

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/match"
)

// recordsIn reads the games of a text, of a match or in a notation of the game's own. It is nil for a
// text of neither.
func recordsIn(g *app.Game, begin []byte) func(text []byte) iter.Seq2[app.Recorded, error] {
	switch {
	case match.IsNotation(begin):
		return func(text []byte) iter.Seq2[app.Recorded, error] { return matchNotation(g, text) }
	case g.Records != nil && g.Family.Records.Recognise(begin):
		return g.Records
	}
	return nil
}

// matchNotation reads the games that match --notation wrote.
func matchNotation(g *app.Game, text []byte) iter.Seq2[app.Recorded, error] {
	return func(yield func(app.Recorded, error) bool) {
		for n, err := range match.ReadNotation(string(text)) {
			r := app.Recorded{Line: n.Line, Title: n.First + " - " + n.Second, Resigned: n.Ending == match.ByResigning}
			rules, wrong := g.Family.Info.Rules(n.Game)
			switch {
			case wrong != nil || rules.Whole().String() != g.Rules.Whole().String():
				err = cmp.Or(err, fmt.Errorf("line %d: this is a game of %s, not of %s", n.Line, n.Game, g.Rules.Whole()))
			default:
				if r.From, wrong = g.ParsePosition(n.Position); wrong == nil {
					r.Moves, _, wrong = games.ParseMoves(g.Board, r.From, n.Moves)
				}
				if wrong != nil {
					err = cmp.Or(err, fmt.Errorf("the game of line %d: %w", n.Line, wrong))
				}
				if err == nil {
					r.Points = &n.Points
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

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
