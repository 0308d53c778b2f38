package solver

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/internal/race"
)

// away is a [Remote] in this process, whose answers take a while and may fail in all ways.
type away struct {
	mu       sync.Mutex
	rng      *rand.Rand
	evaluate func(question []byte) ([]byte, error)
	faults   int // of 100 answers
	answered atomic.Int64
}

func (a *away) ask(question []byte) ([]byte, error) {
	a.mu.Lock()
	answer, err := a.evaluate(question)
	fault, at := a.rng.IntN(100), a.rng.IntN(100)
	a.mu.Unlock()
	pause(at)
	switch {
	case err != nil || fault >= a.faults:
		a.answered.Add(1)
		return answer, err
	case fault%4 == 0:
		return nil, nil
	case fault%4 == 1:
		return answer[:at%len(answer)], nil
	case fault%4 == 2:
		answer[0] = byte(at)
		return answer, nil
	}
	return nil, errors.New("lost")
}

// TestRemote has random games searched with help from elsewhere, which comes and goes. With nobody
// here somebody must be there.
func TestRemote(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	outcomes := map[Outcome]int{}
	asked := int64(0)
	graphs := 30
	if race.Enabled {
		graphs = 6
	}
	for i := range graphs {
		g := gametest.NewGraph(rng, 60, 12)
		here := i % 3
		a := &away{rng: rand.New(rand.NewPCG(uint64(i), 0)), faults: i % 2 * 30, evaluate: NewEvaluator[int, int](g, &allMoves[int, int]{game: g})}
		var calls atomic.Int64
		r := &Remote{Ask: a.ask, Positions: func() int {
			if n := calls.Add(1); here > 0 || n%4 == 0 {
				return int(n % 7)
			}
			return 1
		}}
		list, err := NewBackends[int, int](g, nil, Config{Memory: 1 << 20, Remote: r}, here)
		require.NoError(t, err)
		require.Len(t, list, 1)
		known := map[int]games.Result{}
		for p := range g.Moves {
			if _, finished := g.Outcome(p); finished || p%20 != 0 {
				continue
			}
			answer, err := list[0].Search(t.Context(), &Job{Question: Question{string(g.AppendPosition(nil, p)), true}, Budget: 1 << 30})
			require.NoError(t, err)
			require.True(t, answer.Outcome.Settled())
			require.Equal(t, gametest.Negamax(g, p, known) == games.Won, answer.Outcome == Proven)
			require.NotEmpty(t, answer.Fragment)
			outcomes[answer.Outcome]++
		}
		asked += a.answered.Load()
	}
	t.Log(outcomes, asked)
	require.Greater(t, min(outcomes[Proven], outcomes[Disproven]), graphs)
	require.Greater(t, asked, int64(10*graphs))
}

// TestRemoteOrder has a search with help expand few positions that the search alone does not, and end in the same
// proof.
func TestRemoteOrder(t *testing.T) {
	g, err := gomoku.Family.Open("gomoku:size=4x6,k=4")
	require.NoError(t, err)
	job := &Job{Question: Question{string(g.AppendPosition(nil, g.Start())), true}, Budget: 1 << 30}
	alone, err := NewBackends(g, branchers[gomoku.Position, gomoku.Square](g), Config{}, 1)
	require.NoError(t, err)
	want, err := alone[0].Search(t.Context(), job)
	require.NoError(t, err)
	a := &away{rng: rand.New(rand.NewPCG(1, 2)), evaluate: NewEvaluator(g, newBrancher[gomoku.Position, gomoku.Square](g))}
	for here := range 2 {
		r := &Remote{Ask: a.ask, Positions: func() int { return 3 }}
		list, err := NewBackends(g, branchers[gomoku.Position, gomoku.Square](g), Config{Remote: r}, here)
		require.NoError(t, err)
		got, err := list[0].Search(t.Context(), job)
		require.NoError(t, err)
		require.Equal(t, want.Outcome, got.Outcome)
		require.Equal(t, want.Fragment, got.Fragment)
		require.Less(t, got.Nodes, want.Nodes*13/10)
	}
	require.Greater(t, a.answered.Load(), int64(want.Nodes/2))
}

