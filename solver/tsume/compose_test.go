//go:build !race

package tsume_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// plainComposer counts as composers do, by the rule alone: it tries all legal moves with
// iterative deepening.
type plainComposer struct {
	attacker shogi.Color
	board    shogi.Board
	none     map[shogi.Position]int // plies without a mate
	mate     map[shogi.Position]int // plies in which there is one
	composed map[shogi.Position]int
	looks    int
	// end and captures say what is futile besides what the checking piece captures: at the end of
	// a line, and in the middle.
	end, captures tsume.Futile
}

func newPlainComposer(attacker shogi.Color, end, captures tsume.Futile) *plainComposer {
	return &plainComposer{attacker: attacker, end: end, captures: captures, none: map[shogi.Position]int{}, mate: map[shogi.Position]int{}, composed: map[shogi.Position]int{}}
}

// most limits the positions of a plainComposer; beyond it results are not valid.
const most = 6_000

func (c *plainComposer) tired() bool { return c.looks > most }

// moves returns the legal moves, for the attacker only those that give check.
func (c *plainComposer) moves(p shogi.Position) (list []shogi.Move) {
	c.board.Set(p)
	for _, m := range c.board.AppendMoves(nil) {
		if p.Turn() == c.attacker && !c.check(p, m) {
			continue
		}
		list = append(list, m)
	}
	return list
}

func (c *plainComposer) check(p shogi.Position, m shogi.Move) bool {
	c.board.Set(p)
	c.board.Do(m)
	return c.board.InCheck()
}

func (c *plainComposer) after(p shogi.Position, m shogi.Move) shogi.Position {
	c.board.Set(p)
	c.board.Do(m)
	return c.board.Position()
}

// capture returns the move of the checking piece to a square, for the position after
// something was dropped there, if it is legal and gives check.
func (c *plainComposer) capture(p shogi.Position, drop shogi.Move, promote bool) (shogi.Move, bool) {
	c.board.Set(p)
	if c.board.Checkers().Len() != 1 {
		return 0, false
	}
	m := shogi.MoveOf(c.board.Checkers().First(), drop.To(), promote)
	q := c.after(p, drop)
	c.board.Set(q)
	return m, slices.Contains(c.board.AppendMoves(nil), m) && c.check(q, m)
}

// over reports whether the defender, to move, has nothing but futile interpositions
// that end a line: with the checking piece promoting always, or never, unless there
// is an attacker's king.
func (c *plainComposer) over(p shogi.Position) bool {
	return c.overByChecker(p) || c.end != 0 && c.overByAny(p, nil)
}

// overByAny reports whether the defender has nothing but interpositions that may be captured, each
// time with the same again, even if a dropped piece came back.
func (c *plainComposer) overByAny(p shogi.Position, before []shogi.Position) bool {
	if slices.Contains(before, p) || len(before) > 12 {
		return false
	}
	before = append(before, p)
	c.board.Set(p)
	checkers := c.board.Checkers()
	for _, m := range c.moves(p) {
		c.looks++
		stays := !m.IsDrop() && (p.At(m.From()).Kind() == shogi.King || m.To() == checkers.First() || c.end&tsume.Moves == 0)
		if stays || checkers.Len() > 1 || c.tired() {
			return false
		}
		if !slices.ContainsFunc(c.pairs(p, m, c.end), func(q shogi.Position) bool { return c.overByAny(q, before) }) {
			return false
		}
	}
	return true
}

// pairs returns the positions after a reply and a capture of the piece that it put between.
func (c *plainComposer) pairs(p shogi.Position, reply shogi.Move, futile tsume.Futile) (list []shogi.Position) {
	c.board.Set(p)
	checker := c.board.Checkers().First()
	at := c.after(p, reply)
	for _, m := range c.moves(at) {
		if m.IsDrop() || m.To() != reply.To() || m.From() != checker && futile&tsume.ByAnyPiece == 0 {
			continue
		}
		q := c.after(at, m)
		if m.From() != checker && futile&tsume.ByDiscovery == 0 {
			c.board.Set(q)
			third := false
			for s := range shogi.Square(81) {
				third = third || c.board.Checkers().Has(s) && s != checker && s != m.To()
			}
			if third {
				continue
			}
		}
		if reply.IsDrop() {
			squares, _, turn := q.Parts()
			_, hands, _ := p.Parts()
			var err error
			if q, err = shogi.NewPosition(squares, hands, turn); err != nil {
				continue
			}
		}
		list = append(list, q)
	}
	return list
}

func (c *plainComposer) overByChecker(p shogi.Position) bool {
	if p.King(c.attacker) != shogi.NoSquare {
		return c.overBy(p, []bool{false, true})
	}
	c.board.Set(p)
	zone := true
	if checker := c.board.Checkers(); !checker.Empty() {
		rank := checker.First().Rank()
		zone = c.attacker == shogi.Black && rank <= 3 || c.attacker == shogi.White && rank >= 7
	}
	return c.overBy(p, []bool{false}) || zone && c.overBy(p, []bool{true})
}

