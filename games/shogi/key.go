package shogi

// Random numbers for the keys (Zobrist 1970), the same in every run.
var (
	pieceKey [32][squares]uint64
	whiteKey uint64
)

func init() {
	state := uint64(0x73686f6769) // "shogi"
	for piece := range pieceKey {
		for s := range pieceKey[piece] {
			pieceKey[piece][s] = splitMix(&state)
		}
	}
	whiteKey = splitMix(&state)
}

// splitMix returns the next number of a generator (Steele, Lea, Flood 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key returns a hash of the board and the side to move, but not of the hands. It is
// the same in every run.
func (b *Board) Key() uint64 { return b.key }

// After returns what [Board.Key] and the hand of the side now to move will be
// after the legal move m. The opponent's hand stays as it is.
func (b *Board) After(m Move) (key uint64, hand Hand) {
	us := b.turn
	to := m.To()
	key = b.key ^ whiteKey
	hand = b.hands[us]
	if m.IsDrop() {
		k := m.Dropped()
		return key ^ pieceKey[PieceOf(us, k)&31][to], hand - handOne[k&7]
	}
	from := m.From()
	piece := b.squares[from]
	key ^= pieceKey[piece&31][from]
	if captured := b.squares[to]; captured != NoPiece {
		key ^= pieceKey[captured&31][to]
		hand += handOne[captured&7]
	}
	if m.Promotes() {
		piece += Piece(Promoted)
	}
	return key ^ pieceKey[piece&31][to], hand
}
