package manager

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// stage is a front end whose jobs are answered by hand. The side to move in p0 loses:
// both of its moves lead to positions in which the other side has a move that wins.
type stage struct {
	t       *testing.T
	game    games.Game[int, int]
	front   *FrontEnd
	backend solver.Backend
	out     map[cluster.ID]solver.Job
	stored  map[string][]byte
}

func newStage(t *testing.T) *stage {
	g := &gametest.Graph{
		Moves:    [][]int{{1, 2}, {3, 4}, {3, 4}, nil, nil},
		Outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Loss(0), games.Win(0)},
		Layers:   []int{0, 1, 1, 2, 2},
	}
	list, err := solver.NewBackends[int, int](g, nil, solver.Config{}, 1)
	require.NoError(t, err)
	s := setStage(t, g)
	s.backend = list[0]
	return s
}

// setStage asks whether the side to move in p0 wins.
func setStage(t *testing.T, g games.Game[int, int]) *stage {
	m := Manifest{Game: "graph", Root: "p0", Question: AskWin}
	s := &stage{t: t, game: g, front: newFrontEnd(NewRules(g), nil, m, Policy{Tries: 1}), out: map[cluster.ID]solver.Job{}, stored: map[string][]byte{}}
	s.step(nil)
	return s
}

// check is a [Checker].
func (s *stage) check(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	return proof.Check(ctx, r, s.game, o)
}

func (s *stage) step(r *cluster.Result) Actions {
	a, err := s.front.Step(s.t.Context(), Event{Jobs: 1, Result: r})
	require.NoError(s.t, err)
	for _, w := range a.Writes {
		s.stored[string(w.Key)] = w.Value
	}
	for _, offer := range a.Offer {
		s.out[offer.ID] = *offer.Body.(*solver.Job)
	}
	return a
}

// only returns the job that is out.
func (s *stage) only() (id cluster.ID, j solver.Job) {
	require.Len(s.t, s.front.jobs, 1)
	for id := range s.front.jobs {
		return id, s.out[id]
	}
	return id, j
}

// answer answers the job that is out.
func (s *stage) answer(a *solver.Answer) Actions {
	id, j := s.only()
	a.Question = j.Question
	return s.step(&cluster.Result{Job: id, Worker: "w", Body: a})
}

// search answers the job that is out as a back end does.
func (s *stage) search() *solver.Answer {
	_, j := s.only()
	a, err := s.backend.Search(s.t.Context(), &j)
	require.NoError(s.t, err)
	return a
}

// TestIncomplete has a back end leave out a move of the attacker that may win: that all
// others fail proves nothing.
func TestIncomplete(t *testing.T) {
	s := newStage(t)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}, Incomplete: true})
	_, j := s.only()
	require.Equal(t, solver.Question{Position: "p1", Attacker: false}, j.Question)
	require.True(t, s.answer(s.search()).Done)
	require.Equal(t, solver.Disproven, s.front.nodes[j.Question].outcome)
	require.Equal(t, solver.Failed, s.front.nodes[solver.Question{Position: "p0", Attacker: true}].outcome)
	claims, known := s.front.Claims()
	require.Empty(t, claims)
	require.False(t, known)
}

// TestIncompleteRepetition has a back end leave out a move of the attacker that wins, where
// the other move leads round a cycle: that positions repeat proves nothing.
func TestIncompleteRepetition(t *testing.T) {
	g := gametest.Cyclic{Graph: &gametest.Graph{
		Moves:    [][]int{{1, 2}, {0}, {3}, nil},
		Outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Win(0)},
	}}
	s := setStage(t, g)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}, Incomplete: true})
	require.True(t, s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m0"}}}).Done)
	require.Equal(t, solver.Failed, s.front.nodes[solver.Question{Position: "p0", Attacker: true}].outcome)
}

