package gomoku

import "math/bits"

// Limits of a threat-space search.
const (
	maxSpaceNodes  = 400  // sequences of threats
	maxCombined    = 3    // rounds of combining
	maxProofs      = 12   // sequences that are checked against the defender
	maxProofMoves  = 600  // attacker's moves looked at in a check
	maxProofVCF    = 2000 // positions of a search for continuous fours in a check
	spaceTableSize = 1024 // a power of two, more than maxSpaceNodes
)

// sequence is a sequence of threats, each with all the replies that parry it
// placed at once: a node of the space of threats.
type sequence struct {
	before, other int32  // the sequences that this one goes on from; -1 if there is none
	threat        threat // the last one
	gains, costs  Set    // of all of them
}

// space is the memory of a threat-space search.
type space struct {
	sequences []sequence
	threats   []threat // of the sequences that are being extended
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
// returned.
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
	sp.sequences, sp.threats, sp.proofs = sp.sequences[:0], sp.threats[:0], 0
	clear(sp.seen[:])
	root := sequence{before: -1, other: -1}
	if tree := s.extend(&root, -1, nil); tree != nil {
		return tree
	}
	for first, round := 0, 0; round < maxCombined && first < len(sp.sequences); round++ {
		next := len(sp.sequences)
		for j := first; j < next; j++ {
			for i := range j {
				if tree := s.combine(int32(i), int32(j)); tree != nil {
					return tree
				}
			}
		}
		first = next
	}
	return nil
}

// stopped reports whether a limit of the search is reached.
func (sp *space) stopped() bool {
	return len(sp.sequences) >= maxSpaceNodes || sp.proofs >= maxProofs
}

// extend looks at the threats that depend on the stones of with, behind the
// sequence q, which is on the board and has the given number.
func (s *Searcher) extend(q *sequence, number int32, with []Square) *Tree {
	sp := &s.space
	base := len(sp.threats)
	sp.threats = s.board.appendThreats(sp.threats, s.attacker, with)
	defer func() { sp.threats = sp.threats[:base] }()
	for i := base; i < len(sp.threats) && !sp.stopped(); i++ {
		if tree := s.follow(q, number, -1, sp.threats[i]); tree != nil {
			return tree
		}
	}
	return nil
}

// follow goes on from the sequence q, which is on the board, with a threat. Other
// is the number of the sequence that q was combined with, if it was.
func (s *Searcher) follow(q *sequence, number, other int32, t threat) *Tree {
	sp, b := &s.space, s.board
	if t.n == 0 {
		return s.check(number, other, t)
	}
	s.placeThreat(&t)
	defer s.removeThreat(&t)
	if !sp.isNew(b.key[0]) {
		return nil
	}
	next := sequence{before: number, other: other, threat: t, gains: q.gains, costs: q.costs}
	next.gains.Add(t.gain)
	for _, c := range t.parries() {
		next.costs.Add(c)
	}
	sp.sequences = append(sp.sequences, next)
	return s.extend(&next, int32(len(sp.sequences)-1), []Square{t.gain})
}

func (s *Searcher) placeThreat(t *threat) {
	s.board.Place(t.gain, s.attacker)
	for _, c := range t.parries() {
		s.board.Place(c, s.defender)
	}
}

func (s *Searcher) removeThreat(t *threat) {
	for _, c := range t.parries() {
		s.board.Remove(c, s.defender)
	}
	s.board.Remove(t.gain, s.attacker)
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

// combine looks at the threats that need the last stones of two sequences.
func (s *Searcher) combine(i, j int32) *Tree {
	sp, b := &s.space, s.board
	if sp.stopped() {
		return nil
	}
	p, q := &sp.sequences[i], &sp.sequences[j]
	if !b.layout.near(p.threat.gain, q.threat.gain) || !sp.independent(i, j) {
		return nil
	}
	both := sequence{gains: p.gains, costs: p.costs}
	both.gains.AddAll(&q.gains)
	both.costs.AddAll(&q.costs)
	with := []Square{p.threat.gain, q.threat.gain}
	s.placeSets(&both)
	defer s.removeSets(&both)
	base := len(sp.threats)
	sp.threats = b.appendThreats(sp.threats, s.attacker, with)
	defer func() { sp.threats = sp.threats[:base] }()
	for n := base; n < len(sp.threats) && !sp.stopped(); n++ {
		if tree := s.follow(&both, i, j, sp.threats[n]); tree != nil {
			return tree
		}
	}
	return nil
}

func (s *Searcher) placeSets(q *sequence) {
	s.eachOf(&q.gains, func(at Square) { s.board.Place(at, s.attacker) })
	s.eachOf(&q.costs, func(at Square) { s.board.Place(at, s.defender) })
}

func (s *Searcher) removeSets(q *sequence) {
	s.eachOf(&q.gains, func(at Square) { s.board.Remove(at, s.attacker) })
	s.eachOf(&q.costs, func(at Square) { s.board.Remove(at, s.defender) })
}

func (s *Searcher) eachOf(set *Set, do func(Square)) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			do(Square(64*i + bits.TrailingZeros64(w)))
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
	sp.plan = sp.appendSequence(sp.plan[:0], j)
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

// appendSequence appends the threats of a sequence, first to last, to dst.
func (sp *space) appendSequence(dst []threat, number int32) []threat {
	if number < 0 {
		return dst
	}
	q := &sp.sequences[number]
	dst = sp.appendSequence(dst, q.before)
	if q.other >= 0 {
		begin := len(dst)
		dst = sp.appendSequence(dst, q.other)
		dst = dst[:begin+withoutRepeated(dst[:begin], dst[begin:])]
	}
	return append(dst, q.threat)
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
