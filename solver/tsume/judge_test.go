//go:build !race

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
	"github.com/yomikiri/yomikiri/solver/tsume"
)

var (
	judgedProblems = flag.Int("judged", 200, "random problems that TestJudge judges")
	judgedSeed     = flag.Uint64("judged-seed", 1, "seed of the problems of TestJudge")
)

// TestJudge compares the faults of random small problems with those that plainJudge finds,
// without an intended line and with random ones, good and bad.
func TestJudge(t *testing.T) {
	problems := *judgedProblems
	if testing.Short() {
		problems = 40
	}
	rng := rand.New(rand.NewPCG(*judgedSeed, 2))
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	each := min(12+problems/100, 60) // finding a problem that is small enough takes longest
	kinds, verdicts, tired, given := map[tsume.FaultKind]int{}, map[tsume.Verdict]int{}, 0, 0
	for n := 0; n < problems; {
		p, ok := judgedProblem(rng, n%2 == 0)
		if !ok {
			continue
		}
		if n%3 == 0 {
			p = mirrored(t, p)
		}
		// Longer mates need more positions, which take longer.
		positions := 250
		if rng.IntN(16) == 0 {
			positions = 1_000
		}
		rules := randomRules(rng)
		plain, ok := newPlainJudge(p, rules, positions)
		if !ok {
			continue
		}
		for _, p := range plain.positionsMet(rng, each) {
			plain.looks = -20_000
			var line []shogi.Move
			if rng.IntN(2) == 0 {
				if line = plain.randomLine(rng, p); line == nil {
					continue
				}
			}
			table.Clear()
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, line, table, tsume.JudgeOptions{Nodes: 200_000, Rules: rules})
			require.NoError(t, err, "%v %v", p.SFEN(), line)
			if len(j.Open) > 0 || !requireJudgement(t, plain, p, line, j) {
				tired++
				continue
			}
			n++
			if line != nil {
				given++
			}
			verdicts[j.Verdict]++
			seen := map[tsume.FaultKind]bool{}
			for _, f := range j.Faults {
				if !seen[f.Kind] {
					kinds[f.Kind]++
				}
				seen[f.Kind] = true
			}
		}
	}
	t.Log(verdicts, kinds, tired, "not known,", given, "with a line")
	if problems >= 200 { // the others are rare; TestJudgeKinds has them all
		require.Greater(t, len(kinds), int(tsume.Superfluous)/2)
	}
}

// TestSuperfluous compares the superfluous pieces of random sound problems in which the defender
// holds all other pieces.
func TestSuperfluous(t *testing.T) {
	problems := *judgedProblems / 10
	if testing.Short() {
		problems = 5
	}
	rng := rand.New(rand.NewPCG(*judgedSeed, 3))
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	found := 0
	for n := 0; n < problems; {
		p, ok := randomProblem(rng)
		if !ok {
			continue
		}
		p = p.WithRest(shogi.White)
		plain, ok := newPlainJudge(p, tsume.DefaultRules(), 250)
		if !ok {
			continue
		}
		for _, p := range plain.positionsMet(rng, 8) {
			table.Clear()
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, nil, table, tsume.JudgeOptions{Nodes: 200_000, Superfluous: true})
			require.NoError(t, err)
			if j.Verdict != tsume.Sound {
				continue
			}
			plain.looks = -20_000
			want, ok := plain.superfluous(p, j.Line, 250)
			if !ok || plain.tired() {
				continue
			}
			n++
			found += len(want)
			var got []shogi.Square
			for _, f := range j.Faults {
				if f.Kind == tsume.Superfluous {
					require.Equal(t, tsume.Blemish, f.Grade)
					got = append(got, f.Square)
				}
			}
			slices.Sort(got)
			require.Equal(t, want, got, "%v %v", p.SFEN(), plainLine(j.Line))
		}
	}
	t.Log(found, "superfluous pieces")
	require.Positive(t, found)
}