func (c *plainComposer) overBy(p shogi.Position, promotions []bool) bool {
	for _, drop := range c.moves(p) {
		if !drop.IsDrop() {
			return false
		}
		c.looks++
		futile := false
		for _, promote := range promotions {
			c.board.Set(p)
			k := c.board.At(c.board.Checkers().First()).Kind()
			if m, ok := c.capture(p, drop, promote && k.CanPromote()); ok && c.overBy(c.after(c.after(p, drop), m), promotions) {
				futile = true
			}
		}
		if !futile || c.tired() {
			return false
		}
	}
	return true
}

// within reports whether the attacker mates in n plies.
func (c *plainComposer) within(p shogi.Position, n int) bool {
	attacks := p.Turn() == c.attacker
	if known, ok := c.mate[p]; ok && known <= n {
		return true
	}
	if known, ok := c.none[p]; ok && known >= n || c.tired() {
		return false
	}
	c.looks++
	mates := !attacks && c.over(p)
	if n > 0 && !mates {
		moves := c.moves(p)
		one := func(m shogi.Move) bool { return c.within(c.after(p, m), n-1) }
		if attacks {
			mates = slices.ContainsFunc(moves, one)
		} else {
			mates = len(moves) > 0 && !slices.ContainsFunc(moves, func(m shogi.Move) bool { return !one(m) })
		}
	}
	if mates {
		c.mate[p] = n
	} else if !c.tired() {
		c.none[p] = n
	}
	return mates
}

// length returns the length of a mate, which must exist.
func (c *plainComposer) length(p shogi.Position) int {
	n := 0
	for !c.within(p, n) && !c.tired() {
		n++
	}
	return n
}

// count returns the length of a mate as composers count.
func (c *plainComposer) count(p shogi.Position) int {
	if n, ok := c.composed[p]; ok {
		return n
	}
	n := 0
	if length := c.length(p); length > 0 && !c.tired() {
		if p.Turn() == c.attacker {
			n = c.attack(p, length)
		} else {
			n = c.defend(p, length)
		}
	}
	c.composed[p] = n
	return n
}

func (c *plainComposer) attack(p shogi.Position, length int) int {
	best := never
	for _, m := range c.moves(p) {
		if q := c.after(p, m); c.within(q, length-1) {
			best = min(best, 1+c.count(q))
		}
	}
	return best
}

func (c *plainComposer) defend(p shogi.Position, length int) int {
	without := 0
	for _, m := range c.moves(p) {
		if !m.IsDrop() {
			without = max(without, 1+c.count(c.after(p, m)))
		}
	}
	king := p.King(p.Turn())
	for away := 1; away < 9; away++ {
		best := without
		for _, m := range c.moves(p) {
			far := max(abs(m.To().File()-king.File()), abs(m.To().Rank()-king.Rank()))
			if m.IsDrop() && far == away && !c.futile(p, m, length, without) {
				best = max(best, 1+c.count(c.after(p, m)))
			}
		}
		without = best
	}
	return without
}

func abs(n int) int { return max(n, -n) }

func (c *plainComposer) futile(p shogi.Position, drop shogi.Move, length, without int) bool {
	return slices.ContainsFunc(c.pairs(p, drop, c.captures), func(q shogi.Position) bool {
		return c.within(q, length) && c.count(q) <= without
	})
}

