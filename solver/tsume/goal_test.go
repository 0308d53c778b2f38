package tsume_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// goalOracle decides goals by the definition, with the plain rules, which share nothing with those of
// the solver. Black attacks.
type goalOracle struct {
	free, black, white *plain.Game // white: White must give check
	goal               tsume.Goal
	lines              map[goalPosition][]string // the lines of exactly so many plies, where both help
	forced             map[goalPosition]bool     // whether a self mate is forced within so many
	most               int                       // positions
	over               bool                      // that did not suffice
}

type goalPosition struct {
	plain.Position
	check bool // the side to move is in check
	left  int
}

func newGoalOracle(t *testing.T, goal tsume.Goal, most int) *goalOracle {
	o := &goalOracle{goal: goal, most: most, lines: map[goalPosition][]string{}, forced: map[goalPosition]bool{}}
	for name, g := range map[string]**plain.Game{"shogi": &o.free, "shogi:checks=black": &o.black, "shogi:checks=white": &o.white} {
		var err error
		*g, err = plain.Open(name)
		require.NoError(t, err)
	}
	return o
}

// at returns a position for the oracle.
func (o *goalOracle) at(t *testing.T, p shogi.Position, left int) goalPosition {
	q, err := o.free.Parse(p.SFEN())
	require.NoError(t, err)
	return goalPosition{q, shogi.NewBoard(p).InCheck(), left}
}

// next returns the positions after the checks of Black or the replies of White, by move, in an order that is
// always the same.
func (o *goalOracle) next(p goalPosition) (moves []string, positions []goalPosition) {
	_, turn := p.Board()
	g := o.free
	if turn == 'b' {
		g = o.black
	}
	checking := o.white.Moves(p.Position)
	for _, m := range g.Moves(p.Position) {
		moves = append(moves, g.Text(p.Position, m))
		positions = append(positions, goalPosition{g.Play(p.Position, m), turn == 'b' || slices.Contains(checking, m), p.left - 1})
	}
	return moves, positions
}

// reached reports whether the goal is reached in a position.
func (o *goalOracle) reached(p goalPosition) bool {
	_, turn := p.Board()
	return (turn == 'b') == (o.goal != tsume.Helpmate) && p.check && len(o.free.Moves(p.Position)) == 0
}

// count reports whether a position can still be looked at.
func (o *goalOracle) count() bool {
	o.over = o.over || len(o.lines)+len(o.forced) >= o.most
	return !o.over
}

// linesOf returns all lines of exactly p.left plies in which both sides help.
func (o *goalOracle) linesOf(p goalPosition) (all []string) {
	if p.left == 0 {
		if o.reached(p) {
			return []string{""}
		}
		return nil
	}
	if known, ok := o.lines[p]; ok || !o.count() {
		return known
	}
	moves, positions := o.next(p)
	for i, q := range positions {
		for _, line := range o.linesOf(q) {
			all = append(all, strings.TrimSpace(moves[i]+" "+line))
		}
		o.over = o.over || len(all) > 3*o.most
	}
	o.lines[p] = all
	return all
}

// force reports whether White must mate Black within p.left plies.
func (o *goalOracle) force(p goalPosition) bool {
	if _, turn := p.Board(); turn == 'b' && o.reached(p) {
		return true
	}
	if p.left <= 0 {
		return false
	}
	if known, ok := o.forced[p]; ok || !o.count() {
		return known
	}
	_, positions := o.next(p)
	_, turn := p.Board()
	forced := false
	if turn == 'b' {
		forced = slices.ContainsFunc(positions, o.force)
	} else {
		forced = len(positions) > 0 && !slices.ContainsFunc(positions, func(q goalPosition) bool { return !o.force(q) })
	}
	o.forced[p] = forced
	return forced
}

// length returns the length of the shortest self mate of at most most plies, and never if there is none.
func (o *goalOracle) length(p goalPosition, most int) int {
	for n := 0; n <= most; n++ {
		if p.left = n; o.force(p) {
			return n
		}
	}
	return never
}

// checkLines checks a solution in which both sides help, and returns its length.
func (o *goalOracle) checkLines(t *testing.T, p shogi.Position, most, listed int, s *tsume.GoalSolution) int {
	var want []string
	length := never
	for n := 0; n <= most && length == never; n++ {
		if want = o.linesOf(o.at(t, p, n)); len(want) > 0 {
			length = n
		}
	}
	if o.over {
		return never
	}
	if o.requireLength(t, p, length, most, s); length == never {
		return never
	}
	var got []string
	for _, line := range s.Lines {
		got = append(got, lineText(line))
	}
	require.Len(t, got, min(len(want), listed), p.SFEN())
	require.Equal(t, len(want) > listed, s.More, p.SFEN())
	require.Subset(t, want, got, p.SFEN())
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(got))), len(got), p.SFEN())
	require.Equal(t, len(want) == 1, s.Unique(), p.SFEN())
	return length
}

