package games_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// ending is a countdown whose outcomes are given.
type ending struct {
	countdown
	at       int // the position with the outcome
	outcome  games.Value
	finished bool
	moves    bool // it has moves
}

func (g *ending) Outcome(p int) (games.Value, bool) {
	if p == g.at {
		return g.outcome, g.finished
	}
	return g.countdown.Outcome(p)
}

func (g *ending) AppendMoves(dst []int, p int) []int {
	if p == g.at && !g.moves {
		return dst
	}
	return g.countdown.AppendMoves(dst, p)
}

// scoredEnding is an ending in a game with scores.
type scoredEnding struct{ ending }

func (*scoredEnding) Gain(int, int) int { return 0 }

func (*scoredEnding) Remaining(p int) int { return p }

func TestCheckPlay(t *testing.T) {
	for _, c := range []struct {
		outcome         games.Value
		finished, moves bool
		want            string
		withScores      string
	}{
		{games.Unfinished, false, true, "", ""},
		{games.Loss(0), true, false, "", "3 is finished with the value loss in 0: want a score, as the game is a Scorer"},
		{games.Win(1), true, false, "", "3 is finished with the value win in 1: want a score, as the game is a Scorer"},
		{games.Draw, true, false, "", ""},
		{games.Score(2), true, false, "3 is finished with the value +2: want a draw, a loss in 0, or a win in 0 or 1; a game with scores is a Scorer", ""},
		{games.Loss(2), true, false, "3 is finished with the value loss in 2: want a draw, a loss in 0, or a win in 0 or 1", "3 is finished with the value loss in 2: want a score, as the game is a Scorer"},
		{games.Unfinished, true, false, "3 is finished with the value unfinished: want the value for the side to move", "3 is finished with the value unfinished: want the value for the side to move"},
		{games.Draw, false, true, "3 has the outcome draw, and false: want Unfinished, and false, for a position that is not finished", "3 has the outcome draw, and false: want Unfinished, and false, for a position that is not finished"},
		{games.Unfinished, false, false, "3 has no moves, but Outcome says that it is not finished", "3 has no moves, but Outcome says that it is not finished"},
		{games.Draw, true, true, "3 is finished (draw), but has moves", "3 is finished (draw), but has moves"},
	} {
		g := &ending{countdown{name: "ending", start: 12}, 3, c.outcome, c.finished, c.moves}
		requireBug(t, games.CheckPlay(g), c.want)
		requireBug(t, games.CheckPosition(&scoredEnding{*g}, 3), c.withScores)
	}
}

// slip is a countdown with one mistake, in every position or from 2 on.
type slip struct {
	countdown
	mistake string
}

func (g *slip) AppendPosition(dst []byte, p int) []byte {
	if g.mistake == "unreadable" {
		dst = append(dst, 'x')
	}
	return g.countdown.AppendPosition(dst, p)
}

func (g *slip) ParsePosition(text string) (int, error) {
	p, err := g.countdown.ParsePosition(text)
	if g.mistake == "another reading" {
		p = 1
	}
	return p, err
}

func (g *slip) AppendMove(dst []byte, p, m int) []byte {
	switch g.mistake {
	case "a space":
		return append(dst, "step 1"...)
	case "no text":
		return dst
	case "equal texts":
		return append(dst, 's')
	}
	return g.countdown.AppendMove(dst, p, m)
}

func (g *slip) AppendMoves(dst []int, p int) []int {
	dst = g.countdown.AppendMoves(dst, p)
	if g.mistake == "another order" && p > 1 {
		g.start--
		if g.start%2 == 0 {
			dst[0], dst[1] = dst[1], dst[0]
		}
	}
	return dst
}

// indexed is a countdown with numbers and features.
type indexed struct{ slip }

func (g *indexed) Canonical(p int) int {
	switch {
	case g.mistake == "no rest" && p > 1:
		return p - 1
	case g.mistake == "another outcome" && p == 3:
		return 0
	case g.mistake == "other moves" && p >= 6:
		return 6
	}
	return p
}

func (g *indexed) Tiers() []games.Tier {
	return []games.Tier{{Size: 6, Open: 6}, {Start: 6, Size: 7, Open: 7}}
}

func (g *indexed) Index(p int) (uint64, error) {
	switch g.mistake {
	case "one index":
		return 3, nil
	case "upside down":
		return uint64(12 - p), nil
	}
	return uint64(g.Canonical(p)), nil
}

func (g *indexed) Position(index uint64) (int, bool) {
	if g.mistake == "upside down" {
		return 12 - int(index), true
	}
	return int(index), g.mistake != "a hole"
}

func (g *indexed) FeatureSet() *games.FeatureSet {
	return &games.FeatureSet{Version: "1", Size: 12, Weights: make([]float32, 12)}
}

func (g *indexed) AppendFeatures(dst []games.Feature, p int) []games.Feature {
	if g.mistake == "a feature" {
		p++
	}
	return append(dst, games.Feature{Number: int32(p - 1), Count: 1})
}

// TestCheckPlayMistakes makes the mistakes that are easily made in a new game.
func TestCheckPlayMistakes(t *testing.T) {
	for mistake, want := range map[string]string{
		"":                "",
		"unreadable":      `x12 is what AppendPosition writes, but ParsePosition does not read it: strconv.Atoi: parsing "x12": invalid syntax`,
		"another reading": "12 is read as 1, another position: 1, not 12",
		"a space":         `12 has a move "step 1": want text without spaces and commas, which separate moves`,
		"no text":         `12 has a move "": want text without spaces and commas, which separate moves`,
		"equal texts":     "12 has two moves s",
		"another order":   " when AppendMoves is called again",
		"a hole":          "12 has the index 12, but Position says that no position has it",
		"one index":       "12 has the index of 3",
		"upside down":     "in tier 1: want the same tier or an earlier one",
		"no rest":         "12 has the canonical position 11, whose canonical position is another one, 10",
		"another outcome": "3 has the outcome unfinished, and its canonical position 0 loss in 0",
		"other moves":     "12 has the canonical position 6, but they differ: move 1 of 12 leads to 6, and no move of 6 to an equal position",
		"a feature":       "12 has the feature 12: want 0 to 11",
	} {
		t.Run(mistake, func(t *testing.T) {
			requireBug(t, games.CheckPlay(&indexed{slip{countdown{name: "slip", start: 12}, mistake}}), want)
		})
	}
}

// TestNumberNoMoves checks that a numbering finds the one position without moves that is not
// finished.
func TestNumberNoMoves(t *testing.T) {
	g := &ending{countdown{name: "ending", start: 12}, 3, games.Unfinished, false, false}
	_, err := games.Number(t.Context(), g, games.NumberOptions{})
	requireBug(t, err, "bug in the game ending: 3 has no moves, but Outcome says that it is not finished")
}

// requireBug requires an error that ends with the given words, or none.
func requireBug(t *testing.T, err error, want string) {
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorContains(t, err, want)
	require.Regexp(t, want[len(want)-5:]+"$", err.Error())
}
