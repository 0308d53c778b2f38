package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// triedLines is the greatest number of lines that are tried as the main line.
const triedLines = 8

// findLine looks for the main line of a problem that is mate, and judges it.
//
// If the length of the shortest mate can be proven and its line counted as composers do, that
// is the main line. Otherwise a likely line is judged as if it was intended. If no other check
// on it mates in fewer plies, and no reply holds out longer, it is the main line: its judgement
// proves what could not be proven directly. If not, the better move leads to another line.
func (j *judging) findLine() {
	whole := j.share
	j.share = 0.3 * whole
	line := j.exactLine()
	j.share = whole
	proven := line != nil
	if line == nil {
		line = j.likelyLine()
	}
	var v *view
	for try := 0; line != nil && try < triedLines && (v == nil || !j.stopped()); try++ {
		v = j.view(line)
		if line = v.better(); line == nil {
			v = v.soundest()
			v.choices()
			j.accept(v, proven)
			return
		}
	}
	if v != nil {
		// Faults of the first move do not depend on the line.
		j.result.Line = v.line
		j.result.Faults = slices.DeleteFunc(v.faults, func(f Fault) bool { return f.Ply > 0 || f.Kind == ShorterMate })
	} else if line, cut := j.proofLine(shogi.NoMove); !cut {
		j.result.Line = line
	}
	j.judgeBound()
	j.result.Open = append(j.result.Open, OpenQuestion{Kind: LongerDefence})
}

// judgeBound compares the proven bound of the mate with the length declared, where the main line
// is not known.
func (j *judging) judgeBound() {
	if length := j.solution.Length; length < j.declared {
		j.fault(Fault{Kind: ShorterMate, Length: length})
	}
}

// exactLine returns the line that composers would give, nil if a limit was reached.
func (j *judging) exactLine() []shogi.Move {
	q := &question{position: j.problem.Position, limit: dfpn.Unlimited, exact: true}
	j.settle(q)
	if q.answer == dfpn.Proven {
		j.solution.Length = min(j.solution.Length, q.length)
	}
	if !q.shortest {
		return nil
	}
	line, err := j.composer.lineIn(j.problem.Position, q.length)
	if err != nil {
		clear(j.composer.known)
		return nil
	}
	return line
}

// likelyLine returns the main line of the mate that was found, nil if a limit was reached.
func (j *judging) likelyLine() []shogi.Move {
	if line := j.findMainLine(); len(line) > 0 {
		return slices.Clone(line)
	}
	j.cursor.board.Set(j.problem.Position)
	line, err := j.reader.Line(false)
	if err != nil {
		return nil
	}
	return moves(line)
}

// better returns a line that has a better claim to be the main line, nil if there is none.
func (v *view) better() []shogi.Move {
	for _, f := range v.faults {
		switch f.Kind {
		case ShorterMate, LongerDefence, LongerWithPieces:
		case EqualDefence:
			if !slices.ContainsFunc(v.faults, func(f Fault) bool { return f.Kind == PiecesLeft }) {
				continue
			}
		default:
			continue
		}
		if tail := v.mainLineAfter(&f); len(tail) > 0 {
			return append(append(slices.Clone(v.line[:f.Ply]), f.Move), tail...)
		}
	}
	return nil
}

// soundest returns a view of a line that is as good for both sides but has fewer faults that make
// the problem unsound: where several replies hold out equally long, a composer intends the one
// after which there are no cooks. It returns v if there is no such line.
func (v *view) soundest() *view {
	type fork struct {
		ply  int
		move shogi.Move
	}
	tried := map[fork]bool{}
	for try := 0; try < triedLines && !v.stopped(); try++ {
		last := v.lastUnsound()
		i := slices.IndexFunc(v.faults, func(f Fault) bool {
			return f.Kind == EqualDefence && f.Ply < last && !tried[fork{f.Ply, f.Move}]
		})
		if i < 0 {
			return v
		}
		f := &v.faults[i]
		tried[fork{f.Ply, f.Move}] = true
		tail := v.mainLineAfter(f)
		line := append(append(slices.Clone(v.line[:f.Ply]), f.Move), tail...)
		if len(tail) == 0 || len(line) != len(v.line) {
			continue
		}
		w := v.view(line)
		if len(w.open) == 0 && w.better() == nil && w.unsound() < v.unsound() {
			v, tried = w, map[fork]bool{}
		}
	}
	return v
}

// unsound returns the number of faults that make the problem unsound.
func (v *view) unsound() (n int) {
	for _, f := range v.faults {
		if f.Grade == Unsound {
			n++
		}
	}
	return n
}

