// Package shogi implements shogi: its rules, boards for searches, and the usual
// notations. Package record reads game records.
//
// # Rules
//
// Black (sente, towards rank a) and White (gote, towards rank i) move in turn. A
// piece that moves into, within or out of the three far ranks may promote; a pawn,
// lance or knight that could never move again must. Captured pieces change sides and
// can be dropped on empty squares, but not where they could never move, nor as a
// second unpromoted pawn on a file, nor as a pawn that mates at once. No move may
// leave one's own king in check. A side without a legal move has lost, in check or
// not. The fourth occurrence of a position is a draw, unless one side gave check with
// every move: that side loses. This package leaves repetition to its callers.
//
// Mate problems (tsume) often have one king only, and fewer pieces than a set. Both
// are fine in this package: a side without a king is never in check. There must be
// at least one king.
//
// # Positions and boards
//
// A [Position] is a small comparable value. [Game] plays on positions, as the
// contract of package games wants; that is slow.
//
// A [Board] is for searches: it does and undoes moves, and keeps a hash
// ([Board.Key]) and the checking pieces. The hash leaves out the hands, so that
// searches can compare positions that differ only in hand; [HandGuards] let them compare
// all counts at once. [Board.After] gives key and hand for a move without making it.
//
//	b.AppendMoves     all legal moves
//	b.AppendChecks    moves that give check, for an attacker
//	b.AppendEvasions  replies to a check, for a defender
//	b.MateInOne       a move that mates
//	b.AppendCaptures  captures and promotions, for a search that plays
//
// AppendChecks includes discovered checks and both choices of every promotion, since
// a rook, bishop, lance or pawn that stays unpromoted can be what avoids mate by a
// dropped pawn. AppendEvasions includes every interposition, however futile.
// AppendCaptures always promotes pawns, bishops and rooks that may.
//
// # Evaluation
//
// The features of [Game] are the material on the board and in the hands, and each piece's
// place beside both kings. Mirror images have the same features, and so have positions with
// the colours swapped. The cursor of [Game] keeps their sum. Captures and promotions are
// tactical moves unless they lose material by an exchange on their square, in which pins and
// checks are ignored. A repetition counts as a draw the first time already, and as a loss of
// the side that has given check with all its moves since.
//
// # Bitboards
//
// Sets of squares are bitboards of two words, file by file. The attacks of a slider
// are looked up by the occupation of its line, which one multiplication gathers into
// nine adjacent bits and another one spreads again. Such "kindergarten" bitboards
// (Gerd Isenberg, 2006) were made for chess. They need 2 KiB of tables where magic
// bitboards would need megabytes on this board, and stay in the cache of a search
// whose memory traffic goes to its own table.
//
// # Notation
//
// [ParseSFEN] reads positions in SFEN, [ParsePosition] the arguments of the USI
// command "position". [Board.ParseUSI] and [Move.AppendUSI] are for moves such as
// 7g7f, 8h2b+ and P*5e. Parsers refuse illegal positions and moves, and say where and
// why.
package shogi
