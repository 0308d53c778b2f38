package tsume_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// brinkOracle decides brinkmates by the definition: by legal moves, and mates by exhaustion.
type brinkOracle struct {
	board shogi.Board
	mates map[shogi.Position]bool
	known map[string]bool
	most  int  // positions in which to look for a mate
	over  bool // that did not suffice
}

func newBrinkOracle(most int) *brinkOracle {
	return &brinkOracle{mates: map[shogi.Position]bool{}, known: map[string]bool{}, most: most}
}

// mate reports whether the side to move mates.
func (o *brinkOracle) mate(p shogi.Position) bool {
	if mate, ok := o.mates[p]; ok {
		return mate
	}
	x := &exhaustion{attacker: p.Turn(), number: map[shogi.Position]int32{}}
	x.find(p)
	for i := 0; i < len(x.positions) && !x.mate[0]; i++ {
		if o.over = o.over || i == o.most; o.over {
			return false
		}
		x.look(int32(i))
	}
	o.mates[p] = x.mate[0]
	return x.mate[0]
}

// brinkmate reports whether the side to move mates or has a brinkmate in n moves.
func (o *brinkOracle) brinkmate(p shogi.Position, n int) bool {
	if n == 0 || o.mate(p) {
		return o.mate(p)
	}
	key := fmt.Sprint(p.SFEN(), n)
	if found, ok := o.known[key]; ok {
		return found
	}
	for _, q := range after(&o.board, p, false) {
		if o.holds(q, n-1) && !o.over {
			o.known[key] = true
			return true
		}
	}
	o.known[key] = false
	return false
}

// holds reports whether the move to q leaves no defence that lasts n moves more.
func (o *brinkOracle) holds(q shogi.Position, n int) bool {
	replies := after(&o.board, q, false)
	if !shogi.NewBoard(q).InCheck() && len(replies) > 0 {
		b := shogi.NewBoard(q)
		b.Pass()
		if !o.mate(b.Position()) {
			return false
		}
	}
	for _, r := range replies {
		if o.over || !o.brinkmate(r, n) {
			return false
		}
	}
	return true
}

// requireLine checks a brinkmate in n moves and its line.
func (o *brinkOracle) requireLine(t *testing.T, p shogi.Position, s *tsume.BrinkmateSolution) {
	b := shogi.NewBoard(p)
	for i, m := range s.Line[:max(min(2*s.Moves, len(s.Line)), 0)] {
		require.NoError(t, b.CheckMove(m))
		b.Do(m)
		left := s.Moves - 1 - i/2
		if i%2 == 0 {
			require.True(t, o.holds(b.Position(), left) || o.over, "%v: %v", p.SFEN(), m)
		} else {
			require.True(t, left == 0 || !o.brinkmate(b.Position(), left-1) || o.over, "%v: %v", p.SFEN(), m)
		}
	}
	if len(b.AppendMoves(nil)) > 0 || len(s.Line) > 2*s.Moves {
		require.Greater(t, len(s.Line), 2*s.Moves)
		require.NoError(t, replay(b.Position(), s.Line[2*s.Moves:], s.Tail))
	}
}

// brinkProblems makes random positions of few pieces, black to move: White's king is near a corner,
// and Black's pieces near it; Black's king, if there is one, is not far. Most of them differ a little
// from one that has a brinkmate.
type brinkProblems struct {
	rng  *rand.Rand
	good []shogi.Position
}

