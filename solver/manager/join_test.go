package manager

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// restStage is a stage in which p1 and p2 both lead to p6, which the attacker wins. From p1 he
// comes there by p3, but loses by p4, from p2 by p5.
func restStage(t *testing.T) *stage {
	open := games.Unfinished
	g := &gametest.Graph{
		Moves:    [][]int{{1, 2}, {3, 4}, {5}, {6}, {11}, {6}, {7}, {8}, {9}, {10}, nil, nil},
		Outcomes: []games.Value{open, open, open, open, open, open, open, open, open, open, games.Loss(0), games.Win(0)},
		Layers:   []int{0, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7, 3},
	}
	list, err := solver.NewBackends[int, int](g, nil, solver.Config{}, 1)
	require.NoError(t, err)
	s := setStage(t, g)
	s.backend, s.front.checker = list[0], s.check
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1", Proof: 1, Disproof: 1}, {Move: "m2", Proof: 5, Disproof: 1}}})
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m3", Proof: 1, Disproof: 1}, {Move: "m4", Proof: 1, Disproof: 5}}})
	s.at("p3")
	return s
}

// at has the job that is out be about a position.
func (s *stage) at(position string) solver.Job {
	_, j := s.only()
	require.Equal(s.t, position, j.Position)
	return j
}

// proof checks the proof and returns its nodes by their positions.
func (s *stage) proof() map[string][]proof.Node {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.front.header())
	require.NoError(s.t, err)
	require.NoError(s.t, s.front.writeProof(s.t.Context(), w, s.fragment))
	require.NoError(s.t, w.Close())
	text := file.Bytes()
	r, err := proof.NewReader(bytes.NewReader(text))
	require.NoError(s.t, err)
	_, err = s.check(s.t.Context(), r, proof.CheckOptions{})
	require.NoError(s.t, err)

	nodes := map[string][]proof.Node{}
	r, err = proof.NewReader(bytes.NewReader(text))
	require.NoError(s.t, err)
	for {
		n, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nodes
		}
		require.NoError(s.t, err)
		if n != nil {
			nodes[string(n.Position)] = append(nodes[string(n.Position)], *n)
		}
	}
}

func (s *stage) fragment(number uint32) ([]byte, error) {
	return s.stored[string(fragmentKey(number))], nil
}

// restart loads the front end again from what it has stored.
func (s *stage) restart() {
	before := s.front
	s.front = newFrontEnd(before.rules, before.checker, before.manifest, before.policy)
	for key, value := range s.stored {
		require.NoError(s.t, s.front.load([]byte(key), value))
	}
	require.NoError(s.t, s.front.loaded())
	require.NoError(s.t, s.front.readIndex(s.t.Context(), s.fragment))
	s.step(nil)
}

// file returns a proof file of the given nodes, the last of which is the root.
func (s *stage) file(q solver.Question, o solver.Outcome, nodes ...proof.Node) []byte {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{Game: "graph", Root: q.Position, Claims: []proof.Claim{solver.Claim(q.Attacker, o == solver.Proven)}})
	require.NoError(s.t, err)
	for _, n := range nodes {
		_, err = w.Add(&n)
		require.NoError(s.t, err)
	}
	require.NoError(s.t, errors.Join(w.EndClaim(uint64(len(nodes))), w.Close()))
	return file.Bytes()
}

func or(position, move string, rank uint64, child ...uint64) proof.Node {
	return proof.Node{Kind: proof.Or, Uses: 1, Rank: rank, Position: []byte(position), Move: []byte(move), Children: child}
}

func and(position string, rank uint64, children ...uint64) proof.Node {
	return proof.Node{Kind: proof.And, Uses: 1, Rank: rank, Position: []byte(position), Children: children}
}

func known(kind proof.Kind, position string) proof.Node {
	return proof.Node{Kind: kind, Uses: 1, Rank: 1, Position: []byte(position), Certificate: []byte(solver.Known)}
}

// TestRest has a fragment rest on a position of one that the proof does not need otherwise:
// of that only this part is written.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		name    string
		restart bool
	}{{"at once", false}, {"after a restart", true}} {
		t.Run(c.name, func(t *testing.T) {
			s := restStage(t)
			s.answer(s.search())
			s.at("p4")
			s.answer(s.search())
			s.at("p2")
			if c.restart {
				s.restart()
				s.at("p2")
			}
			a := s.search()
			require.Len(t, fragmentNodes(t, a.Fragment), 3, "p2, p5, and p6 as known")
			require.True(t, s.answer(a).Done)
			require.Equal(t, []uint32{1}, s.front.nodes[solver.Question{Position: "p2", Attacker: false}].rests)
			require.EqualValues(t, 1, s.front.stats.Rested)
			nodes := s.proof()
			require.NotContains(t, nodes, "p3")
			require.NotContains(t, nodes, "p1")
			require.Len(t, nodes, 6, "p0, p2, p5 to p8")
			require.Len(t, nodes["p6"], 1)
			require.EqualValues(t, 1, nodes["p6"][0].Uses)

			s.stored[string(fragmentKey(1))] = s.stored[string(fragmentKey(2))] // that of p4
			w, err := proof.NewWriter(io.Discard, s.front.header())
			require.NoError(t, err)
			require.ErrorIs(t, s.front.writeProof(t.Context(), w, s.fragment), ErrCorrupt)
		})
	}
}

