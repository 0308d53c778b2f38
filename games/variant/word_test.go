package variant

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestWords compares boards of words with the board of all rules: all of what Expand and Retract give for some positions of each
// class of up to three pieces, of every variant that boards of words know.
func TestWords(t *testing.T) {
	for _, name := range BuiltIn().Names() {
		g := open(t, name)
		if g.rules.numberable() != nil {
			continue
		}
		for _, takeable := range []bool{false, true} {
			if takeable && !g.rules.takeable() {
				continue
			}
			c := *g.core
			c.takeable = takeable
			x, err := c.newTables(name, (&Tables{core: &c}).classesUpTo(3), false)
			if err != nil {
				continue
			}
			t.Run(name, func(t *testing.T) { compareWords(t, x, 20) })
		}
	}
}

// TestWordsLarger compares them in classes of more pieces: with men that stand between others, or were captured there.
func TestWordsLarger(t *testing.T) {
	for _, c := range []struct {
		game, class string
		takeable    bool
		positions   int
	}{
		{"chess", "KQvKR", false, 2000}, {"chess", "KPPvKN", false, 200}, {"giveaway", "KQvRP", false, 500}, {"losers", "KRvKB", false, 500},
		{"minishogi", "KRvKP", false, 100}, {"minishogi", "KBPvKP", false, 3}, {"judkins", "KNvKR", false, 50},
		{"shatranj", "KBPvKN", false, 200}, {"breakthrough", "PPPvPP", false, 1000}, {"hexapawn", "PPPvPPP", false, 1000}, {"dobutsu", "start", true, 10}, {"dobutsu", "LGCvLE", false, 10},
	} {
		t.Run(c.game+" "+c.class, func(t *testing.T) {
			g := *open(t, c.game).core
			g.takeable = c.takeable
			x, _, err := g.tables(c.class)
			require.NoError(t, err)
			require.NotNil(t, x.words())
			compareWords(t, x, c.positions)
		})
	}
}

// compareWords compares some positions of each block.
func compareWords(t *testing.T, x *Tables, positions int) {
	if x.words() == nil {
		t.Skip("on the board of all rules")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	w, e, r := &wordBoard{t: x.words()}, &expanding{}, &retracting{}
	for _, b := range x.blocks {
		if b.word == nil {
			continue
		}
		e.block, r.block = b, b
		index := b.start
		for i := range uint64(positions) {
			if uint64(positions) < b.size && (i%4 == 0 || index+1 == b.start+b.size) { // runs of neighbours
				index = b.start + rng.Uint64N(b.size)
			} else if i > 0 {
				index++
			}
			if index == b.start+b.size {
				break
			}
			var want, got games.Expansion
			status := x.expand(e, index, &want)
			p, _ := x.Position(index)
			text := string(x.AppendPosition(nil, p))
			require.Equal(t, status, w.expand(b.word, index, &got), "%d: %s", index, text)
			require.Equal(t, want.Moves, got.Moves, text)
			slices.Sort(want.Successors)
			slices.Sort(got.Successors)
			require.Equal(t, want.Successors, got.Successors, text)
			if status != games.Unfinished {
				continue
			}
			var before, after games.Predecessors
			x.retractOne(r, index, &before)
			w.retract(b.word, index, &after)
			slices.Sort(before.Indices)
			slices.Sort(after.Indices)
			require.Equal(t, slices.Compact(before.Indices), slices.Compact(after.Indices), text)
		}
	}
}
