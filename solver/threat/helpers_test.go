package threat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// Invariants returns whether every claim is verified, which takes time.
func Invariants() bool { return claims != nil }

func open(t testing.TB, spec string) *gomoku.Game {
	t.Helper()
	g, err := gomoku.Family.Open(spec)
	require.NoError(t, err)
	return g
}

func newGame(t testing.TB, r gomoku.Rules) *gomoku.Game {
	t.Helper()
	g, err := gomoku.New(r)
	require.NoError(t, err)
	return g
}

// oracle decides positions of small boards by full-width search.
type oracle struct {
	t      testing.TB
	game   *gomoku.Game
	solver *gomokutest.Solver
	values map[gomoku.Position]games.Result
}

func newOracle(t testing.TB, g *gomoku.Game) *oracle {
	r := g.Rules()
	rules := gomokutest.Rules{Rows: r.Rows, Columns: r.Columns, K: r.K, Exact: r.Exact}
	return &oracle{t, g, gomokutest.NewSolver(rules, 1<<24), map[gomoku.Position]games.Result{}}
}

// result returns what p is worth to the side to move.
func (o *oracle) result(p gomoku.Position) games.Result {
	if v, finished := o.game.Outcome(p); finished {
		return v.Result()
	}
	if r, ok := o.values[p]; ok {
		return r
	}
	v, err := o.solver.Value(gomokutest.Position{Mover: o.stones(p.Stones(p.ToMove())), Other: o.stones(p.Stones(p.ToMove().Opponent()))})
	require.NoError(o.t, err)
	r := map[gomokutest.Value]games.Result{gomokutest.Loss: games.Lost, gomokutest.Draw: games.Drawn, gomokutest.Win: games.Won}[v]
	o.values[p] = r
	return r
}

// wins reports whether a side can force a win.
func (o *oracle) wins(p gomoku.Position, side gomoku.Side) bool {
	if p.ToMove() == side {
		return o.result(p) == games.Won
	}
	return o.result(p) == games.Lost
}

func (o *oracle) stones(set gomoku.Set) (n uint64) {
	for s := range set.All() {
		n |= 1 << (s.Row()*o.game.Rules().Columns + s.Column())
	}
	return n
}

// checkTree plays every reply to every move of a tree and says where it does not
// win. It knows the rules only. The attacker is to move in p.
func checkTree(g *gomoku.Game, p gomoku.Position, t *Tree) error {
	if empty := g.EmptySquares(p); !empty.Has(t.Move) {
		return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, p))
	}
	p = g.Play(p, t.Move)
	if v, finished := g.Outcome(p); finished || t.Wins {
		if v.Result() != games.Lost || !finished || !t.Wins {
			return fmt.Errorf("%v ends with %v, the tree says that it wins: %v: %s", t.Move, v, t.Wins, g.AppendPosition(nil, p))
		}
		return nil
	}
	for _, reply := range g.AppendMoves(nil, p) {
		q := g.Play(p, reply)
		if v, finished := g.Outcome(q); finished {
			return fmt.Errorf("%v ends the game (%v): %s", reply, v, g.AppendPosition(nil, q))
		}
		if err := checkTree(g, q, t.After(reply)); err != nil {
			return err
		}
	}
	return nil
}

// playTree plays a tree out against a defender who plays at random, and often
// where he makes the most of his lines.
func playTree(g *gomoku.Game, p gomoku.Position, t *Tree, rng *rand.Rand) error {
	b := g.NewBoard(p)
	attacker := p.ToMove()
	for {
		if !b.IsEmpty(t.Move) || t.Move == gomoku.NoSquare {
			return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, b.Position(attacker)))
		}
		b.Place(t.Move, attacker)
		if b.HasWon(attacker) {
			return nil
		}
		if t.Wins {
			return fmt.Errorf("%v does not win in %s", t.Move, g.AppendPosition(nil, b.Position(attacker)))
		}
		empty := g.EmptySquares(b.Position(attacker))
		moves := slices.Collect(empty.All())
		if len(moves) == 0 {
			return errors.New("the board is full")
		}
		reply := moves[rng.IntN(len(moves))]
		switch fives := b.Fives(attacker); {
		case rng.IntN(4) > 0 && !fives.Empty():
			reply = slices.Collect(fives.All())[0]
		case rng.IntN(4) > 0 && len(t.Replies) > 0:
			reply = t.Replies[rng.IntN(len(t.Replies))].Move
		}
		defenderFives := b.Fives(attacker.Opponent())
		var best gomoku.Set
		for n := g.Rules().K - 1; n > 0 && best.Empty(); n-- {
			b.AddGaps(attacker.Opponent(), n, &best)
			if n < g.Rules().K-1 && rng.IntN(3) == 0 {
				break
			}
		}
		if list := slices.Collect(best.All()); len(list) > 0 && (rng.IntN(3) == 0 || defenderFives.Len() > 0) {
			reply = list[rng.IntN(len(list))]
		}
		if !b.IsEmpty(reply) {
			reply = moves[rng.IntN(len(moves))]
		}
		b.Place(reply, attacker.Opponent())
		if b.HasWon(attacker.Opponent()) {
			return fmt.Errorf("%v wins for the defender: %s", reply, g.AppendPosition(nil, b.Position(attacker)))
		}
		t = t.After(reply)
	}
}

