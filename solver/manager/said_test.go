//go:build !race

package manager

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// board is a game with positions to prove whose values are known.
type board struct {
	rules Rules
	roots []string
	// value returns the true value of a position for the side to move.
	value func(position string) games.Result
	check Checker
	// backend returns a back end by alpha-beta, or by a method of package solver.
	backend func(t *testing.T, method string) solver.Backend
}

// solved are the unfinished positions of a game that can be reached from some starts, and the values of all.
type solved[P comparable] struct {
	list   []P
	values map[P]games.Result
}

// solvedGames are those of the tests, which share them, by game and starts.
var solvedGames = map[string]any{}

// canonicalBy returns what makes positions of a game canonical.
func canonicalBy[P, M comparable](g games.Game[P, M]) func(P) P {
	if c, ok := g.(games.Canonicalizer[P]); ok {
		return c.Canonical
	}
	return func(p P) P { return p }
}

// solve finds the values by plain iteration.
func solve[P, M comparable](g games.Game[P, M], starts []P) *solved[P] {
	key := fmt.Sprint(g.Name(), starts)
	if s, ok := solvedGames[key]; ok {
		return s.(*solved[P])
	}
	canonical := canonicalBy(g)
	reached, values := map[P][]P{}, map[P]games.Result{}
	var list []P
	for queue := slices.Clone(starts); len(queue) > 0; queue = queue[1:] {
		p := canonical(queue[0])
		if _, ok := values[p]; ok {
			continue
		}
		if v, finished := g.Outcome(p); finished {
			values[p] = v.Result()
			continue
		}
		for _, m := range g.AppendMoves(nil, p) {
			reached[p] = append(reached[p], canonical(g.Play(p, m)))
		}
		values[p] = games.Drawn
		list = append(list, p)
		queue = append(queue, reached[p]...)
	}
	for changed := true; changed; {
		changed = false
		for _, p := range list {
			if values[p] != games.Drawn {
				continue
			}
			best := games.Lost
			for _, q := range reached[p] {
				best = max(best, -values[q])
			}
			if best != games.Drawn {
				values[p], changed = best, true
			}
		}
	}
	s := &solved[P]{list, values}
	solvedGames[key] = s
	return s
}

// newBoard returns a game with a number of positions that can be reached from some starts.
func newBoard[P, M comparable](t *testing.T, g games.Game[P, M], starts []P, number int, rng *rand.Rand) *board {
	s, canonical := solve(g, starts), canonicalBy(g)
	require.Greater(t, len(s.list), number)
	b := &board{
		rules: NewRules(g),
		check: func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
			return proof.Check(ctx, r, g, o)
		},
		value: func(position string) games.Result {
			p, err := g.ParsePosition(position)
			require.NoError(t, err)
			v, ok := s.values[canonical(p)]
			require.True(t, ok, position)
			return v
		},
		backend: func(t *testing.T, method string) solver.Backend {
			var list []solver.Backend
			var err error
			if method == "alpha-beta" {
				list, err = alphabeta.NewBackends(g, g, alphabeta.Config[P]{}, 2<<20, 1)
			} else {
				m := solver.DepthFirst
				if method == "best-first" {
					m = solver.BestFirst
				}
				list, err = solver.NewBackends(g, nil, solver.Config{Method: m, Memory: 1 << 20}, 1)
			}
			require.NoError(t, err)
			return list[0]
		},
	}
	for range number {
		name, err := b.rules.Canonical(string(g.AppendPosition(nil, s.list[rng.IntN(len(s.list))])))
		require.NoError(t, err)
		b.roots = append(b.roots, name)
	}
	return b
}

// checkersBoard has positions of checkers on 4×4, and of endings on 6×6.
func checkersBoard(t *testing.T, spec string, pieces []string, number int, rng *rand.Rand) *board {
	g, err := checkers.Family.Open(spec)
	require.NoError(t, err)
	starts := []checkers.Position{g.Start()}
	if pieces != nil {
		starts = nil
		for _, text := range pieces {
			p, err := g.ParsePosition(text)
			require.NoError(t, err)
			starts = append(starts, p)
		}
	}
	return newBoard[checkers.Position, checkers.Move](t, g, starts, number, rng)
}

