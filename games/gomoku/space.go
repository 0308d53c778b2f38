package gomoku

// Limits of a threat-space search.
const (
	maxSpaceNodes  = 300  // sequences of threats
	maxProofs      = 8    // sequences that are checked against the defender
	maxProofMoves  = 150  // attacker's moves looked at in a check
	maxProofVCF    = 2000 // positions of a search for continuous fours in a check
	spaceTableSize = 1024 // more than maxSpaceNodes
)

// sequence is a sequence of threats, each with all the replies that parry it
// placed at once: a node of the space of threats.
type sequence struct {
	before, other int32  // the sequences that it goes on from; -1 if there is none
	threat        threat // the last one
	gains, costs  Set    // of all of them
}

// space is the memory of a threat-space search.
type space struct {
	sequences []sequence
	threats   []threat
	plan      []threat
	seen      [spaceTableSize]uint64
	proofs    int
}

// ThreatSpace looks for a win by fours and threes: threat-space search (Allis,
// van den Herik, Huntjens 1993). After each threat all the replies that parry it
// are placed at once, so that what remains is a search for one side. A threat is
// looked at only if it depends on the one before; independent sequences are
// combined where their last gains lie in line and they do not conflict. A
// sequence that wins in this way is then checked against every reply that the
// defender really has, his own fours among them, and becomes the tree that is
// returned. Short sequences come first.
//
// The search looks for a victory by continuous fours first. It is not complete:
// nil says nothing. The board is as before when ThreatSpace returns.
func (s *Searcher) ThreatSpace(b *Board, attacker Side) *Tree {
	if tree, verdict := s.VCF(b, attacker, AllMoves, maxProofVCF); verdict == Proven {
		return tree
	}
	s.begin(b, attacker, 0)
	if forced, ok := b.single(b.windows(s.defender, b.layout.k-1)); !ok || forced != NoSquare {
		// Only fours would do, and they were tried.
		return nil
	}
	sp := &s.space
	sp.sequences, sp.proofs = sp.sequences[:0], 0
	clear(sp.seen[:])
	if tree := s.follow(&sequence{}, -1, -1); tree != nil {
		return tree
	}
	for j := int32(0); int(j) < len(sp.sequences); j++ {
		q := sp.sequences[j]
		if tree := s.follow(&q, j, -1, q.threat.gain); tree != nil {
			return tree
		}
		for i := range j {
			p := &sp.sequences[i]
			if !b.layout.near(p.threat.gain, q.threat.gain) || !sp.independent(i, j) {
				continue
			}
			both := sequence{gains: p.gains, costs: p.costs}
			both.gains.AddAll(&q.gains)
			both.costs.AddAll(&q.costs)
			if tree := s.follow(&both, i, j, p.threat.gain, q.threat.gain); tree != nil {
				return tree
			}
		}
	}
	return nil
}

// follow looks at the threats that depend on the stones of with, behind one
// sequence or two together, which are q.
func (s *Searcher) follow(q *sequence, before, other int32, with ...Square) *Tree {
	sp, b := &s.space, s.board
	if sp.stopped() {
		return nil
	}
	s.place(q)
	sp.threats = b.appendThreats(sp.threats[:0], s.attacker, with)
	won := -1
	for i := range sp.threats {
		t := &sp.threats[i]
		if t.n == 0 {
			won = i
			break
		}
		if len(sp.sequences) == maxSpaceNodes || !sp.isNew(b.keyAfter(t, s.attacker)) {
			continue
		}
		next := sequence{before: before, other: other, threat: *t, gains: q.gains, costs: q.costs}
		next.gains.Add(t.gain)
		for _, c := range t.parries() {
			next.costs.Add(c)
		}
		sp.sequences = append(sp.sequences, next)
	}
	s.remove(q)
	if won >= 0 {
		return s.check(before, other, sp.threats[won])
	}
	return nil
}