// middleGame plays random moves near other stones until there are so many.
func middleGame(g *gomoku.Game, rng *rand.Rand, stones int) gomoku.Position {
	for {
		p := g.Play(g.Start(), gomoku.SquareAt(g.Rules().Rows/2, g.Rules().Columns/2))
		for range stones - 1 {
			near := g.EmptySquares(p)
			around := surroundings(g, p)
			near.Intersect(&around)
			moves := slices.Collect(near.All())
			if _, finished := g.Outcome(p); finished || len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if _, finished := g.Outcome(p); !finished {
			return p
		}
	}
}

// surroundings returns the squares at most two away from a stone.
func surroundings(g *gomoku.Game, p gomoku.Position) (set gomoku.Set) {
	for _, side := range []gomoku.Side{gomoku.Black, gomoku.White} {
		stones := p.Stones(side)
		for s := range stones.All() {
			for row := max(s.Row()-2, 0); row <= min(s.Row()+2, g.Rules().Rows-1); row++ {
				for column := max(s.Column()-2, 0); column <= min(s.Column()+2, g.Rules().Columns-1); column++ {
					set.Add(gomoku.SquareAt(row, column))
				}
			}
		}
	}
	return set
}

var smallBoards = []string{
	"gomoku:size=3x3,k=3", "gomoku:size=4x4,k=3", "gomoku:size=4x4,k=3,rule=exact", "gomoku:size=2x9,k=3,rule=exact",
	"gomoku:size=4x5,k=4", "gomoku:size=5x5,k=3", "gomoku:size=5x5,k=3,rule=exact", "gomoku:size=5x5,k=4",
	"gomoku:size=5x5,k=4,rule=exact", "gomoku:size=5x5,k=5", "gomoku:size=5x5,rule=exact", "gomoku:size=3x8,k=4,rule=exact",
}

// smallPosition places stones at random until few squares are empty, so that
// neither side has won.
func smallPosition(g *gomoku.Game, rng *rand.Rand) gomoku.Position {
	for {
		p := g.Start()
		squares := g.AppendMoves(nil, p)
		stones := max(len(squares)-9, 0)
		stones += rng.IntN(len(squares) - stones)
		toMove := gomoku.Side(rng.IntN(2))
		var placed [2]gomoku.Set
		for i, at := range rng.Perm(len(squares))[:stones] {
			placed[i%2].Add(squares[at])
		}
		p = gomoku.NewPosition(placed[0], placed[1], toMove)
		if b := g.NewBoard(p); !b.HasWon(gomoku.Black) && !b.HasWon(gomoku.White) {
			return p
		}
	}
}

func randomPosition(g *gomoku.Game, rng *rand.Rand, empty int) gomoku.Position {
	for {
		all := g.Squares()
		squares := slices.Collect(all.All())
		var stones [2]gomoku.Set
		for i, at := range rng.Perm(len(squares))[min(empty, len(squares)):] {
			stones[i%2].Add(squares[at])
		}
		p := gomoku.NewPosition(stones[0], stones[1], gomoku.Side(rng.IntN(2)))
		_, finished := g.Outcome(p)
		_, other := g.Outcome(p.NullMove())
		if !finished && !other {
			return p
		}
	}
}

// puzzle is a row of testdata/puzzles.tsv: positions of games between programs,
// each with what a search of its own, which is not ours, found in them.
type puzzle struct {
	id       string
	game     *gomoku.Game
	position gomoku.Position
	moves    int // of the shortest victory by continuous fours; 0 if there is none
}

func puzzles(t testing.TB) (list []puzzle) {
	text, err := os.ReadFile("../../games/gomoku/testdata/puzzles.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		spec := fmt.Sprintf("gomoku:size=%sx%s", f[2], f[2])
		if f[1] == "exact5" {
			spec += ",rule=exact"
		}
		p := puzzle{id: f[0], game: open(t, spec)}
		p.position, err = p.game.ParsePosition(f[4] + " " + f[3])
		require.NoError(t, err)
		if f[5] != "no VCF" {
			require.Equal(t, "win by VCF, minimal", f[5])
			p.moves, err = strconv.Atoi(f[6])
			require.NoError(t, err)
		}
		list = append(list, p)
	}
	return list
}

// quietPuzzles returns the positions of the puzzles without a victory by continuous
// fours.
func quietPuzzles(t testing.TB) (list []gomoku.Position) {
	for _, p := range puzzles(t) {
		if p.moves == 0 {
			list = append(list, p.position)
		}
	}
	return list
}

// checkProof checks a proof by plain rules.
func checkProof(t testing.TB, file []byte) (proof.Report, error) {
	r, err := proof.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	plain, ok := gomokurules.Open(r.Header().Game)
	require.True(t, ok)
	return proof.Check(context.Background(), r, plain, proof.CheckOptions{})
}

// position returns the position after moves on the usual board.
func position(t testing.TB, g *gomoku.Game, moves ...string) gomoku.Position {
	p := g.Start()
	for _, text := range moves {
		m, err := g.ParseMove(p, text)
		require.NoError(t, err)
		p = g.Play(p, m)
	}
	return p
}
