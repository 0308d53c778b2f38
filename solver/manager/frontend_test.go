package manager

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/solver"
)

// stage is a front end whose jobs are answered by hand. The side to move in p0 loses:
// both of its moves lead to positions in which the other side has a move that wins.
type stage struct {
	t       *testing.T
	front   *FrontEnd
	backend Backend
	out     map[cluster.ID]Job
}

func newStage(t *testing.T) *stage {
	g := &graph{
		moves:    [][]int{{1, 2}, {3, 4}, {3, 4}, nil, nil},
		outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Loss(0), games.Win(0)},
		layers:   []int{0, 1, 1, 2, 2},
	}
	list, err := NewBackends[int, int](g, nil, solver.Config{}, 1)
	require.NoError(t, err)
	s := &stage{t, newFrontEnd(NewRules[int, int](g), Manifest{Game: "graph", Root: "p0", Question: AskWin}, Policy{Tries: 1, Compare: -1}), list[0], map[cluster.ID]Job{}}
	s.step(nil)
	return s
}

func (s *stage) step(r *cluster.Result) Actions {
	a, err := s.front.Step(Event{Jobs: 1, Result: r})
	require.NoError(s.t, err)
	for _, offer := range a.Offer {
		var j Job
		require.NoError(s.t, json.Unmarshal(offer.Body, &j))
		s.out[offer.ID] = j
	}
	return a
}

// only returns the job that is out.
func (s *stage) only() (id cluster.ID, j Job) {
	require.Len(s.t, s.front.jobs, 1)
	for id := range s.front.jobs {
		return id, s.out[id]
	}
	return id, j
}

// answer answers the job that is out.
func (s *stage) answer(a *Answer) Actions {
	id, j := s.only()
	a.Question = j.Question
	return s.step(&cluster.Result{Job: id, Body: encode(a)})
}

// search answers the job that is out as a back end does.
func (s *stage) search() *Answer {
	_, j := s.only()
	a, err := s.backend.Search(s.t.Context(), &j)
	require.NoError(s.t, err)
	return a
}

// TestIncomplete has a back end leave out a move of the attacker that may win: that all
// others fail proves nothing.
func TestIncomplete(t *testing.T) {
	s := newStage(t)
	s.answer(&Answer{Moves: []AnswerMove{{Move: "m1"}}, Incomplete: true})
	_, j := s.only()
	require.Equal(t, Question{"p1", false}, j.Question)
	require.True(t, s.answer(s.search()).Done)
	require.Equal(t, Disproven, s.front.nodes[j.Question].outcome)
	require.Equal(t, Failed, s.front.nodes[Question{"p0", true}].outcome)
	claims, known := s.front.Claims()
	require.Empty(t, claims)
	require.False(t, known)
}

// TestIncompleteRepetition has a back end leave out a move of the attacker that wins, where
// the other move leads round a cycle: that positions repeat proves nothing.
func TestIncompleteRepetition(t *testing.T) {
	g := cyclic{&graph{
		moves:    [][]int{{1, 2}, {0}, nil},
		outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Loss(0)},
	}}
	s := &stage{t, newFrontEnd(NewRules[int, int](g), Manifest{Game: "graph", Root: "p0", Question: AskWin}, Policy{Tries: 1, Compare: -1}), nil, map[cluster.ID]Job{}}
	s.step(nil)
	s.answer(&Answer{Moves: []AnswerMove{{Move: "m1"}}, Incomplete: true})
	require.True(t, s.answer(&Answer{Moves: []AnswerMove{{Move: "m0"}}}).Done)
	require.Equal(t, Failed, s.front.nodes[Question{"p0", true}].outcome)
}