func (g *brinkProblems) next() (shogi.Position, bool) {
	rng := g.rng
	kinds := []shogi.Kind{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Gold, shogi.Bishop, shogi.Rook}
	var board [81]shogi.Piece
	var hands [2]shogi.Hand
	put := func(c shogi.Color, k shogi.Kind, files, ranks int) {
		s := shogi.SquareAt(1+rng.IntN(files), 1+rng.IntN(ranks))
		if k.CanPromote() && rng.IntN(4) == 0 {
			k += shogi.Promoted
		}
		if board[s].Kind() != shogi.King {
			board[s] = shogi.PieceOf(c, k)
		}
	}
	kind := func() shogi.Kind { return kinds[rng.IntN(len(kinds))] }
	if len(g.good) > 0 && rng.IntN(5) > 0 {
		p := g.good[rng.IntN(len(g.good))]
		if rng.IntN(2) == 0 {
			p = g.good[rng.IntN(min(3, len(g.good)))]
		}
		for s := range board {
			board[s] = p.At(shogi.Square(s))
		}
		hands = [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}
		for c := range hands {
			if hands[c].Len() < 2-c && rng.IntN(3) == 0 {
				hands[c] = hands[c].With(kind())
			}
		}
		for range 1 + rng.IntN(2) {
			switch s := shogi.SquareAt(1+rng.IntN(5), 1+rng.IntN(5)); {
			case rng.IntN(3) > 0:
				put(shogi.Color(rng.IntN(2)), kind(), 5, 4)
			case board[s].Kind() != shogi.King:
				board[s] = shogi.NoPiece
			}
		}
	} else {
		put(shogi.White, shogi.King, 3, 2)
		if rng.IntN(2) == 0 {
			put(shogi.Black, shogi.King, 5, 6)
		}
		for range 2 + rng.IntN(4) {
			put(shogi.White, kind(), 4, 3)
		}
		for range 1 + rng.IntN(3) {
			put(shogi.Black, kind(), 5, 5)
		}
		for range rng.IntN(3) {
			hands[shogi.Black] = hands[shogi.Black].With(kind())
		}
		for range rng.IntN(2) {
			hands[shogi.White] = hands[shogi.White].With(kind())
		}
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil && p.King(shogi.White) != shogi.NoSquare
}

var randomBrinkmates = flag.Int("brinkmates", 300, "random problems that TestBrinkmate solves")

// TestBrinkmate compares brinkmates of random small positions, and their lines, with the definition.
// Of the positions without one, only a part is compared. Where the attacker can give a piece in hand
// to the defender, that position is solved with the same table.
func TestBrinkmate(t *testing.T) {
	problems := *randomBrinkmates
	random := brinkProblems{rng: rand.New(rand.NewPCG(3, 4))}
	for _, sfen := range []string{"5l2k/5K3/5g2P/9/4G4/9/9/9/9 b GN 1", "8k/5gp1l/8p/9/9/9/9/9/9 b GN 1", "7nk/9/6p1p/7G1/9/9/9/9/9 b L 1"} {
		p, err := shogi.ParseSFEN(sfen)
		require.NoError(t, err)
		random.good = append(random.good, p)
	}
	table, err := dfpn.NewTable(1 << 24)
	require.NoError(t, err)
	var found [4]int
	none, n := 0, 0
	compare := func(p shogi.Position, asked int) bool {
		s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, asked, table, tsume.Options{Nodes: 10_000})
		require.NoError(t, err)
		if s.Outcome == dfpn.Unknown || s.Outcome == dfpn.Disproven && none > problems/3 || s.Outcome == dfpn.Proven && s.Moves == 0 && found[0] > problems/20 {
			return false
		}
		o := newBrinkOracle(300)
		want := 0
		for want <= asked && !o.brinkmate(p, want) {
			want++
		}
		if o.over {
			return false
		}
		n++
		if want > asked {
			none++
			require.Equal(t, dfpn.Disproven, s.Outcome, "%v in %d", p.SFEN(), asked)
			require.Equal(t, asked, s.None)
			return false
		}
		found[want]++
		require.Equal(t, dfpn.Proven, s.Outcome, "%v in %d", p.SFEN(), asked)
		require.Equal(t, want, s.Moves, "%v", p.SFEN())
		require.Equal(t, want-1, s.None)
		o.requireLine(t, p, &s)
		return want > 0
	}
	given := 0
	for n < problems {
		p, ok := random.next()
		if !ok {
			continue
		}
		asked := []int{1, 2, 2, 2, 3}[random.rng.IntN(5)]
		table.Clear()
		if !compare(p, asked) {
			continue
		}
		random.good = append(random.good, p)
		for k := shogi.Pawn; k <= shogi.Gold; k++ {
			if p.Hand(shogi.Black).Has(k) {
				given++
				compare(withHands(t, p, p.Hand(shogi.Black).Without(k), p.Hand(shogi.White).With(k)), asked)
				break
			}
		}
	}
	t.Log(found, none, given)
	require.Greater(t, found[1]+found[2]+found[3], problems/3)
	require.Positive(t, found[2])
	require.Greater(t, given, problems/5)
}

