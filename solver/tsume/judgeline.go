package tsume

import (
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// view is what is known about a line: its faults if it is the main line.
type view struct {
	*judging
	line   []shogi.Move
	places []shogi.Position // before each move and after the last
	mates  map[int]*question
	// detours asks whether other checks mate without positions of the line.
	detours map[shogi.Position]*question
	faults  []Fault
	open    []OpenQuestion
}

// view looks for the faults of a line.
func (j *judging) view(line []shogi.Move) *view {
	v := &view{judging: j, line: line, mates: map[int]*question{}, detours: map[shogi.Position]*question{}}
	b := shogi.NewBoard(j.problem.Position)
	for i, m := range line {
		v.places = append(v.places, b.Position())
		b.Do(m)
		if i%2 == 0 {
			v.mates[i+1] = j.asked(b.Position(), &question{limit: dfpn.Unlimited})
		}
	}
	v.places = append(v.places, b.Position())
	end := v.escape()
	if !v.faulted {
		v.otherMoves(end)
	}
	v.endDetours()
	if end == len(line) && !v.result.Unfinished && b.Hand(v.cursor.attacker) != 0 {
		v.add(Fault{Kind: PiecesLeft, Ply: end})
	}
	return v
}

func (v *view) add(f Fault) {
	v.rules.grade(&f, len(v.line)-f.Ply)
	v.faults = append(v.faults, f)
	// What is found on a line that may not be the main line is a fault of the problem only at the first move.
	if v.firstFault && f.Grade == Unsound && (v.result.Given || f.Ply == 0 && f.Kind != ShorterMate) {
		v.faulted = true
	}
}

func (v *view) leave(ply int, m shogi.Move, kind FaultKind) {
	v.open = append(v.open, OpenQuestion{Ply: ply, Move: m, Kind: kind})
}

// escape looks for the first move of the line after which there is no mate, and returns the
// number of moves up to it; the length of the line if there is none.
func (v *view) escape() int {
	var chain []*question
	for i := len(v.line) - 1 + len(v.line)%2; i > 0; i -= 2 {
		chain = append(chain, v.mates[i])
	}
	v.settle(chain...)
	for i := 1; i <= len(v.line); i += 2 {
		switch q := v.mates[i]; q.answer {
		case dfpn.Disproven:
			v.add(Fault{Kind: NoMate, Ply: i, Move: q.reply})
			return i
		case dfpn.Unknown:
			v.leave(i, shogi.NoMove, NoMate)
		}
	}
	if v.result.Unfinished {
		v.unfinished()
	}
	return len(v.line)
}

// unfinished names the reply that escapes from a line that does not end with mate, where there is
// a mate later: the next move of the line, or the best one.
func (v *view) unfinished() {
	at := len(v.line) - 1 + len(v.line)%2
	q := v.mates[at]
	if q.answer != dfpn.Proven {
		return
	}
	f := Fault{Kind: NoMate, Ply: at, Length: q.length}
	if at < len(v.line) {
		f.Move = v.line[at]
	} else if line := v.lineOf(other{question: q}); len(line) > 1 {
		f.Move = line[1]
	}
	if f.Move != shogi.NoMove {
		f.Line = v.lineOf(other{move: f.Move, question: &question{position: after(v.cursor.board, v.places[at], f.Move)}})
	}
	v.add(f)
}

// other is a move other than that of the line.
type other struct {
	ply      int
	move     shogi.Move
	question *question
}

// otherMoves looks at all other checks up to move end, and at all replies if the line is mate.
func (v *view) otherMoves(end int) {
	var checks, replies []other
	b := v.cursor.board
	for i := range end {
		b.Set(v.places[i])
		left := len(v.line) - i
		switch {
		case i%2 == 0:
			for _, m := range b.AppendChecks(nil) {
				if m != v.line[i] {
					checks = append(checks, other{i, m, &question{limit: dfpn.Unlimited}})
				}
			}
		case end == len(v.line) && !v.result.Unfinished:
			for _, m := range b.AppendEvasions(nil) {
				switch {
				case m != v.line[i]:
					// Does it hold out shorter than the line?
					replies = append(replies, other{i, m, &question{limit: uint16(max(left-3, 0))}})
				case m.IsDrop():
					// Only whether it is futile is to be known.
					replies = append(replies, other{i, m, &question{answer: dfpn.Disproven}})
				}
			}
		}
	}
	var questions []*question
	// The end of the line comes first: it is the easiest.
	slices.Reverse(checks)
	for _, list := range [][]other{checks, replies} {
		for i := range list {
			o := &list[i]
			o.question = v.asked(after(b, v.places[o.ply], o.move), o.question)
			questions = append(questions, o.question)
		}
	}
	// What is known after a part of the time is classified before the rest is tried again.
	whole := v.share
	for _, share := range [...]float64{0.6, 0.9} {
		v.share = share * whole
		if v.firstFault {
			checks = v.firstChecks(checks)
		}
		v.settle(questions...)
		v.share += 0.1 * whole
		checks = v.classify(checks)
		replies = v.defences(replies)
	}
	v.share = whole
	for _, o := range checks {
		v.leave(o.ply, o.move, Cook)
	}
	for _, o := range replies {
		if o.move == v.line[o.ply] {
			v.leave(o.ply, o.move, FutileOnLine)
		} else {
			v.leave(o.ply, o.move, LongerDefence)
		}
	}
}

// firstChecks settles the other first checks, and classifies each when it is known to mate. It returns the
// checks that are left.
func (v *view) firstChecks(checks []other) []other {
	for seen := 0; ; {
		var questions []*question
		proven := func() (n int) {
			for _, q := range questions {
				if q.answer == dfpn.Proven {
					n++
				}
			}
			return n
		}
		for _, o := range checks {
			if o.ply == 0 {
				questions = append(questions, o.question)
			}
		}
		settle(v.searchers[:1], func() bool { return v.reached(v.spent()) || proven() > seen }, questions)
		if proven() <= seen {
			return checks
		}
		rest := slices.DeleteFunc(slices.Clone(checks), func(o other) bool { return o.ply == 0 })
		checks = append(rest, v.classify(slices.DeleteFunc(checks, func(o other) bool { return o.ply != 0 }))...)
		questions = nil
		for _, o := range checks {
			if o.ply == 0 {
				questions = append(questions, o.question)
			}
		}
		if seen = proven(); v.faulted {
			return checks
		}
	}
}

// comparison compares another check with the line's move.
type comparison struct {
	notLonger, shorter *question // about its length
	three              *question // instead of the last move: whether it mates in three plies
	without            *question // whether it mates without positions of the line; nil if that does not matter
	fault              Fault
	known              bool
}

// classify says what kind of fault each of the other checks is that are known to mate. It
// returns those about which something is not known.
func (v *view) classify(checks []other) (left []other) {
	var mates []other
	var exact []*question
	for _, o := range checks {
		switch o.question.answer {
		case dfpn.Unknown:
			left = append(left, o)
		case dfpn.Proven:
			q := v.mates[o.ply+1]
			if q.answer == dfpn.Disproven { // the move of the line does not mate
				v.add(Fault{Kind: Cook, Ply: o.ply, Move: o.move, Length: o.question.length + 1, Line: v.lineOf(o)})
				continue
			}
			mates = append(mates, o)
			q.exact = true
			exact = append(exact, q)
		}
	}
	v.settle(exact...)
	compared := make([]comparison, len(mates))
	var questions []*question
	for i, o := range mates {
		q := v.mates[o.ply+1]
		if !q.settled() || q.answer != dfpn.Proven {
			continue
		}
		c := &compared[i]
		c.notLonger = &question{position: o.question.position, limit: uint16(q.length)}
		questions = append(questions, c.notLonger)
		if q.length >= 2 {
			c.shorter = &question{position: o.question.position, limit: uint16(q.length - 2)}
			questions = append(questions, c.shorter)
		}
		if v.last(o) {
			c.three = &question{position: o.question.position, limit: 2}
			questions = append(questions, c.three)
		}
	}
	v.settle(questions...)
	var longer []*question
	for i, o := range mates {
		c := &compared[i]
		if c.fault, c.known = v.kindOf(o, c); c.known && c.fault.Kind == Detour {
			c.without = v.without(o)
			longer = append(longer, c.without)
		}
	}
	v.settleDetours(longer)
	for i, o := range mates {
		c := &compared[i]
		switch {
		case !c.known, c.without != nil && !c.without.settled():
			left = append(left, o)
			continue
		case c.without != nil && c.without.answer == dfpn.Proven:
			c.fault.Kind = Cook
		}
		c.fault.Line = v.lineOf(o)
		v.add(c.fault)
	}
	return left
}

// kindOf says what kind of fault another check is that mates; a detour may also be a cook. It
// returns false if that is not known.
func (v *view) kindOf(o other, c *comparison) (Fault, bool) {
	f := Fault{Ply: o.ply, Move: o.move, Length: o.question.length + 1}
	for _, q := range []*question{c.notLonger, c.shorter} {
		if q != nil && q.answer == dfpn.Proven {
			f.Length = min(f.Length, q.length+1)
		}
	}
	shorter := c.shorter != nil && c.shorter.answer == dfpn.Proven
	equal := c.notLonger != nil && c.notLonger.answer == dfpn.Proven && (c.shorter == nil || c.shorter.answer == dfpn.Disproven)
	longer := c.notLonger != nil && c.notLonger.answer == dfpn.Disproven
	f.Exact = equal
	switch {
	case shorter:
		f.Kind = ShorterMate
	case !equal && !longer:
		return f, false
	case equal && v.samePromotion(o):
		f.Kind = PromotionChoice
	case v.isMirror(o):
		f.Kind = Mirror
	case v.sameRay(o):
		f.Kind = SquareChoice
	case v.last(o) && len(v.line) == 1:
		f.Kind = OneMove
	case v.last(o):
		f.Kind = LastMove
		pieces, known := v.leavesPieces(c.three)
		if !known {
			return f, false
		}
		if pieces {
			f.Kind = LastMovePieces
		}
	case equal:
		f.Kind = Cook
	default:
		f.Kind = Detour
	}
	return f, true
}

// last reports whether a check is made instead of the last move of a line that ends with mate.
func (v *view) last(o other) bool { return o.ply == len(v.line)-1 && !v.result.Unfinished }

// leavesPieces reports whether a position is mate within the limit of a question, and the attacker can have
// pieces left then. It returns false if that is not known.
func (v *view) leavesPieces(q *question) (pieces, known bool) {
	if q == nil || q.answer != dfpn.Proven {
		return false, q != nil && q.answer == dfpn.Disproven
	}
	score, err := v.composer.defend(q.position, q.length, v.composer.top(q.length))
	if err != nil {
		clear(v.composer.known)
	}
	return score%ply == 0, err == nil
}

// isMirror reports whether a move is the mirror image of that of the line, in a position that is its own
// mirror image.
func (v *view) isMirror(o other) bool {
	return o.move == mirrorOf(v.line[o.ply]) && isSymmetric(v.places[o.ply])
}

// mirrorOf returns the mirror image of a move, with the files in reverse order.
func mirrorOf(m shogi.Move) shogi.Move {
	flip := func(s shogi.Square) shogi.Square { return shogi.SquareAt(10-s.File(), s.Rank()) }
	if m.IsDrop() {
		return shogi.DropOf(m.Dropped(), flip(m.To()))
	}
	return shogi.MoveOf(flip(m.From()), flip(m.To()), m.Promotes())
}

// isSymmetric reports whether a board is its own mirror image.
func isSymmetric(p shogi.Position) bool {
	for file := 1; file <= 4; file++ {
		for rank := 1; rank <= 9; rank++ {
			if p.At(shogi.SquareAt(file, rank)) != p.At(shogi.SquareAt(10-file, rank)) {
				return false
			}
		}
	}
	return true
}

// lineOf returns a line of play to the mate that begins with another move, empty if a limit
// was reached.
func (v *view) lineOf(o other) []shogi.Move {
	v.cursor.board.Set(o.question.position)
	line, err := v.reader.Line(false)
	if err != nil {
		return nil
	}
	return append([]shogi.Move{o.move}, moves(line)...)
}

// samePromotion reports whether a check differs from the move of the line only in the
// promotion of a piece that loses nothing by it, or that the line captures at once.
func (v *view) samePromotion(o other) bool {
	m, p := v.line[o.ply], &v.places[o.ply]
	if m.IsDrop() || o.move.IsDrop() || m.From() != o.move.From() || m.To() != o.move.To() {
		return false
	}
	switch p.At(m.From()).Kind() {
	case shogi.Pawn, shogi.Bishop, shogi.Rook:
		return true
	case shogi.Lance:
		if m.To().RankFor(p.Turn()) == 2 {
			return true
		}
	}
	return o.ply+1 < len(v.line) && v.line[o.ply+1].To() == m.To()
}

// sameRay reports whether a check differs from the move of the line only in the distance from
// which a piece checks.
func (v *view) sameRay(o other) bool { return sameRay(&v.places[o.ply], v.line[o.ply], o.move) }

func sameRay(p *shogi.Position, m, n shogi.Move) bool {
	var k shogi.Kind
	switch {
	case m.IsDrop() != n.IsDrop():
		return false
	case m.IsDrop():
		if k = m.Dropped(); k != n.Dropped() {
			return false
		}
	default:
		if m.From() != n.From() || m.Promotes() != n.Promotes() {
			return false
		}
		if k = p.At(m.From()).Kind(); m.Promotes() {
			k += shogi.Promoted
		}
	}
	king := p.King(p.Turn().Other())
	df, dr := sign(m.To().File()-king.File()), sign(m.To().Rank()-king.Rank())
	if !onRay(king, m.To()) || !onRay(king, n.To()) ||
		df != sign(n.To().File()-king.File()) || dr != sign(n.To().Rank()-king.Rank()) {
		return false
	}
	switch k {
	case shogi.Lance, shogi.Rook, shogi.Dragon:
		return df == 0 || dr == 0
	case shogi.Bishop, shogi.Horse:
		return df != 0 && dr != 0
	}
	return false
}

// onRay reports whether a square is on a line with the king.
func onRay(king, s shogi.Square) bool {
	df, dr := abs(s.File()-king.File()), abs(s.Rank()-king.Rank())
	return df == 0 || dr == 0 || df == dr
}

func sign(x int) int { return min(max(x, -1), 1) }

// without returns the question whether another check mates if the attacker may not reach the
// positions of the line.
func (v *view) without(o other) *question {
	q := v.detours[o.question.position]
	if q == nil {
		q = &question{position: o.question.position, limit: dfpn.Unlimited}
		v.detours[q.position] = q
	}
	return q
}

// settleDetours settles questions of [view.without].
func (v *view) settleDetours(questions []*question) {
	if len(questions) == 0 {
		return
	}
	if v.barring == nil {
		x := newBarred(v.problem, v.places, v.table, v.rules.futile)
		v.barring = v.newSearchers(func() *cursor { return detourCursor(v.problem, x) }, v.left())
	}
	v.settleBy(v.barring, questions)
}

// endDetours ends the use of the searchers that bar the line.
func (v *view) endDetours() {
	for _, s := range v.barring {
		v.others += s.nodes.Load()
	}
	v.barring = nil
}

// left returns the number of nodes that may still be searched; 0 means no limit.
func (j *judging) left() uint64 {
	if j.options.Nodes == 0 {
		return 0
	}
	return j.options.Nodes + 1 - min(j.nodes(), j.options.Nodes)
}

// defences looks at the replies that hold out as long as the line or longer. It returns those
// about which something is not known.
func (v *view) defences(replies []other) (left []other) {
	asked := map[int][]other{}
	var exact []*question
	for _, o := range replies {
		switch {
		case o.question.answer == dfpn.Unknown:
			left = append(left, o)
			continue
		case o.question.answer == dfpn.Proven && len(v.line)-o.ply > 2:
			continue
		}
		q := v.mates[o.ply]
		q.exact = true
		exact = append(exact, q)
		asked[o.ply] = append(asked[o.ply], o)
	}
	v.settle(exact...)
	for i := len(v.line) - 2; i > 0; i -= 2 {
		if len(asked[i]) > 0 && !v.defencesAt(i, asked[i]) {
			left = append(left, asked[i]...)
		}
	}
	return left
}

// defencesAt looks at replies instead of move at of the line. It returns false if a limit was
// reached.
func (v *view) defencesAt(at int, replies []other) bool {
	q := v.mates[at]
	if !q.settled() || q.answer != dfpn.Proven {
		return false
	}
	left := len(v.line) - at
	all, err := v.composer.defences(v.places[at], q.length, left, v.line[at])
	if err != nil {
		clear(v.composer.known)
		return false
	}
	for _, o := range replies {
		i := slices.IndexFunc(all, func(d defence) bool { return d.move == o.move })
		if i < 0 {
			continue
		}
		f := Fault{Ply: at, Move: o.move, Length: all[i].score / ply, Exact: true}
		pieces := all[i].score%ply == 0
		switch m := v.line[at]; {
		case o.move == m && all[i].futile:
			v.add(Fault{Kind: FutileOnLine, Ply: at, Move: m})
			continue
		case o.move == m || all[i].futile || f.Length < left:
			continue
		case f.Length > left && pieces:
			f.Kind = LongerWithPieces
		case f.Length > left:
			f.Kind = LongerDefence
		case !m.IsDrop() && !o.move.IsDrop() && m.From() == o.move.From() && m.To() == o.move.To():
			continue // the same move with or without promotion
		case v.isMirror(o):
			f.Kind = Mirror
		case pieces:
			f.Kind = EqualWithPieces
		default:
			f.Kind = EqualDefence
		}
		f.Line = v.lineOf(o)
		v.add(f)
	}
	return true
}