// lineProblem returns a position of few pieces, black to move: white's king in a
// corner behind pawns and lances with holes, black's lances, bishops and rooks
// anywhere, and something for white to interpose.
func lineProblem(rng *rand.Rand) (shogi.Position, bool) {
	far := []shogi.Kind{shogi.Lance, shogi.Bishop, shogi.Rook}
	var board [81]shogi.Piece
	files, ranks := 1+rng.IntN(3), 1+rng.IntN(3)
	for rank := 1; rank <= ranks; rank++ {
		if rng.IntN(2) > 0 {
			board[shogi.SquareAt(files+1, rank)] = shogi.PieceOf(shogi.White, shogi.Lance)
		}
	}
	for file := 1; file <= files; file++ {
		if rng.IntN(2) > 0 {
			board[shogi.SquareAt(file, ranks+1)] = shogi.PieceOf(shogi.White, shogi.Pawn)
		}
	}
	put := func(c shogi.Color, k shogi.Kind, files, ranks int) {
		s := shogi.SquareAt(1+rng.IntN(files), 1+rng.IntN(ranks))
		if board[s] != shogi.NoPiece {
			return
		}
		if k.CanPromote() && rng.IntN(3) == 0 {
			k += shogi.Promoted
		}
		board[s] = shogi.PieceOf(c, k)
	}
	put(shogi.White, shogi.King, files, ranks)
	if rng.IntN(8) == 0 {
		put(shogi.Black, shogi.King, 9, 9)
	}
	put(shogi.White, handKinds[rng.IntN(7)], files+1, ranks+1)
	for range 1 + rng.IntN(3) {
		put(shogi.Black, far[rng.IntN(3)], 9, 9)
	}
	for range 1 + rng.IntN(3) {
		put(shogi.Black, handKinds[rng.IntN(7)], files+2, ranks+2)
	}
	var hands [2]shogi.Hand
	for range rng.IntN(2) {
		hands[0] = hands[0].With(handKinds[rng.IntN(7)])
	}
	for range 1 + rng.IntN(2) {
		hands[1] = hands[1].With(handKinds[rng.IntN(7)])
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil
}

var handKinds = []shogi.Kind{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}

// mirrored returns a position with the colours exchanged and the board turned.
func mirrored(t *testing.T, p shogi.Position) shogi.Position {
	var squares [81]shogi.Piece
	for s := range squares {
		if piece := p.At(shogi.Square(s)); piece != shogi.NoPiece {
			squares[80-s] = shogi.PieceOf(piece.Color().Other(), piece.Kind())
		}
	}
	q, err := shogi.NewPosition(squares, [2]shogi.Hand{p.Hand(shogi.White), p.Hand(shogi.Black)}, p.Turn().Other())
	require.NoError(t, err)
	return q
}

var composedProblems = flag.Int("composed", 300, "random problems that TestComposed counts")

// TestComposed compares lengths as composers count with plainComposer on random small
// positions.
func TestComposed(t *testing.T) {
	problems := *composedProblems
	if testing.Short() {
		problems = 50
	}
	rng := rand.New(rand.NewPCG(11, 12))
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	shorter, drops, tired, defends := map[int]int{}, 0, 0, 0
	for n, plain := 0, 0; n < problems; {
		p, ok := lineProblem(rng)
		if !ok {
			continue
		}
		if n%3 == 0 {
			p = mirrored(t, p)
		}
		table.Clear()
		options := tsume.Options{Shortest: true, Composed: true, Nodes: 2_000}
		s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, options)
		require.NoError(t, err)
		if !s.Shortest || s.Length < 3 || s.Length > 11 || s.Composed == 0 {
			continue
		}
		interposed := slices.ContainsFunc(s.Line, func(m shogi.Move) bool { return m.IsDrop() && slices.Index(s.Line, m)%2 == 1 })
		if !interposed && plain > n/4 {
			continue
		}
		c := newPlainComposer(p.Turn(), 0, tsume.ByAnyPiece)
		want := c.count(p)
		if c.tired() {
			tired++
			continue
		}
		c.looks = math.MinInt // the rest is little
		n++
		if !interposed {
			plain++
		}
		require.Equal(t, c.length(p), s.Length, "%v", p.SFEN())
		require.Equal(t, want, s.Composed, "%v: length %d", p.SFEN(), s.Length)
		shorter[s.Length-s.Composed]++
		drops += requireComposed(t, c, p, s)
		if n%4 > 0 {
			continue
		}
		// The same from the position after the first move.
		defends++
		q := c.after(p, s.ComposedLine[0])
		s, err = tsume.Solve(t.Context(), tsume.Problem{Position: q, Defends: true}, table, options)
		require.NoError(t, err)
		require.Equal(t, c.count(q), s.Composed, "%v", q.SFEN())
		requireComposed(t, c, q, s)
	}
	t.Log("shorter by:", shorter, "with", drops, "interpositions that are not futile,", tired, "not known,", defends, "with the defender to move")
	require.Greater(t, shorter[2], problems/20)
	require.Positive(t, shorter[4])
	require.Greater(t, drops, problems/20)
}

// requireComposed checks a line of play as composers show it: each move is legal and
// leads to a position with one ply less to go. It returns the number of pieces that the
// defender drops.
func requireComposed(t *testing.T, c *plainComposer, p shogi.Position, s tsume.Solution) (drops int) {
	require.Len(t, s.ComposedLine, s.Composed, "%v", p.SFEN())
	at := p
	for i, m := range s.ComposedLine {
		if at.Turn() != c.attacker && m.IsDrop() {
			drops++
		}
		require.Contains(t, c.moves(at), m, "%v, ply %d", p.SFEN(), i+1)
		at = c.after(at, m)
		require.Equal(t, s.Composed-i-1, c.count(at), "%v, ply %d", p.SFEN(), i+1)
	}
	require.Zero(t, c.count(at), "%v", p.SFEN())
	return drops
}