// randomRules returns the rules of a house, perhaps with other interpositions.
func randomRules(rng *rand.Rand) tsume.Rules {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	text := pick(tsume.HouseNames()...)
	if rng.IntN(2) == 0 {
		text += ",interposition=" + pick("checker", "any", "moves") + ",indirect=" + pick("no", "yes")
	}
	if rng.IntN(8) == 0 {
		text += ",two-kings=" + pick("unsound", "blemish", "remark") // no house minds
	}
	if rng.IntN(4) == 0 {
		points := tsume.Points()
		text += "," + points[rng.IntN(len(points))].String() + "=" + pick("unsound", "blemish", "remark", "allowed")
	}
	rules, err := tsume.ParseRules(text)
	if err != nil {
		panic(err)
	}
	return rules
}

// judgedProblem returns a position much like one of judgedKinds, near which there are more of the
// rare faults, one that is its own mirror image, or else one of few pieces, far-reaching ones or any.
func judgedProblem(rng *rand.Rand, kind bool) (p shogi.Position, ok bool) {
	switch {
	case kind:
		return changedKind(rng)
	case rng.IntN(8) == 0:
		return symmetricProblem(rng)
	case rng.IntN(2) == 0:
		p, ok = lineProblem(rng)
	default:
		p, ok = randomProblem(rng)
	}
	if !ok {
		return p, false
	}
	return moreInHand(rng, p)
}

// changedKind changes one of judgedKinds in up to three places: near the king, or in a hand.
func changedKind(rng *rand.Rand) (shogi.Position, bool) {
	p, err := shogi.ParseSFEN(judgedKinds[rng.IntN(len(judgedKinds))].position)
	if err != nil {
		return p, false
	}
	return changed(rng, p)
}

// moreInHand gives Black up to three more pieces, so that there are more mates.
func moreInHand(rng *rand.Rand, p shogi.Position) (shogi.Position, bool) {
	hand := p.Hand(shogi.Black)
	for range rng.IntN(4) {
		hand = hand.With(handKinds[rng.IntN(len(handKinds))])
	}
	q, err := shogi.NewPosition(squaresOf(p), [2]shogi.Hand{hand, p.Hand(shogi.White)}, p.Turn())
	return q, err == nil
}

// positionsMet returns random positions that can be reached: nearly all have a mate, most in at
// least three plies.
func (j *plainJudge) positionsMet(rng *rand.Rand, count int) (list []shogi.Position) {
	lengths := newShortest()
	for _, n := range rng.Perm(len(j.reached.positions)) {
		p, want := j.reached.positions[n], 10_000
		switch {
		case !j.reached.mate[n] && len(j.reached.checks[n]) > 0:
			want = 2
		case !j.reached.mate[n]:
			want = 0
		case lengths.mates(p, 1):
			want = 500
		case lengths.mates(p, 3):
			want = 5_000
		}
		if rng.IntN(10_000) < want && len(list) < count {
			list = append(list, p)
		}
	}
	return list
}

// randomLine returns a line that ends with mate, now and then without its end, nil if it does not find one. Most
// of its checks mate.
func (j *plainJudge) randomLine(rng *rand.Rand, p shogi.Position) (line []shogi.Move) {
	good := rng.IntN(8) > 0
	for len(line) < 13 {
		moves := j.moves(p)
		if p.Turn() == j.attacker && (good || rng.IntN(2) == 0) {
			moves = slices.DeleteFunc(moves, func(m shogi.Move) bool { return !j.mate(j.after(p, m)) })
		}
		if p.Turn() == j.attacker && j.mate(p) && rng.IntN(3) > 0 {
			length := j.length(p)
			moves = slices.DeleteFunc(moves, func(m shogi.Move) bool { return !j.within(j.after(p, m), length-1) })
		}
		if len(moves) == 0 {
			return nil
		}
		m := moves[rng.IntN(len(moves))]
		line = append(line, m)
		if p = j.after(p, m); p.Turn() != j.attacker && j.over(p) {
			if rng.IntN(8) == 0 {
				line = line[:1+rng.IntN(len(line))] // perhaps it ends before the mate
			}
			return line
		}
	}
	return nil
}