// TestDecidingMoveLeftOut has a worker leave out a move that wins at once, or holds, and not say
// that it has left out any: that all others fail must prove nothing.
func TestDecidingMoveLeftOut(t *testing.T) {
	for _, c := range []struct {
		result  games.Value
		refused int
	}{{games.Loss(0), 1}, {games.Draw, 0}, {games.Win(0), 0}} {
		g := &gametest.Graph{
			Moves:    [][]int{{1, 2}, {3, 4}, nil, {5}, nil, nil},
			Outcomes: []games.Value{games.Unfinished, games.Unfinished, c.result, games.Unfinished, c.result, games.Draw},
			Layers:   []int{0, 1, 1, 2, 2, 3},
		}
		s := setStage(t, g)
		require.Len(t, s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}}).Warnings, c.refused)
		require.Equal(t, c.refused > 0, s.front.root.leaf(), "as before if it was refused")
		if c.refused == 0 { // with the defender to move a draw, too, is what its side wants
			s.at("p1")
			require.Len(t, s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m3"}}}).Warnings, map[bool]int{true: 1}[c.result != games.Win(0)])
		}
	}
}

// TestClosing has a back end leave out a move that is known to lose: the node is settled
// when its proof has the move too, also if the first attempt was damaged.
func TestClosing(t *testing.T) {
	s := newStage(t)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}})
	s.answer(s.search())
	for i := range 2 {
		_, j := s.only()
		require.Equal(t, solver.Job{Question: solver.Question{Position: "p0", Attacker: true}, Budget: j.Budget, Close: solver.Disproven, Known: []string{"p1"}, Whole: i > 0}, j)
		require.Equal(t, solver.Unknown, s.front.nodes[j.Question].outcome)
		a := s.search()
		a.Fragment = a.Fragment[:len(a.Fragment)-1]
		require.False(t, s.answer(a).Done)
	}
	require.EqualValues(t, 2, s.front.stats.Refused)
	require.True(t, s.answer(s.search()).Done)
	root := s.front.nodes[solver.Question{Position: "p0", Attacker: true}]
	require.Equal(t, solver.Disproven, root.outcome)
	require.Equal(t, byFragment, root.basis)
}

// TestLikely has a leaf whose score says that it is lost: the other one is searched first.
// When the root is lost but for it, the threshold rises past its score, and it is searched.
func TestLikely(t *testing.T) {
	for _, score := range []int32{-45, 45} {
		s := newStage(t)
		s.front.policy.Likely, s.front.policy.Rise, s.front.threshold = 10, 20, 10
		s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1", Score: score}, {Move: "m2", Score: -9}}})
		if score < 0 {
			_, j := s.only()
			require.Equal(t, solver.Question{Position: "p2", Attacker: false}, j.Question)
			require.EqualValues(t, 10, s.front.threshold)
			s.answer(s.search())
		}
		_, j := s.only()
		require.Equal(t, solver.Question{Position: "p1", Attacker: false}, j.Question)
		require.EqualValues(t, 50, s.front.threshold)
		require.Equal(t, solver.Unknown, s.front.root.outcome)
		if s.answer(s.search()); score > 0 {
			s.answer(s.search())
		}
		require.Equal(t, solver.Disproven, s.front.nodes[solver.Question{Position: "p0", Attacker: true}].outcome)
	}
}

// TestFull has a tree that may not grow: the user learns it, once, and jobs become longer.
func TestFull(t *testing.T) {
	s := newStage(t)
	s.front.policy.Nodes = 2
	var budgets []uint64
	for n := range 3 {
		_, j := s.only()
		budgets = append(budgets, j.Budget)
		a := s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}, {Move: "m2"}}})
		require.Len(t, s.front.nodes, 1)
		if n > 0 {
			require.Empty(t, a.Warnings)
			continue
		}
		require.Len(t, a.Warnings, 1)
		require.EqualError(t, a.Warnings[0], "the tree has 1 nodes, and may have 2: it does not grow any more, and jobs become longer instead")
	}
	require.Equal(t, []uint64{1000, 2000, 4000}, budgets)
}