// TestRemoteSilent has others take so long to answer that the search here must be half done before: it does not wait.
func TestRemoteSilent(t *testing.T) {
	g := gametest.NewGraph(rand.New(rand.NewPCG(53, 54)), 60, 12)
	job := &Job{Question: Question{string(g.AppendPosition(nil, g.Start())), true}, Budget: 1 << 30}
	alone, err := NewBackends[int, int](g, nil, Config{}, 1)
	require.NoError(t, err)
	want, err := alone[0].Search(t.Context(), job)
	require.NoError(t, err)
	half := make(chan struct{})
	var expanded atomic.Uint64
	counting := func() Brancher[int, int] {
		return beside{&allMoves[int, int]{game: g}, func(int) {
			if expanded.Add(1) == want.Nodes/2 {
				close(half)
			}
		}}
	}
	r := &Remote{Positions: func() int { return 3 }, Ask: func([]byte) ([]byte, error) {
		select {
		case <-half:
			return nil, errors.New("too late")
		case <-time.After(time.Minute):
			t.Error("the search waits")
			return nil, errors.New("never")
		}
	}}
	list, err := NewBackends(g, counting, Config{Remote: r}, 1)
	require.NoError(t, err)
	got, err := list[0].Search(t.Context(), job)
	require.NoError(t, err)
	require.Equal(t, want.Outcome, got.Outcome)
}

// TestEvaluator compares the branches of an evaluator with those of the brancher.
func TestEvaluator(t *testing.T) {
	rng := rand.New(rand.NewPCG(55, 56))
	for _, spec := range []string{"gomoku:size=4x9,k=4", "gomoku:size=6x9", "gomoku"} {
		g, err := gomoku.Family.Open(spec)
		require.NoError(t, err)
		b := newBrancher[gomoku.Position, gomoku.Square](g)
		far := &remoteBrancher[gomoku.Position, gomoku.Square]{game: g, remote: &Remote{Ask: NewEvaluator(g, newBrancher[gomoku.Position, gomoku.Square](g))}}
		for range 30 {
			p := g.Start()
			for range rng.IntN(12) {
				moves := g.AppendMoves(nil, p)
				q := g.Play(p, moves[rng.IntN(len(moves))])
				if _, finished := g.Outcome(q); finished {
					break
				}
				p = q
			}
			for _, attacker := range []bool{false, true} {
				want, complete := b.AppendBranches(nil, p, attacker)
				got, same := far.AppendBranches(nil, p, attacker)
				require.Equal(t, want, got)
				require.Equal(t, complete, same)
			}
		}
		evaluate := NewEvaluator(g, b)
		for _, question := range []string{"", "0", "1nonsense", "2" + string(g.AppendPosition(nil, g.Start()))} {
			_, err := evaluate([]byte(question))
			require.Error(t, err, question)
		}
	}
	g := gametest.NewGraph(rng, 2, 1)
	_, err := NewEvaluator[int, int](g, &allMoves[int, int]{game: g})(append([]byte{yes}, g.AppendPosition(nil, len(g.Moves)-1)...))
	require.ErrorIs(t, err, errQuestion)
	require.ErrorContains(t, err, "the game is over")
}

// FuzzAnswer reads branches: what is accepted is legal, and would be written in the same way.
func FuzzAnswer(f *testing.F) {
	g, err := gomoku.Family.Open("gomoku:size=4x7,k=4")
	require.NoError(f, err)
	p := g.Start()
	answer, err := NewEvaluator(g, newBrancher[gomoku.Position, gomoku.Square](g))(g.AppendPosition([]byte{yes}, p))
	require.NoError(f, err)
	f.Add(answer)
	f.Add([]byte{yes, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x04, 2, 'a', '1'})
	f.Fuzz(func(t *testing.T, text []byte) {
		list, complete, err := readAnswer(nil, g, p, text)
		if err != nil {
			return
		}
		again := binary.AppendUvarint(appendFlag(nil, complete), uint64(len(list)))
		for _, b := range list {
			require.True(t, b.Proof <= Unproven && b.Disproof <= Unproven)
			require.Contains(t, g.AppendMoves(nil, p), b.Move)
			again = appendBranch(again, g, p, &b)
		}
		second, same, err := readAnswer(nil, g, p, again)
		require.NoError(t, err)
		require.Equal(t, list, second)
		require.Equal(t, complete, same)
	})
}
