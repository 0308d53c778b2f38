package gametest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// walker takes a cursor through random games with passes and moves taken back, and compares it
// with the game.
type walker[P, M comparable] struct {
	*suite[P, M]
	cursor   games.Cursor[P, M]
	weights  []int16 // nil if the game has no features
	features games.Features[P]
	scorer   games.Scorer[P, M]
	keys     map[P]uint64
	owners   map[uint64]P
}

// cursors checks that a cursor says of every position what the game does.
func (s *suite[P, M]) cursors(t *testing.T) {
	w := walker[P, M]{suite: s, keys: map[P]uint64{}, owners: map[uint64]P{}}
	if w.features, _ = s.g.(games.Features[P]); w.features != nil {
		w.weights = make([]int16, w.features.FeatureSet().Size)
		for i := range w.weights {
			w.weights[i] = int16(s.rng.IntN(2001) - 1000)
		}
	}
	w.scorer, _ = s.g.(games.Scorer[P, M])
	w.cursor = games.NewCursor(s.g, w.weights)
	require.Equal(t, s.g.Start(), w.cursor.Position(), "a new cursor is on the start position")
	for i := range samples() / 3 {
		p := s.g.Start()
		if i%2 > 0 {
			p = s.positions[s.rng.IntN(len(s.positions))]
		}
		w.walk(t, p)
	}
}

func (w *walker[P, M]) walk(t *testing.T, p P) {
	c := w.cursor
	c.Set(p)
	path := []P{p}
	for range maxPlies {
		p := path[len(path)-1]
		moves := w.check(t, p)
		switch action := w.rng.IntN(8); {
		case action == 0 && len(path) > 1:
			c.Undo()
			path = path[:len(path)-1]
			continue
		case action == 1 && len(moves) > 0:
			if !c.Pass() {
				require.Equal(t, p, c.Position(), "a refused pass does nothing")
				break
			}
			q := c.Position()
			require.NotEqual(t, p, q, "a pass in %s", w.name(p))
			back, err := w.g.ParsePosition(w.name(q))
			require.NoError(t, err, "after a pass in %s", w.name(p))
			require.Equal(t, q, back, "after a pass in %s", w.name(p))
			path = append(path, q)
			continue
		}
		if len(moves) == 0 {
			break
		}
		m := moves[w.rng.IntN(len(moves))]
		gain := 0
		if w.scorer != nil {
			gain = w.scorer.Gain(p, m)
		}
		require.Equal(t, gain, c.Do(m), "the gain of a move in %s", w.name(p))
		path = append(path, w.g.Play(p, m))
	}
	for i := len(path) - 1; i > 0; i-- {
		c.Undo()
		w.check(t, path[i-1])
	}
}

// check checks that the cursor is on p, and returns the legal moves.
func (w *walker[P, M]) check(t *testing.T, p P) []M {
	c := w.cursor
	require.Equal(t, p, c.Position(), "the cursor is on %s, want %s", w.name(c.Position()), w.name(p))
	key := c.Key()
	if known, ok := w.keys[p]; ok {
		require.Equal(t, known, key, "two keys of %s", w.name(p))
	} else {
		owner, taken := w.owners[key]
		require.False(t, taken, "%s and %s have the same key", w.name(p), w.name(owner))
		w.keys[p], w.owners[key] = key, p
	}
	v, finished := w.g.Outcome(p)
	got, end := c.Outcome()
	require.Equal(t, finished, end, "%s: Outcome of the cursor", w.name(p))
	require.Equal(t, v, got, "%s: Outcome of the cursor", w.name(p))
	moves := w.g.AppendMoves([]M{}, p)
	require.Equal(t, moves, c.AppendMoves([]M{}), "%s: moves of the cursor", w.name(p))
	if finished {
		return nil
	}
	ranks := c.AppendRanks([]int32{-1}, moves)
	require.Len(t, ranks, len(moves)+1, "%s: want a rank for each move, appended", w.name(p))
	tactical, positive := []M{}, []int32{-1}
	for i, rank := range ranks[1:] {
		if rank > 0 {
			tactical, positive = append(tactical, moves[i]), append(positive, rank)
		}
	}
	gotMoves, gotRanks := c.AppendTactical([]M{}, []int32{-1})
	require.Equal(t, tactical, gotMoves, "%s: want the moves of positive rank", w.name(p))
	require.Equal(t, positive, gotRanks, "%s: ranks of the tactical moves", w.name(p))
	sum := 0
	if w.weights != nil {
		for _, f := range w.features.AppendFeatures(nil, p) {
			sum += int(f.Count) * int(w.weights[f.Number])
		}
	}
	require.Equal(t, sum, c.Evaluate(), "%s: want the sum of the weights of its features", w.name(p))
	return moves
}

// influences checks that there is a count for each square.
func (s *suite[P, M]) influences(t *testing.T, influence games.Influence[P]) {
	for _, p := range s.positions {
		own, opposite := influence.Influence(p)
		require.Len(t, opposite, len(own), s.name(p))
		require.Zero(t, len(own)%influence.Columns(), "%s: %d squares in %d columns", s.name(p), len(own), influence.Columns())
		if d, ok := s.g.(games.Describer[P, M]); ok {
			require.Len(t, own, len(d.Layout().Squares), s.name(p))
		}
	}
}