// requireJudgement compares a judgement with that of plainJudge. It returns false if that one
// takes too long.
func requireJudgement(t *testing.T, plain *plainJudge, p shogi.Position, line []shogi.Move, j tsume.Judgement) bool {
	mate := plain.mate(p)
	if plain.tired() {
		return false
	}
	if line == nil && !mate {
		require.Equal(t, tsume.Faulty, j.Verdict, p.SFEN())
		require.Equal(t, tsume.NoMate, j.Faults[0].Kind)
		grade, _ := plain.rules.Grade(tsume.PointTwoKings)
		two := p.King(plain.attacker) != shogi.NoSquare && grade != tsume.Allowed
		require.Equal(t, two, len(j.Faults) == 2 && j.Faults[1].Kind == tsume.TwoKings)
		require.Equal(t, two, len(j.Faults) > 1)
		return true
	}
	require.Equal(t, line != nil, j.Given)
	var want, got []string
	for _, f := range plain.judge(p, j.Line) {
		want = append(want, f.String()+" "+f.point.String())
	}
	score := 0
	if line == nil {
		score = plain.score(p)
	}
	if plain.tired() {
		return false
	}
	for _, f := range j.Faults {
		g := plainly(f)
		if f.Kind == tsume.NoMate {
			g.move = shogi.NoMove
		}
		got = append(got, g.String()+" "+g.point.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	text := plain.rules.String() + ": " + p.SFEN() + " " + plainLine(j.Line)
	require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"), text)
	at := p
	for i, m := range j.Line {
		if line == nil {
			// Each move of a line that was found is the best.
			left := score - 2*i
			require.Equal(t, left, plain.score(at), text)
			if q := plain.after(at, m); at.Turn() == plain.attacker {
				require.True(t, plain.within(q, plain.length(at)-1), text)
			} else {
				require.Equal(t, left, plain.replyScores(at)[m], text)
			}
		}
		at = plain.after(at, m)
	}
	if line == nil {
		require.Equal(t, score/2, len(j.Line), text)
	}
	require.Equal(t, at.Turn() == plain.attacker || !plain.over(at), j.Unfinished, text)
	require.Equal(t, at.Hand(plain.attacker), j.InHand, text)
	verdict := tsume.Sound
	for _, f := range j.Faults {
		if f.Grade == tsume.Unsound {
			verdict = tsume.Faulty
		}
		requireFault(t, plain, p, j.Line, f)
	}
	require.Equal(t, verdict, j.Verdict, text)
	plain.looks = min(plain.looks, 0)
	return true
}

// requireFault checks the length and the line of a fault.
func requireFault(t *testing.T, plain *plainJudge, p shogi.Position, line []shogi.Move, f tsume.Fault) {
	if f.Move == shogi.NoMove {
		return
	}
	at := p
	for _, m := range line[:f.Ply] {
		at = plain.after(at, m)
	}
	q := plain.after(at, f.Move)
	if f.Kind == tsume.NoMate && !plain.mate(q) {
		require.Empty(t, f.Line)
		return
	}
	if f.Kind == tsume.FutileOnLine {
		return
	}
	switch {
	case f.Kind == tsume.NoMate: // the line ends before the mate
		require.True(t, plain.mate(at), p.SFEN())
	case f.Ply%2 == 0:
		length := plain.length(q) + 1
		require.GreaterOrEqual(t, f.Length, length, p.SFEN())
		require.True(t, !f.Exact || f.Length == length, p.SFEN())
	default:
		require.Equal(t, plain.replyScores(at)[f.Move]/2, f.Length, p.SFEN())
	}
	require.NotEmpty(t, f.Line, p.SFEN())
	require.Equal(t, f.Move, f.Line[0])
	for _, m := range f.Line {
		require.Contains(t, plain.moves(at), m, p.SFEN())
		at = plain.after(at, m)
	}
	require.True(t, plain.over(at), p.SFEN())
}

func plainLine(line []shogi.Move) string {
	texts := make([]string, len(line))
	for i, m := range line {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}
