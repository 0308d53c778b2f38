//go:build !race

package tsume_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

var (
	judgedEach  = flag.Int("judged-each", 4, "problems of each point of the rules that TestJudgePoints judges")
	judgedPoint = flag.String("judged-point", "", "the only point that TestJudgePoints is about")
)

// TestJudgePoints compares judgements with plainJudge for each point of the rules, in problems near those in which it
// matters, by rules that differ in that point alone. It counts the problems in which the point matters: the
// judgements differ, if only in the grade of a fault; and those in which it decides: so do the verdicts.
func TestJudgePoints(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	want := *judgedEach
	if testing.Short() {
		want = 1
	}
	for i, p := range tsume.Points() {
		name := p.String()
		if *judgedPoint != "" && name != *judgedPoint {
			continue
		}
		t.Run(name, func(t *testing.T) {
			x := pointSearch{t: t, table: table, rng: rand.New(rand.NewPCG(*judgedSeed, uint64(i))), point: name, values: [2]string{name + "=unsound", name + "=remark"}, seeds: pointSeeds(t, name)}
			require.NotEmpty(t, x.seeds)
			for (x.matters < want || x.decides == 0) && x.tried < 200*want {
				x.try()
			}
			t.Log(x.judged, "judged,", x.matters, "in which it matters,", x.decides, "in which it decides;", x.tired, "not known")
			require.GreaterOrEqual(t, x.matters, want)
			require.Positive(t, x.decides)
		})
	}
}

// pointSeeds returns problems in which a point matters.
func pointSeeds(t *testing.T, name string) (seeds []judgedKind) {
	for _, c := range houseProblems(t) {
		if c.point == name && !slices.Contains(seeds, c.judgedKind) {
			seeds = append(seeds, c.judgedKind)
		}
	}
	return seeds
}

// pointSearch judges problems near seeds.
type pointSearch struct {
	t      *testing.T
	table  *dfpn.Table
	rng    *rand.Rand
	point  string
	values [2]string
	seeds  []judgedKind

	tried, judged, matters, decides, tired int
}

// try judges a problem by both values of the point.
func (x *pointSearch) try() {
	rng := x.rng
	p, line := x.seeds[x.tried%len(x.seeds)].problem(x.t)
	fresh := x.tried < len(x.seeds) // seeds themselves come first
	x.tried++
	if !fresh {
		q, ok := changed(rng, p)
		if x.point == "superfluous" && rng.IntN(8) == 0 {
			q, ok = randomProblem(rng)
		}
		if !ok {
			return
		}
		p = q
	}
	if x.point == "superfluous" {
		p = p.WithRest(p.Turn().Other())
	}
	if x.point == "two-kings" && p.King(p.Turn()) == shogi.NoSquare {
		return
	}
	base := x.rules()
	most := 250
	if fresh || rng.IntN(8) == 0 {
		most = 1_200
	}
	first, ok := newPlainJudge(p, base(x.values[0]), most)
	if !ok {
		return
	}
	first.looks = -20_000
	if fresh || rng.IntN(3) > 0 {
		if !first.playable(p, line) {
			line = nil
		}
	} else if rng.IntN(2) == 0 {
		line = first.randomLine(rng, p)
	} else {
		line = nil
	}
	if len(line) == 0 {
		line = nil
	}
	if x.point == "superfluous" {
		x.trySuperfluous(first, base, p, line)
		return
	}
	var all []tsume.Judgement
	for i, value := range x.values {
		plain := first
		if i > 0 {
			if plain, ok = newPlainJudge(p, base(value), most); !ok {
				return
			}
			plain.looks = -20_000
		}
		x.table.Clear()
		j, err := tsume.Judge(x.t.Context(), tsume.Problem{Position: p}, line, x.table, tsume.JudgeOptions{Nodes: 200_000, Rules: plain.rules})
		require.NoError(x.t, err, "%v %v", p.SFEN(), line)
		if len(j.Open) > 0 || !requireJudgement(x.t, plain, p, line, j) {
			x.tired++
			return
		}
		all = append(all, j)
	}
	x.count(all)
}

// count counts a problem, given its judgements by both values of the point.
func (x *pointSearch) count(all []tsume.Judgement) {
	x.judged++
	matters, decides := false, false
	for _, j := range all {
		decides = decides || j.Verdict != all[0].Verdict
		matters = matters || decides || !slices.EqualFunc(j.Faults, all[0].Faults, func(f, g tsume.Fault) bool {
			return f.Kind == g.Kind && f.Move == g.Move && f.Ply == g.Ply && f.Grade == g.Grade && f.Length == g.Length
		}) || !slices.Equal(j.Line, all[0].Line)
	}
	if matters {
		x.matters++
	}
	if decides {
		x.decides++
	}
}

