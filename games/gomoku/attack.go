package gomoku

import (
	"cmp"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// AttackConfig says how an [Attacker] looks at positions.
type AttackConfig struct {
	// Width is how many threats of the attacker are looked at where he is free
	// to choose; 0 is 14.
	Width int
	// Prove, if set, looks for a win of the side to move where threat-space
	// search has found none, such as by a deeper search. Nil says nothing. What
	// it returns must win against every reply.
	Prove func(p Position) *Tree
}

// Attacker is a [games.Brancher] for searches that ask for wins only. Of the
// attacker's moves it offers those that look best and are a threat: that leave him
// a win if the defender passes. Of the defender's it offers those that neither this
// win nor a win against another reply answers as well. A position where the
// attacker has no threat is given up, which proves nothing. It belongs to one
// goroutine.
//
// Allis, van den Herik and Huntjens (1996) solved gomoku by proof-number search
// over such moves.
type Attacker struct {
	game     *Game
	config   AttackConfig
	board    *Board
	searcher *Searcher
}

var _ games.Brancher[Position, Square] = (*Attacker)(nil)

const (
	attackTableBits = 16
	attackWidth     = 14
	attackScan      = 32 // of the attacker's moves, how many are looked at to find threats
)

// Proof numbers of what was not looked at closer.
const (
	replyProof = 2  // a reply that no threats answer at once
	fourProof  = 6  // a four: it must not look easy for having one reply
	quietProof = 30 // a move that may be no threat
)

// NewAttacker returns an Attacker.
func (g *Game) NewAttacker(config AttackConfig) *Attacker {
	if config.Width == 0 {
		config.Width = attackWidth
	}
	return &Attacker{game: g, config: config, board: g.NewBoard(Position{}), searcher: NewSearcher(g, attackTableBits)}
}

// AppendCertificate implements [games.Brancher]: a win has none.
func (a *Attacker) AppendCertificate(dst []byte, _ Position, _ bool) ([]byte, bool) {
	return dst, false
}

// AppendBranches implements [games.Brancher].
func (a *Attacker) AppendBranches(dst []games.Branch[Square], p Position, attackerToMove bool) ([]games.Branch[Square], bool) {
	if attackerToMove {
		return a.appendAttacks(dst, p)
	}
	a.board.Set(p)
	if tree, verdict := a.searcher.VCF(a.board, p.toMove, 1, 0); verdict == Proven {
		return append(dst, won(tree.Move, false)), true
	}
	d, verdict := a.Defend(p)
	switch verdict {
	case Refuted:
		return append(dst, won(d.Refutation, false)), true
	case Unknown:
		return dst, false
	}
	for _, r := range d.Replies {
		if r.Then == nil {
			dst = append(dst, games.Branch[Square]{Move: r.Move, Proof: replyProof, Disproof: 1})
		}
	}
	return dst, true
}

// Win returns a win of the side to move in p, which is unfinished, and nil if it
// finds none.
func (a *Attacker) Win(p Position) *Tree {
	a.board.Set(p)
	return a.win(p.toMove)
}

func (a *Attacker) win(side Side) *Tree {
	tree := a.searcher.ThreatSpace(a.board, side)
	if tree == nil && a.config.Prove != nil {
		tree = a.config.Prove(a.board.Position(side))
	}
	return tree
}

// Candidates returns the moves of the side to move in p that look best, best
// first; of two that look alike, the one farther from the opponent's stones.
func (a *Attacker) Candidates(p Position) []Square {
	a.board.Set(p)
	b, opponent := a.board, p.stones[p.toMove.Opponent()]
	moves := a.searcher.around(b)
	list := b.best(&moves, p.toMove, moves.Len())
	away := func(s Square) (sum int) {
		opponent.each(func(t Square) {
			rows, columns := s.Row()-t.Row(), s.Column()-t.Column()
			sum += rows*rows + columns*columns
		})
		return sum
	}
	slices.SortStableFunc(list, func(s, t Square) int {
		return cmp.Or(cmp.Compare(b.worth(t, p.toMove), b.worth(s, p.toMove)), cmp.Compare(away(t), away(s)))
	})
	return list[:min(len(list), a.config.Width)]
}

// appendAttacks appends moves of the attacker, who is to move.
func (a *Attacker) appendAttacks(dst []games.Branch[Square], p Position) ([]games.Branch[Square], bool) {
	a.board.Set(p)
	b, attacker, defender := a.board, p.toMove, p.toMove.Opponent()
	if fives := b.Fives(attacker); !fives.Empty() {
		return append(dst, won(fives.first(), true)), true
	}
	forced := b.Fives(defender)
	switch forced.Len() {
	case 0:
	case 1:
		return append(dst, games.Branch[Square]{Move: forced.first(), Proof: 1, Disproof: 1}), true
	default:
		return dst, true
	}
	if tree := a.win(attacker); tree != nil {
		return append(dst, won(tree.Move, true)), true
	}
	moves := *b.emptySquares()
	if tree := a.searcher.ThreatSpace(b, defender); tree != nil {
		// The other moves do not stop it.
		zone := tree.Zone(b, defender)
		moves.Intersect(&zone)
	}
	threats := 0
	for _, m := range b.best(&moves, attacker, attackScan) {
		b.Place(m, attacker)
		if proof, ok := a.judge(attacker); ok {
			dst = append(dst, games.Branch[Square]{Move: m, Proof: proof, Disproof: 1})
			if proof < quietProof {
				threats++
			}
		}
		b.Remove(m, attacker)
		if threats == a.config.Width {
			break
		}
	}
	return dst, false
}

// judge judges the board after a move of the attacker: a proof number, and false
// if the move is not worth a look.
func (a *Attacker) judge(attacker Side) (proof uint32, ok bool) {
	b := a.board
	if fives := b.Fives(attacker); !fives.Empty() {
		return fourProof, true
	}
	if _, verdict := a.searcher.VCF(b, attacker.Opponent(), AllMoves, maxBranchVCF); verdict == Proven {
		return 0, false
	}
	tree := a.searcher.ThreatSpace(b, attacker)
	if tree == nil {
		return quietProof, a.config.Prove != nil
	}
	zone := tree.Zone(b, attacker)
	zone.Intersect(b.emptySquares())
	return uint32(2 + zone.Len()/4), true
}

// Defence is what a defender can do against a threat of the attacker.
type Defence struct {
	// Otherwise is the attacker's win if the defender passes.
	Otherwise *Tree
	// Replies are those on which Otherwise may depend, with the attacker's win
	// against each; nil where none was found. If there is no nil the attacker
	// wins.
	Replies []Reply
	// Refutation is the first move of the defender's win, if he has one.
	Refutation Square
}

// Defend returns what the defender, who is to move in the unfinished position p
// and cannot win at once, can do. The verdict is Proven if the attacker has a
// threat, Unknown if none was found, Refuted if the defender wins by fours.
func (a *Attacker) Defend(p Position) (d Defence, verdict Verdict) {
	a.board.Set(p)
	b, defender, attacker := a.board, p.toMove, p.toMove.Opponent()
	fives := b.Fives(attacker)
	if fives.Empty() {
		if tree, verdict := a.searcher.VCF(b, defender, AllMoves, maxBranchVCF); verdict == Proven {
			d.Refutation = tree.Move
			return d, Refuted
		}
		if d.Otherwise = a.win(attacker); d.Otherwise == nil {
			return d, Unknown
		}
		d.Replies = a.Answers(p, d.Otherwise)
		return d, Proven
	}
	first := fives.first()
	d.Otherwise = &Tree{Move: first, Wins: true}
	reply := Reply{Move: first}
	if fives.Len() > 1 {
		fives.Remove(first)
		reply.Then = &Tree{Move: fives.first(), Wins: true}
	} else {
		b.Place(first, defender)
		reply.Then = a.searcher.ThreatSpace(b, attacker)
		b.Remove(first, defender)
	}
	d.Replies = []Reply{reply}
	return d, Proven
}

// Answers returns the replies of the defender, who is to move in p, on which the
// attacker's win after a pass may depend, with the attacker's win against each;
// it is nil where threat-space search has found none. Those come last, and those
// that look best first among them.
func (a *Attacker) Answers(p Position, otherwise *Tree) (replies []Reply) {
	a.board.Set(p)
	b, defender, attacker := a.board, p.toMove, p.toMove.Opponent()
	left := otherwise.Zone(b, attacker)
	left.Intersect(b.emptySquares())
	var open []Reply
	for _, m := range b.best(&left, defender, left.Len()) {
		if !left.Has(m) {
			continue
		}
		b.Place(m, defender)
		tree := a.searcher.ThreatSpace(b, attacker)
		if tree != nil {
			replies = tree.answer(b, attacker, m, &left, replies)
		} else {
			open = append(open, Reply{Move: m})
		}
		b.Remove(m, defender)
	}
	for _, r := range open {
		if left.Has(r.Move) {
			replies = append(replies, r)
		}
	}
	return replies
}

// Cover takes the replies out of left that t, the attacker's win after the
// defender's reply m in p, answers: m itself and those outside of the zone that it
// has without m. That m is missing then is no help to the defender, unless the rule
// is exact. It appends them to replies.
func (a *Attacker) Cover(p Position, m Square, t *Tree, left *Set, replies []Reply) []Reply {
	a.board.Set(p)
	a.board.Place(m, p.toMove)
	return t.answer(a.board, p.toMove.Opponent(), m, left, replies)
}

// answer is Cover on a board on which m was played.
func (t *Tree) answer(b *Board, attacker Side, m Square, left *Set, replies []Reply) []Reply {
	left.Remove(m)
	replies = append(replies, Reply{m, t})
	if b.game.exact {
		return replies
	}
	b.Remove(m, attacker.Opponent())
	zone := t.Zone(b, attacker)
	b.Place(m, attacker.Opponent())
	outside := *left
	outside.RemoveAll(&zone)
	left.Intersect(&zone)
	outside.each(func(s Square) { replies = append(replies, Reply{s, t}) })
	return replies
}
