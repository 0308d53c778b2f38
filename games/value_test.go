package games_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// all calls do for every number that a Value can be, and whether it is one that a
// position can have.
func allValues(do func(v games.Value, possible bool)) {
	for i := math.MinInt16; i <= math.MaxInt16; i++ {
		// Losses in 0 to MaxPlies, scores, wins in MaxPlies to 0.
		v := games.Value(i)
		do(v, i >= -32_000 && i <= 32_000 || v == v.Result().Value())
	}
}

func TestValueText(t *testing.T) {
	for _, c := range []struct {
		value games.Value
		want  string
	}{
		{games.Win(1), "win in 1"},
		{games.Win(0), "win in 0"},
		{games.Win(173), "win in 173"},
		{games.Win(games.MaxPlies), "win in 15999"},
		{games.Loss(0), "loss in 0"},
		{games.Loss(78), "loss in 78"},
		{games.Loss(games.MaxPlies), "loss in 15999"},
		{games.Draw, "draw"},
		{games.Score(0), "draw"},
		{games.Score(5), "+5"},
		{games.Score(-2), "-2"},
		{games.Score(games.MaxScore), "+16000"},
		{games.Score(-games.MaxScore), "-16000"},
		{games.Won.Value(), "win"},
		{games.Lost.Value(), "loss"},
		{games.Drawn.Value(), "draw"},
	} {
		require.Equal(t, c.want, c.value.String())
		v, err := games.ParseValue(c.want)
		require.NoError(t, err)
		require.Equal(t, c.value, v)
	}
	require.Equal(t, "unfinished", games.Unfinished.String())
	require.Equal(t, "no position", games.Hole.String())
}

// TestValueTextOfAll writes and reads every number there is.
func TestValueTextOfAll(t *testing.T) {
	texts := map[string]games.Value{}
	allValues(func(v games.Value, possible bool) {
		text := v.String()
		if other, ok := texts[text]; ok {
			require.Fail(t, "two values alike", "%d and %d are %q", other, v, text)
		}
		texts[text] = v
		got, err := games.ParseValue(text)
		if !possible {
			require.Error(t, err, "%d, %q", v, text)
			return
		}
		if err != nil || got != v {
			require.NoError(t, err, "%d", v)
			require.Equal(t, v, got, text)
		}
	})
}

func TestParseValueErrors(t *testing.T) {
	for _, text := range []string{
		"", " ", "wins", "Win", "win in", "win in ", "win in x", "win in -1", "win in +1", "win in 01", "win in 1 ", " win in 1",
		"Win in 1", "win in 16000", "win in 65537", "win in 1.5", "won in 1", "loss in", "loss in 16000", "loss in -0",
		"draws", "Draw", "draw ", "0", "+0", "-0", "5", "+05", "-05", "+16001", "-16001", "+32001", "-32768", "++1", "+", "-",
		"+99999999999", "unfinished", "no position", "+5 ", "0x5", "+1_0",
	} {
		_, err := games.ParseValue(text)
		require.Error(t, err, "%q", text)
	}
	_, err := games.ParseValue("won")
	require.EqualError(t, err, `value "won": want "win in N", "loss in N", "draw", or a score such as +5; without distance "win" or "loss"`)
}

// TestValueOrder checks that values are ordered by what they are worth to the
// side to move: quick wins first, slow losses before quick ones.
func TestValueOrder(t *testing.T) {
	order := []games.Value{
		games.Won.Value(), games.Win(0), games.Win(1), games.Win(2), games.Win(games.MaxPlies),
		games.Score(games.MaxScore), games.Score(2), games.Score(1), games.Draw, games.Score(-1), games.Score(-games.MaxScore),
		games.Loss(games.MaxPlies), games.Loss(3), games.Loss(2), games.Loss(0), games.Lost.Value(),
		games.Hole, games.Unfinished,
	}
	for i := 1; i < len(order); i++ {
		require.Greater(t, order[i-1], order[i], "%v is better than %v", order[i-1], order[i])
	}
	for plies := range games.MaxPlies {
		require.Greater(t, games.Win(plies), games.Win(plies+1))
		require.Less(t, games.Loss(plies), games.Loss(plies+1))
	}
}

func TestValueResult(t *testing.T) {
	require.Greater(t, games.Won, games.Drawn)
	require.Greater(t, games.Drawn, games.Lost)
	for _, c := range []struct {
		value games.Value
		want  games.Result
		text  string
	}{
		{games.Win(1), games.Won, "win"}, {games.Win(games.MaxPlies), games.Won, "win"}, {games.Score(1), games.Won, "win"},
		{games.Draw, games.Drawn, "draw"},
		{games.Loss(0), games.Lost, "loss"}, {games.Loss(games.MaxPlies), games.Lost, "loss"}, {games.Score(-1), games.Lost, "loss"},
	} {
		require.Equal(t, c.want, c.value.Result(), c.value)
		require.Equal(t, c.text, c.value.Result().String())
	}
}