// trySuperfluous is try for the point superfluous, about which sound problems alone are asked.
func (x *pointSearch) trySuperfluous(plain *plainJudge, base func(string) tsume.Rules, p shogi.Position, line []shogi.Move) {
	var all []tsume.Judgement
	for _, value := range x.values {
		x.table.Clear()
		plain.rules = base(value)
		j, err := tsume.Judge(x.t.Context(), tsume.Problem{Position: p}, line, x.table, tsume.JudgeOptions{Nodes: 200_000, Superfluous: true, Rules: plain.rules})
		require.NoError(x.t, err)
		if len(j.Open) > 0 || len(j.Line) == 0 || j.Unfinished {
			return
		}
		verdict, grade := tsume.Sound, tsume.Unsound
		if value == x.values[1] {
			grade = tsume.Remark
		}
		for _, f := range plain.judge(p, j.Line) {
			if f.grade == tsume.Unsound {
				verdict = tsume.Faulty
			}
		}
		var want, got []shogi.Square
		if verdict == tsume.Sound {
			var ok bool
			if want, ok = plain.superfluous(p, j.Line, 250); !ok || plain.tired() {
				x.tired++
				return
			}
		}
		for _, f := range j.Faults {
			if f.Kind == tsume.Superfluous {
				require.Equal(x.t, grade, f.Grade)
				got = append(got, f.Square)
			}
		}
		slices.Sort(got)
		text := plain.rules.String() + ": " + p.SFEN() + " " + plainLine(j.Line)
		require.Equal(x.t, want, got, text)
		if len(want) > 0 && grade == tsume.Unsound {
			verdict = tsume.Faulty
		}
		require.Equal(x.t, verdict, j.Verdict, text)
		all = append(all, j)
	}
	x.count(all)
}

// rules returns rules of a random house in which some other points make no problem unsound, for each value of
// the point.
func (x *pointSearch) rules() func(value string) tsume.Rules {
	names := tsume.HouseNames()
	text := names[x.rng.IntN(len(names))]
	lenient := x.rng.IntN(4) > 0
	for _, p := range tsume.Points() {
		if p.String() != x.point && lenient {
			text += "," + p.String() + "=remark"
		}
	}
	if x.rng.IntN(4) == 0 {
		text += ",interposition=" + [...]string{"checker", "any", "moves"}[x.rng.IntN(3)]
	}
	return func(value string) tsume.Rules {
		rules, err := tsume.ParseRules(text + "," + value)
		require.NoError(x.t, err)
		return rules
	}
}

// playable reports whether a line can be played from p.
func (j *plainJudge) playable(p shogi.Position, line []shogi.Move) bool {
	for _, m := range line {
		if !slices.Contains(j.moves(p), m) {
			return false
		}
		p = j.after(p, m)
	}
	return true
}

// changed changes a position in up to three places: near the king, or in a hand.
func changed(rng *rand.Rand, p shogi.Position) (shogi.Position, bool) {
	board, king := squaresOf(p), p.King(p.Turn().Other())
	hands := [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}
	for range 1 + rng.IntN(3) {
		color, kind := shogi.Color(rng.IntN(2)), handKinds[rng.IntN(len(handKinds))]
		file, rank := king.File()+rng.IntN(7)-3, king.Rank()+rng.IntN(7)-3
		if file < 1 || file > 9 || rank < 1 || rank > 9 {
			continue
		}
		piece := &board[shogi.SquareAt(file, rank)]
		switch {
		case rng.IntN(4) == 0 && hands[color].Has(kind):
			hands[color] = hands[color].Without(kind)
		case rng.IntN(3) == 0:
			hands[color] = hands[color].With(kind)
		case *piece == shogi.NoPiece:
			*piece = shogi.PieceOf(color, kind)
		case piece.Kind() == shogi.King:
		case piece.Kind().CanPromote() && rng.IntN(2) == 0:
			*piece += shogi.Piece(shogi.Promoted)
		default:
			*piece = shogi.NoPiece
		}
	}
	q, err := shogi.NewPosition(board, hands, p.Turn())
	return q, err == nil
}
