package solver

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/proof"
)

// TestTogether has back ends search random games together, within limits of the numbers that
// grow: a search ends when they are exceeded, and what is found is true.
func TestTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 38))
	ended := 0
	for range 40 {
		g := gametest.NewGraph(rng, 60, 12)
		known := map[int]games.Result{}
		list, err := newSearchers[int, int](g, nil, Config{Memory: 1 << 24}, 1+rng.IntN(3))
		require.NoError(t, err)
		for p := range g.Moves {
			if _, finished := g.Outcome(p); finished {
				continue
			}
			l := Limits{Nodes: 1 << 20, Proof: 1, Disproof: 1}
			f, err := list[0].search(t.Context(), p, true, l, list[1:]...)
			for require.NoError(t, err); f.Outcome == Unknown; require.NoError(t, err) {
				require.True(t, f.Proof > l.Proof || f.Disproof > l.Disproof, "it has ended early")
				l.Proof, l.Disproof = max(l.Proof, f.Proof), max(l.Disproof, f.Disproof)
				f, err = list[0].search(t.Context(), p, true, l, list[1:]...)
				ended++
			}
			require.Equal(t, gametest.Negamax(g, p, known) == games.Won, f.Outcome == Proven)
		}
	}
	t.Log(ended)
	require.Greater(t, ended, 500)
}

// beside is a brancher that does something else first.
type beside struct {
	Brancher[int, int]
	first func(p int)
}

func (b beside) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	b.first(p)
	return b.Brancher.AppendBranches(dst, p, attackerToMove)
}

// unfinished returns a graph with these moves in which no game ends.
func unfinished(moves [][]int) *gametest.Graph {
	g := &gametest.Graph{Moves: moves}
	for p := range moves {
		g.Layers, g.Outcomes = append(g.Layers, p), append(g.Outcomes, games.Unfinished)
	}
	return g
}

// certifying is a brancher that does something else before it looks for a certificate.
type certifying struct {
	Brancher[int, int]
	first func()
}

func (b certifying) AppendCertificate(dst []byte, p int, attackerToMove bool) ([]byte, bool) {
	b.first()
	return b.Brancher.AppendCertificate(dst, p, attackerToMove)
}

// pause lets other goroutines run so many times.
func pause(times int) {
	for range times {
		runtime.Gosched()
	}
}

// TestScouts has helpers find part of a proof, whose writer is slow.
func TestScouts(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	scouted := 0
	for range 20 {
		g := gametest.NewGraph(rng, 60, 12)
		list, err := newSearchers[int, int](g, nil, Config{Memory: 1 << 24}, 3)
		require.NoError(t, err)
		f, err := list[0].search(t.Context(), 0, true, Limits{Nodes: 1 << 20})
		require.NoError(t, err)
		if f.Outcome != Disproven {
			continue
		}
		var mu sync.Mutex
		for i, b := range list {
			b.solver.rules.brancher = certifying{b.solver.rules.brancher, func() {
				if i == 0 {
					pause(10_000)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				scouted++
			}}
		}
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, 0)), Claims: []proof.Claim{Claim(true, false)}})
		require.NoError(t, err)
		ended, end := context.WithCancel(t.Context())
		end()
		_, err = list[0].writeProof(ended, w, 0, true, false, 0, nil, list[1:]...)
		require.ErrorIs(t, err, context.Canceled)
		_, err = list[0].writeProof(t.Context(), w, 0, true, false, 0, nil, list[1:]...)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		r, err := proof.NewReader(&file)
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, games.Game[int, int](g), proof.CheckOptions{})
		require.NoError(t, err)
	}
	require.Greater(t, scouted, 20)
}

// TestNodesTogether has two back ends share the nodes of a job in which only one of them can
// have something to do at a time.
func TestNodesTogether(t *testing.T) {
	const nodes = 10
	var line [][]int
	for p := range 2 * nodes {
		line = append(line, []int{p + 1})
	}
	g := unfinished(append(line, nil))
	for range 20 {
		list, err := newSearchers[int, int](g, nil, Config{Memory: 1 << 24}, 2)
		require.NoError(t, err)
		for i := range list {
			list[i].solver.rules.brancher = beside{&allMoves[int, int]{game: g}, func(int) { runtime.Gosched() }}
		}
		f, err := list[0].search(t.Context(), 0, true, Limits{Nodes: nodes}, list[1])
		require.NoError(t, err)
		require.GreaterOrEqual(t, f.Nodes, uint64(nodes))
		require.LessOrEqual(t, f.Nodes, uint64(nodes+2), "both may evaluate the root, and one more ahead")
	}
}