func (o *goalOracle) requireLength(t *testing.T, p shogi.Position, length, most int, s *tsume.GoalSolution) {
	if length == never {
		require.Equal(t, dfpn.Disproven, s.Outcome, p.SFEN())
		require.True(t, s.Never || s.None == most, p.SFEN())
		require.False(t, s.Unique())
		return
	}
	require.Equal(t, dfpn.Proven, s.Outcome, p.SFEN())
	require.Equal(t, length, s.Length, p.SFEN())
	require.False(t, s.Incomplete)
	require.Less(t, s.None, length)
}

func lineText(line []shogi.Move) string {
	var texts []string
	for _, m := range line {
		texts = append(texts, m.String())
	}
	return strings.Join(texts, " ")
}

// branch is a move that leaves a line, with what follows.
type branch struct {
	ply    int
	move   string
	length int
}

func branches(list []tsume.Alternative) (all []branch) {
	for _, a := range list {
		all = append(all, branch{a.Ply, a.Move.String(), a.Length})
	}
	return all
}

// checkForced checks a self mate, its line and what leaves it, and returns its length.
func (o *goalOracle) checkForced(t *testing.T, p shogi.Position, most int, s *tsume.GoalSolution) int {
	at := o.at(t, p, 0)
	length := o.length(at, most)
	if o.over {
		return never
	}
	if o.requireLength(t, p, length, most, s); length == never {
		return never
	}
	require.Len(t, s.Lines, 1)
	require.Len(t, s.Lines[0], length, p.SFEN())
	var cooks, equal []branch
	for i, m := range s.Lines[0] {
		left := length - i
		moves, positions := o.next(at)
		_, turn := at.Board()
		played := -1
		for j, q := range positions {
			if moves[j] == m.String() {
				played = j
				continue
			}
			switch {
			case turn == 'b':
				if n := o.length(q, most-i-1); n != never {
					cooks = append(cooks, branch{i, moves[j], n + 1})
				}
			case o.length(q, left-1) == left-1:
				equal = append(equal, branch{i, moves[j], left})
			}
		}
		require.GreaterOrEqual(t, played, 0, "%v: %v", p.SFEN(), m)
		require.Equal(t, left-1, o.length(positions[played], most), "%v: %v", p.SFEN(), m)
		at = positions[played]
	}
	if o.over {
		return never
	}
	require.True(t, o.reached(at))
	require.ElementsMatch(t, cooks, branches(s.Cooks), p.SFEN())
	require.ElementsMatch(t, equal, branches(s.Equal), p.SFEN())
	require.Equal(t, len(cooks) == 0, s.Unique(), p.SFEN())
	for _, cook := range s.Cooks {
		require.Len(t, cook.Line, cook.Length)
		require.Equal(t, cook.Move, cook.Line[0])
		b := shogi.NewBoard(p)
		for _, m := range slices.Concat(s.Lines[0][:cook.Ply], cook.Line) {
			require.NoError(t, b.CheckMove(m))
			b.Do(m)
		}
		require.True(t, b.Mated())
	}
	return length
}

// goalProblems makes random positions of few pieces, black to move. Most of them differ a little from
// one that has a solution.
type goalProblems struct {
	rng  *rand.Rand
	goal tsume.Goal
	good [10][]shogi.Position // by length
	rare []shogi.Position     // with a line that has what lines seldom have
}

