package shogi

import "github.com/yomikiri/yomikiri/games"

var _ games.MoveFeatures[Position, Move] = Game{}

// The groups of features of a move. A piece is one after its move, by kind. A move is unsafe if it loses
// material by captures on its destination.
const (
	nearFiles, nearRanks   = 5, 9 // up to four files to either side and four ranks ahead and behind
	replyFiles, replyRanks = 3, 5
	halfBoard              = 45 // squares up to mirror images

)

var moveFeatureSet = games.MoveFeatureSet{Version: "shogi-moves-1", Sizes: []int32{
	int32(handKinds + kinds + Rook + 1),    // a kind dropped, moved or promoted
	int32(kinds) * 4,                       // the kind captured; whether it has just moved; whether the move is unsafe
	int32(kinds) * 4,                       // a piece to a square that is attacked, without a capture; dropped; unsafe
	2 * 3,                                  // a check; dropped; how safe
	6 + int32(kinds),                       // an escape from check, or of a kind from an attack
	int32(kinds) * nearFiles * nearRanks,   // a piece beside the king of the opponent
	int32(kinds) * nearFiles * nearRanks,   // a piece beside its own king
	int32(kinds) * halfBoard * 2,           // a piece and its square; dropped
	int32(kinds) * halfBoard,               // a piece and the square that it leaves
	int32(kinds) * replyFiles * replyRanks, // a piece beside that which has just moved
	int32(kinds),                           // the most valuable kind that it attacks
}}

// MoveFeatureSet implements [games.MoveFeatures].
func (Game) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatureSet }

// AppendMoveFeatures implements [games.MoveFeatures].
func (Game) AppendMoveFeatures(dst []int32, p Position, last *Move, moves []Move) []int32 {
	b := NewBoard(p)
	for _, m := range moves {
		dst = b.appendMoveFeatures(dst, m, last)
	}
	return dst
}

// The safety of a move.
const (
	unattacked = iota
	attacked
	unsafe
)

// appendMoveFeatures appends the features of a move.
func (b *Board) appendMoveFeatures(dst []int32, m Move, last *Move) []int32 {
	us, to := b.turn&1, m.To()
	captured, kind := b.squares[to].Kind(), m.Dropped()
	what := int32(kind)
	occupied := b.occupied().or(squareBit[to])
	if !m.IsDrop() {
		kind = b.squares[m.From()].Kind()
		what = int32(handKinds + kind)
		if m.Promotes() {
			what = int32(handKinds + kinds + kind)
			kind += Promoted
		}
		occupied = occupied.without(squareBit[m.From()])
	}
	safety := b.safety(m, kind, occupied)
	capture, danger := games.NoFeature, games.NoFeature
	switch {
	case captured != NoKind:
		capture = int32(captured)*4 + bit(last != nil && last.To() == to)*2 + bit(safety == unsafe)
	case safety != unattacked:
		danger = int32(kind)*4 + bit(m.IsDrop())*2 + bit(safety == unsafe)
	}
	check := games.NoFeature
	if b.GivesCheck(m) {
		check = bit(m.IsDrop())*3 + int32(safety)
	}
	reply := games.NoFeature
	if last != nil && last.To() != to {
		reply = beside(us, kind, last.To(), to, replyFiles, replyRanks)
	}
	origin := games.NoFeature
	if !m.IsDrop() {
		origin = int32(b.squares[m.From()].Kind())*halfBoard + half(us, m.From())
	}
	return append(dst, what, capture, danger, check, b.escape(m, occupied),
		beside(us, kind, b.king[us^1], to, nearFiles, nearRanks), beside(us, kind, b.king[us], to, nearFiles, nearRanks),
		(int32(kind)*halfBoard+half(us, to))*2+bit(m.IsDrop()), origin, reply, b.threat(kind, to, occupied))
}

// safety returns how safe the destination of a move is.
func (b *Board) safety(m Move, kind Kind, occupied Bitboard) int {
	us, to := b.turn&1, m.To()
	attackers := b.attackers(us^1, to, occupied)
	switch {
	case attackers.Empty():
		return unattacked
	case !m.IsDrop():
		if b.losing(m) {
			return unsafe
		}
	default:
		_, least := b.leastValuable(attackers)
		if exchangeValue[least&15] < exchangeValue[kind&15] || b.attackers(us, to, occupied).Empty() {
			return unsafe
		}
	}
	return attacked
}

// escape returns a number for how a move ends a check, or for the piece if it leaves a square where it could be
// captured with a gain.
func (b *Board) escape(m Move, occupied Bitboard) int32 {
	us := b.turn & 1
	if !b.checkers.Empty() {
		way := int32(0)
		switch {
		case m.IsDrop():
			way = 1
		case b.squares[m.From()].Kind() == King:
			way = 2
		}
		return way*2 + bit(b.squares[m.To()] != NoPiece)
	}
	if m.IsDrop() {
		return games.NoFeature
	}
	from := m.From()
	kind := b.squares[from].Kind()
	attackers := b.attackers(us^1, from, b.occupied())
	if attackers.Empty() {
		return games.NoFeature
	}
	_, least := b.leastValuable(attackers)
	if exchangeValue[least&15] >= exchangeValue[kind&15] && !b.attackers(us, from, b.occupied()).Empty() {
		return games.NoFeature
	}
	return 6 + int32(kind)
}

// threat returns the most valuable kind that a piece attacks from a square, if it is worth more than the piece
// or not defended.
func (b *Board) threat(kind Kind, from Square, occupied Bitboard) int32 {
	us := b.turn & 1
	most, found := int32(0), games.NoFeature
	for x := attacksOf(PieceOf(us, kind), from, occupied).and(b.color[us^1]); !x.Empty(); x = x.rest() {
		s := x.First()
		k := b.squares[s].Kind()
		if v := exchangeValue[k&15]; k != King && v > most && (v > exchangeValue[kind&15] || b.attackers(us^1, s, occupied).Empty()) {
			most, found = v, int32(k)
		}
	}
	return found
}

// beside returns a number for a piece beside a square, as c sees it and up to mirror images: less than the given
// number of files away to either side, and of ranks in the middle of which the square is.
func beside(c Color, kind Kind, square, to Square, files, ranks int) int32 {
	if square == NoSquare {
		return games.NoFeature
	}
	file, rank := to.File()-square.File(), to.RankFor(c)-square.RankFor(c)+ranks/2
	file = max(file, -file)
	if file >= files || rank < 0 || rank >= ranks {
		return games.NoFeature
	}
	return int32((int(kind)*files+file)*ranks + rank)
}

// half returns a number for a square as c sees it, up to mirror images.
func half(c Color, s Square) int32 {
	if s.File() > 5 {
		s = s.mirrored()
	}
	return int32((s.File()-1)*9 + s.RankFor(c) - 1)
}

func bit(is bool) int32 {
	if is {
		return 1
	}
	return 0
}