// fragmentNodes returns the positions of a fragment.
func fragmentNodes(t *testing.T, fragment []byte) (list []string) {
	require.NoError(t, solver.ReadFragment(fragment, nil, func(n *proof.Node) error {
		list = append(list, string(n.Position))
		return nil
	}))
	return list
}

// TestMissing has a fragment rest on one that has not arrived: the job is done again, on its
// own, and nobody is refused for it.
func TestMissing(t *testing.T) {
	s := restStage(t)
	lost := s.search()
	s.answer(&solver.Answer{Outcome: solver.Failed})
	s.at("p2")
	a := s.search()
	require.Len(t, fragmentNodes(t, a.Fragment), 3)
	require.Empty(t, s.answer(a).Warnings)
	require.EqualValues(t, 1, s.front.stats.Missing)
	require.True(t, s.at("p2").Whole)

	lost.Question = solver.Question{Position: "p2", Attacker: false} // late, and about something else
	require.Len(t, s.step(&cluster.Result{Job: cluster.ID{1}, Worker: "v", Body: lost}).Warnings, 1)
	require.Empty(t, s.step(&cluster.Result{Job: cluster.ID{2}, Worker: "late", Body: a}).Warnings)
	require.EqualValues(t, 2, s.front.stats.Missing)

	a = s.search()
	require.Len(t, fragmentNodes(t, a.Fragment), 5)
	require.True(t, s.answer(a).Done)
	require.Empty(t, s.front.nodes[solver.Question{Position: "p2", Attacker: false}].rests)
	require.Len(t, s.proof(), 6)
}

// TestRestsOnNothing has a back end that was told not to rest on others do so.
func TestRestsOnNothing(t *testing.T) {
	s := restStage(t)
	for i := range 2 {
		a := s.answer(&solver.Answer{Outcome: solver.Proven, Fragment: s.claim(solver.Question{Position: "p3", Attacker: true}, solver.Proven, proof.Node{
			Kind: proof.Certified, Certificate: []byte(solver.Known),
		})})
		require.Len(t, a.Warnings, i)
		require.True(t, s.at("p3").Whole)
	}
}

// TestRestsOnTheOpposite has a worker rest a false claim on a position of which a fragment
// proves the opposite, or one for the other side to move.
func TestRestsOnTheOpposite(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome solver.Outcome
		nodes   []proof.Node
	}{
		{"outcome", solver.Disproven, []proof.Node{
			known(proof.Certified, "p6"), and("p5", 2, 1), or("p2", "m5", 3, 2),
		}},
		{"side", solver.Proven, []proof.Node{
			known(proof.Certified, "p6"), and("p2", 2, 1),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := restStage(t)
			s.front.checker = nil // what it would refuse must not settle anything
			s.answer(s.search())
			s.answer(s.search())
			s.at("p2")
			fragment := s.file(solver.Question{Position: "p2", Attacker: false}, c.outcome, c.nodes...)
			require.Empty(t, s.answer(&solver.Answer{Outcome: c.outcome, Fragment: fragment}).Warnings)
			require.True(t, s.at("p2").Whole)
			require.Len(t, s.answer(&solver.Answer{Outcome: c.outcome, Fragment: fragment}).Warnings, 1)
			s.at("p2")
		})
	}
}

// TestIndexFull has an index without room: fragments rest on nothing.
func TestIndexFull(t *testing.T) {
	s := restStage(t)
	s.front.index = solver.NewIndex(1)
	s.answer(s.search())
	require.True(t, s.at("p4").Whole)
	s.answer(s.search())
	a := s.search()
	require.Len(t, fragmentNodes(t, a.Fragment), 5)
	require.True(t, s.answer(a).Done)
	require.Len(t, s.proof(), 6)
}

// TestJobID has jobs that differ in one way each: they are different jobs.
func TestJobID(t *testing.T) {
	jobs := []solver.Job{
		{}, {Question: solver.Question{Attacker: true}}, {Question: solver.Question{Position: "p1"}}, {Budget: 1}, {Proof: 1}, {Disproof: 1},
		{Expand: true}, {Close: solver.Proven}, {Known: []string{"p1"}}, {Whole: true},
	}
	seen := map[cluster.ID]int{}
	for i, j := range jobs {
		id := jobID("graph", &j)
		require.NotContains(t, seen, id, "%d", i)
		seen[id] = i
	}
	require.NotContains(t, seen, jobID("other", &jobs[0]))
}

