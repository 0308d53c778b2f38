package ui

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestArgs(t *testing.T) {
	cmd := &cobra.Command{Use: "count ..."}
	for _, c := range []struct {
		check cobra.PositionalArgs
		args  []string
		want  string // empty if they are accepted
	}{
		{NoArgs, nil, ""},
		{NoArgs, []string{"a"}, `unexpected argument "a"`},
		{AnyArgs, []string{"a", "b"}, ""},
		{AnyArgs, []string{"a", ""}, "argument 2 is empty"},
		{ExactArgs(1), []string{"a"}, ""},
		{ExactArgs(1), nil, "accepts 1 argument, received 0"},
		{ExactArgs(2), []string{"a"}, "accepts 2 arguments, received 1"},
		{LeastArgs(1), []string{"a", "b"}, ""},
		{LeastArgs(1), nil, "requires at least 1 argument, only received 0"},
		{LeastArgs(1), []string{""}, "argument 1 is empty"},
		{MostArgs(1), nil, ""},
		{MostArgs(1), []string{"a", "b"}, "accepts at most 1 argument, received 2"},
	} {
		err := c.check(cmd, c.args)
		if c.want == "" {
			require.NoError(t, err, c.args)
			continue
		}
		require.EqualError(t, err, c.want+"; usage: count ...")
		require.Equal(t, ExitUsage, ExitCode(err))
	}
}