// TestMemory has two leaves: the one that the free back end knows is searched first unless
// the other is far better, and until its proof number is an eighth larger than the other's.
func TestMemory(t *testing.T) {
	s := newStage(t)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}, {Move: "m2"}}, Memory: "b"})
	p1, p2 := s.front.nodes[solver.Question{Position: "p1", Attacker: false}], s.front.nodes[solver.Question{Position: "p2", Attacker: false}]
	s.front.recallAll()
	for _, c := range []struct {
		proof1, proof2   uint32
		memory1, memory2 string
		want             *node
		limit            uint32
	}{
		{8, 31, "b", "b", p1, 35}, {31, 8, "b", "b", p2, 35},
		{8, 31, "a", "b", p2, 35}, {31, 8, "b", "a", p1, 35}, {8, 31, "", "b", p1, 35},
		{8, 32, "a", "b", p1, 37}, {32, 8, "b", "a", p2, 37},
	} {
		p1.proof, p2.proof, p1.memory, p2.memory = c.proof1, c.proof2, c.memory1, c.memory2
		leaf, most := s.front.pick()
		require.Same(t, c.want, leaf, "%+v", c)
		require.Equal(t, c.limit, most.proof, "%+v", c)
	}
}

// TestLimits has the limits of the first of two replies, where other numbers add up.
func TestLimits(t *testing.T) {
	s := newStage(t)
	reply := &node{proof: 5, disproof: 10}
	n := &node{children: []*node{reply, {proof: 7, disproof: 20}}}
	for _, c := range []struct{ node, reply limits }{
		{limits{40, 100}, limits{39, 23}},
		{limits{40, 21}, limits{39, 21}},
		{limits{40, 5}, limits{39, 12}}, // the node is not the best: still an eighth more
		{limits{5, 100}, limits{6, 23}},
		{limits{unproven, unproven}, limits{unproven - 1, 23}},
	} {
		require.Equal(t, c.reply, s.front.below(n, reply, c.node), "%+v", c)
	}
}

// TestExpand has a leaf that is searched twice: only for the second job the back end lists
// moves and writes their proofs, since only then they are used.
func TestExpand(t *testing.T) {
	s := newStage(t)
	s.front = newFrontEnd(NewRules(s.game), nil, s.front.manifest, Policy{Budget: 1, Tries: 2})
	s.step(nil)
	for _, want := range []bool{false, true} {
		_, j := s.only()
		require.Equal(t, want, j.Expand)
		j.Budget = 1 // or the second would settle it
		a, err := s.backend.Search(t.Context(), &j)
		require.NoError(t, err)
		require.Equal(t, solver.Unknown, a.Outcome)
		require.Equal(t, want, len(a.Moves) > 0)
		s.answer(a)
	}
	require.EqualValues(t, 1, s.front.stats.Expanded)
}

// TestRipe has leaves that may have been searched enough to be expanded.
func TestRipe(t *testing.T) {
	for _, c := range []struct {
		tries, jobs, slots int
		spent, all         uint64
		want               bool
	}{
		{2, 1, 1, 1e6, 1e6, false}, {2, 2, 1, 1, 1e6, true},
		{0, 7, 1, 99_999, 99_999, false}, {0, 7, 1, 100_000, 100_000, true},
		{0, 7, 1, 100_000, 1e6, false}, {0, 7, 1, 125_000, 1e6, true},
		{0, 1, 2, 1e6, 1e6, false}, {0, 2, 2, 3000, 48_000, true}, {0, 2, 2, 2999, 48_000, false},
	} {
		f := newStage(t).front
		f.policy.Tries, f.slots = c.tries, c.slots
		require.Equal(t, c.want, f.ready(c.jobs, c.spent, c.all), "%+v", c)
	}
}

// claim returns a proof file with one node that says that the outcome of a question is so.
func (s *stage) claim(q solver.Question, o solver.Outcome, n proof.Node) []byte {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{Game: "graph", Root: q.Position, Claims: []proof.Claim{solver.Claim(q.Attacker, o == solver.Proven)}})
	require.NoError(s.t, err)
	n.Uses, n.Rank, n.Position = 1, 1, []byte(q.Position)
	number, err := w.Add(&n)
	require.NoError(s.t, err)
	require.NoError(s.t, w.EndClaim(number))
	require.NoError(s.t, w.Close())
	return file.Bytes()
}

