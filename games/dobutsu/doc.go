// Package dobutsu implements Dōbutsu shōgi, shogi with animals on three files and four
// ranks, and the same game on boards of three, five and six ranks.
//
// # Rules
//
// Each side has a lion, an elephant, a giraffe and a chick. The lion steps to
// all eight neighbours, the elephant diagonally, the giraffe along files and
// ranks, the chick one square forward. A chick that moves to the far rank
// becomes a hen, which steps like the gold of shogi: everywhere but diagonally
// backward. Captured animals change sides and may be dropped on any empty
// square instead of a move, a hen as a chick; two chicks on a file, a chick on
// the far rank (where it cannot move) and a drop that wins are all allowed.
//
// A player wins by capturing the lion, or by a try: the lion enters the far
// rank on a square where it cannot be captured at once. Moving into capture is
// legal. Repetition is a draw.
//
// On every board the lion begins between elephant and giraffe on its home rank, with the
// chick in front of it: on five ranks, one empty rank is between the chicks. Three ranks
// have no room for chicks, and the game is played without them.
//
// The game counts as finished when the side to move can capture the lion: a win
// in one ply. Otherwise it is finished when the opponent's lion stands on the
// home rank of the side to move: that lion has tried, a loss in 0. If the animals of the side
// to move block each other so that it has no move, the position is a draw, as in the
// published counts. On four ranks no such position can be reached from the start position.
//
// # Notation
//
// Files are a, b and c from sente's left to right, ranks are numbered from 1, gote's
// home, to sente's. A position is written like a FEN, rank 1 first, with sente's
// animals in upper case (L lion, E elephant, G giraffe, C chick, H hen), then
// the side to move, b for sente and w for gote, then the hands with - for none:
//
//	gle/1c1/1C1/ELG b -
//	l1g/E1c/1Ce/G1L b -
//
// A move is the square it leaves and the square it goes to, with + where a
// chick becomes a hen, b3b2 or a2a1+; a drop is the animal and the square, C*b2.
//
// The dialect of online servers is read too: R, K, B, P and +P stand for
// giraffe, lion, elephant, chick and hen, squares are numbered like in shogi
// with the digit first (file 1 on sente's right, ranks a to d).
//
// # Universe
//
// Boards are seen from the side to move, and mirror images are merged. The index covers the
// ways to place the animals, except those that the rules exclude or a mirror image
// represents. Its open part has the positions where neither lion has tried and the lions do
// not touch. A database holds only these:
//
//	rows      indices           open
//	3         209,898          64,584
//	4     641,424,258     249,442,767
//	5   6,563,803,572   3,139,210,404
//	6  40,028,006,340  22,015,403,487
package dobutsu
