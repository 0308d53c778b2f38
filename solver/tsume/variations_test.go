//go:build !race

package tsume_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestVariations has random problems and one of the classics.
func TestVariations(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	v, problems := variationCounts{}, 100
	if testing.Short() {
		problems = 40
	}
	randomSamples(rand.New(rand.NewPCG(5, 6)), problems, func(n int, want sample) {
		if want.length < never {
			v.compare(t, tsume.Problem{Position: want.position}, table, tsume.Options{Shortest: n%2 == 0, CountFutile: true})
		}
	})
	p, err := tsume.ParseProblem("7n1/5+B+P1r/7k1/7+p1/6P2/7N1/7N1/8B/9 b N2Pr4g4s4l13p", tsume.Reading{})
	require.NoError(t, err)
	v.compare(t, p, table, tsume.Options{CountFutile: true})
	t.Log(v.alternatives, "alternatives,", v.variations, "variations,", v.drops, "drops left out")
	require.Greater(t, v.alternatives, problems*3/10)
	require.Greater(t, v.variations, problems/10)
	require.Greater(t, v.drops, problems/50)
}

// variationCounts counts what compare has seen.
type variationCounts struct{ alternatives, variations, drops int }

// compare solves a problem, compares the alternatives along the line with searches of
// their own, and replays every line by the rules alone.
func (v *variationCounts) compare(t *testing.T, p tsume.Problem, table *dfpn.Table, options tsume.Options) {
	options.Alternatives, options.Variations = true, true
	table.Clear()
	s, err := tsume.Solve(t.Context(), p, table, options)
	require.NoError(t, err)
	require.NoError(t, replay(p.Position, s.Line))
	require.False(t, s.Incomplete)
	b := shogi.NewBoard(p.Position)
	for i, m := range s.Line {
		at := b.Position()
		var found []shogi.Move
		for _, a := range s.Alternatives {
			if a.Ply == i {
				require.Zero(t, i%2)
				require.Equal(t, dfpn.Proven, a.Outcome)
				require.Equal(t, a.Move, a.Line[0])
				require.NoError(t, replay(p.Position, s.Line[:i], a.Line), "%v", at)
				found = append(found, a.Move)
				v.alternatives++
			}
		}
		for _, other := range s.Variations {
			if other.Ply == i {
				require.Equal(t, 1, i%2)
				require.NoError(t, replay(p.Position, s.Line[:i], other.Line), "%v", at)
				require.NotContains(t, append(found, m), other.Line[0])
				found = append(found, other.Line[0])
				v.variations++
			}
		}
		if i%2 == 0 {
			v.requireChecks(t, b, m, found, table)
		} else {
			v.requireReplies(t, b, append(found, m))
		}
		b.Do(m)
	}
	require.Equal(t, s.InHand, b.Hand(p.Position.Turn()))
}

// requireChecks checks that the alternatives to a check are those that mate.
func (v *variationCounts) requireChecks(t *testing.T, b *shogi.Board, m shogi.Move, found []shogi.Move, table *dfpn.Table) {
	for _, check := range b.AppendChecks(nil) {
		if check == m {
			continue
		}
		b.Do(check)
		table.Clear()
		r, err := tsume.Solve(t.Context(), tsume.Problem{Position: b.Position(), Defends: true}, table, tsume.Options{CountFutile: true})
		b.Undo()
		require.NoError(t, err)
		require.Equal(t, r.Outcome == dfpn.Proven, slices.Contains(found, check), "%v", check)
	}
}

// requireReplies checks that the replies are all there are, but for other drops on the
// square of one.
func (v *variationCounts) requireReplies(t *testing.T, b *shogi.Board, found []shogi.Move) {
	for _, reply := range b.AppendMoves(nil) {
		if slices.Contains(found, reply) {
			continue
		}
		require.True(t, slices.ContainsFunc(found, func(f shogi.Move) bool {
			return f.IsDrop() && reply.IsDrop() && f.To() == reply.To()
		}), "%v", reply)
		v.drops++
	}
}

// TestVariationsLimit has too few nodes for all variations of a problem.
func TestVariationsLimit(t *testing.T) {
	p, err := shogi.ParseSFEN("9/9/9/5nSp1/7+rp/7k1/5N3/4+B+b2l/4+p1rN1 b 2GN2g3s3l15p 1")
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, tsume.Options{Nodes: 40_000, CountFutile: true, Alternatives: true, Variations: true})
	require.NoError(t, err)
	require.Equal(t, dfpn.Proven, s.Outcome)
	require.True(t, slices.ContainsFunc(s.Alternatives, func(a tsume.Alternative) bool { return a.Outcome == dfpn.Unknown }))
	for _, a := range s.Alternatives {
		require.Equal(t, a.Outcome == dfpn.Proven, len(a.Line) > 0)
	}
	for _, v := range s.Variations {
		require.NoError(t, replay(p, s.Line[:v.Ply], v.Line))
	}
}
