//go:build !race

package tsume_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// matesWithin returns the length of the shortest mate in at most limit plies, by the rules alone: all
// moves, and those of the attacker must give check. It returns 0 if there is none.
func matesWithin(b *shogi.Board, attacker shogi.Color, limit int) int {
	for length := 1; length <= limit; length += 2 {
		if mated(b, attacker, length) {
			return length
		}
	}
	return 0
}

// mated reports whether the defender is mated in at most the given number of plies.
func mated(b *shogi.Board, attacker shogi.Color, plies int) bool {
	attacks := b.Turn() == attacker
	moves := b.AppendMoves(nil)
	if !attacks && len(moves) == 0 {
		return true
	}
	if plies == 0 || attacks && len(moves) == 0 {
		return false
	}
	for _, m := range moves {
		b.Do(m)
		good := attacks && b.InCheck() && mated(b, attacker, plies-1) || !attacks && mated(b, attacker, plies-1)
		b.Undo()
		if good == attacks {
			return good
		}
	}
	return !attacks
}

// handicapPosition returns a position with both kings in which pieces are missing, as in a handicap game:
// the defender's king stands near the edge, with pieces around it.
func handicapPosition(rng *rand.Rand) (shogi.Position, bool) {
	var board [81]shogi.Piece
	var hands [2]shogi.Hand
	king := shogi.SquareAt(1+rng.IntN(9), 1+rng.IntN(2))
	board[king] = shogi.PieceOf(shogi.White, shogi.King)
	put := func(piece shogi.Piece, near bool) {
		file, rank := 1+rng.IntN(9), 1+rng.IntN(9)
		if near {
			file = min(max(king.File()+rng.IntN(5)-2, 1), 9)
			rank = min(max(king.Rank()+rng.IntN(5)-1, 1), 9)
		}
		if s := shogi.SquareAt(file, rank); board[s] == shogi.NoPiece {
			board[s] = piece
		}
	}
	kind := func() shogi.Kind {
		k := shogi.Pawn + shogi.Kind(rng.IntN(int(shogi.Gold)))
		if k.CanPromote() && rng.IntN(3) == 0 {
			k += shogi.Promoted
		}
		return k
	}
	for range 2 + rng.IntN(3) {
		put(shogi.PieceOf(shogi.Black, kind()), true)
	}
	for range 1 + rng.IntN(4) {
		put(shogi.PieceOf(shogi.White, kind()), true)
	}
	put(shogi.PieceOf(shogi.Black, shogi.King), false)
	for range rng.IntN(3) {
		hands[shogi.Black] = hands[shogi.Black].With(kind().Unpromoted())
	}
	if rng.IntN(3) == 0 {
		hands[shogi.White] = hands[shogi.White].With(kind().Unpromoted())
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil && p.King(shogi.Black) != shogi.NoSquare
}

// TestGivenHands compares positions with both kings, as games have them, with all moves by the rules: the
// hands are those that are given. The same table serves all problems with the same pieces.
func TestGivenHands(t *testing.T) {
	const depth = 5
	problems := 500
	if testing.Short() {
		problems = 60
	}
	rng := rand.New(rand.NewPCG(57, 1))
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	lengths := map[int]int{}
	differs := 0
	for n := 0; n < problems; {
		p, ok := handicapPosition(rng)
		if !ok {
			continue
		}
		want := matesWithin(shogi.NewBoard(p), shogi.Black, depth)
		if want == 0 && lengths[0] > problems/3 {
			continue // there are enough without a mate
		}
		n++
		lengths[want]++
		problem, err := tsume.ParseProblem(p.SFEN(), tsume.Reading{})
		require.NoError(t, err)
		require.Equal(t, p, problem.Position)
		s, err := tsume.Solve(t.Context(), problem, table, tsume.Options{Shortest: true, CountFutile: true, Nodes: 200_000})
		require.NoError(t, err)
		switch {
		case want > 0:
			require.Equal(t, dfpn.Proven, s.Outcome, p.SFEN())
			require.True(t, s.Shortest, p.SFEN())
			require.Equal(t, want, s.Length, p.SFEN())
			require.NoError(t, replay(p, s.Line, s.Tail), p.SFEN())
		case s.Outcome == dfpn.Proven:
			require.Greater(t, s.Length, depth, p.SFEN())
		}
		rest, err := tsume.ParseProblem(p.SFEN(), tsume.Reading{Hands: shogi.RestOfSet})
		require.NoError(t, err)
		require.Equal(t, p.WithRest(shogi.White), rest.Position)
		if matesWithin(shogi.NewBoard(rest.Position), shogi.Black, 1) != matesWithin(shogi.NewBoard(p), shogi.Black, 1) {
			differs++
		}
	}
	t.Log(lengths, "by plies,", differs, "mates in one only with the hands given")
	require.Greater(t, lengths[1]+lengths[3]+lengths[5], problems/2)
	require.Positive(t, differs)
}

// TestRestOfSet has problems with one king, without the hand of the defender: it has the rest, as if that was
// written.
func TestRestOfSet(t *testing.T) {
	problems := 720 // of which some have a king more
	if testing.Short() {
		problems = 60
	}
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	const depth = 3
	compared, mates := 0, 0
	randomSamples(rand.New(rand.NewPCG(57, 2)), problems, func(_ int, like sample) {
		board, hands, turn := like.position.Parts()
		if like.position.King(shogi.Black) != shogi.NoSquare {
			return
		}
		hands[shogi.White] = 0
		short, err := shogi.NewPosition(board, hands, turn)
		require.NoError(t, err)
		entry, err := tsume.ParseEntry(short.SFEN(), tsume.Reading{})
		require.NoError(t, err)
		require.Equal(t, short.WithRest(shogi.White), entry.Position)
		require.Equal(t, shogi.WhiteHasRest, entry.Hands)
		compared++
		length := matesWithin(shogi.NewBoard(entry.Position), shogi.Black, depth)
		s, err := tsume.Solve(t.Context(), entry.Problem, table, tsume.Options{Shortest: true, CountFutile: true, Nodes: 50_000})
		require.NoError(t, err)
		if length > 0 {
			require.Equal(t, dfpn.Proven, s.Outcome, short.SFEN())
			require.Equal(t, length, s.Length, short.SFEN())
			mates++
		} else if s.Outcome == dfpn.Proven && s.Shortest {
			require.Greater(t, s.Length, depth, short.SFEN())
		}
	})
	t.Log(compared, "compared,", mates, "mates")
	require.Greater(t, compared, problems/2)
	require.Greater(t, mates, problems/10)
}
