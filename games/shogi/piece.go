package shogi

// Kind is a kind of piece, promoted or not. The kind of a promoted piece is
// that of the unpromoted one plus [Promoted].
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

// handKinds is the number of kinds below King, those that can be in hand, with
// NoKind.
const handKinds = King

// CanPromote reports whether a piece of kind k has a promoted side that is not
// up yet.
func (k Kind) CanPromote() bool { return k >= Pawn && k <= Rook }

// IsPromoted reports whether k is a promoted kind.
func (k Kind) IsPromoted() bool { return k > King }

// Unpromoted returns the kind as which a captured piece of kind k comes to the
// hand. A king stays a king.
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

// inAll is how many pieces of an unpromoted kind there are in the whole set.
var inAll = [King + 1]int{Pawn: 18, Lance: 4, Knight: 4, Silver: 4, Bishop: 2, Rook: 2, Gold: 4, King: 2}

// Piece is what stands on a square: a kind and the player it belongs to. The
// zero Piece is an empty square.
type Piece uint8

// NoPiece is what stands on an empty square.
const NoPiece Piece = 0

// PieceOf returns the piece of kind k that belongs to c.
func PieceOf(c Color, k Kind) Piece { return Piece(k) | Piece(c)<<4 }

// Kind returns the kind of p, NoKind for an empty square.
func (p Piece) Kind() Kind { return Kind(p & 15) }

// Color returns the player to whom p belongs. Ask only if p is a piece.
func (p Piece) Color() Color { return Color(p >> 4 & 1) }
