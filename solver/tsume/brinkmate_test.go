package tsume_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// brinkOracle decides brinkmates by the definition: by legal moves, and mates by exhaustion.
type brinkOracle struct {
	board     shogi.Board
	mates     map[shogi.Position]bool
	known     map[shogi.Position]brinkBounds
	positions []shogi.Position // those known
	most      int              // positions, and those in which to look for a mate
	over      bool             // that did not suffice
}

// brinkBounds are the most moves in which there is no brinkmate and the fewest in which there is
// one, as far as known.
type brinkBounds struct{ none, some int }

func newBrinkOracle(most int) *brinkOracle {
	return &brinkOracle{mates: map[shogi.Position]bool{}, known: map[shogi.Position]brinkBounds{}, most: most}
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
	for i, q := range x.positions {
		if x.mate[i] || !x.mate[0] {
			o.mates[q] = x.mate[i]
		}
	}
	return x.mate[0]
}

// brinkmate reports whether the side to move mates or has a brinkmate in n moves.
func (o *brinkOracle) brinkmate(p shogi.Position, n int) bool {
	if n == 0 || o.mate(p) {
		return o.mate(p)
	}
	if _, ok := o.known[p]; !ok {
		o.known[p] = brinkBounds{0, never}
		o.positions = append(o.positions, p)
		o.over = o.over || len(o.positions) > o.most
	}
	if known := o.known[p]; o.over || n <= known.none || n >= known.some {
		return n >= known.some
	}
	for _, q := range after(&o.board, p, false) {
		if o.holds(q, n-1) && !o.over {
			o.known[p] = brinkBounds{o.known[p].none, n}
			return true
		}
	}
	if !o.over {
		o.known[p] = brinkBounds{n, o.known[p].some}
	}
	return false
}

