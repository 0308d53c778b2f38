package records

import (
	"regexp"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/match"
)

// Games returns the names of those of some games of which a text may be a record, and the rule options that the text names.
// There is more than one only if the text has lines of positions with moves that are legal in several games.
func Games(list []*app.Family, text []byte) (names, options []string) {
	if name, options := notationRules(text); name != "" {
		return []string{name}, options
	}
	for _, f := range list {
		for _, r := range f.Records {
			if r.Recognise(text) && r.Of(text) {
				return []string{f.Name}, possible(f, r.Rules(text))
			}
		}
	}
	line := firstLine(text)
	if line == "" || strings.IndexByte("([{<", line[0]) >= 0 {
		return nil, nil // no position begins so, and to open all games takes a while
	}
	for _, f := range list {
		if f.Variant && !variantPosition.MatchString(line) {
			continue // there are many of them
		}
		g, err := f.Open(f.Name)
		if err != nil {
			continue
		}
		if line, is := firstPosition(g, text); is {
			if _, _, err := games.ReadGame(g.Board, line); err == nil {
				names = append(names, f.Name)
			}
		}
	}
	return names, nil
}

// variantPosition is the beginning of a position of a variant: the start, or rows of a board as in FEN.
var variantPosition = regexp.MustCompile(`^(?:` + games.StartPosition + `|[^\s/:]+/[^\s/:]+/[^\s:]+)(?:\s|$)`)

// possible returns the options that a game can have. With others its reader says what is wrong, and where.
func possible(f *app.Family, options []string) (list []string) {
	spec := f.Name
	for _, o := range options {
		with := app.AddOption(spec, o)
		if _, err := f.Info.Rules(with); err == nil {
			list, spec = append(list, o), with
		}
	}
	return list
}

// Options returns the rule options of a game that a text names.
func Options(f *app.Family, text []byte) []string {
	if name, options := notationRules(text); name != "" {
		if name == f.Name {
			return options
		}
		return nil
	}
	for _, r := range f.Records {
		if r.Recognise(text) {
			return possible(f, r.Rules(text))
		}
	}
	return nil
}

// notationRules returns the game of the first game that match --notation wrote, and its rule options; no name if a text is
// none of these.
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
