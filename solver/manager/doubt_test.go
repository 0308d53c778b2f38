package manager

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// beside has one of three workers answer the job that is out.
func (s *stage) beside(worker string, body func(q solver.Question) *solver.Answer) {
	id, j := s.only()
	r := &cluster.Result{Job: id, Worker: worker, Body: body(j.Question)}
	a, err := s.front.Step(s.t.Context(), Event{Jobs: 1, Workers: 3, Result: r})
	require.NoError(s.t, err)
	for _, offer := range a.Offer {
		s.out[offer.ID] = *offer.Body.(*solver.Job)
	}
}

// gaveUp says that the search has failed.
func gaveUp(q solver.Question) *solver.Answer {
	return &solver.Answer{Question: q, Outcome: solver.Failed}
}

// senseless is what a worker is refused for.
func senseless(q solver.Question) *solver.Answer {
	return &solver.Answer{Question: q, Moves: []solver.AnswerMove{{Move: "m9"}}}
}

// TestRefusedWords has a worker say something without a proof and then be refused: its word does
// not count beside that of another.
func TestRefusedWords(t *testing.T) {
	s := newStage(t)
	root := s.front.root
	s.beside("a", gaveUp)
	require.Equal(t, []string{"a"}, root.told)
	s.beside("a", senseless)
	require.Equal(t, []string{"a"}, s.front.refused)
	s.beside("b", gaveUp)
	require.Equal(t, solver.Unknown, root.outcome, "one worker has said so that counts")
	require.Equal(t, []string{"b"}, root.told)
	s.beside("c", gaveUp)
	require.Equal(t, solver.Failed, root.outcome)
}

// TestWithdrawnWords has two workers give up a position, of which one is refused later: the position
// is open again.
func TestWithdrawnWords(t *testing.T) {
	s := newStage(t)
	s.beside("c", func(q solver.Question) *solver.Answer {
		return &solver.Answer{Question: q, Moves: []solver.AnswerMove{{Move: "m1"}, {Move: "m2"}}}
	})
	_, j := s.only()
	first := s.front.nodes[j.Question]
	require.NotEqual(t, s.front.root, first)
	s.beside("a", gaveUp)
	s.beside("b", gaveUp)
	require.Equal(t, solver.Failed, first.outcome)
	_, j = s.only()
	require.NotEqual(t, first.Question, j.Question)
	s.beside("a", senseless)
	require.Equal(t, solver.Unknown, first.outcome)
	require.Equal(t, []string{"b"}, first.told)
}

// TestRefutedWords has two workers say that the defender holds two positions, and another prove that
// one of them is lost: their word about the other does not count any more either.
func TestRefutedWords(t *testing.T) {
	g := gametest.Cyclic{Graph: &gametest.Graph{
		Moves:    [][]int{{1, 2, 3}, {0, 4}, {0, 4}, {0}, {5}, nil},
		Outcomes: []games.Value{games.Unfinished, games.Unfinished, games.Unfinished, games.Unfinished, games.Unfinished, games.Loss(0)},
	}}
	s := setStage(t, g)
	s.beside("c", func(q solver.Question) *solver.Answer {
		return &solver.Answer{Question: q, Moves: []solver.AnswerMove{{Move: "m1"}, {Move: "m2"}, {Move: "m3"}}}
	})
	holds := func(q solver.Question) *solver.Answer {
		return &solver.Answer{Question: q, Outcome: solver.Unverified}
	}
	var said []*node
	for range 2 {
		_, j := s.only()
		said = append(said, s.front.nodes[j.Question])
		s.beside("a", holds)
		s.beside("b", holds)
	}
	require.Equal(t, [2]solver.Outcome{solver.Unverified, solver.Unverified}, [2]solver.Outcome{said[0].outcome, said[1].outcome})
	q := said[0].Question
	late := &solver.Answer{Question: q, Outcome: solver.Proven, Fragment: s.claim(q, solver.Proven, proof.Node{Kind: proof.And})}
	_, err := s.front.Step(t.Context(), Event{Jobs: 1, Workers: 3, Result: &cluster.Result{Worker: "c", Body: late}})
	require.NoError(t, err)
	require.Equal(t, solver.Proven, said[0].outcome)
	require.Equal(t, []string{"a", "b"}, s.front.refused)
	require.Equal(t, solver.Unknown, said[1].outcome)
	require.Empty(t, said[1].told)
}