// TestComposedKnown has positions that can be checked by hand.
func TestComposedKnown(t *testing.T) {
	for _, c := range []struct {
		name, position   string
		length, composed int
		line             []string // as far as it matters
	}{
		{"six squares, on each of which a pawn only delays", "6l1k/7p1/7+P1/9/9/9/9/9/2R6 b l6p", 15, 3, []string{"7i1i", "1a2a", "1i1b+"}},
		{"nothing but futile interpositions, with and without promotion", "8k/8n/7LR/9/2B6/9/9/9/9 b 3p", 7, 1, []string{"7e6f"}},
		{"a knight next to the king is in time; a silver before it changes nothing", "6Glk/8p/8S/9/9/9/6B2/9/9 b sn", 7, 5, []string{"3g5e", "N*2b", "1c2b"}},
		{"the piece that captures can be captured", "8k/6P2/6+P2/9/9/9/3R5/9/9 b g", 7, 7, []string{"6g1g", "G*1b", "1g1b+", "1a1b"}},
		{"a check from farther off, to which more can be interposed in vain", "7k1/6+l1p/4+L+B2+R/2+R6/9/9/9/9/9 b p", 7, 5, []string{"7d2d"}},
		{"of replies that hold out equally long one is futile", "5lk2/4BL1pp/L1R6/9/9/9/9/9/9 b Nb", 7, 7, nil},
		{"next to the king is what is next to where it stands", "9/9/9/9/9/b3r4/P1N6/K5+l2/3L5 w SNs", 9, 9, []string{"5f5h+", "N*6h"}},
		{"no interposition at all", "4k4/9/4P4/9/9/9/9/9/9 b RS", 3, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := shogi.ParseSFEN(c.position)
			require.NoError(t, err)
			table, err := dfpn.NewFixedTable(1 << 22)
			require.NoError(t, err)
			s, err := tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, tsume.Options{Shortest: true, Composed: true})
			require.NoError(t, err)
			require.Equal(t, c.length, s.Length)
			require.Len(t, s.Line, c.length)
			require.Equal(t, c.composed, s.Composed)
			require.Len(t, s.ComposedLine, c.composed)
			for i, m := range c.line {
				require.Equal(t, m, s.ComposedLine[i].String())
			}
			for _, options := range []tsume.Options{{}, {Shortest: true, CountFutile: true}} {
				s, err = tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, options)
				require.NoError(t, err)
				require.Zero(t, s.Composed)
				require.Empty(t, s.ComposedLine)
			}
		})
	}
}

// TestComposedLimits gives more and more nodes: results are right from the beginning, and
// the length as composers count comes last.
func TestComposedLimits(t *testing.T) {
	p, err := shogi.ParseSFEN("9/9/9/9/9/b3r4/P1N6/K5+l2/3L5 w SNs")
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	without, last := 0, tsume.Solution{}
	for nodes := uint64(50); last.Composed == 0; nodes += 10 {
		require.Less(t, nodes, uint64(100_000))
		table.Clear()
		last, err = tsume.Solve(t.Context(), tsume.Problem{Position: p}, table, tsume.Options{Shortest: true, Composed: true, Nodes: nodes})
		require.NoError(t, err)
		if last.Shortest {
			require.Equal(t, 9, last.Length)
		}
		if last.Shortest && len(last.Line) > 0 && last.Composed == 0 {
			without++
			require.Empty(t, last.ComposedLine)
		}
	}
	require.Equal(t, 9, last.Composed)
	require.Positive(t, without)
}

// TestComposedClassics has problems that are longer than handed down because of futile
// interpositions in the middle.
func TestComposedClassics(t *testing.T) {
	for _, c := range []struct {
		set, id          string
		length, composed int
	}{
		{"zuko", "zuko-018", 25, 23},
		{"zuko", "zuko-064", 77, 69},
		{"zuko", "zuko-074", 31, 29},
		{"muso", "muso-089", 73, 69},
	} {
		if testing.Short() && c.id != "zuko-018" {
			continue
		}
		set, err := bench.TsumeSet(c.set)
		require.NoError(t, err)
		i := slices.IndexFunc(set, func(e tsume.Entry) bool { return e.ID == c.id })
		table, err := dfpn.NewFixedTable(32 << 20)
		require.NoError(t, err)
		s, err := tsume.Solve(t.Context(), set[i].Problem, table, tsume.Options{Shortest: true, Composed: true})
		require.NoError(t, err)
		require.Equal(t, c.length, s.Length, c.id)
		require.Equal(t, c.composed, s.Composed, c.id)
		require.Equal(t, set[i].Declared, s.Composed, c.id)
		// A plain player can go on to mate from where the line ends.
		p := newPlainComposer(set[i].Position.Turn(), 0, tsume.ByAnyPiece)
		at := set[i].Position
		for _, m := range s.ComposedLine {
			require.Contains(t, p.moves(at), m, c.id)
			at = p.after(at, m)
		}
		require.Zero(t, p.count(at), c.id)
	}
}