func dobutsuBoard(t *testing.T, number int, rng *rand.Rand) *board {
	g, err := dobutsu.Family.Open("dobutsu:drops=none")
	require.NoError(t, err)
	p, err := g.ParsePosition("3/El1/CeG/L1h b g")
	require.NoError(t, err)
	return newBoard[dobutsu.Position, dobutsu.Move](t, g, []dobutsu.Position{p}, number, rng)
}

// play is a tree whose jobs workers do in turn.
type play struct {
	t      *testing.T
	board  *board
	root   string
	policy Policy
	front  *FrontEnd
	stored map[string][]byte
	jobs   []cluster.Job // that are out
	rng    *rand.Rand
}

func newPlay(t *testing.T, b *board, root string, policy Policy, rng *rand.Rand) *play {
	p := &play{t: t, board: b, root: root, policy: policy, stored: map[string][]byte{}, rng: rng}
	p.load()
	return p
}

// load makes the front end from what is stored, as for the next run of the program.
func (p *play) load() {
	p.front = newFrontEnd(p.board.rules, p.board.check, Manifest{Game: p.board.rules.Name(), Root: p.root, Question: AskValue}, p.policy)
	p.jobs = nil
	for _, key := range slices.Sorted(maps.Keys(p.stored)) {
		require.NoError(p.t, p.front.load([]byte(key), p.stored[key]))
	}
	require.NoError(p.t, p.front.loaded())
	require.NoError(p.t, p.front.readIndex(p.t.Context(), p.fragment))
}

func (p *play) fragment(number uint32) ([]byte, error) {
	return p.stored[string(fragmentKey(number))], nil
}

// player is a worker of a play.
type player struct {
	name    string
	backend solver.Backend
	change  func(a *solver.Answer) // nil if its answers stay as they are
}

// run has workers do jobs, at most a number of them. It reports whether the tree is done.
func (p *play) run(players []*player, most int) bool {
	var r *cluster.Result
	changed := false // the result
	for range most {
		refused := p.front.stats.Refused
		a, err := p.front.Step(p.t.Context(), Event{Jobs: len(players), Result: r})
		if errors.Is(err, ErrRefused) { // the next run begins with a front end of its own
			require.True(p.t, changed)
			return false
		}
		require.NoError(p.t, err, "position %q", p.root)
		require.NoError(p.t, p.front.invariants(len(players)))
		for _, w := range a.Writes {
			p.stored[string(w.Key)] = w.Value
		}
		p.jobs = append(p.jobs, a.Offer...)
		p.jobs = slices.DeleteFunc(p.jobs, func(j cluster.Job) bool { return slices.Contains(a.Recall, j.ID) })
		require.True(p.t, changed || p.front.stats.Refused == refused, "position %q: %v", p.root, a.Warnings)
		if a.Done {
			return true
		}
		offer, w := p.jobs[p.rng.IntN(len(p.jobs))], players[p.rng.IntN(len(players))]
		p.jobs = slices.DeleteFunc(p.jobs, func(j cluster.Job) bool { return j.ID == offer.ID })
		j := offer.Body.(*solver.Job)
		found, err := w.backend.Search(p.t.Context(), j)
		require.NoError(p.t, err)
		if changed = w.change != nil; changed {
			w.change(found)
		}
		r = &cluster.Result{Job: offer.ID, Worker: w.name, Body: found}
	}
	return false
}

// judge checks that whatever the tree says is true, unless it says that it is not verified. It
// reports whether the value is known and verified.
func (p *play) judge() bool {
	f, t := p.front, p.t
	for q, n := range f.nodes {
		v := p.board.value(q.Position)
		want := solver.Disproven
		if q.Attacker && v == games.Won || !q.Attacker && v == games.Lost {
			want = solver.Proven
		}
		require.False(t, n.outcome.Settled() && n.outcome != want, "%q: %v is %v", p.root, q, n.outcome)
	}
	v, r := p.board.value(p.root), f.Report()
	low, high := map[string]games.Result{"loss": games.Lost, "draw": games.Drawn, "win": games.Won}[r.AtLeast],
		map[string]games.Result{"loss": games.Lost, "draw": games.Drawn, "win": games.Won}[r.AtMost]
	require.True(t, low <= v && v <= high, "%q is a %v, and the report has %s to %s", p.root, v, r.AtLeast, r.AtMost)
	value, known := f.Value()
	require.Equal(t, f.Verified(), r.Unverified == "")
	claims, _ := f.Claims()
	if len(claims) == 0 {
		return false
	}
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, f.header())
	require.NoError(t, err)
	if err = f.writeProof(t.Context(), w, p.fragment); !f.Verified() {
		require.ErrorIs(t, err, solver.ErrRepetition)
		return false
	}
	require.NoError(t, errors.Join(err, w.Close()))
	reader, err := proof.NewReader(&file)
	require.NoError(t, err)
	_, err = p.board.check(t.Context(), reader, proof.CheckOptions{})
	require.NoError(t, err)
	if known {
		require.Equal(t, v, value, "%q", p.root)
	}
	return known
}