// pair returns two searches of a new tree that are otherwise like s.
func pair(t *testing.T, s search[int, int]) (a, b *search[int, int]) {
	s.arena = newArena[int, int]()
	other := s
	return &s, &other
}

// TestNoLeafTwice has a search come to a leaf that another one evaluates: it takes the leaf
// beside it, or waits.
func TestNoLeafTwice(t *testing.T) {
	lists := map[string][][]int{"two": {{1, 2}, {3}, {3}, {4}, {5}, nil}, "one": {{1}, {2}, {3}, {4}, {5}, nil}}
	for name, moves := range lists {
		for _, steady := range []bool{false, true} {
			for _, attacker := range []bool{false, true} {
				t.Run(fmt.Sprintf("leaves=%s,steady=%v,attacker=%v", name, steady, attacker), func(t *testing.T) {
					noLeafTwice(t, unfinished(moves), steady, attacker)
				})
			}
		}
	}
}

func noLeafTwice(t *testing.T, g *gametest.Graph, steady, attacker bool) {
	r := rules[int, int]{game: g, layerer: g}
	a, b := pair(t, search[int, int]{rules: r, limits: Limits{Nodes: 10}.Shared(), steady: steady})
	var mu sync.Mutex
	count := map[int]int{}
	add := func(p int) {
		mu.Lock()
		defer mu.Unlock()
		count[p]++
	}
	stepped := make(chan error, 1)
	b.brancher = beside{&allMoves[int, int]{game: g}, add}
	a.brancher = beside{&allMoves[int, int]{game: g}, func(p int) {
		add(p)
		go func() {
			_, err := b.step()
			stepped <- err
		}()
		pause(100_000) // for the other one to look
	}}
	require.NoError(t, b.start(0, attacker))
	require.NoError(t, a.start(0, attacker))
	_, err := a.step()
	require.NoError(t, err)
	require.NoError(t, <-stepped)
	require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1}, count)
}

// TestStoppedBesideAnother has two steady searches of a shared tree evaluate the same leaf, the
// last of a node. One of them gives it a node; the other, which is stopped, must not undo that.
func TestStoppedBesideAnother(t *testing.T) {
	// The defender has two moves; each leads along a line to a win of the attacker.
	const length = 300
	moves := [][]int{{1, 2}}
	for p := 1; p < 2*length; p++ {
		moves = append(moves, []int{p + 2})
	}
	g := unfinished(append(moves, nil, nil))
	end := len(g.Moves) - 1
	g.Outcomes[end], g.Outcomes[end-1] = games.Win(0), games.Loss(0)
	knows := &scripted{g, map[int][]Branch[int]{
		0: {{Move: 1, Proof: 1, Disproof: 1}, {Move: 2, Proof: 1, Disproof: 1}},
		1: {{Move: 3, Proof: 1, Disproof: 100}},
		2: {{Move: 4, Proof: 0, Disproof: unproven}},
		3: {{Move: 5, Proof: 1, Disproof: 1}},
		5: {{Move: 7, Proof: 0, Disproof: unproven}},
	}, nil}
	r := rules[int, int]{game: g, layerer: g, brancher: knows}
	a, b := pair(t, search[int, int]{rules: r, steady: true})
	tree := a.arena
	require.NoError(t, b.start(0, false))

	plain, err := New[int, int](g, nil, 0, Config{})
	require.NoError(t, err)
	a.rules = plain.rules
	a.second = &search[int, int]{rules: plain.rules, arena: newArena[int, int]()}
	require.NoError(t, a.start(0, false))
	a.check = func() error {
		for tree.find(1, true) == none {
			_, err := b.step()
			require.NoError(t, err)
		}
		return context.Canceled
	}
	_, err = a.step()
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, moveFinding[int]{Move: 1, Proof: 1, Disproof: 100}, b.found().Moves[0])
	require.NoError(t, b.run())
	require.Equal(t, Proven, b.found().Outcome)
}