// lastUnsound returns the ply of the last of them.
func (v *view) lastUnsound() (ply int) {
	for _, f := range v.faults {
		if f.Grade == Unsound {
			ply = max(ply, f.Ply)
		}
	}
	return ply
}

// mainLineAfter returns a likely main line after the other move of a fault.
func (v *view) mainLineAfter(f *Fault) []shogi.Move {
	b := shogi.NewBoard(v.places[f.Ply])
	b.Do(f.Move)
	p := Problem{Position: b.Position(), Defends: b.Turn() != v.cursor.attacker}
	sub := v.sub(p)
	sub.solution.Length, sub.solution.Nodes = f.Length, v.solution.Nodes
	line := slices.Clone(sub.findMainLine())
	v.judging.others += sub.solution.Nodes - v.solution.Nodes
	if len(line) == 0 && len(f.Line) > 0 {
		return f.Line[1:]
	}
	return line
}

// sub returns a search of another problem with what is left of the limits.
func (j *judging) sub(p Problem) *solving {
	options := j.options
	options.Nodes = j.left()
	return &solving{ctx: j.ctx, problem: p, table: j.table, options: options, begin: j.begin, reported: j.reported}
}

// accept takes a line as the main line. If it may not be the main line from some reply on,
// what is found after that is not known to be a fault.
func (j *judging) accept(v *view, proven bool) {
	j.result.Line, j.result.Faults, j.result.Open = v.line, v.faults, v.open
	if proven {
		j.judgeDeclared()
		return
	}
	sure := len(v.line)
	for _, q := range v.open {
		if q.Ply%2 == 1 {
			sure = min(sure, q.Ply)
		}
	}
	for _, f := range v.faults {
		if f.Kind == NoMate || f.Kind == FutileOnLine || f.Kind == ShorterMate || f.Kind == LongerDefence || f.Kind == LongerWithPieces {
			sure = min(sure, f.Ply)
		}
	}
	if sure == len(v.line) && len(v.open) == 0 {
		j.judgeDeclared()
		return
	}
	j.result.Faults = slices.DeleteFunc(v.faults, func(f Fault) bool { return f.Ply >= sure || f.Ply%2 == 1 || f.Kind == ShorterMate })
	j.judgeBound()
	j.result.Open = append(j.result.Open, OpenQuestion{Kind: LongerDefence})
}

// judgeDeclared compares the length of the main line with the one declared.
func (j *judging) judgeDeclared() {
	line := j.result.Line
	f := Fault{Move: line[0], Length: len(line), Exact: true, Line: line}
	switch {
	case j.declared == 0 || len(line) == j.declared:
		return
	case len(line) < j.declared:
		f.Kind = ShorterMate
	default:
		f.Kind, f.Move = LongerDefence, shogi.NoMove
	}
	j.rules.grade(&f, j.declared)
	if f.Kind == LongerDefence {
		f.Point, f.Grade, f.By = NoPoint, Remark, "" // of old problems it is not known how they were counted
	}
	j.result.Faults = append(j.result.Faults, f)
}

// judgePieces looks for superfluous pieces on the board of a sound problem. The defender gets
// the piece that is taken away.
func (j *judging) judgePieces() {
	p, defender := j.problem.Position, j.problem.Attacker().Other()
	for s := range shogi.Square(81) {
		piece := p.At(s)
		if piece == shogi.NoPiece || piece == shogi.PieceOf(defender, shogi.King) {
			continue
		}
		board, hands, turn := p.Parts()
		board[s] = shogi.NoPiece
		if k := piece.Kind().Unpromoted(); k != shogi.King {
			hands[defender] = hands[defender].With(k)
		}
		q, err := shogi.NewPosition(board, hands, turn)
		if err != nil {
			continue
		}
		switch j.judgeWithout(q) {
		case Sound:
			j.fault(Fault{Kind: Superfluous, Square: s})
		case NotDecided:
			j.result.Open = append(j.result.Open, OpenQuestion{Kind: Superfluous, Square: s})
		}
	}
}

// judgeWithout says whether a problem without a piece is as sound and has the same main line.
func (j *judging) judgeWithout(p shogi.Position) Verdict {
	if j.stopped() {
		return NotDecided
	}
	sub := newJudging(j.sub(Problem{Position: p}), JudgeOptions{Rules: j.rules})
	err := sub.run(j.result.Line)
	j.others += sub.nodes()
	switch {
	case err != nil || sub.result.Unfinished || len(sub.result.Line) < len(j.result.Line) || sub.result.blemishes() > j.result.blemishes():
		return Faulty
	}
	return sub.result.Verdict
}

func (r *Judgement) blemishes() (n int) {
	for _, f := range r.Faults {
		if f.Grade == Blemish && f.Kind != Superfluous {
			n++
		}
	}
	return n
}