// TestSaidHolds has a worker that says without a proof that the defender holds, now and then or
// always, alone or beside a right one. What is not marked as unverified is true, then, when
// the tree is read again, and after a right worker has gone on; the front end never takes its
// own program for wrong, and refuses no result of a right worker. A worker that proves
// holds finds most values in the end.
func TestSaidHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 4))
	each := runs(5, 150)
	boards := []*board{checkersBoard(t, "checkers:size=4x4", nil, each, rng), dobutsuBoard(t, each, rng)}
	seen := map[string]int{}
	for _, b := range boards {
		for i, root := range b.roots {
			method := []string{"df-pn", "alpha-beta"}[i%2]
			p := newPlay(t, b, root, Policy{Budget: 1 + rng.Uint64N(30), Tries: 1 + rng.IntN(2)}, rng)
			often := []int{1, 2, 10}[rng.IntN(3)]
			players := []*player{{"wrong", b.backend(t, method), func(a *solver.Answer) {
				if rng.IntN(often) == 0 {
					lieAboutHolds(rng, a)
				}
			}}}
			right := &player{"right", b.backend(t, method), nil}
			if rng.IntN(2) == 0 {
				players = append(players, right)
			}
			p.run(players, 1+rng.IntN(300))
			known := p.judge()
			if value, ok := p.front.Value(); ok && !known && value != b.value(root) {
				seen["false, not verified"]++
			}
			p.load()
			require.True(t, p.judge() || !known)
			p.run([]*player{right}, 300)
			value, ok := p.front.Value()
			require.True(t, !ok || value == b.value(root), "%q: a run believes its own workers only", root)
			p.judge()
			p.policy.Holds, p.policy.Tries, p.policy.Budget = true, 1, 1000
			p.load()
			p.judge()
			found := p.run([]*player{{"right", b.backend(t, "alpha-beta"), nil}}, 1000)
			require.Equal(t, found, p.judge(), "%q", root)
			require.Zero(t, p.front.Report().Nodes.Unverified)
			if found {
				seen["found in the end"]++
			}
			seen["all"]++
			seen[fmt.Sprint("verified ", known)]++
		}
	}
	t.Log(seen)
	require.Greater(t, seen["false, not verified"], 0, "or nothing was tested")
	require.Greater(t, seen["found in the end"], seen["all"]*3/4)
}

// TestLeftOutWin has a worker that leaves out the move that wins at once, and says that it has left
// out something. Then the tree is read again, and another one disproves all that is left.
func TestLeftOutWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	each := runs(20, 150)
	for _, b := range []*board{checkersBoard(t, "checkers:size=4x4", nil, each, rng), dobutsuBoard(t, each, rng)} {
		for i, root := range b.roots {
			method := []string{"df-pn", "alpha-beta"}[i%2]
			p := newPlay(t, b, root, Policy{Budget: 1, Tries: 1, Holds: method == "alpha-beta"}, rng)
			p.run([]*player{{"wrong", b.backend(t, method), func(a *solver.Answer) {
				moves, err := b.rules.Moves(a.Position)
				require.NoError(t, err)
				a.Outcome, a.Fragment, a.Incomplete, a.Moves = solver.Unknown, nil, true, nil
				for _, m := range moves {
					if !m.Finished {
						a.Moves = append(a.Moves, solver.AnswerMove{Move: m.Text, Proof: 1, Disproof: 1})
					}
				}
			}}}, 2)
			p.policy.Holds = true
			p.load()
			p.run([]*player{{"right", b.backend(t, "alpha-beta"), nil}}, 300)
			p.judge()
		}
	}
}

