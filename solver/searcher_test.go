package solver

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
)

// judged is a graph whose checker takes the certificate [Known] where it is true.
type judged struct {
	games.Game[int, int]
	value func(p int) games.Result
	mu    sync.Mutex
	knows int // certificates
}

var _ proof.Certifier[int] = (*judged)(nil)

// CheckCertificate implements [proof.Certifier].
func (j *judged) CheckCertificate(_ *proof.Work, p int, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	claimant := j.value(p)
	if !claimantToMove {
		claimant = -claimant
	}
	if string(certificate) != Known || claimant != games.Won && (goal == proof.Win || claimant == games.Lost) {
		return fmt.Errorf("%q of %v", certificate, claimant)
	}
	j.knows++
	return nil
}

// TestBackend asks about all positions of random games in turns, in small steps. It
// compares what is found with the truth, and checks each proof, with what is known of the
// positions one move on and without.
func TestBackend(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	answers := map[Outcome]int{}
	failed, moves, knows := 0, 0, 0
	graphs := 100
	switch {
	case race.Enabled:
		graphs = 12
	case testing.Short():
		graphs = 40
	}
	for i := range graphs {
		var g games.Game[int, int]
		var value func(p int) games.Result
		restricted, size := false, 0
		cfg := Config{Method: Method(i / 2 % 2), Memory: 1 << 14}
		known := map[int]games.Result{}
		if i%4 == 3 {
			c := gametest.NewCyclic(rng, 4+rng.IntN(40))
			g, known, size = c, c.Values(), len(c.Moves)
			value = func(p int) games.Result { return known[p] }
		} else {
			acyclic := gametest.NewGraph(rng, 4+rng.IntN(8), 12)
			restricted = i%8 < 2
			g, size = newSeer(acyclic, rng, known, restricted), len(acyclic.Moves)
			value = func(p int) games.Result { return gametest.Negamax(acyclic, p, known) }
		}
		list, err := newSearchers(g, branchers(g), cfg, 1+i%3)
		require.NoError(t, err)
		b := list[0]
		right := func(p int, attackerToMove bool, answer Outcome) bool {
			wins := value(p) == games.Lost
			if attackerToMove {
				wins = value(p) == games.Won
			}
			return (answer == Proven) == wins
		}
		check := func(p int, attackerToMove bool, answer Outcome, known func(int, bool) bool) {
			header := proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: []proof.Claim{Claim(attackerToMove, answer == Proven)}}
			var file bytes.Buffer
			w, err := proof.NewWriter(&file, header)
			require.NoError(t, err)
			_, err = b.writeProof(t.Context(), w, p, attackerToMove, answer == Proven, 0, known, list[1:]...)
			if i%4 == 3 && answer == Disproven {
				require.ErrorIs(t, err, ErrRepetition)
				return
			}
			require.NoError(t, err)
			require.NoError(t, w.Close())
			r, err := proof.NewReader(&file)
			require.NoError(t, err)
			j := &judged{Game: g, value: value}
			_, err = proof.Check(t.Context(), r, games.Game[int, int](j), proof.CheckOptions{})
			require.NoError(t, err)
			if known == nil {
				require.Zero(t, j.knows)
			}
			knows += j.knows
		}
		for p := range size {
			if _, finished := g.Outcome(p); finished {
				continue
			}
			attackerToMove := rng.IntN(2) == 0
			for range 100 {
				f, err := b.search(t.Context(), p, attackerToMove, Limits{Nodes: 5})
				require.NoError(t, err)
				require.LessOrEqual(t, f.Nodes, uint64(6))
				if f.Outcome == Failed {
					require.True(t, restricted)
					failed++
					break
				}
				if f.Outcome != Unknown {
					require.True(t, right(p, attackerToMove, f.Outcome))
					answers[f.Outcome]++
					if !restricted {
						check(p, attackerToMove, f.Outcome, nil)
						check(p, attackerToMove, f.Outcome, func(q int, attackerToMove bool) bool {
							return q != p && right(q, attackerToMove, f.Outcome)
						})
					}
					break
				}
				require.True(t, f.Proof > 0 && f.Proof < Unproven && f.Disproof > 0 && f.Disproof < Unproven)
				for _, m := range f.Moves {
					if m.Outcome.Settled() {
						require.True(t, right(g.Play(p, m.Move), !attackerToMove, m.Outcome))
						moves++
					} else if m.Outcome == Unknown {
						require.True(t, m.Proof > 0 && m.Proof < Unproven && m.Disproof > 0 && m.Disproof < Unproven)
					}
				}
			}
		}
	}
	t.Log(answers, failed, moves, knows)
	if race.Enabled {
		return // The counts of so few graphs differ widely from run to run.
	}
	require.Greater(t, min(answers[Proven], answers[Disproven], moves, knows), 5*graphs)
	require.Greater(t, failed, graphs/5)
}

