package cmd

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/match"
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
	// Hands says how the pieces were read that the text does not show, in a game with hands.
	Hands string
	Moves []M
	// Resigned says that the side to move at the end resigned.
	Resigned bool
	// Points are those of the side that moved first, from 0 to 1; nil if the record does not say.
	Points *float64
}

// recordsIn reads the games of a text, of a match or in a notation of the game's own. It is nil for a
// text of neither.
func (t *typed[G, P, M]) recordsIn(g G, begin []byte) func(text []byte) iter.Seq2[Recorded[P, M], error] {
	switch r := t.extra.Records; {
	case match.IsNotation(begin):
		return func(text []byte) iter.Seq2[Recorded[P, M], error] { return t.matchNotation(g, text) }
	case r != nil && r.Recognise(begin):
		return func(text []byte) iter.Seq2[Recorded[P, M], error] { return r.Read(g, text) }
	}
	return nil
}

// matchNotation reads the games that match --notation wrote.
func (t *typed[G, P, M]) matchNotation(g G, text []byte) iter.Seq2[Recorded[P, M], error] {
	return func(yield func(Recorded[P, M], error) bool) {
		for n, err := range match.ReadNotation(string(text)) {
			r := Recorded[P, M]{Line: n.Line, Title: n.First + " - " + n.Second, Resigned: n.Ending == match.ByResigning}
			rules, wrong := t.family.Info.Rules(n.Game)
			switch {
			case wrong != nil || rules.Whole().String() != t.chosen.Whole().String():
				err = cmp.Or(err, fmt.Errorf("line %d: this is a game of %s, not of %s", n.Line, n.Game, t.chosen.Whole()))
			default:
				if r.From, wrong = g.ParsePosition(n.Position); wrong == nil {
					r.Moves, _, wrong = games.ParseMoves(games.Game[P, M](g), r.From, n.Moves)
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