func (g *goalProblems) next() (shogi.Position, bool) {
	rng := g.rng
	kinds := []shogi.Kind{shogi.Pawn, shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}
	kind := func() shogi.Kind { return kinds[rng.IntN(len(kinds))] }
	var board [81]shogi.Piece
	var hands [2]shogi.Hand
	put := func(p shogi.Piece, file, rank int) {
		s := shogi.SquareAt(min(max(file, 1), 9), min(max(rank, 1), 9))
		if board[s].Kind() == shogi.King {
			return
		}
		if p.Kind().CanPromote() && rng.IntN(4) == 0 {
			p += shogi.Piece(shogi.Promoted)
		}
		board[s] = p
	}
	around := func(c shogi.Color, s shogi.Square, far int) {
		put(shogi.PieceOf(c, kind()), s.File()+rng.IntN(2*far+1)-far, s.Rank()+rng.IntN(2*far+1)-far)
	}
	length := 1 + rng.IntN(len(g.good)-1)
	for length > 1 && len(g.good[length]) == 0 {
		length--
	}
	good := g.good[length]
	if len(g.rare) > 0 && rng.IntN(2) == 0 {
		good = g.rare
	}
	if len(good) > 0 && rng.IntN(3) > 0 {
		p := good[rng.IntN(len(good))]
		board, hands, _ = p.Parts()
		kings := [2]shogi.Square{p.King(shogi.Black), p.King(shogi.White)}
		for range 1 + rng.IntN(2) {
			near := kings[shogi.White]
			if k := kings[shogi.Black]; k != shogi.NoSquare && rng.IntN(2) == 0 {
				near = k
			}
			c := shogi.Color(rng.IntN(2))
			switch rng.IntN(6) {
			case 0, 1:
				around(c, near, 2)
			case 2:
				if s := shogi.Square(rng.IntN(81)); board[s].Kind() != shogi.King {
					board[s] = shogi.NoPiece
				}
			case 3:
				if hands[c].Len() < 3 {
					hands[c] = hands[c].With(kind())
				}
			case 4:
				if k := kind(); hands[c].Has(k) {
					hands[c] = hands[c].Without(k)
				}
			case 5: // one of the few pieces moves
				from := shogi.Square(rng.IntN(81))
				to := shogi.SquareAt(min(max(from.File()+rng.IntN(3)-1, 1), 9), min(max(from.Rank()+rng.IntN(3)-1, 1), 9))
				if board[from] != shogi.NoPiece && board[to].Kind() != shogi.King {
					board[to], board[from] = board[from], shogi.NoPiece
				}
			}
		}
	} else {
		white := shogi.SquareAt(1+rng.IntN(4), 1+rng.IntN(3))
		put(shogi.PieceOf(shogi.White, shogi.King), white.File(), white.Rank())
		if g.goal != tsume.Helpmate || rng.IntN(3) == 0 {
			black := shogi.SquareAt(1+rng.IntN(3), 2+rng.IntN(8))
			put(shogi.PieceOf(shogi.Black, shogi.King), black.File(), black.Rank())
			for range rng.IntN(5) {
				around(shogi.Color(rng.IntN(2)), black, 2)
			}
		}
		for range rng.IntN(4) {
			around(shogi.White, white, 2)
		}
		for range 1 + rng.IntN(3) {
			around(shogi.Black, white, 3)
		}
		for c := range hands {
			for range rng.IntN(3) {
				hands[c] = hands[c].With(kind())
			}
		}
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil && p.King(shogi.White) != shogi.NoSquare && (g.goal == tsume.Helpmate || p.King(shogi.Black) != shogi.NoSquare)
}

// features counts what matters in lines of play.
type features struct{ pawnDropMate, promotion, withoutPromotion, doubleCheck, pinned, interposition, counterCheck int }

// rare is the number of those that are seldom.
func (f *features) rare() int {
	return 2*f.pawnDropMate + f.doubleCheck + 2*f.pinned + f.interposition/20
}

func (f *features) add(p shogi.Position, line []shogi.Move) {
	b := shogi.NewBoard(p)
	for _, m := range line {
		attacks := b.Turn() == p.Turn()
		if attacks && b.Hand(b.Turn()).Has(shogi.Pawn) {
			// A pawn dropped in front of the king may mate.
			k := b.King(b.Turn().Other())
			front := shogi.SquareAt(k.File(), min(k.Rank()+1, 9))
			if err := b.CheckMove(shogi.DropOf(shogi.Pawn, front)); err != nil && strings.Contains(err.Error(), "would mate") {
				f.pawnDropMate++
			}
		}
		if !m.IsDrop() {
			switch at := b.At(m.From()); {
			case m.Promotes():
				f.promotion++
			case at.Kind().CanPromote() && (m.To().InZone(b.Turn()) || m.From().InZone(b.Turn())):
				f.withoutPromotion++
			}
		} else if !attacks {
			f.interposition++
		}
		b.Do(m)
		if b.Checkers().Len() > 1 {
			f.doubleCheck++
		}
		if !attacks && b.InCheck() {
			f.counterCheck++
		}
		if attacks && shielding(b) {
			f.pinned++
		}
	}
}

// shielding reports whether a piece of the side to move could capture the checking piece if it were not pinned.
func shielding(b *shogi.Board) bool {
	if b.Checkers().Len() != 1 {
		return false
	}
	to := b.Checkers().First()
	for s := range shogi.Square(81) {
		if at := b.At(s); at == shogi.NoPiece || at.Color() != b.Turn() || at.Kind() == shogi.King {
			continue
		}
		for _, promotes := range []bool{false, true} {
			if err := b.CheckMove(shogi.MoveOf(s, to, promotes)); err != nil && strings.Contains(err.Error(), "pinned") {
				return true
			}
		}
	}
	return false
}

var (
	randomGoals = flag.Int("goals", 1000, "random problems of each goal that TestGoals solves")
	goalsSeed   = flag.Uint64("goals-seed", 5, "seed of the problems of TestGoals")
)

// goalSeeds are positions with solutions, from which random ones begin.
var goalSeeds = [][]string{
	tsume.Helpmate:     {"4ll1+L1/4g1k2/9/7L1/9/9/9/9/9 b -", "8b/6G2/5+L2k/9/8N/9/9/9/9 b b", "6kn1/6g1S/3B4K/9/9/9/9/9/9 b -"},
	tsume.Selfmate:     {"5gbks/4R4/6K2/4s3r/9/9/9/9/9 b nl", "5g1ks/4s4/5+PK1S/4s2gr/9/9/9/9/9 b Ggnl"},
	tsume.HelpSelfmate: {"6kp+r/3G4P/6+p1K/9/9/9/9/9/9 b BLlp", "9/9/7k1/9/5+rsSK/8S/9/9/9 b -"},
}

// TestGoals compares goals of up to 7 plies in random small positions with the definition: length, all
// lines, cooks and equal replies. The positions come one from another.
func TestGoals(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	problems := *randomGoals
	if testing.Short() {
		problems = min(problems, 25)
	}
	table, err := dfpn.NewFixedTable(1 << 24)
	require.NoError(t, err)
	for goal, seeds := range goalSeeds {
		goal := tsume.Goal(goal)
		const most = 7
		random := goalProblems{rng: rand.New(rand.NewPCG(*goalsSeed, uint64(goal))), goal: goal}
		var found [10]int
		var f features
		none, unique := 0, 0
		compare := func(p shogi.Position) (length int, compared bool) {
			table.Clear()
			listed := 1 + random.rng.IntN(200)
			s, err := tsume.SolveGoal(t.Context(), tsume.Problem{Position: p}, goal, most, table, tsume.Options{Nodes: 20_000, Lines: listed, Threads: 1 + random.rng.IntN(2)})
			require.NoError(t, err)
			switch {
			case s.Outcome == dfpn.Unknown || s.Incomplete,
				s.Outcome == dfpn.Disproven && (s.Never || 5*none > problems),
				s.Outcome == dfpn.Proven && (s.Length < 3 && 8*found[s.Length] > problems || s.Length < 5 && 3*found[s.Length] > problems):
				return never, false
			}
			o := newGoalOracle(t, goal, 4000)
			if goal == tsume.Selfmate {
				length = o.checkForced(t, p, most, &s)
			} else {
				length = o.checkLines(t, p, most, listed, &s)
			}
			if o.over {
				return never, false
			}
			if length != never {
				before := f.rare()
				for _, line := range s.Lines {
					f.add(p, line)
				}
				if f.rare() > before {
					random.rare = append(random.rare, p)
				}
				if s.Unique() {
					unique++
				}
			}
			return length, true
		}
		for _, sfen := range seeds {
			p, err := shogi.ParseSFEN(sfen)
			require.NoError(t, err)
			length, ok := compare(p)
			require.True(t, ok && length != never, sfen)
			random.good[length] = append(random.good[length], p)
		}
		for n := 0; n < problems; {
			p, ok := random.next()
			if !ok {
				continue
			}
			length, ok := compare(p)
			if !ok {
				continue
			}
			if n++; length == never {
				none++
				continue
			}
			found[length]++
			random.good[length] = append(random.good[length], p)
		}
		if problems >= 1000 {
			for length := 2; length <= most; length++ {
				if (length%2 == 1) != (goal == tsume.Helpmate) {
					continue
				}
				require.Positive(t, found[length], length)
			}
			require.Positive(t, none)
			require.Positive(t, min(unique, f.promotion, f.withoutPromotion, f.doubleCheck, f.counterCheck))
			require.True(t, goal == tsume.Selfmate || min(f.pinned, f.interposition) > 0)
			require.True(t, goal != tsume.Helpmate || f.pawnDropMate > 0)
		}
		t.Logf("%v: by length %v, none %d, unique %d, %+v", goal, found, none, unique, f)
	}
}

// TestGoalCases has thin places, and a published problem.
func TestGoalCases(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	for _, c := range []struct {
		name, sfen string
		goal       tsume.Goal
		most       int
		length     int    // never if there is no solution
		line       string // the first, if it is not empty
		unique     bool
	}{
		{"the defender gives a rook", "9/9/9/9/9/9/9/6k2/9 b R 1", tsume.Helpmate, 5, 5, "R*1h R*2h 1h2h 3h3i R*2i", false},
		{"a pawn may not be dropped for mate", "7nk/7p1/8G/9/9/9/9/9/9 b P 1", tsume.Helpmate, 1, never, "", false},
		{"a lance may", "7nk/7p1/8G/9/9/9/9/9/9 b L 1", tsume.Helpmate, 1, 1, "L*1b", true},
		{"no interposition is futile", "8k/7pp/9/9/9/9/9/9/R8 b r 1", tsume.Helpmate, 1, never, "", false},
		{"a pinned piece does not capture", "4R2gk/9/8G/9/9/9/9/9/9 b L 1", tsume.Helpmate, 1, 1, "L*1b", true},
		{"the defender is mated already", "7Gk/7G1/9/9/9/9/9/9/9 w - 1", tsume.Helpmate, 4, 0, "", true},
		{"the only reply mates", "5gbks/4R4/6K2/4s3r/9/9/9/9/9 b nl 1", tsume.Selfmate, 2, 2, "5b3b+ 4a3b", true},
		{"three moves each", "5g1ks/4s4/5+PK1S/4s2gr/9/9/9/9/9 b Ggnl 1", tsume.Selfmate, 6, 6, "G*2b 1a2b 1c2b 2a1b S*2c 2d2c", true},
		{"a drop or a capture, both mate", "9/9/9/6lnl/5p2k/6Rpp/5PKP1/5LPL1/9 b n 1", tsume.Selfmate, 2, 2, "3f3e 3d3e", true},
		{"another drop does not", "9/9/9/6lnl/5p2k/6Rpp/5PKP1/5LPL1/9 b ns 1", tsume.Selfmate, 2, never, "", false},
		{"the attacker is mated already", "9/9/7k1/9/9/9/7p1/7g1/7K1 b - 1", tsume.Selfmate, 4, 0, "", true},
	} {
		p, err := tsume.ParseProblem(c.sfen, tsume.Reading{})
		require.NoError(t, err, c.name)
		for threads := 1; threads <= 2; threads++ {
			table.Clear()
			s, err := tsume.SolveGoal(t.Context(), p, c.goal, c.most, table, tsume.Options{Threads: threads})
			require.NoError(t, err, c.name)
			if c.length == never {
				require.Equal(t, dfpn.Disproven, s.Outcome, c.name)
				continue
			}
			require.Equal(t, dfpn.Proven, s.Outcome, c.name)
			require.Equal(t, c.length, s.Length, c.name)
			require.Equal(t, c.unique, s.Unique(), c.name)
			if c.line != "" {
				require.Equal(t, c.line, lineText(s.Lines[0]), c.name)
			}
		}
	}
}

// TestGoalErrors has problems that are none, and limits.
func TestGoalErrors(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	p, err := tsume.ParseProblem("9/9/9/9/9/9/9/6k2/9 b R 1", tsume.Reading{})
	require.NoError(t, err)
	for _, goal := range []tsume.Goal{tsume.Selfmate, tsume.HelpSelfmate} {
		_, err = tsume.SolveGoal(t.Context(), p, goal, 4, table, tsume.Options{})
		require.EqualError(t, err, "black, the attacker, has no king on the board, which a "+goal.String()+" needs")
	}
	_, err = tsume.SolveGoal(t.Context(), p, tsume.Helpmate, 0, table, tsume.Options{})
	require.EqualError(t, err, "a help mate of 0 plies: want 1 to 999")
	for _, goal := range []tsume.Goal{tsume.Helpmate, tsume.HelpSelfmate, tsume.Selfmate} {
		q, err := tsume.ParseProblem("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPP1PP/1B3+r3/LNSGKGSNL b P 1", tsume.Reading{})
		require.NoError(t, err)
		if goal == tsume.Helpmate {
			q = p
		}
		for _, threads := range []int{1, 2} {
			table.Clear()
			s, err := tsume.SolveGoal(t.Context(), q, goal, 99, table, tsume.Options{Nodes: 1, Threads: threads})
			require.NoError(t, err)
			require.NotEqual(t, dfpn.Proven, s.Outcome)
			require.False(t, s.Unique())
		}
	}
	s, err := tsume.SolveGoal(t.Context(), p, tsume.Helpmate, 99, table, tsume.Options{Time: 1})
	require.NoError(t, err)
	require.Equal(t, dfpn.Unknown, s.Outcome)
	require.True(t, s.TimedOut)
}