// giveUp has an answer say that the search has failed, here or after moves, or leave out moves that
// may win. None of that has a proof, and none can be refused.
func (b *board) giveUp(t *testing.T, rng *rand.Rand, a *solver.Answer) {
	legal, err := b.rules.Moves(a.Position)
	require.NoError(t, err)
	a.Outcome, a.Fragment, a.Moves = solver.Failed, nil, nil
	if rng.IntN(3) == 0 {
		return
	}
	a.Outcome, a.Incomplete, a.Proof, a.Disproof = solver.Unknown, true, 1, 1
	for _, m := range legal {
		if !m.Finished && rng.IntN(2) == 0 {
			move := solver.AnswerMove{Move: m.Text, Proof: 1, Disproof: 1}
			if rng.IntN(3) == 0 {
				move.Outcome = solver.Failed
			}
			a.Moves = append(a.Moves, move)
		}
	}
}

// TestGivesUp has a worker that gives up now and then, or always. The next run, of one that does not,
// finds the value.
func TestGivesUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 4))
	each := runs(10, 200)
	first, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	seen := map[string]int{}
	for _, c := range []struct {
		board  *board
		method string
	}{
		{newBoard(t, games.Game[tictactoe.Position, tictactoe.Move](tictactoe.Game{}), []tictactoe.Position{tictactoe.Game{}.Start()}, each, rng), "best-first"},
		{newBoard[connect4.Position, connect4.Move](t, first, []connect4.Position{first.Start()}, each, rng), "df-pn"},
		{checkersBoard(t, "checkers:size=4x4", nil, each, rng), "alpha-beta"},
	} {
		for _, root := range c.board.roots {
			often := []int{1, 2, 10}[rng.IntN(3)]
			gives := &player{"gives up", c.board.backend(t, c.method), func(a *solver.Answer) {
				if rng.IntN(often) == 0 {
					c.board.giveUp(t, rng, a)
				}
			}}
			policy := Policy{Budget: 1 + rng.Uint64N(100), Tries: 1, Holds: c.method == "alpha-beta"}
			p := newPlay(t, c.board, root, policy, rng)
			done := p.run([]*player{gives}, 300)
			if known := p.judge(); done && !known {
				seen["given up"]++
			}
			p.load()
			require.True(t, p.run([]*player{{"goes on", c.board.backend(t, c.method), nil}}, 3000), "%q", root)
			require.True(t, p.judge(), "%q", root)
			seen["all"]++
		}
	}
	t.Log(seen)
	require.Greater(t, seen["given up"], seen["all"]/5)
}

// TestSmallBudgets has workers with tiny budgets: no result is refused, and the value is found.
func TestSmallBudgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 11))
	each := runs(2, 40)
	budgets := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if testing.Short() {
		budgets = []uint64{1, 3, 8}
	}
	first, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	for _, c := range []struct {
		name    string
		board   *board
		methods []string
	}{
		{"checkers 4x4", checkersBoard(t, "checkers:size=4x4", nil, each, rng), []string{"alpha-beta", "df-pn"}},
		{"checkers 6x6", checkersBoard(t, "checkers:size=6x6", []string{"W:WK1,14:B8,K3", "B:W14,K18:BK2,5"}, each/2, rng), []string{"alpha-beta", "df-pn"}},
		{"dobutsu", dobutsuBoard(t, max(each/8, 1), rng), []string{"alpha-beta", "df-pn"}},
		{"tictactoe", newBoard(t, games.Game[tictactoe.Position, tictactoe.Move](tictactoe.Game{}), []tictactoe.Position{tictactoe.Game{}.Start()}, each, rng), []string{"alpha-beta", "df-pn", "best-first"}},
		{"connect4", newBoard[connect4.Position, connect4.Move](t, first, []connect4.Position{first.Start()}, each, rng), []string{"alpha-beta", "df-pn", "best-first"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, done, jobs := 0, 0, uint64(0)
			for _, root := range c.board.roots {
				for _, budget := range budgets {
					for _, method := range c.methods {
						for workers := 1; workers <= 2; workers++ {
							p := newPlay(t, c.board, root, Policy{Budget: budget, Tries: 1 + rng.IntN(2), Holds: method == "alpha-beta"}, rng)
							var players []*player
							for n := range workers {
								players = append(players, &player{fmt.Sprint(n), c.board.backend(t, method), nil})
							}
							if p.run(players, 1000) {
								done++
							}
							require.Zero(t, p.front.stats.Refused)
							p.judge()
							all++
							jobs += p.front.stats.Jobs
						}
					}
				}
			}
			t.Logf("%d runs, %d done, %d jobs", all, done, jobs)
			require.Greater(t, done, all/8)
		})
	}
}
