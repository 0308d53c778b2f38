// Package retro solves games strongly by partitioned parallel retrograde analysis:
// it finds the value of every position, working backwards from the terminal
// positions.
//
// # Levels
//
// A game is a [games.Universe]: tiers of indices in dependency order, with their
// successors and predecessors. If only reachable positions are wanted, a forward
// pass from the start position marks them first. Then each tier is solved level by
// level. Level k has the positions won or lost in k plies. A predecessor of a
// position lost in k is won in k+1. A predecessor of a position won in k is lost in
// k+1 if that was its last move not known to lose, which a counter tells. What no
// level settles is a draw.
//
// Where values are scores, levels go from the largest score down to 1, and what a
// level settles can settle more positions of the same level.
//
// # Owners and batches
//
// A hash deals the index space out to partitions, in blocks. Each partition has one
// owner, the only worker that touches its arrays. An effect on another partition is
// a message of four bytes. Messages are collected into batches, and nobody waits
// for an answer. A level ends when all workers are idle and as many batches have
// been received as sent. The arrays of a partition fit into the cache of a core and
// messages are applied many at a time, so few accesses go to memory.
//
// The number of threads and partitions, the size of batches and the order in which
// they arrive change no byte of the result.
//
// With a limit of memory, tiers that do not fit are on disk, even while they are
// solved: an owner then has one of its partitions in memory at a time.
//
// # Nodes
//
// [SolveNodes] is the coordinator of several processes, each a [Node] with a part of the
// partitions. They send each other the same batches, and may be lost and replaced without a
// change of the result.
//
// # Results
//
// [Solve] makes a database and resumes from a checkpoint after an interruption.
// [Analyze] keeps the result in memory. docs/retrograde.md explains the algorithm
// and lists its sources.
package retro
