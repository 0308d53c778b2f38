// Package awari implements awari, the sowing game of twelve pits, also known as oware.
//
// # Rules
//
// Each side has a row of six pits, A to F for one side and a to f for the other;
// the game begins with four stones in each. A move takes all stones of one of
// the mover's own pits and sows them counter-clockwise, one into each pit, from
// A towards F, on through the opponent's a to f, and round again, but never into
// the pit that they came from. If the last stone makes two or three in a pit of
// the opponent, it captures these and, going back, those of the pits before it while
// they are the opponent's and hold two or three.
//
// The rules are those of the literature on solving the game (Allis, Searching for
// Solutions in Games and Artificial Intelligence, 1994; Lincke, Exploring the
// Computational Limits of Large Exhaustive Search Problems, 2002; Romein and Bal,
// Solving Awari with Parallel Retrograde Analysis, 2003):
//
//   - A move that leaves the opponent without stones is legal only if all moves
//     do so. One rule thus covers the grand slam, the capture of all that the
//     opponent has, and the duty to feed an opponent who has nothing.
//   - A side that has no stones to move has lost the rest: they are the
//     opponent's.
//   - If play goes on forever, the rest is shared evenly; an odd stone is split.
//
// The option slam selects one of the other grand-slam rules that are played and have been
// studied. With each of them the duty to feed is as in oware abapa: a side whose opponent has
// no stones must make a move that gives him some; if there is no such move, the game is over
// and the side keeps the rest.
//
//   - slam=no-capture: the move is legal and captures nothing (oware abapa);
//   - slam=mover-takes-rest: it captures, and the mover takes what is left too;
//   - slam=opponent-takes-rest: it captures, and the opponent takes what is left;
//   - slam=illegal: it is never legal. A side without a legal move ends the game,
//     and each side takes the stones of its own row.
//
// When and how a duty to feed is applied makes no difference to values: where no
// move can feed, all that is left is the mover's at once or one move later.
//
// Abapa shares what is left after a repetition by rows, which depends on where
// the players stop. A position then has no value of its own, so repetition is
// worth 0 under all options.
//
// # Values
//
// The value of a position is a net score: of the stones on the board, those that the side to
// move will win minus those that the opponent will win. Earlier captures do not matter.
//
// # Notation
//
// A position is twelve numbers, the mover's row first, each row from its owner's
// left to right, with commas, hyphens or spaces between: 4,4,4,4,4,4,4,4,4,4,4,4. A
// move is the pit that is sown and, if it captures, how many stones: D or D×7 (Dx7
// is read too).
//
// # Index
//
// The option stones is the largest number of stones. There is a tier for each number n
// of stones on the board, with all C(n+11, 11) placements. The start position has the
// stones spread as evenly as possible.
//
// In a tier, positions are ordered by the number m of stones in the mover's row, then
// by that row, then by the opponent's:
//
//	index = tier + before(n, m) + rank(mover's row) · C(n-m+5, 5) + rank(opponent's row)
//
// where rank is the Gödel number of a row among the rows with the same number of stones, a
// sum of five binomial coefficients. docs/awari.md has the details.
package awari
