package tsume

import "github.com/yomikiri/yomikiri/games/shogi"

// FaultKind is what composers call a fault of a problem.
type FaultKind uint8

// The kinds of faults. The main line is the intended line, or the one that was found.
const (
	// NoMate (不詰): there is no mate; or a reply escapes from the mate that is intended.
	NoMate FaultKind = iota
	// ShorterMate (早詰): another check on the main line mates in fewer plies than the move
	// of the main line.
	ShorterMate
	// Cook (余詰): another check on the main line mates too, or instead of a move that does not.
	Cook
	// PiecesLeft (駒余り): the attacker has pieces left in hand after the main line.
	PiecesLeft
	// LongerDefence (変長): a reply holds out longer than the main line and leaves the
	// attacker no piece.
	LongerDefence
	// LongerWithPieces (変長駒余り): a reply holds out longer, but can be mated in its number of
	// plies with pieces left in hand.
	LongerWithPieces
	// EqualDefence (変同): a reply holds out as long as the main line and leaves no piece.
	EqualDefence
	// EqualWithPieces (同手数駒余り): a reply holds out as long, but can be mated in its number of
	// plies with pieces left in hand.
	EqualWithPieces
	// EqualChoice (変同余詰): after a reply that holds out as long and leaves no piece, the attacker
	// has a choice before its last move, whatever the defender does then.
	EqualChoice
	// FutileOnLine (無駄合い): the intended line has a futile interposition.
	FutileOnLine
	// LastMove (最終手余詰): another check mates instead of the last move.
	LastMove
	// LastMovePieces (最終手余詰): another check mates instead of the last move, at once or in three
	// plies, and leaves a piece in hand.
	LastMovePieces
	// OneMove (一手詰の余詰): another check mates instead of the only move.
	OneMove
	// Mirror (左右対称): in a position that is its own mirror image, the mirror image of the
	// move of the main line.
	Mirror
	// PromotionChoice (成不成非限定): a piece may promote or not, and both mate in as many
	// plies. It is a pawn, bishop or rook, a lance on the second rank, or a piece that the main
	// line captures at once.
	PromotionChoice
	// SquareChoice (非限定): a lance, bishop or rook may be put on another square in the same
	// direction from the king, and does not mate in fewer plies.
	SquareChoice
	// Detour (迂回): another check mates in more plies, but only by way of a position of the
	// main line, one before it or one after it, with no more in hand.
	Detour
	// TwoKings (双玉): the attacker has a king.
	TwoKings
	// Superfluous (不要駒): without a piece, the problem is as sound and has the same main
	// line.
	Superfluous
)

// faultNames are the kinds in English and Japanese.
var faultNames = [...][2]string{
	NoMate: {"no mate", "不詰"}, ShorterMate: {"shorter mate", "早詰"}, Cook: {"cook", "余詰"}, PiecesLeft: {"pieces left", "駒余り"},
	LongerDefence: {"longer defence", "変長"}, LongerWithPieces: {"longer defence with pieces left", "変長駒余り"},
	EqualDefence: {"equal defence", "変同"}, EqualWithPieces: {"equal defence with pieces left", "同手数駒余り"},
	EqualChoice:  {"equal defence with a choice", "変同余詰"},
	FutileOnLine: {"futile interposition", "無駄合い"}, LastMove: {"last move", "最終手余詰"},
	PromotionChoice: {"promotion choice", "成不成非限定"}, SquareChoice: {"square choice", "非限定"}, Detour: {"detour", "迂回"},
	LastMovePieces: {"last move with pieces left", "最終手余詰・駒余り"}, OneMove: {"one-move cook", "一手詰の余詰"}, Mirror: {"mirror image", "左右対称"},
	TwoKings: {"two kings", "双玉"}, Superfluous: {"superfluous piece", "不要駒"},
}

// String returns the kind in English.
func (k FaultKind) String() string { return faultNames[k][0] }

// Japanese returns the kind as composers call it.
func (k FaultKind) Japanese() string { return faultNames[k][1] }

// Grade says how much a fault matters.
type Grade uint8

// The grades of faults.
const (
	Unsound Grade = iota // the problem is not sound (不完全)
	Blemish              // the problem is sound, but not perfect (キズ)
	Remark               // composers do not mind
	Allowed              // not even mentioned
)

// gradeNames are the grades in words.
var gradeNames = [...]string{"unsound", "blemish", "remark", "allowed"}

// String returns the grade as a word.
func (g Grade) String() string { return gradeNames[g] }

// Japanese returns the grade as composers call it.
func (g Grade) Japanese() string { return [...]string{"不完全", "キズ", "参考", "不問"}[g] }

// Fault is a fault of a problem with its place.
type Fault struct {
	Kind  FaultKind
	Grade Grade
	// Point is the point of the rules that decided the grade, and By what decided it, see
	// [Rules.Grade].
	Point Point
	By    string
	// Ply is the number of moves of the main line before the fault.
	Ply int
	// Move is the other check or the reply, or [shogi.NoMove] if the fault is one of the
	// problem or of its main line.
	Move shogi.Move
	// Square is that of a superfluous piece.
	Square shogi.Square
	// Length is a proven upper bound on the length in plies of the mate that begins with
	// Move, with futile interpositions counted that are not at the end; 0 if there is none.
	// For replies that hold out as long as the main line or longer, it is their length as
	// composers count. Exact is true if it is exact.
	Length int
	Exact  bool
	// Line is a line of play to the mate that begins with Move. It is empty if there is none,
	// or if a limit was reached.
	Line []shogi.Move
}