// stopped reports whether a limit of the search is reached.
func (sp *space) stopped() bool {
	return len(sp.sequences) >= maxSpaceNodes || sp.proofs >= maxProofs
}

// place puts the stones of a sequence onto the board.
func (s *Searcher) place(q *sequence) {
	q.gains.each(func(at Square) { s.board.Place(at, s.attacker) })
	q.costs.each(func(at Square) { s.board.Place(at, s.defender) })
}

// remove takes them from it.
func (s *Searcher) remove(q *sequence) {
	q.gains.each(func(at Square) { s.board.Remove(at, s.attacker) })
	q.costs.each(func(at Square) { s.board.Remove(at, s.defender) })
}

// keyAfter returns half of the hash after a threat and all its parries.
func (b *Board) keyAfter(t *threat, side Side) uint64 {
	keys := &b.layout.keys
	key := b.key[0] ^ keys[side][t.gain][0]
	for _, c := range t.parries() {
		key ^= keys[side.Opponent()][c][0]
	}
	return key
}

// isNew reports whether a key was not seen before in this search.
func (sp *space) isNew(key uint64) bool {
	for i := key; ; i++ {
		switch at := &sp.seen[i%spaceTableSize]; *at {
		case key:
			return false
		case 0:
			*at = key
			return true
		}
	}
}

// near reports whether two different squares are in line and less than k apart.
func (l *layout) near(s, t Square) bool {
	rows, columns := s.Row()-t.Row(), s.Column()-t.Column()
	if rows < 0 {
		rows, columns = -rows, -columns
	}
	inLine := rows == 0 || columns == 0 || rows == columns || rows == -columns
	return s != t && inLine && rows < l.k && columns < l.k && -columns < l.k
}

// independent reports whether two sequences do not conflict: no threat of one
// has a square of the other, unless they share it.
func (sp *space) independent(i, j int32) bool {
	p, q := &sp.sequences[i], &sp.sequences[j]
	meet := p.gains
	meet.Intersect(&q.costs)
	if !meet.Empty() {
		return false
	}
	meet = p.costs
	meet.Intersect(&q.gains)
	if !meet.Empty() {
		return false
	}
	if p.gains.Has(q.threat.gain) || q.gains.Has(p.threat.gain) {
		return false
	}
	// A cost in both is a conflict unless it is of a threat in both.
	meet = p.costs
	meet.Intersect(&q.costs)
	if meet.Empty() {
		return true
	}
	sp.plan = sp.appendSequences(sp.plan[:0], j, -1)
	for n := range sp.plan {
		t := &sp.plan[n]
		if sp.holds(i, t) {
			continue
		}
		for _, c := range t.parries() {
			if p.costs.Has(c) {
				return false
			}
		}
	}
	return true
}

// holds reports whether a threat is in a sequence.
func (sp *space) holds(number int32, t *threat) bool {
	for number >= 0 {
		q := &sp.sequences[number]
		if q.threat == *t {
			return true
		}
		if q.other >= 0 && sp.holds(q.other, t) {
			return true
		}
		number = q.before
	}
	return false
}

// appendSequences appends the threats of one sequence or of two together, first to
// last, to dst. Numbers below 0 are no sequence.
func (sp *space) appendSequences(dst []threat, before, other int32) []threat {
	for _, number := range [2]int32{before, other} {
		if number < 0 {
			continue
		}
		q := &sp.sequences[number]
		begin := len(dst)
		dst = sp.appendSequences(dst, q.before, q.other)
		dst = append(dst, q.threat)
		dst = dst[:begin+withoutRepeated(dst[:begin], dst[begin:])]
	}
	return dst
}

// withoutRepeated moves the threats that are not in known to the front, and
// returns how many they are.
func withoutRepeated(known, list []threat) int {
	n := 0
next:
	for _, t := range list {
		for i := range known {
			if known[i] == t {
				continue next
			}
		}
		list[n] = t
		n++
	}
	return n
}