// TestContradiction has a result contradict one that was merged: one with a proof that is
// accepted is a contradiction, others are refused.
func TestContradiction(t *testing.T) {
	s := newStage(t)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}, {Move: "m2"}}})
	id, j := s.only()
	s.answer(s.search())
	again := cluster.Result{Job: id, Body: &solver.Answer{Question: j.Question, Outcome: solver.Disproven}}
	s.step(&again) // it came twice
	require.EqualValues(t, 1, s.front.stats.Dropped)
	contradiction := solver.Answer{Question: j.Question, Outcome: solver.Proven, Fragment: s.claim(j.Question, solver.Proven, proof.Node{Kind: proof.And})}
	s.front.checker = s.check
	s.step(&cluster.Result{Job: id, Worker: "v", Body: &contradiction})
	require.EqualValues(t, 1, s.front.stats.Refused)
	s.front.checker = nil
	_, err := s.front.Step(t.Context(), Event{Jobs: 1, Result: &cluster.Result{Job: id, Worker: "w", Body: &contradiction}})
	require.ErrorIs(t, err, solver.ErrContradiction)
	require.ErrorContains(t, err, `position "p1" with the attacker not to move is disproven by one result and proven by another`)
}

// TestRefused has results that make no sense and false proofs: each is refused with a warning that
// names its worker, and its job is done again.
func TestRefused(t *testing.T) {
	s := newStage(t)
	s.front.checker = s.check
	_, j := s.only()
	q := j.Question
	answer := func(o solver.Outcome, n proof.Node) cluster.Body {
		return &solver.Answer{Question: q, Outcome: o, Fragment: s.claim(q, o, n)}
	}
	for n, c := range []struct {
		body cluster.Body
		want string
	}{
		{cluster.Bytes(nil), "unexpected end of JSON input"},
		{cluster.Bytes("{"), "unexpected end of JSON input"},
		{&solver.Answer{Question: solver.Question{Position: "p1", Attacker: false}}, "it is about {p1 false}, and the job about {p0 true}"},
		{&solver.Answer{Question: q, Moves: []solver.AnswerMove{{Move: "m9"}}}, `move "m9" in "p0" is not legal`},
		{&solver.Answer{Question: q, Nodes: math.MaxUint64}, "it counts 18446744073709551615 and 0 positions, and 281474976710656 are allowed"},
		{&solver.Answer{Question: q, Nanoseconds: -1}, "it took -1 ns"},
		{&solver.Answer{Question: q, Memory: strings.Repeat("m", 1000)}, "the name of its memory has 1000 bytes, and 256 are allowed"},
		{&solver.Answer{Question: q, Outcome: solver.Disproven}, "a result without its proof"},
		{&solver.Answer{Question: q, Outcome: solver.Proven, Fragment: []byte("x")}, "it does not begin like a proof file"},
		{&solver.Answer{Question: q, Outcome: solver.Proven, Fragment: s.claim(q, solver.Disproven, proof.Node{Kind: proof.And})}, "want that mover wins"},
		{answer(solver.Disproven, proof.Node{Kind: proof.And}), `node 1, position "p0": proof refused: the reply "m1" is not answered`},
		{answer(solver.Proven, proof.Node{Kind: proof.Or, Move: []byte("m2")}), `move "m2" does not decide the game`},
		{answer(solver.Proven, proof.Node{Kind: proof.Certified, Certificate: []byte("sure")}), "know no certificates"},
		{answer(solver.Proven, proof.Node{Kind: proof.Certified, Certificate: []byte(solver.Known)}), "rests on a position that no other has"},
		{&solver.Answer{Question: q, Moves: []solver.AnswerMove{{Move: "m1", Outcome: solver.Proven, Fragment: s.claim(solver.Question{Position: "p1", Attacker: false}, solver.Proven, proof.Node{Kind: proof.And})}}}, `the reply "m3" decides the game`},
	} {
		id, j := s.only()
		require.Equal(t, q, j.Question)
		name := string(rune('a' + n))
		a := s.step(&cluster.Result{Job: id, Worker: name, Body: c.body})
		require.Len(t, a.Warnings, 1, c.want)
		require.ErrorContains(t, a.Warnings[0], `result of worker "`+name+`" refused: `)
		require.ErrorContains(t, a.Warnings[0], c.want)
		require.EqualValues(t, n+1, s.front.stats.Refused)
		require.Equal(t, solver.Unknown, s.front.nodes[q].outcome)
	}
	for !s.answer(s.search()).Done {
	}
	require.Equal(t, solver.Disproven, s.front.nodes[q].outcome, "as it is")
}

