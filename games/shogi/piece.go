package shogi

// Kind is a kind of piece. A promoted kind is the unpromoted one plus [Promoted].
type Kind uint8

// The kinds. NoKind is the kind of an empty square.
const (
	NoKind Kind = iota
	Pawn
	Lance
	Knight
	Silver
	Bishop
	Rook
	Gold
	King
	PromotedPawn // tokin
	PromotedLance
	PromotedKnight
	PromotedSilver
	Horse  // promoted bishop
	Dragon // promoted rook

	kinds
)

// Promoted is what promotion adds to a kind.
const Promoted Kind = 8

// handKinds is the number of kinds that can be in hand, plus NoKind.
const handKinds = King

// CanPromote reports whether a piece of kind k can promote.
func (k Kind) CanPromote() bool { return k >= Pawn && k <= Rook }

func (k Kind) isPromoted() bool { return k > King }

// Unpromoted returns the kind of a piece of kind k once it is captured.
func (k Kind) Unpromoted() Kind {
	if k > King {
		return k - Promoted
	}
	return k
}

var kindNames = [kinds]string{
	"nothing", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king",
	"promoted pawn", "promoted lance", "promoted knight", "promoted silver", "horse", "dragon",
}

// String returns the English name of the kind.
func (k Kind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// InSet returns the number of pieces of the unpromoted kind k in a set.
func (k Kind) InSet() int { return inAll[k] }

var inAll = [King + 1]int{Pawn: 18, Lance: 4, Knight: 4, Silver: 4, Bishop: 2, Rook: 2, Gold: 4, King: 2}

// Piece is a kind and its owner. The zero Piece is an empty square.
type Piece uint8

// NoPiece is an empty square.
const NoPiece Piece = 0

// PieceOf returns the piece of kind k that belongs to c.
func PieceOf(c Color, k Kind) Piece { return Piece(k) | Piece(c)<<4 }

// Kind returns the kind of p, NoKind for an empty square.
func (p Piece) Kind() Kind { return Kind(p & 15) }

// Color returns the owner of p, which must not be an empty square.
func (p Piece) Color() Color { return Color(p >> 4 & 1) }
