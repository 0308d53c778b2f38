package shogi

import (
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// Keys are random numbers for the keys of positions (Zobrist 1970): the key of a board is the
// exclusive or of those of its pieces and its side to move.
type Keys struct {
	pieces [32][squares]uint64
	white  uint64
	seed   games.Seed
}

// fixedKeys are the same in every run.
var fixedKeys = newKeys(games.FixedSeed)

func newKeys(seed games.Seed) *Keys {
	k := &Keys{seed: seed}
	state := 0x73686f6769 ^ uint64(seed) // "shogi"
	for piece := range k.pieces {
		for s := range k.pieces[piece] {
			k.pieces[piece][s] = splitMix(&state)
		}
	}
	k.white = splitMix(&state)
	return k
}

// lastKeys are those that KeysOf made last: most searches of a process have one seed.
var lastKeys atomic.Pointer[Keys]

// KeysOf returns the keys of a seed. Two different positions that were chosen without knowing
// the seed have the same key with probability 2^-64.
func KeysOf(seed games.Seed) *Keys {
	if seed == games.FixedSeed {
		return fixedKeys
	}
	k := lastKeys.Load()
	if k == nil || k.seed != seed {
		k = newKeys(seed)
		lastKeys.Store(k)
	}
	return k
}

// splitMix returns the next number of a generator (Steele, Lea, Flood 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key returns a hash of the board and the side to move, but not of the hands. It is the same in
// every run, unless the board has keys of its own ([NewBoardWithKeys]).
func (b *Board) Key() uint64 { return b.key }

// After returns what [Board.Key] and the hand of the side now to move will be
// after the legal move m. The opponent's hand stays as it is.
func (b *Board) After(m Move) (key uint64, hand Hand) {
	us := b.turn
	to := m.To()
	keys := b.keys
	key = b.key ^ keys.white
	hand = b.hands[us]
	if m.IsDrop() {
		k := m.Dropped()
		return key ^ keys.pieces[PieceOf(us, k)&31][to], hand - handOne[k&7]
	}
	from := m.From()
	piece := b.squares[from]
	key ^= keys.pieces[piece&31][from]
	if captured := b.squares[to]; captured != NoPiece {
		key ^= keys.pieces[captured&31][to]
		hand += handOne[captured&7]
	}
	if m.Promotes() {
		piece += Piece(Promoted)
	}
	return key ^ keys.pieces[piece&31][to], hand
}
