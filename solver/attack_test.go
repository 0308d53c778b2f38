package solver

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// quitter is a seer that also gives up positions of the attacker.
type quitter struct{ *seer }

func (q *quitter) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	if !attackerToMove && q.rng.IntN(12) == 0 {
		q.left = true
		return dst, false
	}
	return q.seer.AppendBranches(dst, p, attackerToMove)
}

// waiter is a brancher that knows the defender's moves only when the first of them that is
// open is proven.
type waiter struct {
	Brancher[int, int]
	asked map[int]bool
}

func (w *waiter) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	list, complete := w.Brancher.AppendBranches(dst, p, attackerToMove)
	if attackerToMove || !complete || w.asked[p] || slices.ContainsFunc(list, func(b Branch[int]) bool { return b.Disproof == 0 }) {
		return list, complete
	}
	w.asked[p] = true
	for _, b := range list {
		if b.Proof != 0 {
			return append(dst, b), false
		}
	}
	return list, complete
}

// exhausted reports whether all moves that are offered in p fail, so that searching on
// is of no use.
func exhausted[P, M comparable](a *Attack[P, M], p P) bool {
	number := a.search.find(p, true)
	return number != none && a.search.nodes.at(number).disproof == 0
}

// TestAttack asks about all positions of random graphs in turns, in small steps:
// a win is one, and its moves win; a no is only said if nothing was left out.
func TestAttack(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	answers := map[Outcome]int{}
	failed, answered := 0, 0
	for i := range 300 {
		known := map[int]games.Result{}
		s := newSeer(gametest.NewGraph(rng, 4+rng.IntN(10), 12), rng, known, i%2 == 0)
		var b Brancher[int, int] = s
		if i%4 < 2 {
			b = &quitter{s}
		}
		if i%3 == 0 {
			b = &waiter{b, map[int]bool{}}
		}
		a, err := NewAttack(s.Graph, b, 1<<30)
		require.NoError(t, err)
		a.Answered = func(q, m int) {
			answered++
			require.Equal(t, games.Won, gametest.Negamax(s.Graph, m, known))
			_, _, open, ok := a.Open(q, false)
			require.True(t, ok)
			for _, o := range open {
				require.NotEqual(t, m, o.Move)
				if gametest.Negamax(s.Graph, o.Move, known) == games.Won {
					a.Answer(q, []int{o.Move})
				}
			}
		}
		for p := range s.Graph.Moves {
			if _, finished := s.Outcome(p); finished {
				continue
			}
			won := gametest.Negamax(s.Graph, p, known) == games.Won
			answer := Unknown
			for range 1000 {
				before := a.Nodes()
				answer, err = a.Search(context.Background(), p, true, Limits{Nodes: 2})
				require.NoError(t, err)
				require.LessOrEqual(t, a.Nodes(), before+3)
				if answer != Unknown || exhausted(a, p) {
					break
				}
			}
			answers[answer]++
			move, ok := a.Move(p)
			require.Equal(t, answer == Proven, ok)
			switch answer {
			case Proven:
				require.True(t, won)
				require.Equal(t, games.Lost, gametest.Negamax(s.Graph, move, known))
			case Disproven:
				require.False(t, won)
				require.True(t, exhausted(a, p))
			default:
				require.Equal(t, Failed, answer)
				require.True(t, exhausted(a, p))
				failed++
			}
		}
	}
	require.Greater(t, answers[Proven], 1000)
	require.Greater(t, answers[Disproven], 1000)
	require.Greater(t, failed, 100)
	require.Positive(t, answered)
}

// interrupter interrupts a search at the third position.
type interrupter struct {
	*allMoves[tictactoe.Position, tictactoe.Move]
	asked  []tictactoe.Position
	cancel context.CancelFunc
}

func (i *interrupter) AppendBranches(dst []Branch[tictactoe.Move], p tictactoe.Position, attackerToMove bool) ([]Branch[tictactoe.Move], bool) {
	if i.asked = append(i.asked, p); len(i.asked) == 3 {
		i.cancel()
	}
	return i.allMoves.AppendBranches(dst, p, attackerToMove)
}