// TestClosing has a back end leave out a move that is known to lose: the node is settled
// when its proof has the move too, also if the first attempt was damaged.
func TestClosing(t *testing.T) {
	s := newStage(t)
	s.answer(&Answer{Moves: []AnswerMove{{Move: "m1"}}})
	s.answer(s.search())
	for range 2 {
		_, j := s.only()
		require.Equal(t, Job{Question: Question{"p0", true}, Budget: j.Budget, Close: Disproven, Known: []string{"p1"}}, j)
		require.Equal(t, Unknown, s.front.nodes[j.Question].outcome)
		a := s.search()
		a.Fragment = a.Fragment[:len(a.Fragment)-1]
		require.False(t, s.answer(a).Done)
	}
	require.EqualValues(t, 2, s.front.stats.Malformed)
	require.True(t, s.answer(s.search()).Done)
	root := s.front.nodes[Question{"p0", true}]
	require.Equal(t, Disproven, root.outcome)
	require.Equal(t, byFragment, root.basis)
}

// TestLikely has a leaf whose score says that it is lost: the other one is searched first.
// When the root is lost but for it, the threshold rises past its score, and it is searched.
func TestLikely(t *testing.T) {
	for _, score := range []int32{-45, 45} {
		s := newStage(t)
		s.front.policy.Likely, s.front.policy.Rise, s.front.threshold = 10, 20, 10
		s.answer(&Answer{Moves: []AnswerMove{{Move: "m1", Score: score}, {Move: "m2", Score: -9}}})
		if score < 0 {
			_, j := s.only()
			require.Equal(t, Question{"p2", false}, j.Question)
			require.EqualValues(t, 10, s.front.threshold)
			s.answer(s.search())
		}
		_, j := s.only()
		require.Equal(t, Question{"p1", false}, j.Question)
		require.EqualValues(t, 50, s.front.threshold)
		require.Equal(t, Unknown, s.front.root.outcome)
		if s.answer(s.search()); score > 0 {
			s.answer(s.search())
		}
		require.Equal(t, Disproven, s.front.nodes[Question{"p0", true}].outcome)
	}
}

// TestContradiction has a result contradict one that was merged.
func TestContradiction(t *testing.T) {
	s := newStage(t)
	s.answer(&Answer{Moves: []AnswerMove{{Move: "m1"}, {Move: "m2"}}})
	id, j := s.only()
	s.answer(s.search())
	again := cluster.Result{Job: id, Body: encode(&Answer{Question: j.Question, Outcome: Disproven})}
	s.step(&again) // it came twice
	require.EqualValues(t, 1, s.front.stats.Dropped)
	_, err := s.front.Step(Event{Jobs: 1, Result: &cluster.Result{Job: id, Body: encode(&Answer{Question: j.Question, Outcome: Proven})}})
	require.ErrorIs(t, err, solver.ErrContradiction)
	require.ErrorContains(t, err, `position "p1" with the attacker not to move is disproven by one result and proven by another`)
}

// TestMalformed has results that make no sense: the job is done again, but not for ever.
func TestMalformed(t *testing.T) {
	s := newStage(t)
	_, j := s.only()
	other := Answer{Question: Question{"p1", false}}
	for n, body := range [][]byte{
		nil, []byte("{"), encode(&other),
		encode(&Answer{Question: j.Question, Moves: []AnswerMove{{Move: "m9"}}}),
		encode(&Answer{Question: j.Question, Outcome: Disproven}),
		encode(&Answer{Question: j.Question, Outcome: Proven, Fragment: []byte("x")}),
	} {
		id, _ := s.only()
		s.step(&cluster.Result{Job: id, Body: body})
		require.EqualValues(t, n+1, s.front.stats.Malformed)
		require.Len(t, s.front.nodes, 1)
	}
	var err error
	for n := 0; err == nil; n++ {
		require.Less(t, n, maxMalformed)
		id, _ := s.only()
		if _, err = s.front.Step(Event{Jobs: 1, Result: &cluster.Result{Job: id, Worker: "w"}}); err == nil {
			s.step(nil)
		}
	}
	require.ErrorContains(t, err, `malformed result from worker "w"`)
}
