package threat

import (
	"context"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// attackBrancher is a [solver.Brancher] for searches for wins. For the attacker it offers
// the best-looking threats (moves that leave him a win after a null move), then a few
// quiet moves. For the defender it offers the replies that are answered neither by the
// win after a null move nor by a win against another reply. Where threats do not win
// after a null move, the null move must be proven before the replies are known. It
// belongs to one goroutine.
//
// Allis, van den Herik and Huntjens (1996) solved gomoku by proof-number search
// over such moves.
type attackBrancher struct {
	finder
	ctx   context.Context // of the search for which it works; once it ends, answers mean nothing
	board *gomoku.Board
	// symmetries are the ones that map the position to itself.
	symmetries []int
	width      int // how many threats are offered where the attacker is free to choose
	// first holds moves to try before the others.
	first map[gomoku.Position]gomoku.Square
	// known returns a win of a position with the attacker to move, if one is known.
	known func(gomoku.Position) *Tree
	// afterNullMove reports whether a position after a null move was proven, and
	// returns the win, or nil if the position before the null move is to be given up.
	afterNullMove func(gomoku.Position) (tree *Tree, proven bool)
}

var _ solver.Brancher[gomoku.Position, gomoku.Square] = (*attackBrancher)(nil)

const (
	attackTableBits = 16
	attackScan      = 16 // how many of the attacker's moves are judged
	attackWidth     = 8  // how many threats are offered
	attackQuiet     = 8  // and how many other moves
)

// mostAhead is how many more stones than the defender the attacker may have before another
// null move: each null move on the way here then followed a quiet move. Without a limit,
// the search would fill a position where nothing wins with the attacker's stones in all
// orders.
const mostAhead = 3

// Initial proof numbers of branches that were not searched. Forcing moves come late, since a
// search for continuous threats has failed: they do not win alone.
const (
	replyProof = 2   // a reply that no threats answer at once
	fourProof  = 19  // a four
	forceProof = 15  // a threat that leaves at most mostForced replies, plus a little for each
	quietProof = 30  // the best-looking quiet move
	quietStep  = 8   // added for each further quiet move, so that they are tried in turn
	firstProof = 2   // a move to try first
	afterFirst = 120 // added to the numbers of the other moves then

	mostForced = 8
)

func newAttackBrancher(g *gomoku.Game, vct *VCT) *attackBrancher {
	return &attackBrancher{
		finder: finder{NewSearcher(g, attackTableBits), vct}, ctx: context.Background(), board: g.NewBoard(gomoku.Position{}), width: attackWidth,
		known:         func(gomoku.Position) *Tree { return nil },
		afterNullMove: func(gomoku.Position) (*Tree, bool) { return nil, true },
	}
}

// AppendCertificate implements [solver.Brancher]. There is none, since only wins are
// searched for.
func (a *attackBrancher) AppendCertificate(dst []byte, _ gomoku.Position, _ bool) ([]byte, bool) {
	return dst, false
}

func (a *attackBrancher) AppendBranches(dst []solver.Branch[gomoku.Square], p gomoku.Position, attackerToMove bool) ([]solver.Branch[gomoku.Square], bool) {
	if attackerToMove {
		return a.appendAttacks(dst, p)
	}
	a.board.Set(p)
	if tree, verdict := a.searcher.VCF(a.board, p.ToMove(), 1, 0); verdict == Proven {
		return append(dst, won(tree.Move, false)), true
	}
	d, verdict := a.defend(p)
	switch verdict {
	case Refuted:
		return append(dst, won(d.refutation, false)), true
	case Unknown:
		tree, proven := a.afterNullMove(p.NullMove())
		if !proven {
			own, others := p.Stones(p.ToMove()), p.Stones(p.ToMove().Opponent())
			if others.Len()-own.Len() > mostAhead {
				return dst, false
			}
			return append(dst, solver.Branch[gomoku.Square]{Move: nullMove, Proof: 1, Disproof: 1}), false
		} else if tree == nil {
			return dst, false
		}
		d.replies = a.answers(p, tree)
	}
	for _, r := range d.replies {
		if r.Then == nil {
			dst = append(dst, solver.Branch[gomoku.Square]{Move: r.Move, Proof: replyProof, Disproof: 1})
		}
	}
	return dst, true
}

// winOf returns a win of the side to move in the unfinished position p, or nil if it finds
// none.
func (a *attackBrancher) winOf(p gomoku.Position) *Tree {
	a.board.Set(p)
	return a.win(a.ctx, a.board, p.ToMove())
}

// appendAttacks appends moves of the attacker, who is to move.
func (a *attackBrancher) appendAttacks(dst []solver.Branch[gomoku.Square], p gomoku.Position) ([]solver.Branch[gomoku.Square], bool) {
	a.board.Set(p)
	b, attacker, defender := a.board, p.ToMove(), p.ToMove().Opponent()
	if fives := b.Fives(attacker); !fives.Empty() {
		return append(dst, won(fives.First(), true)), true
	}
	forced := b.Fives(defender)
	switch forced.Len() {
	case 0:
	case 1:
		return append(dst, solver.Branch[gomoku.Square]{Move: forced.First(), Proof: 1, Disproof: 1}), true
	default:
		return dst, true
	}
	tree := a.known(p)
	if tree == nil {
		tree = a.win(a.ctx, b, attacker)
	}
	if tree != nil {
		return append(dst, won(tree.Move, true)), true
	}
	moves := around(b)
	if tree := a.searcher.ThreatSpace(b, defender); tree != nil {
		moves = tree.relevant(b, defender, "a zone of the defender's") // the others do not stop it
	}
	a.symmetries = b.Game().AppendFixing(a.symmetries[:0], p)
	for _, symmetry := range a.symmetries {
		for m := range moves.All() {
			if image := b.Game().Image(symmetry, m); image < m && moves.Has(image) {
				moves.Remove(m) // its mirror image is as good
			}
		}
	}
	threats, quiet, more := uint32(0), uint32(0), uint32(0)
	first, ok := a.first[p]
	if ok {
		dst = append(dst, solver.Branch[gomoku.Square]{Move: first, Proof: firstProof, Disproof: 1})
		moves.Remove(first)
		more = afterFirst
	}
	for _, m := range bestMoves(b, &moves, attacker, attackScan) {
		b.Place(m, attacker)
		proof, ok := a.judge(attacker)
		b.Remove(m, attacker)
		switch {
		case !ok:
			continue
		case proof < quietProof:
			threats++
		case quiet == attackQuiet:
			continue
		default:
			proof += quiet * quietStep
			quiet++
		}
		dst = append(dst, solver.Branch[gomoku.Square]{Move: m, Proof: proof + more, Disproof: 1})
		if threats == uint32(a.width) {
			break
		}
	}
	return dst, false
}

// judge judges the board after a move of the attacker: a proof number, and false
// if the move is not worth searching.
func (a *attackBrancher) judge(attacker gomoku.Side) (proof uint32, ok bool) {
	b := a.board
	if fives := b.Fives(attacker); !fives.Empty() {
		return fourProof, true
	}
	if _, verdict := a.searcher.VCF(b, attacker.Opponent(), AllMoves, maxBranchVCF); verdict == Proven {
		return 0, false
	}
	tree := a.searcher.ThreatSpace(b, attacker)
	if tree == nil {
		return quietProof, true
	}
	replies := tree.relevant(b, attacker, "")
	proof = uint32(replies.Len() / 4)
	if replies.Len() <= mostForced {
		return forceProof + proof, true
	}
	return 2 + proof, true
}

// defence is what the defender can do against a threat of the attacker.
type defence struct {
	// otherwise is the attacker's win after a null move of the defender.
	otherwise *Tree
	// replies are those that otherwise may not answer, each with the attacker's win
	// against it, or nil if none was found. If none is nil, the attacker wins.
	replies []Reply
	// refutation is the first move of the defender's win, if he has one.
	refutation gomoku.Square
}

// defend returns the defence in the unfinished position p, where the defender is to move
// and cannot win at once. The verdict is Proven if threat-space search finds a win after a
// null move, Unknown if not, and Refuted if the defender wins by fours.
func (a *attackBrancher) defend(p gomoku.Position) (d defence, verdict Verdict) {
	a.board.Set(p)
	b, defender, attacker := a.board, p.ToMove(), p.ToMove().Opponent()
	fives := b.Fives(attacker)
	if fives.Empty() {
		if tree, verdict := a.searcher.VCF(b, defender, AllMoves, maxBranchVCF); verdict == Proven {
			d.refutation = tree.Move
			return d, Refuted
		}
		if d.otherwise = a.searcher.ThreatSpace(b, attacker); d.otherwise == nil {
			return d, Unknown
		}
		d.replies = a.answers(p, d.otherwise)
		return d, Proven
	}
	first := fives.First()
	d.otherwise = &Tree{Move: first, Wins: true}
	reply := Reply{Move: first}
	if fives.Len() > 1 {
		fives.Remove(first)
		reply.Then = &Tree{Move: fives.First(), Wins: true}
	} else {
		b.Place(first, defender)
		reply.Then = a.searcher.ThreatSpace(b, attacker)
		b.Remove(first, defender)
	}
	d.replies = []Reply{reply}
	return d, Proven
}

// answers returns the replies of the defender, to move in p, that the attacker's win after
// a null move may not answer, with the attacker's win against each, or nil where
// threat-space search finds none. Replies with nil come last, best first.
func (a *attackBrancher) answers(p gomoku.Position, otherwise *Tree) (replies []Reply) {
	a.board.Set(p)
	b, defender, attacker := a.board, p.ToMove(), p.ToMove().Opponent()
	left := otherwise.relevant(b, attacker, "a null move in an attack")
	var open []Reply
	for _, m := range bestMoves(b, &left, defender, left.Len()) {
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

// cover moves from left to replies those that t answers, where t is the attacker's win
// after the reply m in p: m itself and, unless the rule is exact, those outside the zone of
// t without m. Under the free rule the missing m does not help the defender.
func (a *attackBrancher) cover(p gomoku.Position, m gomoku.Square, t *Tree, left *gomoku.Set, replies []Reply) []Reply {
	a.board.Set(p)
	a.board.Place(m, p.ToMove())
	return t.answer(a.board, p.ToMove().Opponent(), m, left, replies)
}

// answer is cover for a board that already has the stone m.
func (t *Tree) answer(b *gomoku.Board, attacker gomoku.Side, m gomoku.Square, left *gomoku.Set, replies []Reply) []Reply {
	left.Remove(m)
	replies = append(replies, Reply{m, t})
	if b.Game().Rules().Exact {
		return replies
	}
	b.Remove(m, attacker.Opponent())
	zone := t.Zone(b, attacker)
	outside := *left
	outside.RemoveAll(&zone)
	left.Intersect(&zone)
	if claims != nil {
		claims.winsAfter(b, attacker, t, outside, "the answer to another reply")
	}
	b.Place(m, attacker.Opponent())
	outside.Each(func(s gomoku.Square) { replies = append(replies, Reply{s, t}) })
	return replies
}