// A brancher may take long for a position: a search ends after the one in hand. What the
// brancher said of it, which it may have cut short, is not kept.
func TestAttackInterrupt(t *testing.T) {
	g := tictactoe.Game{}
	ctx, cancel := context.WithCancel(t.Context())
	b := &interrupter{allMoves: &allMoves[tictactoe.Position, tictactoe.Move]{game: g}, cancel: cancel}
	a, err := NewAttack(g, b, 1<<30)
	require.NoError(t, err)
	_, err = a.Search(ctx, g.Start(), true, Limits{Nodes: 1000})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, b.asked, 3)
	_, err = a.Search(t.Context(), g.Start(), true, Limits{Nodes: 1})
	require.NoError(t, err)
	require.Len(t, b.asked, 4)
	require.Equal(t, b.asked[2], b.asked[3])
}

func TestAttackLimits(t *testing.T) {
	g := tictactoe.Game{}
	b := &allMoves[tictactoe.Position, tictactoe.Move]{game: g}
	a, err := NewAttack(g, b, 1)
	require.NoError(t, err)
	answer, err := a.Search(context.Background(), g.Start(), true, Limits{Nodes: 1000})
	require.NoError(t, err)
	require.Equal(t, Unknown, answer, "no memory")
	require.Positive(t, a.Memory())
	p := g.Play(g.Start(), g.AppendMoves(nil, g.Start())[0])
	_, ok := a.Move(p)
	require.False(t, ok)
	require.False(t, exhausted(a, p))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, err = NewAttack(g, b, 1<<30)
	require.NoError(t, err)
	_, err = a.Search(ctx, g.Start(), true, Limits{Nodes: 1000})
	require.ErrorIs(t, err, context.Canceled)

	cyclic := dobutsu.New()
	_, err = NewAttack(cyclic, &allMoves[dobutsu.Position, dobutsu.Move]{game: cyclic}, 1)
	require.ErrorIs(t, err, ErrUnsuited)
}

// swamp is a game without end, a tree in which each position has eight moves, and its
// brancher: the attacker wins by his second move and any other. His first, which looks
// easier, leads nowhere: the defender has one reply each time, the attacker all moves.
type swamp struct{ gametest.Graph }

func (s *swamp) Outcome(int) (games.Value, bool) { return games.Unfinished, false }

func (s *swamp) Layer(p int) (depth int) {
	for ; p > 0; p = (p - 1) / 8 {
		depth++
	}
	return depth
}

func (s *swamp) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	first := 8*p + 1
	switch depth := s.Layer(p); {
	case p == 0:
		return append(dst, Branch[int]{first, 1, 1}, Branch[int]{first + 1, 50, 1}), false
	case p > 8 && depth == 2 && (p-1)/8 == 2:
		return append(dst, Branch[int]{first, 0, unproven}), true
	case !attackerToMove:
		return append(dst, Branch[int]{first, 1, 1}), true
	}
	for m := range 8 {
		dst = append(dst, Branch[int]{first + m, 1, 1})
	}
	return dst, false
}

func (s *swamp) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }

// A move that is searched in vain gives way to others, however easy its leaves look.
func TestAttackEffort(t *testing.T) {
	s := &swamp{}
	a, err := NewAttack(s, s, 1<<30)
	require.NoError(t, err)
	answer, err := a.Search(t.Context(), 0, true, Limits{Nodes: 2000})
	require.NoError(t, err)
	require.Equal(t, Proven, answer)
	move, _ := a.Move(0)
	require.Equal(t, 2, move)
}

// TestLimitsBecomeShared: the limit of an earlier search by itself does not count any more.
func TestLimitsBecomeShared(t *testing.T) {
	s := &swamp{}
	a, err := NewAttack(s, s, 1<<30)
	require.NoError(t, err)
	answer, err := a.Search(t.Context(), 0, true, Limits{Nodes: 10})
	require.NoError(t, err)
	require.Equal(t, Unknown, answer)
	answer, err = a.Search(t.Context(), 0, true, Limits{Nodes: 2000}.Shared())
	require.NoError(t, err)
	require.Equal(t, Proven, answer)
}

// TestRepliesLeft looks at the proof number of a move whose replies were not searched: two for
// each that is left but five at most, and one for the move.
func TestRepliesLeft(t *testing.T) {
	for _, c := range []struct {
		replies int
		want    uint32
	}{{1, 9}, {2, 11}, {3, 13}, {4, 14}, {200, 14}} {
		s := &search[int, int]{arena: newArena[int, int](), steady: true}
		n := s.nodes.at(s.add(node[int, int]{proof: 1, disproof: 1}))
		open := make([]Branch[int], c.replies)
		for i := range open {
			open[i] = Branch[int]{Move: i, Proof: 8, Disproof: 1}
		}
		s.setEdges(n, open)
		require.Equal(t, c.want, n.proof, "%d replies", c.replies)
	}
}
