package play

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// sure is a decider that says the same of every position.
type sure games.Advice[shogi.Move]

func (d sure) Decide(context.Context, shogi.Position, uint64) (games.Advice[shogi.Move], error) {
	return games.Advice[shogi.Move](d), nil
}

// asked is a decider that decides nothing, and notes what it is asked for; plain is one that searches all moves.
type (
	asked struct{ nodes *[]uint64 }
	plain struct{ asked }
	// surePlain is a decider that is sure, but by a search of all moves.
	surePlain struct{ sure }
)

func (d asked) Decide(_ context.Context, _ shogi.Position, nodes uint64) (games.Advice[shogi.Move], error) {
	*d.nodes = append(*d.nodes, nodes)
	return games.Advice[shogi.Move]{Bounds: games.Unbounded, Nodes: nodes}, nil
}

func (plain) SearchesAll()     {}
func (surePlain) SearchesAll() {}

// TestShare has deciders that get a share of the positions: less if they do what the search does.
func TestShare(t *testing.T) {
	var nodes []uint64
	for _, c := range []struct {
		decider games.Decider[shogi.Position, shogi.Move]
		query   Query[shogi.Position, shogi.Move]
		want    []uint64
	}{
		{asked{&nodes}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 3200}, Advised: true}, []uint64{800}},
		{plain{asked{&nodes}}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 32_000}, Advised: true}, []uint64{1000}},
		{plain{asked{&nodes}}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 31_000}, Advised: true}, nil},
		{asked{&nodes}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 1}, Advised: true}, []uint64{1}},
		{asked{&nodes}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 3200}}, nil},
		{asked{&nodes}, Query[shogi.Position, shogi.Move]{Limits: Limits{Nodes: 3200}, Advised: true, Choice: Choice{Budget: 1}}, nil},
	} {
		nodes = nil
		s, err := New(shogi.Game{}, Config[shogi.Position]{}, c.decider)
		require.NoError(t, err)
		q := c.query
		q.From = shogi.Start()
		r, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, c.want, nodes)
		require.LessOrEqual(t, r.Nodes, max(q.Nodes, 100), "with those of the decider")
	}
}

// TestPlainLine has a decider that searches all moves: its line ends the search if it has a distance.
func TestPlainLine(t *testing.T) {
	for text, ends := range map[string]bool{
		"win": false, "loss": false, "draw": false, "win in 3 or less": true, "loss in 4": true,
	} {
		var a games.Advice[shogi.Move]
		require.NoError(t, a.Bounds.UnmarshalText([]byte(text)))
		a.Line = shogi.NewBoard(shogi.Start()).AppendMoves(nil)[:1]
		s, err := New(shogi.Game{}, Config[shogi.Position]{}, games.Decider[shogi.Position, shogi.Move](surePlain{sure(a)}))
		require.NoError(t, err)
		r, err := s.Search(t.Context(), Query[shogi.Position, shogi.Move]{From: shogi.Start(), Limits: Limits{Depth: 2}, Advised: true})
		require.NoError(t, err)
		require.Equal(t, a.Bounds, r.Advice.Bounds, text)
		require.Equal(t, ends, r.Nodes == 0, text)
	}
}

// TestMovesLeft has a decider to which all moves but some lose: only those are searched, if one line is wanted.
func TestMovesLeft(t *testing.T) {
	moves := shogi.NewBoard(shogi.Start()).AppendMoves(nil)
	a := games.Advice[shogi.Move]{Bounds: games.Unbounded, Left: []shogi.Move{moves[3], moves[7]}}
	s, err := New(shogi.Game{}, Config[shogi.Position]{Threads: 2}, games.Decider[shogi.Position, shogi.Move](sure(a)))
	require.NoError(t, err)
	for _, c := range []struct {
		query Query[shogi.Position, shogi.Move]
		want  []shogi.Move
	}{
		{Query[shogi.Position, shogi.Move]{Advised: true}, a.Left},
		{Query[shogi.Position, shogi.Move]{Advised: true, Only: moves[4:5]}, moves[4:5]},
		{Query[shogi.Position, shogi.Move]{Advised: true, Lines: 2}, moves},
		{Query[shogi.Position, shogi.Move]{}, moves},
		{Query[shogi.Position, shogi.Move]{Advised: true, Choice: Choice{Jitter: 1}}, moves},
	} {
		c.query.From, c.query.Depth = shogi.Start(), 1
		r, err := s.Search(t.Context(), c.query)
		require.NoError(t, err)
		require.Contains(t, c.want, r.Best().Moves[0])
		for _, w := range s.workers {
			var roots []shogi.Move
			for _, m := range w.roots {
				roots = append(roots, m.move)
			}
			require.ElementsMatch(t, c.want, roots)
		}
	}
}