// TestKnownAndProven has a fragment prove p5 by itself and refer to it as known too: each is
// referred to as often as it says.
func TestKnownAndProven(t *testing.T) {
	open := games.Unfinished
	g := &gametest.Graph{
		Moves:    [][]int{{1}, {2, 3, 4}, {10}, {7}, {12}, {6}, {14}, {8, 9}, {5}, {5}, {11}, {5}, {13}, {5}, nil},
		Outcomes: []games.Value{open, open, open, open, open, open, open, open, open, open, open, open, open, open, games.Loss(0)},
		Layers:   []int{0, 1, 2, 2, 2, 5, 6, 3, 4, 4, 3, 4, 3, 4, 7},
	}
	s := setStage(t, g)
	s.front.checker = s.check
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m1"}}})
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m2", Proof: 1, Disproof: 1}, {Move: "m3", Proof: 2, Disproof: 2}, {Move: "m4", Proof: 3, Disproof: 3}}})
	p5 := known(proof.CertifiedReply, "p5")
	for _, c := range []struct {
		position string
		nodes    []proof.Node
	}{
		{"p2", []proof.Node{or("p6", "m14", 1), and("p5", 2, 1), or("p11", "m5", 3, 2), and("p10", 4, 3), or("p2", "m10", 5, 4)}},
		{"p3", []proof.Node{or("p6", "m14", 1), and("p5", 2, 1), or("p8", "m5", 3, 2), p5, or("p9", "m5", 2, 4), and("p7", 4, 3, 5), or("p3", "m7", 5, 6)}},
		{"p4", []proof.Node{p5, or("p13", "m5", 2, 1), and("p12", 3, 2), or("p4", "m12", 4, 3)}},
	} {
		j := s.at(c.position)
		require.Empty(t, s.answer(&solver.Answer{Outcome: solver.Proven, Fragment: s.file(j.Question, solver.Proven, c.nodes...)}).Warnings)
	}
	require.Len(t, s.proof()["p5"], 2)
}

// TestKnownForTheOtherSide has a fragment rest on p3 with the attacker to move, which is also a
// child, with the defender to move, of the node.
func TestKnownForTheOtherSide(t *testing.T) {
	open := games.Unfinished
	g := &gametest.Graph{
		Moves:    [][]int{{1, 3, 5}, {2}, {6}, {4}, nil, {7}, {3}, {3}},
		Outcomes: []games.Value{open, open, open, open, games.Loss(0), open, open, open},
		Layers:   []int{0, 1, 2, 4, 5, 1, 3, 2},
	}
	s := setStage(t, g)
	s.front.checker = s.check
	late, root := s.only()
	s.answer(&solver.Answer{Moves: []solver.AnswerMove{{Move: "m3", Proof: 1, Disproof: 1}, {Move: "m1", Proof: 5, Disproof: 5}, {Move: "m5", Proof: 9, Disproof: 9}}})
	child := s.at("p3")
	s.answer(&solver.Answer{Outcome: solver.Disproven, Fragment: s.file(child.Question, solver.Disproven, or("p3", "m4", 1))})
	keys, err := s.front.index.Keys(s.file(solver.Question{Position: "p6", Attacker: false}, solver.Proven, or("p3", "m4", 1), and("p6", 2, 1)), solver.Proven)
	require.NoError(t, err)
	s.front.index.Add(1, keys)
	fragment := s.file(root.Question, solver.Proven, known(proof.Certified, "p3"), and("p6", 2, 1), or("p2", "m6", 3, 2), and("p1", 4, 3), or("p0", "m1", 5, 4))
	a := s.step(&cluster.Result{Job: late, Worker: "late", Body: &solver.Answer{Question: root.Question, Outcome: solver.Proven, Fragment: fragment}})
	require.Empty(t, a.Warnings)
	require.True(t, a.Done)
}

// slow is a brancher that takes its time, and counts.
type slow struct {
	*gametest.Graph
	calls int
}

func (b *slow) AppendBranches(dst []solver.Branch[int], p int, _ bool) ([]solver.Branch[int], bool) {
	for range 1000 { // others run
		runtime.Gosched()
	}
	b.calls++
	for _, m := range b.Moves[p] {
		dst = append(dst, solver.Branch[int]{Move: m, Proof: 1, Disproof: 1})
	}
	return dst, true
}

func (b *slow) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }

// TestHelpWithJob has others help with a job.
func TestHelpWithJob(t *testing.T) {
	g := &gametest.Graph{}
	for p := range 1<<14 - 1 {
		g.Moves = append(g.Moves, []int{2*p + 1, 2*p + 2})
		g.Outcomes, g.Layers = append(g.Outcomes, games.Unfinished), append(g.Layers, bits.Len(uint(p+1)))
	}
	var made []*slow
	list, err := solver.NewBackends[int, int](g, func() solver.Brancher[int, int] {
		made = append(made, &slow{Graph: g})
		return made[len(made)-1]
	}, solver.Config{Memory: 1 << 24}, 2)
	require.NoError(t, err)
	require.Len(t, list, 1, "best first the others help")
	_, err = list[0].Search(t.Context(), &solver.Job{Question: solver.Question{Position: "p0", Attacker: true}, Budget: 300})
	require.NoError(t, err)
	working := 0
	for _, b := range made {
		working += min(b.calls, 1)
	}
	require.Equal(t, 2, working)
}
