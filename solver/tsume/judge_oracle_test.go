//go:build !race

package tsume_test

import (
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// plainJudge finds the faults of small problems by the definitions alone: it knows of every
// position that can be reached whether it is mate, in how many plies, and in how many as
// composers count.
type plainJudge struct {
	*plainComposer
	reached *exhaustion
	looked  int // positions of reached whose checks are known
	scores  map[shogi.Position]int
	rules   tsume.Rules
}

// newPlainJudge returns a judge of a problem, and false if more positions than most can be reached.
func newPlainJudge(p shogi.Position, rules tsume.Rules, most int) (*plainJudge, bool) {
	x, ok := exhaust(p, most)
	if !ok {
		return nil, false
	}
	j := &plainJudge{newPlainComposer(p.Turn(), rules.Futile(), rules.Futile()), x, len(x.positions), map[shogi.Position]int{}, rules}
	j.looks = -20_000
	return j, true
}

// mate reports whether a position that can be reached is mate.
func (j *plainJudge) mate(p shogi.Position) bool {
	if p.Turn() == j.attacker {
		n := j.reached.find(p)
		for ; j.looked < len(j.reached.positions); j.looked++ {
			if j.looked > 5_000 {
				j.looks = most + 1
				return false
			}
			j.reached.look(int32(j.looked))
		}
		return j.reached.mate[n]
	}
	for _, m := range j.moves(p) {
		if !j.mate(j.after(p, m)) {
			return false
		}
	}
	return true
}

// score returns twice the length of a mate as composers count, plus 1 if no piece is left.
func (j *plainJudge) score(p shogi.Position) int {
	if s, ok := j.scores[p]; ok {
		return s
	}
	s := 0
	if length := j.length(p); j.tired() {
		return 0
	} else if p.Turn() == j.attacker {
		s = never
		for _, m := range j.moves(p) {
			if q := j.after(p, m); j.within(q, length-1) {
				s = min(s, 2+j.score(q))
			}
		}
	} else {
		if p.Hand(j.attacker) == 0 {
			s = 1
		}
		for _, r := range j.replyScores(p) {
			s = max(s, r)
		}
	}
	j.scores[p] = s
	return s
}

// replyScores returns the scores of the replies in a position that is mate, except the futile
// ones.
func (j *plainJudge) replyScores(p shogi.Position) map[shogi.Move]int {
	replies := map[shogi.Move]int{}
	length := j.length(p)
	if length == 0 || j.tired() {
		return replies
	}
	without := 0
	for _, m := range j.moves(p) {
		if !m.IsDrop() {
			replies[m] = 2 + j.score(j.after(p, m))
			without = max(without, replies[m]/2)
		}
	}
	king := p.King(p.Turn())
	for away := 1; away < 9; away++ {
		farther := without
		for _, m := range j.moves(p) {
			far := max(abs(m.To().File()-king.File()), abs(m.To().Rank()-king.Rank()))
			if m.IsDrop() && far == away && !j.inVain(p, m, length, without) {
				replies[m] = 2 + j.score(j.after(p, m))
				farther = max(farther, replies[m]/2)
			}
		}
		without = farther
	}
	return replies
}

// inVain is futile with the lengths of scores.
func (j *plainJudge) inVain(p shogi.Position, drop shogi.Move, length, without int) bool {
	return slices.ContainsFunc(j.pairs(p, drop, j.captures), func(q shogi.Position) bool {
		return j.within(q, length) && j.score(q)/2 <= without
	})
}

func squaresOf(p shogi.Position) [81]shogi.Piece {
	squares, _, _ := p.Parts()
	return squares
}

// plainFault is a fault; a reply that escapes is none of its parts, since there may be several.
type plainFault struct {
	kind  tsume.FaultKind
	ply   int
	move  shogi.Move
	grade tsume.Grade
	point tsume.Point
}

func (f plainFault) String() string {
	return fmt.Sprintf("%v: %v at %d: %v", f.grade, f.kind, f.ply, f.move)
}

// plainly returns a fault as a plainJudge has it.
func plainly(f tsume.Fault) plainFault { return plainFault{f.Kind, f.Ply, f.Move, f.Grade, f.Point} }

// plainPoints are the points of the faults, except those that depend on more than the kind.
var plainPoints = map[tsume.FaultKind]tsume.Point{
	tsume.LastMove: tsume.PointLastMove, tsume.LastMovePieces: tsume.PointLastMovePieces, tsume.OneMove: tsume.PointOneMove,
	tsume.Mirror: tsume.PointMirror, tsume.SquareChoice: tsume.PointSquare, tsume.Detour: tsume.PointDetour,
	tsume.FutileOnLine: tsume.PointFutile, tsume.EqualDefence: tsume.PointEqual, tsume.EqualWithPieces: tsume.PointEqualPieces,
	tsume.PromotionChoice: tsume.PointPromotion, tsume.PiecesLeft: tsume.PointPiecesLeft, tsume.TwoKings: tsume.PointTwoKings,
	tsume.LongerDefence: tsume.PointLonger, tsume.LongerWithPieces: tsume.PointLongerPieces, tsume.EqualChoice: tsume.PointEqualChoice,
}

// graded returns a fault with its grade.
func (j *plainJudge) graded(kind tsume.FaultKind, ply int, m shogi.Move, point tsume.Point) plainFault {
	grade, _ := j.rules.Grade(point)
	return plainFault{kind, ply, m, grade, point}
}

// judge returns the faults of a problem with a line, which may end before the mate.
func (j *plainJudge) judge(p shogi.Position, line []shogi.Move) (faults []plainFault) {
	defer func() {
		faults = slices.DeleteFunc(faults, func(f plainFault) bool { return f.grade == tsume.Allowed })
	}()
	places := []shogi.Position{p}
	for _, m := range line {
		places = append(places, j.after(places[len(places)-1], m))
	}
	end := len(line)
	if p.King(j.attacker) != shogi.NoSquare {
		faults = append(faults, j.graded(tsume.TwoKings, 0, shogi.NoMove, tsume.PointTwoKings))
	}
	for i := 1; i <= len(line); i += 2 {
		if !j.mate(places[i]) {
			end = i
			faults = append(faults, plainFault{kind: tsume.NoMate, ply: i})
			break
		}
	}
	last := places[len(line)]
	unfinished := last.Turn() == j.attacker || !j.over(last)
	if unfinished && j.mate(places[end-1+end%2]) {
		faults = append(faults, plainFault{kind: tsume.NoMate, ply: end - 1 + end%2})
	}
	for i := 0; i < end; i += 2 {
		for _, m := range j.moves(places[i]) {
			if q := j.after(places[i], m); m != line[i] && j.mate(q) {
				kind := j.check(places, line, i, m, unfinished)
				faults = append(faults, j.graded(kind, i, m, plainPoints[kind]))
			}
		}
	}
	if end < len(line) || unfinished {
		return faults
	}
	for i := 1; i < len(line); i += 2 {
		faults = append(faults, j.replies(places[i], line[i], len(line)-i, i)...)
	}
	if last.Hand(j.attacker) != 0 {
		faults = append(faults, j.graded(tsume.PiecesLeft, len(line), shogi.NoMove, tsume.PointPiecesLeft))
	}
	return faults
}

// check says what another check is that mates.
func (j *plainJudge) check(places []shogi.Position, line []shogi.Move, i int, m shogi.Move, unfinished bool) tsume.FaultKind {
	if !j.mate(places[i+1]) {
		return tsume.Cook
	}
	p, n := places[i], line[i]
	length, usual := j.length(j.after(p, m)), j.length(places[i+1])
	if length < usual {
		return tsume.ShorterMate
	}
	if length == usual && !m.IsDrop() && !n.IsDrop() && m.From() == n.From() {
		far := m.To().Rank()
		if j.attacker == shogi.White {
			far = 10 - far
		}
		k := p.At(m.From()).Kind()
		captured := i+1 < len(line) && line[i+1].To() == n.To()
		if m.To() == n.To() && (k == shogi.Pawn || k == shogi.Bishop || k == shogi.Rook || k == shogi.Lance && far == 2 || captured) {
			return tsume.PromotionChoice
		}
	}
	if m == j.mirror(n) && j.symmetric(p) {
		return tsume.Mirror
	}
	if j.farther(p, m, n) {
		return tsume.SquareChoice
	}
	if i == len(line)-1 && !unfinished {
		switch q := j.after(p, m); {
		case len(line) == 1:
			return tsume.OneMove
		case j.within(q, 2) && j.score(q)%2 == 0:
			return tsume.LastMovePieces
		}
		return tsume.LastMove
	}
	if length > usual && !j.without(j.after(p, m), places) {
		return tsume.Detour
	}
	return tsume.Cook
}

// mirror returns the move on the other side of the board.
func (j *plainJudge) mirror(m shogi.Move) shogi.Move {
	to := shogi.SquareAt(10-m.To().File(), m.To().Rank())
	if m.IsDrop() {
		return shogi.DropOf(m.Dropped(), to)
	}
	return shogi.MoveOf(shogi.SquareAt(10-m.From().File(), m.From().Rank()), to, m.Promotes())
}

// symmetric reports whether both sides of the board are alike.
func (j *plainJudge) symmetric(p shogi.Position) bool {
	for s := range shogi.Square(81) {
		if p.At(s) != p.At(shogi.SquareAt(10-s.File(), s.Rank())) {
			return false
		}
	}
	return true
}

// chosen reports whether the attacker, who mates in left plies with no piece left, has a choice before its last
// move whatever the defender does.
func (j *plainJudge) chosen(p shogi.Position, left int) bool {
	best := shogi.NoMove
	var mates []shogi.Move
	for _, m := range j.moves(p) {
		q := j.after(p, m)
		if !j.mate(q) {
			continue
		}
		mates = append(mates, m)
		if best == shogi.NoMove && j.within(q, j.length(p)-1) && j.score(q) == 2*(left-1)+1 {
			best = m
		}
	}
	for _, m := range mates {
		promotion := !m.IsDrop() && !best.IsDrop() && m.From() == best.From() && m.To() == best.To()
		if m != best && !promotion && !j.farther(p, m, best) {
			return true
		}
	}
	q := j.after(p, best)
	if left == 3 || j.tired() {
		return false
	}
	for m, score := range j.replyScores(q) {
		if score == 2*(left-1)+1 && !j.chosen(j.after(q, m), left-2) {
			return false
		}
	}
	return true
}

// farther reports whether two checks put the same far-reaching piece on two squares in the same
// direction from the king.
func (j *plainJudge) farther(p shogi.Position, m, n shogi.Move) bool {
	if m.IsDrop() != n.IsDrop() || m.IsDrop() && m.Dropped() != n.Dropped() ||
		!m.IsDrop() && (m.From() != n.From() || m.Promotes() != n.Promotes()) {
		return false
	}
	after := j.after(p, m)
	var directions [][2]int
	straight, slanting := [][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}}, [][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	switch after.At(m.To()).Kind() {
	case shogi.Lance, shogi.Rook, shogi.Dragon:
		directions = straight
	case shogi.Bishop, shogi.Horse:
		directions = slanting
	}
	king := p.King(j.attacker.Other())
	for _, d := range directions {
		var seen []shogi.Square
		for f, r := king.File()+d[0], king.Rank()+d[1]; f >= 1 && f <= 9 && r >= 1 && r <= 9; f, r = f+d[0], r+d[1] {
			seen = append(seen, shogi.SquareAt(f, r))
		}
		if slices.Contains(seen, m.To()) && slices.Contains(seen, n.To()) {
			return true
		}
	}
	return false
}

// without reports whether a position with the defender to move is mate if the attacker may not
// reach some positions, nor them with less in hand.
func (j *plainJudge) without(p shogi.Position, forbidden []shogi.Position) bool {
	bars := func(q shogi.Position) bool {
		for i := 0; i < len(forbidden); i += 2 {
			f := forbidden[i]
			same := squaresOf(f) == squaresOf(q)
			for _, k := range handKinds {
				same = same && q.Hand(j.attacker).Count(k) <= f.Hand(j.attacker).Count(k)
			}
			if same {
				return true
			}
		}
		return false
	}
	for _, m := range j.moves(p) {
		x := &exhaustion{attacker: j.attacker, number: map[shogi.Position]int32{}}
		x.find(j.after(p, m))
		for i := 0; i < len(x.positions); i++ {
			if i > 5_000 {
				j.looks = most + 1
				return false
			}
			if !bars(x.positions[i]) {
				x.look(int32(i))
			}
		}
		if !x.mate[0] {
			return false
		}
	}
	return true
}

// replies returns the faults of the replies in p, given that of the line, with left plies to
// go.
func (j *plainJudge) replies(p shogi.Position, usual shogi.Move, left, at int) (faults []plainFault) {
	scores := j.replyScores(p)
	if _, useful := scores[usual]; !useful {
		faults = append(faults, j.graded(tsume.FutileOnLine, at, usual, tsume.PointFutile))
	}
	for m, score := range scores {
		same := !m.IsDrop() && !usual.IsDrop() && m.From() == usual.From() && m.To() == usual.To()
		kind := tsume.EqualDefence
		switch pieces := score%2 == 0; {
		case m == usual || score/2 < left || score/2 == left && same:
			continue
		case score/2 > left && pieces:
			kind = tsume.LongerWithPieces
		case score/2 > left:
			kind = tsume.LongerDefence
		case m == j.mirror(usual) && j.symmetric(p):
			kind = tsume.Mirror
		case pieces:
			kind = tsume.EqualWithPieces
		}
		point := plainPoints[kind]
		if kind == tsume.EqualDefence && left == 2 {
			point = tsume.PointEqualAtEnd
		}
		if kind == tsume.LongerWithPieces && score/2 == left+2 {
			point = tsume.PointLongerByTwo
		}
		faults = append(faults, j.graded(kind, at, m, point))
		if q := j.after(p, m); kind == tsume.EqualDefence && left > 3 && j.chosen(q, left-1) {
			faults = append(faults, j.graded(tsume.EqualChoice, at, m, tsume.PointEqualChoice))
		}
	}
	return faults
}

// superfluous returns the squares of the pieces without which a sound problem is as sound and
// has the same line. It returns false if that takes too long.
func (j *plainJudge) superfluous(p shogi.Position, line []shogi.Move, most int) (squares []shogi.Square, ok bool) {
	blemishes := func(faults []plainFault) (n int) {
		for _, f := range faults {
			if f.grade == tsume.Blemish {
				n++
			}
		}
		return n
	}
	before := blemishes(j.judge(p, line))
	for s := range shogi.Square(81) {
		board := squaresOf(p)
		if board[s] == shogi.NoPiece || board[s] == shogi.PieceOf(j.attacker.Other(), shogi.King) {
			continue
		}
		hands := [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}
		if k := board[s].Kind().Unpromoted(); k != shogi.King {
			hands[j.attacker.Other()] = hands[j.attacker.Other()].With(k)
		}
		board[s] = shogi.NoPiece
		q, err := shogi.NewPosition(board, hands, p.Turn())
		if err != nil || !j.plays(q, line) {
			continue
		}
		other, ok := newPlainJudge(q, j.rules, most)
		if !ok {
			return nil, false
		}
		faults := other.judge(q, line)
		if other.tired() {
			return nil, false
		}
		sound := blemishes(faults) <= before
		for _, f := range faults {
			sound = sound && f.grade != tsume.Unsound
		}
		if sound {
			squares = append(squares, s)
		}
	}
	return squares, true
}

// plays reports whether a line can be played from p and is over at its end, not before.
func (j *plainJudge) plays(p shogi.Position, line []shogi.Move) bool {
	for i, m := range line {
		if !slices.Contains(j.moves(p), m) || p.Turn() != j.attacker && j.over(p) {
			return false
		}
		if p = j.after(p, m); i == len(line)-1 {
			return j.over(p)
		}
	}
	return false
}