// TestEffortTogether has two steady searches below a node when one of them proves it: what was
// spent there is taken off above once.
func TestEffortTogether(t *testing.T) {
	g := unfinished([][]int{{1, 2}, {3, 4}, {5}, {5}, {5}, {6}, nil})
	one := Branch[int]{Proof: 1, Disproof: 1}
	branch := func(m int) Branch[int] { one.Move = m; return one }
	knows := &scripted{g, map[int][]Branch[int]{
		0: {branch(1), branch(2)},
		1: {branch(3), branch(4)},
		3: {{Move: 5, Proof: 0, Disproof: unproven}},
	}, nil}
	r := rules[int, int]{game: g, layerer: g, brancher: knows}
	a, b := pair(t, search[int, int]{rules: r, steady: true})
	tree := a.arena
	require.NoError(t, a.start(0, false))
	require.NoError(t, b.start(0, false))
	_, err := a.step() // into 1
	require.NoError(t, err)
	root, below := tree.nodes.at(tree.find(0, false)), tree.nodes.at(tree.find(1, true))
	root.effort, below.effort = 100, 10
	stepped := false
	a.brancher = beside{knows, func(int) {
		_, err := b.step()
		require.NoError(t, err)
		stepped = true
	}}
	_, err = a.step()
	require.NoError(t, err)
	require.True(t, stepped)
	require.Zero(t, below.proof)
	require.EqualValues(t, 90, root.effort)
}

// TestAhead has several steady searches do together what one does, and in the same order.
func TestAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	answers, looked := 0, uint64(0)
	for range 100 {
		g := gametest.NewGraph(rng, 80, 6)
		if _, finished := g.Outcome(0); finished {
			continue
		}
		play := func(searches int) (answered [][2]int, expanded uint64) {
			a, err := NewAttack(g, &allMoves[int, int]{game: g}, 1<<30)
			require.NoError(t, err)
			list := []*Attack[int, int]{a}
			for range searches - 1 {
				list = append(list, a.Share(beside{&allMoves[int, int]{game: g}, func(p int) { pause(p % 3 * 500) }}))
			}
			l := Limits{Nodes: 1 << 20}.Shared()
			var group sync.WaitGroup
			for _, a := range list {
				a.Answered = func(q, m int) {
					pause(2000)                               // for others to go on, if they did not wait
					answered = append(answered, [2]int{q, m}) // without a lock: only who leads does this
					if _, _, open, _ := a.Open(q, false); len(open) > 0 && (q+m)%2 == 0 {
						var moves []int // the node is proven: so may be another above
						for _, o := range open {
							moves = append(moves, o.Move)
						}
						a.Answer(q, moves)
					}
				}
				group.Go(func() {
					_, err := a.Search(t.Context(), 0, true, l)
					require.NoError(t, err)
				})
			}
			group.Wait()
			return answered, l.Used()
		}
		alone, expanded := play(1)
		together, more := play(3)
		require.Equal(t, alone, together)
		require.GreaterOrEqual(t, more, expanded)
		answers, looked = answers+len(alone), looked+more-expanded
	}
	t.Log(answers, looked)
	require.Greater(t, answers, 100)
	require.Positive(t, looked, "not all that they look at is needed")
}

// TestOrder has several best-first searches with limits do together what one does: they end with
// the same numbers.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	open, looked := 0, uint64(0)
	for range 60 {
		g := gametest.NewGraph(rng, 120, 8)
		if _, finished := g.Outcome(0); finished {
			continue
		}
		l := Limits{Nodes: 1 + rng.Uint64N(60)}
		if rng.IntN(2) == 0 {
			l = Limits{Nodes: 1 << 20, Proof: 1 + rng.Uint32N(6), Disproof: 1 + rng.Uint32N(6)}
		}
		play := func(searches int) (list []finding[int]) {
			b, err := newSearchers[int, int](g, nil, Config{Memory: 1 << 24}, searches)
			require.NoError(t, err)
			for i := range b {
				b[i].solver.rules.brancher = beside{&allMoves[int, int]{game: g}, func(p int) {
					if searches > 1 {
						pause(p % 3 * 500)
					}
				}}
			}
			for range 3 { // the second job goes on where the first one ended
				f, err := b[0].search(t.Context(), 0, true, l, b[1:]...)
				require.NoError(t, err)
				list = append(list, f)
			}
			return list
		}
		alone, together := play(1), play(3)
		for i := range alone {
			looked += together[i].Nodes - alone[i].Nodes
			if together[i].Nodes = alone[i].Nodes; alone[i].Outcome == Unknown {
				open++
			}
		}
		require.Equal(t, alone, together)
	}
	t.Log(open, looked)
	require.Greater(t, open, 30)
	require.Positive(t, looked, "not all that they expand is needed")
}