// holds reports whether the move to q leaves no defence that lasts n moves more.
func (o *brinkOracle) holds(q shogi.Position, n int) bool {
	replies := after(&o.board, q, false)
	if b := shogi.NewBoard(q); !b.InCheck() && len(replies) > 0 {
		if b.Pass(); !o.mate(b.Position()) {
			return false
		}
	}
	for _, r := range replies {
		if known, ok := o.known[r]; ok && n <= known.none {
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

// mateInOne reports whether the side to move has a check that only drops can answer, if anything.
func (o *brinkOracle) mateInOne(p shogi.Position) bool {
	return slices.ContainsFunc(after(&o.board, p, true), func(q shogi.Position) bool {
		return !slices.ContainsFunc(shogi.NewBoard(q).AppendMoves(nil), func(m shogi.Move) bool { return !m.IsDrop() })
	})
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
		require.Greater(t, len(s.Line), 2*s.Moves, "%v", p.SFEN())
		require.NoError(t, replay(b.Position(), s.Line[2*s.Moves:], s.Tail))
	}
	if s.Moves > 0 && len(s.Line) == 2*s.Moves+1 { // no reply holds out longer
		b.Undo()
		for _, r := range after(&o.board, b.Position(), false) {
			require.True(t, o.mateInOne(r), "%v: %v", p.SFEN(), r.SFEN())
		}
	}
}

// brinkProblems makes random positions of few pieces, black to move: White's king is near a corner,
// and Black's pieces near it; Black's king, if there is one, is not far. Most of them differ a little
// from one that has a brinkmate.
type brinkProblems struct {
	rng  *rand.Rand
	good [6][]shogi.Position // by the number of moves
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
	longest := 1
	for moves := range g.good {
		if len(g.good[moves]) > 0 {
			longest = moves
		}
	}
	if good := g.good[1+rng.IntN(longest)]; len(good) > 0 && rng.IntN(5) > 0 {
		p := good[rng.IntN(len(good))]
		if rng.IntN(4) == 0 {
			p = good[rng.IntN(min(3, len(good)))]
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

var (
	randomBrinkmates = flag.Int("brinkmates", 300, "random problems that TestBrinkmate solves")
	brinkmateSeed    = flag.Uint64("brinkmates-seed", 3, "seed of the problems of TestBrinkmate")
)

// TestBrinkmate compares brinkmates of random small positions, and their lines, with the definition.
// Of the positions without one, only a part is compared. Some of the positions that the definition
// had to decide for one problem are solved with the same table, and where the attacker can give a
// piece in hand to the defender, that position too.
func TestBrinkmate(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	problems := *randomBrinkmates
	if testing.Short() {
		problems = min(problems, 50)
	}
	random := brinkProblems{rng: rand.New(rand.NewPCG(*brinkmateSeed, 4))}
	for i, sfen := range []string{
		"7nk/9/6p1p/7G1/9/9/9/9/9 b L 1", "5l2k/5K3/5g2P/9/4G4/9/9/9/9 b GN 1", "8k/5gp1l/8p/9/9/9/9/9/9 b GN 1",
		"5g2k/5K3/5gS1S/6l2/9/9/9/9/9 b GNg 1", "5g2k/5K+s2/5gSRS/4p4/4G4/9/9/9/9 b GNs 1",
	} {
		p, err := shogi.ParseSFEN(sfen)
		require.NoError(t, err)
		random.good[1+i] = append(random.good[1+i], p)
	}
	table, err := dfpn.NewFixedTable(1 << 24)
	require.NoError(t, err)
	var found, none [6]int
	n, lines, given := 0, 0, 0
	const nodes = 5000
	// compare returns the number of moves, 0 for none.
	compare := func(o *brinkOracle, p shogi.Position, asked int) int {
		s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, asked, table, tsume.Options{Nodes: nodes})
		require.NoError(t, err)
		if s.Outcome == dfpn.Unknown || s.Outcome == dfpn.Disproven && none[asked] > problems/8 || s.Outcome == dfpn.Proven && s.Moves == 0 && found[0] > problems/20 {
			return 0
		}
		want := 0
		for want <= asked && !o.brinkmate(p, want) {
			want++
		}
		if o.over {
			return 0
		}
		n++
		if want > asked {
			none[asked]++
			require.Equal(t, dfpn.Disproven, s.Outcome, "%v in %d", p.SFEN(), asked)
			require.Equal(t, asked, s.None)
			return 0
		}
		found[want]++
		require.Equal(t, dfpn.Proven, s.Outcome, "%v in %d", p.SFEN(), asked)
		require.Equal(t, want, s.Moves, "%v", p.SFEN())
		require.Equal(t, want-1, s.None)
		if s.Nodes < nodes { // otherwise the line may end early
			o.requireLine(t, p, &s)
			lines++
		}
		return want
	}
	for n < problems {
		p, ok := random.next()
		if !ok {
			continue
		}
		asked := []int{1, 2, 3, 5, 5, 5}[random.rng.IntN(6)]
		o := newBrinkOracle(1000)
		table.Clear()
		moves := compare(o, p, asked)
		if moves == 0 {
			continue
		}
		random.good[moves] = append(random.good[moves], p)
		for _, i := range random.rng.Perm(len(o.positions)) {
			p := o.positions[i]
			if known := o.known[p]; n < problems && known.none > random.rng.IntN(6) {
				compare(o, p, min(known.none+random.rng.IntN(2), 5))
			}
		}
		for k := shogi.Pawn; k <= shogi.Gold; k++ {
			if p.Hand(shogi.Black).Has(k) {
				given++
				compare(o, withHands(t, p, p.Hand(shogi.Black).Without(k), p.Hand(shogi.White).With(k)), asked)
				break
			}
		}
	}
	t.Log(found, none, lines, given)
	for moves := range found {
		require.Positive(t, found[moves], moves)
	}
	require.Greater(t, lines, problems/3)
	require.Greater(t, given, problems/50)
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
	table, err := dfpn.NewFixedTable(1 << 22)
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
		{"two moves", "5g1pk/5K3/5gS1P/7L1/4G4/9/9/9/9 b GN 1", 2, 2},
		{"three moves", "5K2k/5g3/5gS1S/6l2/9/9/9/9/9 b 2GN 1", 3, 3},
		{"three moves, and a reply that holds out longest", "5g2k/5K3/5gS1S/4b1l2/4G4/9/9/9/9 b GNs 1", 3, 3},
		{"replies that hold out longest", "4Rl2k/5Kp2/5g1gP/9/9/9/9/9/9 b GNp 1", 1, 1},
		{"four moves", "5g2k/5K3/5gS1S/6l2/9/9/9/9/9 b GNg 1", 4, 4},
		{"five moves", "5g2k/5K+s2/5gSRS/4p4/4G4/9/9/9/9 b GNs 1", 5, 5},
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
		o.requireLine(t, p, &s)
	}
	// The defender is in stalemate only if it has no pawn to drop. In the second position, the
	// attacker's pawns are of no use.
	for _, c := range []struct{ board, none, wins string }{
		{"8k/9/6N2/7G1/9/9/9/9/9", "p", "P"},
		{"8k/9/6N2/7G1/9/9/9/4PPPPP/9", "Pp", "2P"},
	} {
		table.Clear()
		for _, hand := range []string{c.none, c.wins, c.none} { // with the same table
			p, err := shogi.ParseSFEN(c.board + " b " + hand + " 1")
			require.NoError(t, err)
			s, err := tsume.SolveBrinkmate(t.Context(), tsume.Problem{Position: p}, 1, table, tsume.Options{})
			require.NoError(t, err)
			require.Equal(t, hand == c.wins, s.Outcome == dfpn.Proven, hand)
			require.NotEqual(t, dfpn.Unknown, s.Outcome)
		}
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
