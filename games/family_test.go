package games_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// Families with options and without.
var (
	steps = games.NewFamily(games.Info{Name: "steps", Title: "Steps", Notation: "a number", Options: []games.Option{
		{Name: "size", Values: []string{"usual", "large", "small"}, Help: "how long a step is"},
		{Name: "back", Values: []string{"no", "yes"}, Help: "whether there are steps back"},
		{Name: "end", Values: []string{"win", "loss"}, Help: "what the end is worth"},
		{Name: "from", Values: []string{"10"}, Form: "NUMBER", Parse: parseFrom, Extent: true, FromStart: "9", Help: "where it begins"},
	}}, newCountdown)
	plain = games.NewFamily(games.Info{Name: "plain", Title: "A plain game", Notation: "a number"}, newCountdown)
)

func newCountdown(r games.Rules) *countdown { return &countdown{name: r.String(), rules: r} }

// parseFrom reads an option with too many values to list.
func parseFrom(text string) (string, error) {
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil {
		return "", errors.New("want a number, 0 to 255")
	}
	return strconv.FormatUint(n, 10), nil
}

func TestOpen(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"steps", "steps"},
		{"steps:size=usual", "steps"},
		{"steps:size=large", "steps:size=large"},
		{"steps:back=yes,size=small", "steps:size=small,back=yes"},
		{"steps:end=loss,back=no,size=usual", "steps:end=loss"},
		{"steps:end=loss,back=yes,size=large", "steps:size=large,back=yes,end=loss"},
		{"steps:from=10", "steps"},
		{"steps:from=010", "steps"},
		{"steps:from=007,back=yes", "steps:back=yes,from=7"},
	} {
		g, err := steps.Open(c.spec)
		require.NoError(t, err, c.spec)
		require.Equal(t, c.want, g.Name(), c.spec)
		again, err := steps.Open(g.Name())
		require.NoError(t, err, c.spec)
		require.Equal(t, c.want, again.Name(), "%s: its name opens the same game", c.spec)
	}
}

func TestOpenErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"", `game "": want steps`},
		{"chess", `game "chess": want steps`},
		{"Steps", `game "Steps": want steps`},
		{"steps ", `game "steps ": want steps`},
		{":size=large", `game "": want steps`},
		{"steps:", `steps: rule option "": want option=value`},
		{"steps:size", `steps: rule option "size": want option=value`},
		{"steps:size=large,", `steps: rule option "": want option=value`},
		{"steps:colour=red", `steps has no rule option "colour"; its options: size, back, end, from`},
		{"steps:size=huge", `steps: rule option size="huge": want one of usual, large, small`},
		{"steps:size=", `steps: rule option size="": want one of usual, large, small`},
		{"steps:size=large=small", `steps: rule option size="large=small": want one of usual, large, small (did you mean large?)`},
		{"steps:size=large,size=small", `steps: rule option size is given twice`},
		{"steps:size=usual,size=usual", `steps: rule option size is given twice`},
		{"steps:from=many", `steps: rule option from="many": want a number, 0 to 255`},
		{"steps:from=1,from=01", `steps: rule option from is given twice`},
	} {
		_, err := steps.Open(c.spec)
		require.EqualError(t, err, c.want, c.spec)
	}
	_, err := plain.Open("plain:size=large")
	require.EqualError(t, err, `plain has no rule options, so no "size"`)
}

func TestRules(t *testing.T) {
	g, err := steps.Open("steps:back=yes")
	require.NoError(t, err)
	require.Equal(t, "usual", g.rules.Get("size"))
	require.Equal(t, "yes", g.rules.Get("back"))
	require.PanicsWithValue(t, `games: steps has no rule option "colour"`, func() { g.rules.Get("colour") })
	require.Equal(t, "steps:back=yes", steps.New(g.rules).Name())
}

func TestMatch(t *testing.T) {
	rules := func(spec string) games.Rules {
		r, err := steps.Rules(spec)
		require.NoError(t, err)
		return r
	}
	for _, c := range []struct {
		has, asked string
		want       bool
	}{
		{"steps", "steps", true},
		{"steps", "steps:size=usual", true},
		{"steps:size=large", "steps", false},
		{"steps", "steps:size=large", false},
		{"steps:from=7", "steps", true},
		{"steps:from=7", "steps:from=7", true},
		{"steps:from=7", "steps:from=10", false},
		{"steps:from=7,back=yes", "steps:back=yes", true},
	} {
		require.Equal(t, c.want, rules(c.has).Match(rules(c.asked)), "%s, %s", c.has, c.asked)
	}
	for spec, from := range map[string]bool{"steps": true, "steps:back=yes": true, "steps:from=7": false, "steps:from=9": true} {
		require.Equal(t, from, rules(spec).FromStart(), spec)
	}
	other, err := plain.Rules("plain")
	require.NoError(t, err)
	require.False(t, rules("steps").Match(other))
	part := rules("steps:from=7,back=yes")
	require.Equal(t, "steps:back=yes", part.Whole().String())
	require.Equal(t, "steps:back=yes,from=7", part.String(), "it is left as it is")
}

func TestInfoCheck(t *testing.T) {
	option := func(list ...games.Option) []games.Option { return list }
	yes := []string{"yes", "no"}
	for _, c := range []struct {
		info games.Info
		want string
	}{
		{games.Info{}, `game name "": want lower-case letters, digits and hyphens`},
		{games.Info{Name: "a:b"}, `game name "a:b": want lower-case letters, digits and hyphens`},
		{games.Info{Name: "a", Options: option(games.Option{Name: "B", Values: yes})}, `a: option name "B": want lower-case letters, digits and hyphens`},
		{games.Info{Name: "a", Options: option(games.Option{Name: "b", Values: yes}, games.Option{Name: "b", Values: yes})}, "a: two options are called b"},
		{games.Info{Name: "a", Options: option(games.Option{Name: "b"})}, "a: option b has no default: its list of values is empty"},
		{games.Info{Name: "a", Options: option(games.Option{Name: "b", Values: []string{"010"}, Parse: parseFrom})}, `a: option b: its default "010" is not read as itself`},
	} {
		_, err := games.NewFamily(c.info, newCountdown).Open(c.info.Name)
		require.EqualError(t, err, c.want)
	}
}