// TestPredict looks ahead after each step of a search: it changes nothing, and what it finds is a
// leaf that was not evaluated.
func TestPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 50))
	found, passed, solved := 0, 0, 0
	for range 60 {
		g := gametest.NewGraph(rng, 120, 8)
		if _, finished := g.Outcome(0); finished {
			continue
		}
		r := rules[int, int]{game: g, layerer: g, brancher: &allMoves[int, int]{game: g}}
		s := &search[int, int]{rules: r, arena: newArena[int, int]()}
		require.NoError(t, s.start(0, true))
		state := func() (nodes []node[int, int], edges [][]edge[int]) {
			for number := uint32(1); number < s.nodeCount; number++ {
				n := *s.nodes.at(number)
				n.links = none // those to solved nodes are removed when they are met
				nodes, edges = append(nodes, n), append(edges, slices.Clone(s.edgesOf(&n)))
			}
			return nodes, edges
		}
		for done := false; !done; {
			s.mu.Lock()
			for i := 0; i < 3 && !s.nodes.at(s.root).solved(); i++ {
				nodes, edges := state()
				parent, number, ok := s.lookAhead()
				after, afterEdges := state()
				require.Equal(t, nodes, after)
				require.Equal(t, edges, afterEdges)
				passed += len(s.guesses)
				if n := s.nodes.at(parent); ok {
					found++
					p, attacker := s.follow(n, s.edges.at(number))
					require.Equal(t, uint32(none), s.find(p, attacker))
					if rng.IntN(2) == 0 { // so that later ones pass it
						require.NoError(t, s.look(parent, number))
						if s.nodes.at(s.find(p, attacker)).solved() {
							solved++
						}
					}
				}
			}
			s.mu.Unlock()
			var err error
			done, err = s.step()
			require.NoError(t, err)
		}
	}
	t.Log(found, passed, solved)
	require.Greater(t, found, 500)
	require.Greater(t, passed, 500)
	require.Greater(t, solved, 50)
}

// TestLookAheadEnds has a search only look ahead, since the one that leads is held up: twice its
// nodes are enough.
func TestLookAheadEnds(t *testing.T) {
	moves := [][]int{{}}
	for p := 1; p < 20; p++ {
		moves[0] = append(moves[0], p)
		moves = append(moves, []int{20})
	}
	g := unfinished(append(moves, nil))
	for _, steady := range []bool{false, true} {
		r := rules[int, int]{game: g, layerer: g, brancher: &allMoves[int, int]{game: g}}
		s := &search[int, int]{rules: r, arena: newArena[int, int](), limits: Limits{Nodes: 2}.Shared(), steady: steady}
		require.NoError(t, s.start(0, !steady))
		s.limits.shared.led = true
		require.ErrorIs(t, s.run(), errLimit)
		require.EqualValues(t, 4, s.limits.Used())
		require.EqualValues(t, 1, s.limits.shared.taken, "the root")
	}
}

// TestStoppedInWait stops a steady search that has nothing to do while another one evaluates the
// only leaf.
func TestStoppedInWait(t *testing.T) {
	g := unfinished([][]int{{1}, {2}, {3}, nil})
	evaluates, goOn := make(chan struct{}), make(chan struct{})
	a, err := NewAttack(g, beside{&allMoves[int, int]{game: g}, func(p int) {
		if p == 1 {
			close(evaluates)
			<-goOn
		}
	}}, 1<<30)
	require.NoError(t, err)
	l := Limits{Nodes: 2}.Shared()
	done := make(chan error, 1)
	go func() {
		_, err := a.Search(t.Context(), 0, true, l)
		done <- err
	}()
	<-evaluates
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = a.Share(&allMoves[int, int]{game: g}).Search(ctx, 0, true, Limits{Nodes: 1 << 20, shared: l.shared})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(goOn)
	require.NoError(t, <-done)
}
