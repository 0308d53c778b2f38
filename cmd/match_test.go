package cmd

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestMatchRefused has players and settings that make no sense.
func TestMatchRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"nodes=1", "accepts 3 arg|want 3|arguments"},
		{"nodes=1 nodes=x", `player "nodes=x": nodes=x: want a whole number, 1 or more`},
		{"nodes=1 bla=1", "bla=1: there is no such setting; there are: nodes, depth, "},
		{"nodes=1 lvel=1", `there is no such setting \(did you mean level\?\)`},
		{"nodes=1 nodes", "nodes: want NAME=VALUE"},
		{"nodes=1 nodes=1,nodes=2", "nodes=2: nodes is given twice"},
		{"nodes=1 level=11", "level=11: .*1 to 10"},
		{"nodes=1 jitter=5,budget=5", "jitter excludes budget"},
		{"nodes=1 level=3,nodes=4", "level excludes nodes, depth and time"},
		{"nodes=1 nodes=2 --games 3", "--games 3: want an even number"},
		{"nodes=1 jitter=5,level=3", "jitter excludes budget, and levels below 9"},
		{"nodes=1 advice=maybe", "advice=maybe: want yes or no"},
		{"nodes=1 drift=yes", "drift is for jitter: want that too"},
		{"nodes=1 @uci", "want @uci COMMAND, @usi COMMAND or @gomocup COMMAND"},
		{"nodes=1 nodes=1 --clock 1m --move-time 1m", "--move-time has no effect with a clock, which limits moves"},
		{"nodes=1 nodes=1 --crashes 0", "--crashes \"0\": want a whole number from 1"},
		{"nodes=1 nodes=1 --sprt 5,0", "want E0,E1 with E0 less than E1"},
		{"nodes=1 nodes=1 --sprt 0,20x", "want E0,E1"},
		{"nodes=1 nodes=1 --sprt nan,5", "want E0,E1"},
		{"nodes=1 nodes=1 --random-plies 20", "no game goes on after so many random moves: 20"},
	} {
		code, stdout, stderr := run("match tictactoe "+c.args, Game("tictactoe"))
		require.Equal(t, ui.ExitUsage, code, c.args)
		require.Empty(t, stdout, c.args)
		require.Regexp(t, c.want, stderr, c.args)
	}
}
