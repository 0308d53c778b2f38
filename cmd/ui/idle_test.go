package ui

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestRefuseIdle refuses a flag in a case in which it has no effect, unless it says what is so anyway.
func TestRefuseIdle(t *testing.T) {
	for _, c := range []struct {
		args []string
		when bool
		want string
	}{
		{[]string{"--games", "3"}, true, "--games has no effect without players"},
		{[]string{"--file", "x"}, true, "--file has no effect without players"},
		{[]string{"--games", "3"}, false, ""},
		{[]string{"--games", "7"}, true, ""},
		{[]string{"--other", "3"}, true, ""},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		var games, other int
		var file string
		NumberFlag(flags, &games, "games", 7, 0, 10, "")
		NumberFlag(flags, &other, "other", 7, 0, 10, "")
		flags.StringVar(&file, "file", "", "")
		require.NoError(t, flags.Parse(c.args))
		err := RefuseIdle(flags, Idle{c.when, "without players", []string{"games", "file"}})
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.want)
		require.ErrorIs(t, err, ErrUsage)
	}
}
