package shogi

import "github.com/yomikiri/yomikiri/games"

var _ games.Declarer[Position] = Game{}

// What a declaration needs in the opponent's camp, by the rules of computer shogi: so many pieces besides
// the king, and points, a rook or bishop counting 5 and any other piece 1, those in hand too.
const (
	declaredPieces = 10
	largePiece     = 5
)

var declaredPoints = [2]int{Black: 28, White: 27}

// Declares implements [games.Declarer]: the king of the side to move is in the opponent's camp and not in
// check, and there are enough pieces and points. It never applies where a side must give check.
func (g Game) Declares(p Position) bool {
	us := p.turn
	king := p.King(us)
	if g.checking || king == NoSquare || !king.InZone(us) {
		return false
	}
	pieces, points := 0, 0
	worth := func(k Kind) int {
		switch k.Unpromoted() {
		case Bishop, Rook:
			return largePiece
		}
		return 1
	}
	for s, piece := range p.board {
		if piece != NoPiece && piece.Color() == us && piece.Kind() != King && Square(s).InZone(us) {
			pieces++
			points += worth(piece.Kind())
		}
	}
	for k := Pawn; k <= Gold; k++ {
		points += worth(k) * p.hands[us].Count(k)
	}
	return pieces >= declaredPieces && points >= declaredPoints[us] && !NewBoard(p).InCheck()
}