// TestSeedAlone has a seed without a choice: the search is the same.
func TestSeedAlone(t *testing.T) {
	search := func(c Choice) Result[shogi.Move] {
		s, err := New(shogi.Game{}, Config[shogi.Position]{Memory: 1 << 20, Pruning: AllPruning})
		require.NoError(t, err)
		r, err := s.Search(t.Context(), Query[shogi.Position, shogi.Move]{From: shogi.Start(), Limits: Limits{Depth: 6}, Choice: c})
		require.NoError(t, err)
		r.Time = 0
		return r
	}
	require.Equal(t, search(Choice{}), search(Choice{Seed: 9}))
}

// TestAdvised has queries that what is proven answers, and others that need a search nevertheless.
func TestAdvised(t *testing.T) {
	_, round, err := shogi.ParsePosition("startpos moves 7i6h 3a4b 6h7i 4b3a")
	require.NoError(t, err)
	move := func(text string) shogi.Move {
		b := shogi.NewBoard(shogi.Start())
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		return m
	}
	win := games.Bounds{Lower: games.Win(7), Upper: games.Won.Value()}
	loss := games.Bounds{Lower: games.Lost.Value(), Upper: games.Loss(8)}
	for _, c := range []struct {
		name     string
		bounds   games.Bounds
		query    Query[shogi.Position, shogi.Move]
		searched bool
		first    string // empty for any but 7i6h
		score    Score  // 0 for any
	}{
		{"a win", win, Query[shogi.Position, shogi.Move]{Advised: true}, false, "7i6h", ScoreOf(games.Win(7))},
		{"a loss", loss, Query[shogi.Position, shogi.Move]{Advised: true}, false, "7i6h", ScoreOf(games.Loss(8))},
		{"not decided", games.Bounds{Lower: games.Loss(3), Upper: games.Won.Value()}, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"a win that repeats", win, Query[shogi.Position, shogi.Move]{Advised: true, Moves: round}, true, "", 0},
		{"a loss that repeats", loss, Query[shogi.Position, shogi.Move]{Advised: true, Moves: round}, false, "7i6h", ScoreOf(games.Loss(8))},
		{"several lines", win, Query[shogi.Position, shogi.Move]{Advised: true, Lines: 3}, true, "7i6h", ScoreOf(games.Win(7))},
		{"another move is wanted", win, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"that move is wanted", win, Query[shogi.Position, shogi.Move]{Advised: true, Only: []shogi.Move{move("2g2f"), move("7i6h")}}, false, "7i6h", ScoreOf(games.Win(7))},
		{"a seed alone", win, Query[shogi.Position, shogi.Move]{Advised: true, Choice: Choice{Seed: 7}}, false, "7i6h", ScoreOf(games.Win(7))},
		{"a weaker move may be chosen", win, Query[shogi.Position, shogi.Move]{Advised: true, Choice: Choice{Jitter: 10}, Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
		{"not asked", win, Query[shogi.Position, shogi.Move]{Only: []shogi.Move{move("2g2f")}}, true, "2g2f", 0},
	} {
		const asked = 1_000_000
		a := games.Advice[shogi.Move]{Bounds: c.bounds, By: "oracle", Line: []shogi.Move{move("7i6h")}, Nodes: asked}
		s, err := New(shogi.Game{}, Config[shogi.Position]{}, games.Decider[shogi.Position, shogi.Move](sure(a)))
		require.NoError(t, err)
		told := 0
		q := c.query
		q.From, q.Depth = shogi.Start(), 2
		q.Progress = func(r Result[shogi.Move]) {
			told++
			require.Equal(t, c.searched && q.advised(), r.Nodes > asked, c.name)
			if c.score != 0 {
				require.Equal(t, c.score, r.Best().Score, c.name)
			}
		}
		r, err := s.Search(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, c.searched && q.advised(), r.Nodes > asked, c.name)
		require.Equal(t, map[bool]int{false: 1, true: 2}[c.searched], told, c.name)
		if c.first == "" {
			require.NotEqual(t, "7i6h", r.Best().Moves[0].String(), c.name)
		} else {
			require.Equal(t, c.first, r.Best().Moves[0].String(), c.name)
		}
		if c.score != 0 {
			require.Equal(t, c.score, r.Best().Score, c.name)
		}
		require.Len(t, r.Lines, max(q.Lines, 1), c.name)
		for _, line := range r.Lines[1:] {
			require.NotEqual(t, move("7i6h"), line.Moves[0], c.name)
		}
		if q.advised() {
			require.Equal(t, c.bounds, r.Advice.Bounds, c.name)
		}
	}
}

// saying are proofs that say something of some positions, with a rank.
type saying map[tictactoe.Position]struct {
	bounds games.Bounds
	rank   uint64
}

func (s saying) Bounds(p tictactoe.Position) (games.Bounds, uint64) {
	if x, ok := s[p]; ok {
		return x.bounds, x.rank
	}
	return games.Unbounded, 0
}

// held is a database of one position.
type held struct{ p tictactoe.Position }

func (d held) Value(p tictactoe.Position) (games.Value, bool, error) {
	return games.Win(3), p == d.p, nil
}

// deciding decides all positions of tic-tac-toe.
type deciding games.Advice[tictactoe.Move]

func (d deciding) Decide(context.Context, tictactoe.Position, uint64) (games.Advice[tictactoe.Move], error) {
	return games.Advice[tictactoe.Move](d), nil
}

func (deciding) SearchesAll() {}

// TestProofs asks proofs beside a database and a decider: who knows more tells, and of the moves that win the one after
// which least is left is played.
func TestProofs(t *testing.T) {
	g := tictactoe.Game{}
	at := func(text string) tictactoe.Position {
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		return p
	}
	win, loss := games.BoundsOf(games.Won.Value()), games.BoundsOf(games.Lost.Value())
	atLeast, atMost := games.Bounds{Lower: games.Draw, Upper: win.Upper}, games.Bounds{Lower: loss.Lower, Upper: games.Draw}
	draw, soon := games.BoundsOf(games.Draw), games.Bounds{Lower: games.Win(7), Upper: win.Upper}
	const root = "xo./.../..."
	for _, c := range []struct {
		name    string
		say     saying
		decider games.Bounds
		held    bool
		want    games.Bounds
		by      string
		move    string // empty if none is known to attain the value
	}{
		{name: "nothing", want: games.Unbounded},
		{name: "another position", say: saying{at(emptyBoard): {win, 1}}, want: games.Unbounded},
		{name: "a win", say: saying{at(root): {win, 9}}, want: win, by: ByProof},
		{name: "a win with a move", say: saying{at(root): {win, 9}, at("xo./.x./..."): {loss, 8}}, want: win, by: ByProof, move: "b2"},
		{name: "two moves", say: saying{at(root): {win, 9}, at("xo./.x./..."): {loss, 8}, at("xo./x../..."): {loss, 4}}, want: win, by: ByProof, move: "a2"},
		{name: "a move that only holds", say: saying{at(root): {win, 9}, at("xo./.x./..."): {atMost, 8}}, want: win, by: ByProof},
		{name: "a loss", say: saying{at(root): {loss, 8}, at("xo./.x./..."): {win, 3}}, want: loss, by: ByProof},
		{name: "one side holds", say: saying{at(root): {atLeast, 8}, at("xo./.x./..."): {atMost, 3}}, want: atLeast, by: ByProof, move: "b2"},
		{name: "a decider knows more", say: saying{at(root): {atLeast, 8}}, decider: win, want: win, by: "oracle"},
		{name: "a decider knows how soon", say: saying{at(root): {win, 8}}, decider: soon, want: soon, by: "oracle"},
		{name: "a draw has no distance", say: saying{at(root): {draw, 8}}, decider: win, want: draw, by: ByProof},
		{name: "a decider knows as much", say: saying{at(root): {win, 8}}, decider: win, want: win, by: ByProof},
		{name: "a database knows more", say: saying{at(root): {win, 8}}, held: true, want: games.BoundsOf(games.Win(3)), by: ByDatabase},
	} {
		cfg := Config[tictactoe.Position]{Proofs: c.say}
		if c.held {
			cfg.Database = held{at(root)}
		}
		var deciders []games.Decider[tictactoe.Position, tictactoe.Move]
		if c.decider != (games.Bounds{}) {
			deciders = append(deciders, deciding{Bounds: c.decider, By: "oracle"})
		}
		s, err := New(g, cfg, deciders...)
		require.NoError(t, err)
		a, err := s.Decide(t.Context(), at(root), 1)
		require.NoError(t, err)
		require.Equal(t, c.want, a.Bounds, c.name)
		require.Equal(t, c.by, a.By, c.name)
		text := ""
		if len(a.Line) > 0 {
			text = string(g.AppendMove(nil, at(root), a.Line[0]))
		}
		require.Equal(t, c.move, text, c.name)
		r, err := s.Search(t.Context(), Query[tictactoe.Position, tictactoe.Move]{From: at(root), Limits: Limits{Depth: 1}, Advised: true})
		require.NoError(t, err)
		require.Equal(t, c.move != "" && a.Decided(games.ByDistance), r.Nodes == 0, "%s: there is nothing to search", c.name)
		if r.Nodes == 0 {
			require.Equal(t, a.Line, r.Best().Moves, c.name)
		}
	}
}

const emptyBoard = ".../.../..."