func TestValuePlies(t *testing.T) {
	for plies := range games.MaxPlies + 1 {
		for _, v := range []games.Value{games.Win(plies), games.Loss(plies)} {
			got, ok := v.Plies()
			if !ok || got != plies || v.Size() != plies {
				require.True(t, ok, v)
				require.Equal(t, plies, got)
				require.Equal(t, plies, v.Size())
			}
		}
	}
	allValues(func(v games.Value, possible bool) {
		if _, ok := v.Plies(); ok && (!possible || v >= -games.MaxScore && v <= games.MaxScore) {
			require.Fail(t, "Plies of what has no distance", "%d", v)
		}
	})
	for _, n := range []int{0, 1, -1, 7, games.MaxScore, -games.MaxScore} {
		require.Equal(t, max(n, -n), games.Score(n).Size())
	}
}

func TestValueBackup(t *testing.T) {
	for _, c := range []struct {
		value games.Value
		gain  int
		want  games.Value
	}{
		{games.Loss(0), 0, games.Win(1)},
		{games.Win(1), 0, games.Loss(2)},
		{games.Loss(77), 0, games.Win(78)},
		{games.Win(games.MaxPlies - 1), 0, games.Loss(games.MaxPlies)},
		{games.Loss(3), 5, games.Win(4)}, // a gain counts for scores only
		{games.Draw, 0, games.Draw},
		{games.Score(3), 0, games.Score(-3)},
		{games.Score(3), 5, games.Score(2)},
		{games.Score(-3), 5, games.Score(8)},
		{games.Draw, -2, games.Score(-2)},
	} {
		require.Equal(t, c.want, c.value.Backup(c.gain), "%v with a gain of %d", c.value, c.gain)
	}
	// Backing up turns the order round: what is better for one side is worse
	// for the other.
	allValues(func(v games.Value, possible bool) {
		plies, distance := v.Plies()
		if !possible || distance && plies == games.MaxPlies || v == math.MaxInt16 {
			return
		}
		next, further := (v + 1).Plies()
		if v+1 > 32_000 || distance != further || distance && next == games.MaxPlies {
			return
		}
		if v.Backup(0) <= (v + 1).Backup(0) {
			require.Greater(t, v.Backup(0), (v + 1).Backup(0), "%v and %v", v, v+1)
		}
	})
}

func TestValuePanics(t *testing.T) {
	for name, do := range map[string]func(){
		"a win in less than nothing":  func() { games.Win(-1) },
		"a win too far away":          func() { games.Win(games.MaxPlies + 1) },
		"a loss in less than nothing": func() { games.Loss(-1) },
		"a loss too far away":         func() { games.Loss(games.MaxPlies + 1) },
		"too large a score":           func() { games.Score(games.MaxScore + 1) },
		"too small a score":           func() { games.Score(-games.MaxScore - 1) },
		"a ply more than fits":        func() { games.Win(games.MaxPlies).Backup(0) },
		"a gain too large":            func() { games.Score(0).Backup(games.MaxScore + 1) },
		"no value":                    func() { games.Unfinished.Backup(0) },
		"no position":                 func() { games.Hole.Backup(0) },
	} {
		require.Panics(t, do, name)
	}
	require.PanicsWithValue(t, "games: distance 16000 is not in 0..15999", func() { games.Win(16_000) })
	require.PanicsWithValue(t, "games: score 16001 is not in -16000..16000", func() { games.Score(16_001) })
}

func TestValueJSON(t *testing.T) {
	list := []games.Value{games.Win(3), games.Draw, games.Score(-2)}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	require.Equal(t, `["win in 3","draw","-2"]`, string(text))
	var got []games.Value
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, list, got)
	v := games.Win(7)
	require.Error(t, json.Unmarshal([]byte(`"win in x"`), &v))
	require.Equal(t, games.Win(7), v, "an error changes nothing")
}

func TestOrderText(t *testing.T) {
	require.Equal(t, "distance", games.ByDistance.String())
	require.Equal(t, "score", games.ByScore.String())
}

func FuzzParseValue(f *testing.F) {
	for _, text := range []string{"win in 3", "loss in 0", "draw", "+5", "-16000", "win in 15999", "+0", "win in 16000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := games.ParseValue(text); err == nil {
			require.Equal(t, text, v.String())
		}
	})
}