// withHands returns a position with other hands.
func withHands(t *testing.T, p shogi.Position, black, white shogi.Hand) shogi.Position {
	var board [81]shogi.Piece
	for s := range board {
		board[s] = p.At(shogi.Square(s))
	}
	p, err := shogi.NewPosition(board, [2]shogi.Hand{black, white}, p.Turn())
	require.NoError(t, err)
	return p
}

// TestBrinkmateCases compares thin places with the definition.
func TestBrinkmateCases(t *testing.T) {
	table, err := dfpn.NewTable(1 << 22)
	require.NoError(t, err)
	for _, c := range []struct {
		name, sfen string
		most       int
		moves      int // -1 if there is no brinkmate
	}{
		{"mate already", "8k/9/8G/9/9/9/9/9/9 b G 1", 1, 0},
		{"a lance threatens mate", "7nk/9/6p1p/7G1/9/9/9/9/9 b L 1", 1, 1},
		{"a pawn does not: it may not be dropped for mate", "7nk/9/6p1p/7G1/9/9/9/9/9 b P 1", 1, -1},
		{"the defender drops a lance", "7nk/9/6p1p/7G1/9/9/9/9/9 b Ll 1", 1, -1},
		{"the attacker has a king", "7nk/9/6p1p/7G1/9/9/9/9/6K2 b L 1", 1, 1},
		{"and the defender gives check", "7nk/9/6p1p/7G1/6K2/9/9/9/9 b L 1", 1, -1},
		{"the defender captures", "7nk/6g2/6p1p/7G1/9/9/9/9/9 b L 1", 1, -1},
		{"no threat of mate, though all replies lose", "8k/p8/6NG1/9/8P/9/9/9/9 b - 1", 3, -1},
		{"a threat of mate", "8k/p8/6NG1/8P/9/9/9/9/9 b - 1", 3, 1},
		{"stalemate loses", "8k/9/6N2/7G1/9/9/9/9/9 b - 1", 1, 1},
		{"two threats", "7nk/9/6p1p/7G1/9/9/9/9/9 b LG 1", 1, 1},
	} {
		table.Clear()
		p, err := shogi.ParseSFEN(c.sfen)
		require.NoError(t, err, c.name)
		s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, c.most, table, tsume.Options{Threads: 2})
		require.NoError(t, err, c.name)
		o := newBrinkOracle(20_000)
		want := -1
		for n := c.most; n >= 0 && o.brinkmate(p, n); n-- {
			want = n
		}
		require.False(t, o.over, c.name)
		require.Equal(t, c.moves, want, c.name)
		if want < 0 {
			require.Equal(t, dfpn.Disproven, s.Outcome, c.name)
			require.Equal(t, c.most, s.None, c.name)
			continue
		}
		require.Equal(t, dfpn.Proven, s.Outcome, c.name)
		require.Equal(t, want, s.Moves, c.name)
		require.NotEmpty(t, s.Line, c.name)
	}
	// With a pawn to drop, the defender is in no stalemate.
	table.Clear()
	for _, hand := range []string{"P", "p", "P"} { // with the same table
		p, err := shogi.ParseSFEN("8k/9/6N2/7G1/9/9/9/9/9 b " + hand + " 1")
		require.NoError(t, err)
		s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, 1, table, tsume.Options{})
		require.NoError(t, err)
		require.Equal(t, hand == "P", s.Outcome == dfpn.Proven, hand)
		require.NotEqual(t, dfpn.Unknown, s.Outcome)
	}
	table.Clear()
	p, err := shogi.ParseSFEN("7kl/9/9/9/9/9/9/9/9 b GSN 1")
	require.NoError(t, err)
	s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, 9, table, tsume.Options{Time: 1})
	require.NoError(t, err)
	require.Equal(t, dfpn.Unknown, s.Outcome)
	require.True(t, s.TimedOut)
	_, err = tsume.SolveBrinkmate(t.Context(), tsume.Problem{Defends: true}, 1, table, tsume.Options{})
	require.Error(t, err)
}