// TestRefusedAgain has results of a worker refused in a row: the run ends, unless one is accepted
// between them. Those of another worker change nothing.
func TestRefusedAgain(t *testing.T) {
	s := newStage(t)
	s.front.checker = s.check
	send := func(worker string, a *solver.Answer) error {
		id, j := s.only()
		a.Question = j.Question
		_, err := s.front.Step(t.Context(), Event{Jobs: 1, Result: &cluster.Result{Job: id, Worker: worker, Body: a}})
		for id, out := range s.front.jobs {
			s.out[id] = out.job
		}
		return err
	}
	bad := func() error {
		return send("bad", &solver.Answer{Outcome: solver.Proven, Fragment: []byte("x")})
	}
	for range 2 {
		for range mostRefused - 1 {
			require.NoError(t, bad())
			require.NoError(t, send("good", &solver.Answer{}))
		}
		require.NoError(t, send("bad", &solver.Answer{}))
	}
	for range mostRefused - 1 {
		require.NoError(t, bad())
	}
	err := bad()
	require.ErrorIs(t, err, ErrRefused)
	require.ErrorContains(t, err, `results refused: 10 in a row of worker "bad", the last about position "p0": `)
	require.ErrorContains(t, err, "it does not begin like a proof file; end that worker and run again")
	require.NotErrorIs(t, err, proof.ErrNotProof, "which is an error of the user")
}

// TestRefusers has very many workers of which each sends one bad result: not all are remembered.
func TestRefusers(t *testing.T) {
	s := newStage(t)
	for n := range 2*mostRefusers + 1 {
		s.step(&cluster.Result{Worker: fmt.Sprint(n), Body: cluster.Bytes(nil)})
	}
	require.Len(t, s.front.refused, 1)
}

// TestRefutedWord has a worker say that the defender holds two positions, and another one prove that
// one of them is lost: what rests on the first word alone is open again, and there is a warning.
func TestRefutedWord(t *testing.T) {
	g := gametest.Cyclic{Graph: &gametest.Graph{
		Moves:    [][]int{{1}, {2, 3}, {0, 4}, {0}, nil},
		Outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Unfinished, games.Loss(0)},
	}}
	s := setStage(t, g)
	s.front.checker = s.check
	s.front.manifest.Question = AskValue // so that it goes on with the other side
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}})
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m2"}, {Move: "m3"}}})
	id, j := s.only()
	require.Equal(t, solver.Question{Position: "p2", Attacker: true}, j.Question)
	s.answer(&solver.Answer{Outcome: solver.Unverified})
	outcomes := func() (list []solver.Outcome) {
		for i, position := range []string{"p0", "p1", "p2", "p3"} {
			list = append(list, s.front.nodes[solver.Question{Position: position, Attacker: i != 1}].outcome)
		}
		return list
	}
	require.Equal(t, []solver.Outcome{solver.Unverified, solver.Unverified, solver.Unverified, solver.Unknown}, outcomes())
	late := &solver.Answer{Question: j.Question, Outcome: solver.Proven, Fragment: s.claim(j.Question, solver.Proven, proof.Node{Kind: proof.Or, Move: []byte("m4")})}
	a := s.step(&cluster.Result{Job: id, Worker: "v", Body: late})
	require.Len(t, a.Warnings, 1)
	require.EqualError(t, a.Warnings[0], `position "p2": a worker has said without a proof that the defender holds, and now there is one that the attacker wins`)
	require.Zero(t, s.front.stats.Refused)
	require.Equal(t, []solver.Outcome{solver.Unknown, solver.Unknown, solver.Proven, solver.Unknown}, outcomes())
	_, j = s.only()
	require.Equal(t, solver.Question{Position: "p3", Attacker: true}, j.Question)
}

