package threat

import (
	"math/bits"
	"slices"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Limits of a threat-space search.
const (
	maxSpaceNodes  = 300  // sequences of threats
	maxProofs      = 8    // sequences that are checked against the defender
	maxProofMoves  = 150  // attacker's moves searched in a check
	maxProofVCF    = 1000 // positions of a search for continuous fours in a check
	spaceTableSize = 1024 // more than maxSpaceNodes
)

// sequence is a sequence of threats, each with all its parries placed at once: a node of
// the space of threats.
type sequence struct {
	before, other int32         // the sequences that it extends; -1 if there is none
	next          int32         // an earlier sequence with the same last gain; -1 if there is none
	threat        gomoku.Threat // the last one
	gains, costs  gomoku.Set    // of all of them
	key           uint64        // hash of gains and costs
}

// space is the memory of a threat-space search.
type space struct {
	sequences []sequence
	threats   []gomoku.Threat
	plan      []gomoku.Threat
	shown     sequence   // the gains and costs that are on the board
	ends      gomoku.Set // last gains of the sequences that were extended
	last      [gomoku.MaxSquares]int32
	seen      [spaceTableSize]uint64
	proofs    int
}

// ThreatSpace searches for a win by fours and threes: threat-space search (Allis, van den
// Herik, Huntjens 1993). All parries of a threat are placed at once, so only one side
// moves. A threat must depend on the previous one; independent sequences are combined if
// their last gains are in line and they do not conflict. A sequence that wins is then
// checked against every reply that the defender really has, including his fours, and
// becomes the returned tree. Short sequences come first.
//
// The search tries continuous fours first. It may miss wins. It restores the board.
func (s *Searcher) ThreatSpace(b *gomoku.Board, attacker gomoku.Side) *Tree {
	if tree, verdict := s.VCF(b, attacker, AllMoves, maxProofVCF); verdict == Proven {
		return tree
	}
	s.begin(b, attacker, 0)
	if forced, ok := b.OnlyFive(s.defender); !ok || forced != gomoku.NoSquare {
		// Only fours would do, and they were tried.
		return nil
	}
	sp := &s.space
	sp.sequences, sp.proofs, sp.ends = sp.sequences[:0], 0, gomoku.Set{}
	clear(sp.seen[:])
	tree := s.extendAll()
	s.show(&sequence{})
	claimWin(b, attacker, tree, "threat-space search")
	return tree
}

// extendAll extends the empty sequence, each sequence, and each pair of them that
// can be combined.
func (s *Searcher) extendAll() *Tree {
	sp := &s.space
	if tree := s.extend(&sequence{}, -1, -1); tree != nil {
		return tree
	}
	for j := int32(0); int(j) < len(sp.sequences) && !sp.stopped(); j++ {
		q := sp.sequences[j]
		gain := q.threat.Gain
		if tree := s.extend(&q, j, -1, gain); tree != nil {
			return tree
		}
		near := s.board.Near(gain)
		near.Intersect(&sp.ends)
		for w, word := range near {
			for ; word != 0; word &= word - 1 {
				end := gomoku.Square(64*w + bits.TrailingZeros64(word))
				for i := sp.last[end]; i >= 0; i = sp.sequences[i].next {
					if tree := s.extendBoth(i, j, &q); tree != nil {
						return tree
					}
				}
			}
		}
		sp.sequences[j].next = -1
		if sp.ends.Has(gain) {
			sp.sequences[j].next = sp.last[gain]
		}
		sp.last[gain] = j
		sp.ends.Add(gain)
	}
	return nil
}

// extendBoth extends two sequences together, if they do not conflict.
func (s *Searcher) extendBoth(i, j int32, q *sequence) *Tree {
	sp := &s.space
	if sp.stopped() || !sp.independent(i, j) {
		return nil
	}
	p := &sp.sequences[i]
	both := sequence{gains: p.gains, costs: p.costs}
	both.gains.AddAll(&q.gains)
	both.costs.AddAll(&q.costs)
	both.key = s.hash(&both)
	return s.extend(&both, i, j, p.threat.Gain, q.threat.Gain)
}

// extend extends q, which is one sequence or two combined, by the threats that depend on
// the stones on the squares with.
func (s *Searcher) extend(q *sequence, before, other int32, with ...gomoku.Square) *Tree {
	sp, b := &s.space, s.board
	if sp.stopped() {
		return nil
	}
	s.show(q)
	sp.threats = b.AppendThreats(sp.threats[:0], s.attacker, with)
	checked := false
	for i := range sp.threats {
		t := &sp.threats[i]
		if len(t.Costs()) == 0 {
			if checked || sp.stopped() {
				continue // one win of a sequence is enough
			}
			checked = true
			s.show(&sequence{})
			if tree := s.check(before, other, *t); tree != nil {
				return tree
			}
			s.show(q)
			continue
		}
		key := q.key ^ s.hashThreat(t)
		if len(sp.sequences) == maxSpaceNodes || !sp.isNew(key) {
			continue
		}
		next := sequence{before: before, other: other, threat: *t, gains: q.gains, costs: q.costs, key: key}
		next.gains.Add(t.Gain)
		for _, c := range t.Costs() {
			next.costs.Add(c)
		}
		sp.sequences = append(sp.sequences, next)
	}
	return nil
}

func (sp *space) stopped() bool {
	return len(sp.sequences) >= maxSpaceNodes || sp.proofs >= maxProofs
}

// show marks the stones of a sequence on the board, in place of those marked before.
func (s *Searcher) show(q *sequence) {
	b, shown := s.board, &s.space.shown
	for i := range q.gains {
		for w := shown.gains[i] &^ q.gains[i]; w != 0; w &= w - 1 {
			b.Unmark(gomoku.Square(64*i+bits.TrailingZeros64(w)), s.attacker)
		}
		for w := shown.costs[i] &^ q.costs[i]; w != 0; w &= w - 1 {
			b.Unmark(gomoku.Square(64*i+bits.TrailingZeros64(w)), s.defender)
		}
		for w := q.gains[i] &^ shown.gains[i]; w != 0; w &= w - 1 {
			b.Mark(gomoku.Square(64*i+bits.TrailingZeros64(w)), s.attacker)
		}
		for w := q.costs[i] &^ shown.costs[i]; w != 0; w &= w - 1 {
			b.Mark(gomoku.Square(64*i+bits.TrailingZeros64(w)), s.defender)
		}
	}
	shown.gains, shown.costs = q.gains, q.costs
}

func (s *Searcher) hashThreat(t *gomoku.Threat) uint64 {
	b := s.board
	key := b.StoneKey(t.Gain, s.attacker)[0]
	for _, c := range t.Costs() {
		key ^= b.StoneKey(c, s.defender)[0]
	}
	return key
}

func (s *Searcher) hash(q *sequence) (key uint64) {
	b := s.board
	q.gains.Each(func(at gomoku.Square) { key ^= b.StoneKey(at, s.attacker)[0] })
	q.costs.Each(func(at gomoku.Square) { key ^= b.StoneKey(at, s.defender)[0] })
	return key
}

// isNew reports whether a key is seen for the first time in this search.
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

// independent reports whether two sequences do not conflict: no threat of one has a square
// of the other, except threats in both.
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
	if p.gains.Has(q.threat.Gain) || q.gains.Has(p.threat.Gain) {
		return false
	}
	// A cost in both is a conflict unless it belongs to a threat in both.
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
		for _, c := range t.Costs() {
			if p.costs.Has(c) {
				return false
			}
		}
	}
	return true
}

func (sp *space) holds(number int32, t *gomoku.Threat) bool {
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
// last, to dst. A number below 0 stands for no sequence.
func (sp *space) appendSequences(dst []gomoku.Threat, before, other int32) []gomoku.Threat {
	for _, number := range [2]int32{before, other} {
		if number < 0 {
			continue
		}
		q := &sp.sequences[number]
		begin := len(dst)
		dst = sp.appendSequences(dst, q.before, q.other)
		dst = append(dst, q.threat)
		added := slices.DeleteFunc(dst[begin:], func(t gomoku.Threat) bool { return slices.Contains(dst[:begin], t) })
		dst = dst[:begin+len(added)]
	}
	return dst
}
