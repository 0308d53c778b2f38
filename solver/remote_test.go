package solver

import (
	"context"
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
	pause(at / 10)
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

// TestRemote has random games searched with help from elsewhere, which comes and goes.
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
		here := 1 + i%2
		a := &away{rng: rand.New(rand.NewPCG(uint64(i), 0)), faults: i % 2 * 30, evaluate: NewEvaluator[int, int](g, &allMoves[int, int]{game: g})}
		var calls atomic.Int64
		r := &Remote{Ask: a.ask, Requests: func() int { return int(calls.Add(1) % 7) }}
		slow := func() Brancher[int, int] { return beside{&allMoves[int, int]{game: g}, func(int) { pause(300) }} }
		list, err := NewBackends(g, slow, Config{Memory: 1 << 20, Remote: r}, here)
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

// TestRemoteLimits has searches with help end at small limits, again and again.
func TestRemoteLimits(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	rng := rand.New(rand.NewPCG(57, 58))
	open := 0
	for i := range 20 {
		g := gametest.NewGraph(rng, 60, 12)
		a := &away{rng: rand.New(rand.NewPCG(uint64(i), 1)), evaluate: NewEvaluator[int, int](g, &allMoves[int, int]{game: g})}
		r := &Remote{Ask: a.ask, Requests: func() int { return 5 }}
		list, err := NewBackends[int, int](g, nil, Config{Memory: 1 << (12 + i/2), Remote: r}, 1+i%2)
		require.NoError(t, err)
		for n := range 20 {
			answer, err := list[0].Search(ctx, &Job{Question: Question{string(g.AppendPosition(nil, n*30)), true}, Budget: uint64(1 + n)})
			if _, finished := g.Outcome(n * 30); finished {
				continue
			}
			require.NoError(t, err)
			if answer.Outcome == Unknown {
				open++
			}
		}
	}
	require.Greater(t, open, 100)
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
		here++
		r := &Remote{Ask: a.ask, Requests: func() int { return 3 }}
		list, err := NewBackends(g, branchers[gomoku.Position, gomoku.Square](g), Config{Remote: r}, here)
		require.NoError(t, err)
		got, err := list[0].Search(t.Context(), job)
		require.NoError(t, err)
		require.Equal(t, want.Outcome, got.Outcome)
		require.Equal(t, want.Fragment, got.Fragment)
		require.Less(t, got.Nodes, want.Nodes*13/10)
	}
	require.NotZero(t, a.answered.Load())
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
	r := &Remote{Requests: func() int { return 3 }, Ask: func([]byte) ([]byte, error) {
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

// TestEvaluator compares what an evaluator says about several positions with what the brancher says.
func TestEvaluator(t *testing.T) {
	type position = gomoku.Position
	type move = gomoku.Square
	rng := rand.New(rand.NewPCG(55, 56))
	certificates := 0
	for _, spec := range []string{"gomoku:size=4x9,k=4", "gomoku:size=6x9", "gomoku"} {
		g, err := gomoku.Family.Open(spec)
		require.NoError(t, err)
		b := newBrancher[position, move](g)
		far := &remoteBrancher[position, move]{game: g, remote: &Remote{Ask: NewEvaluator(g, newBrancher[position, move](g))}}
		var list []asked[position]
		for range 60 {
			p := g.Start()
			for range rng.IntN(50) {
				moves := g.AppendMoves(nil, p)
				q := g.Play(p, moves[rng.IntN(len(moves))])
				if _, finished := g.Outcome(q); finished {
					break
				}
				p = q
			}
			list = append(list, asked[position]{p, ask(rng.IntN(int(askBranches << 1)))})
		}
		require.True(t, far.fetch(list))
		for _, a := range list {
			attacker := a.what&askAttacker != 0
			if a.what&askCertificate != 0 {
				want, has := b.AppendCertificate([]byte("x"), a.position, attacker)
				got, same := far.AppendCertificate([]byte("x"), a.position, attacker)
				require.Equal(t, has, same)
				if has {
					certificates++
					require.Equal(t, string(want), string(got))
					continue // its branches were not asked for
				}
			}
			if a.what&askBranches != 0 {
				want, complete := b.AppendBranches(nil, a.position, attacker)
				got, same := far.AppendBranches(nil, a.position, attacker)
				require.Equal(t, want, got)
				require.Equal(t, complete, same)
			}
		}
		require.Nil(t, far.local, "it asked itself")
		evaluate := NewEvaluator(g, b)
		for _, question := range []string{"0", "\x01\x08nonsense", "\x01\xff", "\x08" + string(appendText(nil, g.AppendPosition(nil, g.Start())))} {
			_, err := evaluate([]byte(question))
			require.Error(t, err, question)
		}
	}
	require.Greater(t, certificates, 10)
	g := gametest.NewGraph(rng, 2, 1)
	_, err := NewEvaluator[int, int](g, &allMoves[int, int]{game: g})(appendText([]byte{byte(askBranches)}, g.AppendPosition(nil, len(g.Moves)-1)))
	require.ErrorIs(t, err, errQuestion)
	require.ErrorContains(t, err, "the game is over")
}

// FuzzAnswer reads an answer: what is accepted is legal, and would be written in the same way.
func FuzzAnswer(f *testing.F) {
	g, err := gomoku.Family.Open("gomoku:size=4x7,k=4")
	require.NoError(f, err)
	p := g.Start()
	answer, err := NewEvaluator(g, newBrancher[gomoku.Position, gomoku.Square](g))(appendText([]byte{byte(askBranches)}, g.AppendPosition(nil, p)))
	require.NoError(f, err)
	moves := func() []gomoku.Square { return g.AppendMoves(nil, p) }
	f.Add(byte(askBranches), answer)
	f.Add(byte(askCertificate), []byte{answerCertificate, 2, 'x', 'y'})
	f.Add(byte(askBranches), []byte{answerComplete, 1, 1, 1, byte(len(moves()))}) // one move too many
	f.Add(byte(askBranches), []byte{answerComplete, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x04, 1})
	f.Fuzz(func(t *testing.T, what byte, data []byte) {
		a := remoteAnswer[gomoku.Position, gomoku.Square]{asked: asked[gomoku.Position]{p, ask(what)}}
		rest, err := a.read(moves, data)
		if err != nil {
			return
		}
		var again []byte
		switch a.kind {
		case answerCertificate:
			require.NotZero(t, ask(what)&askCertificate)
			again = appendText([]byte{answerCertificate}, a.certificate)
		case answerNone:
			again = []byte{answerNone}
		default:
			require.NotZero(t, ask(what)&askBranches)
			for _, b := range a.branches {
				require.True(t, b.Proof <= Unproven && b.Disproof <= Unproven)
				require.Contains(t, moves(), b.Move)
			}
			again = appendBranches(nil, moves(), a.branches, a.kind == answerComplete)
		}
		second := remoteAnswer[gomoku.Position, gomoku.Square]{asked: a.asked}
		left, err := second.read(moves, append(again, rest...))
		require.NoError(t, err)
		require.Equal(t, a, second)
		require.Equal(t, rest, left)
	})
}