// TestAnswerSiblings has the proof of one reply made into proofs of others: one that the
// checker accepts settles the reply, one that it refuses does not.
func TestAnswerSiblings(t *testing.T) {
	g := &gametest.Graph{
		Moves:    [][]int{{1}, {2, 3, 4}, {5}, {5}, {6}, nil, {7}, nil},
		Outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Unfinished, games.Unfinished, games.Loss(0), games.Unfinished, games.Loss(0)},
		Layers:   []int{0, 1, 2, 2, 2, 3, 3, 4},
	}
	s := setStage(t, g)
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}})
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m2"}, {Move: "m3"}, {Move: "m4"}}})
	_, j := s.only()
	require.Equal(t, solver.Question{Position: "p2", Attacker: true}, j.Question)
	s.front.checker = s.check
	s.front.adapter = func(_ []byte, position string) ([]byte, bool) {
		return s.claim(solver.Question{Position: position, Attacker: true}, solver.Proven, proof.Node{Kind: proof.Or, Move: []byte("m5")}), true
	}
	s.answer(&solver.Answer{Outcome: solver.Proven, Fragment: s.claim(j.Question, solver.Proven, proof.Node{Kind: proof.Or, Move: []byte("m5")})})
	for name, want := range map[string]solver.Outcome{"p2": solver.Proven, "p3": solver.Proven, "p4": solver.Unknown} {
		require.Equal(t, want, s.front.nodes[solver.Question{Position: name, Attacker: true}].outcome, name)
	}
	require.Equal(t, [2]uint64{2, 1}, [2]uint64{s.front.stats.Adapted, s.front.stats.Answered})
	require.Zero(t, s.front.stats.Refused)
	_, j = s.only()
	require.Equal(t, solver.Question{Position: "p4", Attacker: true}, j.Question)
}

// TestRefusedRepetition has a worker say without a proof, as it may where positions
// repeat, that a position is held which is proven to be lost.
func TestRefusedRepetition(t *testing.T) {
	g := gametest.Cyclic{Graph: &gametest.Graph{Moves: [][]int{{0, 1}, nil}, Outcomes: []games.Value{games.Unfinished, games.Loss(0)}}}
	s := setStage(t, g)
	s.front.checker = s.check
	id, j := s.only()
	s.answer(&solver.Answer{Outcome: solver.Proven, Fragment: s.claim(j.Question, solver.Proven, proof.Node{Kind: proof.Or, Move: []byte("m1")})})
	require.Equal(t, solver.Proven, s.front.nodes[j.Question].outcome)
	require.Len(t, s.step(&cluster.Result{Job: id, Worker: "w", Body: &solver.Answer{Question: j.Question, Outcome: solver.Disproven}}).Warnings, 1)
}

// TestHelp hands out jobs to workers that help each other: further ones only for replies to
// the same move.
func TestHelp(t *testing.T) {
	for _, help := range []bool{false, true} {
		g := &gametest.Graph{Moves: [][]int{{1, 2}, {3, 4}, {5}, {6}, {6}, {6}, nil}, Layers: []int{0, 1, 1, 2, 2, 2, 3}}
		for range g.Moves {
			g.Outcomes = append(g.Outcomes, games.Unfinished)
		}
		g.Outcomes[6] = games.Draw
		s := setStage(t, g)
		s.front.policy.Help = help
		s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1", Proof: 1, Disproof: 1}, {Move: "m2", Proof: 50, Disproof: 1}}})
		_, j := s.only()
		require.Equal(t, solver.Question{Position: "p1", Attacker: false}, j.Question)
		s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m3", Proof: 1, Disproof: 1}, {Move: "m4", Proof: 9, Disproof: 9}}})
		_, err := s.front.Step(t.Context(), Event{Jobs: 4})
		require.NoError(t, err)
		out := map[string]bool{}
		for _, r := range s.front.jobs {
			out[r.job.Position] = true
		}
		require.Equal(t, map[bool]map[string]bool{
			false: {"p2": true, "p3": true, "p4": true},
			true:  {"p3": true, "p4": true},
		}[help], out)
	}
}
