package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// openOthello returns a game of Othello and its search.
func openOthello(t *testing.T, name string) (games.Game[rules.Position, rules.Move], proof.PlainSearcher[rules.Position]) {
	first, err := othello.Family.Open(name)
	require.NoError(t, err)
	g, err := rules.Open(name, string(first.AppendPosition(nil, first.Start())))
	require.NoError(t, err)
	return g, g.(proof.PlainSearcher[rules.Position])
}

// TestSearchPlainly compares the search on sets of squares with that of any game, on positions of
// random games and all kinds of questions: the same answers in the same number of positions.
func TestSearchPlainly(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	yes, no, unsettled, passes := 0, 0, 0, 0
	for _, name := range []string{"othello", "othello:size=4x4", "othello:size=4x6,empty=winner", "othello:size=6x6", "othello:size=8x4"} {
		g, search := openOthello(t, name)
		aims, err := games.Aiming(g)
		require.NoError(t, err)
		slow := proof.NewSearcher(aims, proof.Claim{Side: proof.Mover, Goal: proof.AtLeast})
		for n := range 120 {
			var line []rules.Position
			for p := g.Start(); ; {
				moves := g.AppendMoves(nil, p)
				if len(moves) == 0 {
					break
				}
				line = append(line, p)
				p = g.Play(p, moves[rng.IntN(len(moves))])
			}
			p := line[max(0, len(line)-1-rng.IntN(12))]
			if n%2 == 0 {
				p = ending(rng, g, p)
			}
			points := rng.IntN(21) - 10
			if n%8 == 0 {
				squares := len(g.AppendPosition(nil, p)) - len(" X")
				points = rng.IntN(2*squares) - squares + 1 // others are answered before any search
			}
			if a := (games.Aim[rules.Position]{Position: p, Points: int16(points)}); string(g.AppendMove(nil, p, g.AppendMoves(nil, p)[0])) == "pass" {
				passes++
			} else if _, over := aims.Outcome(a); over {
				continue
			}
			const most = 1 << 10
			want, positions, err := slow.Search(games.Aim[rules.Position]{Position: p, Points: int16(points)}, true, most)
			reached, looked, settled := search.SearchPlainly(p, points, most)
			text := string(g.AppendPosition(nil, p))
			if errors.Is(err, proof.ErrUnsettled) {
				unsettled++
				require.False(t, settled, text)
				continue
			}
			require.NoError(t, err)
			require.True(t, settled, text)
			require.Equal(t, want, reached, text)
			require.Equal(t, positions, looked, text)
			_, _, settled = search.SearchPlainly(p, points, looked-1)
			require.False(t, settled, text)
			if reached {
				yes++
			} else {
				no++
			}
		}
	}
	require.Greater(t, min(yes, no, unsettled*5, passes*10), 50, "%d %d %d %d", yes, no, unsettled, passes)
}

// ending returns an unfinished position with few empty squares, where one colour may have nearly all discs, as
// they are rare in games: sides that pass, and lose all. It returns p where it finds none.
func ending(rng *rand.Rand, g games.Game[rules.Position, rules.Move], p rules.Position) rules.Position {
	text := g.AppendPosition(nil, p)
	squares, share := len(text)-len(" X"), 1+rng.IntN(9)
	for range 20 {
		for i := range squares {
			if text[i] = 'X'; rng.IntN(100) < 11*share {
				text[i] = 'O'
			}
		}
		for range 1 + rng.IntN(6) {
			text[rng.IntN(squares)] = '-'
		}
		if q, err := g.ParsePosition(string(text)); err == nil && len(g.AppendMoves(nil, q)) > 0 {
			return q
		}
	}
	return p
}

// slow is the game without its search.
type slow struct {
	games.Game[rules.Position, rules.Move]
	games.Canonicalizer[rules.Position]
	games.Scorer[rules.Position, rules.Move]
}

// TestCheck checks files that leave all to the search, with it and without: both refuse claims that
// do not hold, and numbers of positions that are too small.
func TestCheck(t *testing.T) {
	const root = "XXXXX-XOOOX-XOXOX--XXXOO-OXXXO------ O"
	g, search := openOthello(t, "othello:size=6x6")
	p, err := g.ParsePosition(root)
	require.NoError(t, err)
	score := -36
	for ; ; score++ {
		if reached, _, settled := search.SearchPlainly(p, score+1, 1<<20); !reached {
			require.True(t, settled)
			break
		}
	}
	check := func(side proof.Side, points int, less uint64) error {
		needed := points
		if side == proof.Other {
			needed = 1 - points
		}
		_, positions, settled := search.SearchPlainly(p, needed, 1<<20)
		require.True(t, settled)
		require.Greater(t, positions, uint64(100))
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: root, Positions: positions - less, Claims: []proof.Claim{{Side: side, Goal: proof.AtLeast, Points: points}}})
		require.NoError(t, err)
		kind := proof.Searched
		if side == proof.Other {
			kind = proof.SearchedReply
		}
		_, err = w.Add(&proof.Node{Kind: kind, Uses: 1, Rank: 1, Position: fmt.Appendf(nil, "%s >=%d", root, needed), Positions: positions - less})
		require.NoError(t, err)
		require.NoError(t, w.EndClaim(1))
		require.NoError(t, w.Close())
		var results []error
		for _, g := range []games.Game[rules.Position, rules.Move]{g, slow{g, g.(games.Canonicalizer[rules.Position]), g.(games.Scorer[rules.Position, rules.Move])}} {
			r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
			require.NoError(t, err)
			_, err = proof.Check(t.Context(), r, g, proof.CheckOptions{})
			results = append(results, err)
		}
		require.Equal(t, results[0] == nil, results[1] == nil)
		if err := results[0]; err != nil {
			require.ErrorIs(t, err, proof.ErrRefused)
			require.Equal(t, err.Error(), results[1].Error())
		}
		return results[0]
	}
	for _, c := range []struct {
		side proof.Side
		most int // points that the side gets
	}{{proof.Mover, score}, {proof.Other, -score}} {
		require.NoError(t, check(c.side, c.most, 0))
		require.NoError(t, check(c.side, c.most-1, 0))
		require.ErrorContains(t, check(c.side, c.most, 1), "does not settle it")
		require.ErrorContains(t, check(c.side, c.most+1, 0), "the claim does not hold")
	}
}

// TestManyMoves searches a position with more moves than any game has, as a proof file may name it.
func TestManyMoves(t *testing.T) {
	g, search := openOthello(t, "othello")
	p, err := g.ParsePosition("------X--OOOOXO---XX-XO--OOXO-----XXX-X--OXO-XO--OO--XO-----OX-- X")
	require.NoError(t, err)
	require.Len(t, g.AppendMoves(nil, p), 34)
	const most = 1000
	_, positions, settled := search.SearchPlainly(p, 0, most)
	require.False(t, settled)
	require.Greater(t, positions, uint64(most))
}
