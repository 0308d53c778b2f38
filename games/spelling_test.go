package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

func TestDidYouMean(t *testing.T) {
	names := []string{"awari", "checkers", "connect4", "dobutsu", "gomoku", "shogi", "tictactoe"}
	for _, c := range []struct{ name, want string }{
		{"dobutu", "dobutsu"}, {"dobtusu", "dobutsu"}, {"Dobutsu", "dobutsu"}, {"dobutsu.db", "dobutsu"}, {"dob", "dobutsu"},
		{"oware", "awari"}, {"tic-tac-toe", "tictactoe"}, {"shougi", "shogi"}, {"connect5", "connect4"}, {"chekcers", "checkers"},
		{"chess", ""}, {"nim", ""}, {"", ""}, {"othello", ""},
	} {
		want := ""
		if c.want != "" {
			want = " (did you mean " + c.want + "?)"
		}
		require.Equal(t, want, games.DidYouMean(c.name, names), c.name)
	}
}

// TestMisspeltOptions has rule options and values with a slip of the finger.
func TestMisspeltOptions(t *testing.T) {
	info := games.Info{Name: "chase", Options: []games.Option{{Name: "capture", Values: []string{"forced", "free"}}}}
	_, err := info.Rules("chase:captrue=free")
	require.EqualError(t, err, `chase has no rule option "captrue" (did you mean capture?); its options: capture`)
	_, err = info.Rules("chase:capture=fre")
	require.EqualError(t, err, `chase: rule option capture="fre": want one of forced, free (did you mean free?)`)
}
