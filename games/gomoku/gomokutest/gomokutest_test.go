package gomokutest

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSolve compares values with published ones of whole small boards.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		want  Value
	}{
		{Rules{3, 3, 3, false}, Draw}, {Rules{3, 4, 3, false}, Win}, {Rules{2, 9, 3, false}, Draw}, {Rules{4, 4, 4, false}, Draw},
		{Rules{4, 4, 3, false}, Win}, {Rules{1, 5, 2, false}, Win}, {Rules{1, 3, 2, true}, Win},
	} {
		v, err := NewSolver(c.rules, 1<<22).Value(Position{})
		require.NoError(t, err)
		require.Equal(t, c.want, v, c.rules.Spec())
	}
	_, err := NewSolver(Rules{5, 5, 4, false}, 1000).Value(Position{})
	require.ErrorIs(t, err, ErrTooHard)
}

// TestSolveUnpruned compares values with a search that knows nothing but the rules.
func TestSolveUnpruned(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	positions := 20
	if testing.Short() {
		positions = 5
	}
	for _, r := range Boards {
		g, s := NewGenerator(r, 9, rng), NewSolver(r, 1<<20)
		for range positions {
			p := g.Next()
			v, err := s.Value(p)
			require.NoError(t, err)
			require.Equal(t, plain(r, s.lines, p.Mover, p.Other), v, "%s %s", r.Spec(), r.Text(p))
		}
	}
}

func plain(r Rules, lines []line, mover, other uint64) Value {
	if hasLine(lines, other) {
		return Loss
	}
	empty := r.board() &^ mover &^ other
	if empty == 0 {
		return Draw
	}
	best := Loss
	for ; empty != 0 && best < Win; empty &= empty - 1 {
		best = max(best, -plain(r, lines, other, mover|empty&-empty))
	}
	return best
}

// TestGenerator checks what positions must be, and that enough of them are won.
func TestGenerator(t *testing.T) {
	positions := 60
	if testing.Short() {
		positions = 10
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for _, r := range Boards {
		g, s := NewGenerator(r, 16, rng), NewSolver(r, 200_000)
		count := map[Value]int{}
		hard := 0
		for range positions {
			p := g.Next()
			require.Zero(t, p.Mover&p.Other)
			require.False(t, hasLine(g.lines, p.Mover) || hasLine(g.lines, p.Other))
			require.LessOrEqual(t, bits.OnesCount64(r.board()&^p.Mover&^p.Other), 16)
			v, err := s.Value(p)
			if err != nil {
				hard++
				continue
			}
			count[v]++
		}
		t.Log(r.Spec(), "hard", hard, count)
		require.Less(t, hard, positions/2)
	}
}

// TestWinsWithin compares the number of moves of wins with a search that knows nothing but
// the rules.
func TestWinsWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	count := map[int]int{}
	for _, r := range Boards {
		g, s := NewGenerator(r, 9, rng), NewSolver(r, 1<<20)
		for range 20 {
			p := g.Next()
			want := plainMoves(r, s.lines, p.Mover, p.Other)
			count[min(want, 9)]++
			for moves := range 6 {
				won, err := s.WinsWithin(p, moves)
				require.NoError(t, err)
				require.Equal(t, want <= moves, won, "%s %s, %d moves", r.Spec(), r.Text(p), moves)
			}
		}
	}
	t.Log(count)
	for moves := 1; moves <= 3; moves++ {
		require.Greater(t, count[moves], 10)
	}
}

// plainMoves returns how many moves the side to move needs for a line against the best
// defence, and a large number if it cannot force one.
func plainMoves(r Rules, lines []line, mover, other uint64) int {
	const never = 100
	best := never
	for empty := r.board() &^ mover &^ other; empty != 0; empty &= empty - 1 {
		own := mover | empty&-empty
		if hasLine(lines, own) {
			return 1
		}
		left := r.board() &^ own &^ other
		worst := 0
		if left == 0 {
			worst = never
		}
		for ; left != 0 && worst < best; left &= left - 1 {
			if reply := other | left&-left; hasLine(lines, reply) {
				worst = never
			} else {
				worst = max(worst, plainMoves(r, lines, own, reply)+1)
			}
		}
		best = min(best, worst)
	}
	return best
}
