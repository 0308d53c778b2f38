// Package shogi knows shogi on nine by nine squares: its rules, boards for
// searches, and the usual notations.
//
// # Rules
//
// Black (sente, towards rank a) and White (gote, towards rank i) move in turn. A
// piece that moves into, within or out of the three far ranks may promote; a
// pawn, lance or knight that could never move again must. Captured pieces change
// sides and come back as drops on empty squares. A drop is illegal if the piece
// could never move from there, if it would be a second unpromoted pawn of its
// side on the file, or if it is a pawn that mates at once. No move may leave
// one's own king in check. A side without a legal move has lost, in check or
// not. A position that occurs four times ends the game in a draw, unless one
// side gave check all the time: that side loses; see [Board.Repetition].
//
// Mate problems (tsume) often have one king only, and fewer pieces than a set.
// Both are fine everywhere in this package: a side without a king is never in
// check. One king there must be.
//
// # Positions and boards
//
// A [Position] is a small value, without the moves that led to it: it can be
// compared, kept and handed on. [Game] plays on positions, as the contract of
// package games wants it, which is slow.
//
// A [Board] is for searches: moves are done and undone on it, and it keeps a
// hash of the board ([Board.Key]) and the pieces that give check. The hands
// stand beside the hash as numbers of type [Hand], so that a search can compare
// positions which differ in their hands only: [Hand.Covers] tells in a few
// instructions whether a side has at least as much. [Board.After] gives both for
// a move that is not made, to look for the position in a table.
//
//	b.AppendMoves     all legal moves
//	b.AppendChecks    those that give check, for an attacker
//	b.AppendEvasions  those of a side in check, for a defender
//	b.MateInOne       a move that mates
//
// AppendChecks leaves nothing out: discovered checks and both choices of every
// promotion are among them, since a rook, bishop, lance or pawn that stays
// unpromoted can be what avoids the mate by a dropped pawn. AppendEvasions has
// every interposition, however futile.
//
// # Bitboards
//
// Sets of squares are bitboards of two words, file by file, as is usual for
// shogi. What a slider attacks is looked up by the occupation of its line,
// which a multiplication gathers into nine neighbouring bits and another one
// spreads again. Such "kindergarten" bitboards (Gerd Isenberg, 2006) were made
// for chess; they need 2 KiB of tables where magic ones need megabytes on a
// board of this size. In a search that waits for its own table in memory, the
// small tables stay in the cache.
//
// # Notation
//
// [ParseSFEN] reads positions in SFEN, [ParsePosition] what the USI command
// "position" has. [Board.ParseUSI] and [Move.AppendUSI] are for moves such as
// 7g7f, 8h2b+ and P*5e; [Board.ParseJapanese] and [Board.AppendJapanese] for moves
// such as ▲7六歩, △同玉 and ▲5三銀右不成. Records of games and problems come in KIF
// and CSA files: [ParseKIF], [ParseCSA], [Record.AppendKIF], [Record.AppendCSA].
// Readers refuse illegal positions and moves, and say where and why.
package shogi
