package games_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// Three games for the registry: with options, with one, and with none. Their
// names do not come in order.
func init() {
	for _, info := range []games.Info{
		{Name: "steps", Title: "Steps", Notation: "a number", Options: []games.Option{
			{Name: "size", Values: []string{"usual", "large", "small"}, Help: "how long a step is"},
			{Name: "back", Values: []string{"no", "yes"}, Help: "whether there are steps back"},
			{Name: "end", Values: []string{"win", "loss"}, Help: "what the end is worth"},
			{Name: "from", Values: []string{"10"}, Form: "NUMBER", Parse: parseFrom, Help: "where it begins"},
		}},
		{Name: "plain", Title: "A plain game", Notation: "a number"},
		{Name: "one", Title: "One option", Options: []games.Option{{Name: "rule", Values: []string{"a", "b"}}}},
	} {
		games.Register(info, func(r games.Rules) games.Game[int, int] { return &countdown{name: r.String(), rules: r} })
	}
}

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
		{"plain", "plain"},
		{"steps", "steps"},
		{"steps:size=usual", "steps"},
		{"steps:size=large", "steps:size=large"},
		{"steps:back=yes,size=small", "steps:size=small,back=yes"},
		{"steps:end=loss,back=no,size=usual", "steps:end=loss"},
		{"steps:end=loss,back=yes,size=large", "steps:size=large,back=yes,end=loss"},
		{"one:rule=b", "one:rule=b"},
		{"steps:from=10", "steps"},
		{"steps:from=010", "steps"},
		{"steps:from=007,back=yes", "steps:back=yes,from=7"},
	} {
		g, err := games.Open(c.spec)
		require.NoError(t, err, c.spec)
		require.Equal(t, c.want, g.Name(), c.spec)
		again, err := games.Open(g.Name())
		require.NoError(t, err, c.spec)
		require.Equal(t, c.want, again.Name(), "%s: its name opens the same game", c.spec)
	}
}

func TestOpenErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"", `no game ""; there are: one, plain, steps`},
		{"chess", `no game "chess"; there are: one, plain, steps`},
		{"Steps", `no game "Steps"; there are: one, plain, steps`},
		{"steps ", `no game "steps "; there are: one, plain, steps`},
		{":size=large", `no game ""; there are: one, plain, steps`},
		{"steps:", `steps: rule option "": want option=value`},
		{"steps:size", `steps: rule option "size": want option=value`},
		{"steps:size=large,", `steps: rule option "": want option=value`},
		{"steps:colour=red", `steps has no rule option "colour"; there are: size, back, end, from`},
		{"steps:size=huge", `steps: rule option size="huge": want one of usual, large, small`},
		{"steps:size=", `steps: rule option size="": want one of usual, large, small`},
		{"steps:size=large=small", `steps: rule option size="large=small": want one of usual, large, small`},
		{"steps:size=large,size=small", `steps: rule option size is given twice`},
		{"steps:size=usual,size=usual", `steps: rule option size is given twice`},
		{"steps:from=many", `steps: rule option from="many": want a number, 0 to 255`},
		{"steps:from=1,from=01", `steps: rule option from is given twice`},
		{"plain:size=large", `plain has no rule options, so no "size"`},
	} {
		_, err := games.Open(c.spec)
		require.EqualError(t, err, c.want, c.spec)
	}
}

func TestRules(t *testing.T) {
	g, err := games.Open("steps:back=yes")
	require.NoError(t, err)
	rules := games.Underlying(g).(*countdown).rules
	require.Equal(t, "usual", rules.Get("size"))
	require.Equal(t, "yes", rules.Get("back"))
	require.PanicsWithValue(t, `games: steps has no rule option "colour"`, func() { rules.Get("colour") })
}

func TestList(t *testing.T) {
	var names []string
	for _, info := range games.List() {
		names = append(names, info.Name)
	}
	require.Equal(t, []string{"one", "plain", "steps"}, names)
	require.Equal(t, "A plain game", games.List()[1].Title)
	require.Len(t, games.List()[2].Options, 4)
}

func TestRegisterTwice(t *testing.T) {
	require.PanicsWithValue(t, `games: "plain" is registered twice`, func() {
		games.Register(games.Info{Name: "plain"}, func(games.Rules) games.Game[int, int] { return nil })
	})
	require.Len(t, games.List(), 3)
}