// TestBackendMemory has a back end forget what it has found, again and again.
func TestBackendMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	g := gametest.NewGraph(rng, 40, 12)
	known := map[int]games.Result{}
	list, err := newSearchers[int, int](g, nil, Config{Memory: 1}, 1)
	require.NoError(t, err)
	b := list[0]
	for p := range g.Moves {
		if _, finished := g.Outcome(p); finished {
			continue
		}
		f, err := b.search(t.Context(), p, true, Limits{Nodes: 1 << 20})
		require.NoError(t, err)
		if f.Outcome != Unknown {
			require.Equal(t, gametest.Negamax(g, p, known) == games.Won, f.Outcome == Proven)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range []Method{BestFirst, DepthFirst} {
		list, err := newSearchers[int, int](gametest.NewGraph(rng, 400, 12), nil, Config{Method: method}, 1)
		require.NoError(t, err)
		f, err := list[0].search(ctx, 0, true, Limits{Nodes: 1 << 40})
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.NotEqual(t, Unknown, f.Outcome)
		}
	}
}

// TestBackendsShare has back ends that were made together search all positions of random
// games side by side, in small steps, each in an order of its own and with little memory.
// What they find is true, and what one has found the others know.
func TestBackendsShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for i := range 8 {
		g := gametest.NewGraph(rng, 30, 12)
		known := map[int]games.Result{}
		for p := range g.Moves {
			gametest.Negamax(g, p, known)
		}
		list, err := newSearchers[int, int](g, nil, Config{Method: Method(i % 2), Memory: 1 << (14 + i%4*4)}, 4)
		require.NoError(t, err)
		var group sync.WaitGroup
		for _, b := range list {
			order := rng.Perm(len(g.Moves))
			group.Go(func() {
				for _, p := range order {
					if _, finished := g.Outcome(p); finished {
						continue
					}
					answer := Unknown
					for nodes := uint64(7); answer == Unknown && nodes < 1<<20; nodes *= 2 {
						f, err := b.search(context.Background(), p, true, Limits{Nodes: nodes})
						assert.NoError(t, err)
						answer = f.Outcome
					}
					assert.NotEqual(t, Unknown, answer)
					assert.Equal(t, known[p] == games.Won, answer == Proven)
				}
			})
		}
		group.Wait()
	}
	for _, method := range []Method{BestFirst, DepthFirst} {
		g := gametest.NewGraph(rng, 30, 12)
		list, err := newSearchers[int, int](g, nil, Config{Method: method, Memory: 1 << 22}, 2)
		require.NoError(t, err)
		expanded := uint64(0)
		for n, b := range list {
			for p := range g.Moves {
				if _, finished := g.Outcome(p); finished {
					continue
				}
				f, err := b.search(t.Context(), p, true, Limits{Nodes: 1 << 40})
				require.NoError(t, err)
				if n == 1 {
					require.LessOrEqual(t, f.Nodes, uint64(1))
				}
				expanded += f.Nodes
			}
		}
		require.Greater(t, expanded, uint64(len(g.Moves)/2))
	}
}
