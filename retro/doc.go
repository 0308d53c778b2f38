// Package retro solves games strongly by partitioned parallel retrograde analysis:
// it finds the value of every position, working backwards from the terminal
// positions.
//
// # Levels
//
// A game is a [games.Universe]: tiers of indices in dependency order, with their successors
// and predecessors. If only reachable positions are wanted, a forward pass from the start
// position marks them first. Then each tier is solved level by level. Level k has the
// positions won or lost in k plies. A predecessor of a position lost in k is won in k+1. A
// predecessor of a position won in k is lost in k+1 if that move was its last one not known
// to lose; a counter for each position keeps track. Positions that no level settles are
// draws.
//
// Where values are scores, levels go from the largest score down to 1, and a position
// settled at a level can settle others at the same level.
//
// # Owners and batches
//
// The index space is divided into blocks, and a hash assigns each block to a partition.
// Each partition has one owner, the only worker that touches its arrays. An effect on
// another partition is a message of four bytes. Messages are collected into batches, and
// nobody waits for an answer. A level ends when all workers are idle and as many batches
// have been received as sent. The arrays of a partition fit into the cache of a core and
// messages are applied many at a time, so few accesses go to memory.
//
// The result is the same, byte for byte, whatever the number of threads and partitions, the
// batch size and the order in which batches arrive.
//
// With a memory limit, tiers that do not fit are kept on disk, even while they are being
// solved: an owner then has one of its partitions in memory at a time.
//
// # Nodes
//
// [SolveNodes] coordinates several processes, each a [Node] that owns some of the
// partitions. They exchange the same batches. A node that is lost can be replaced without
// changing the result.
//
// [SolveShared] shares whole tiers among processes that have a directory in common. It suits games whose
// tiers do not all need each other, and needs no coordinator. With [SolveQueued] one of these processes also hands
// out tiers by a queue, to processes that call [Work] and need not see the directory.
//
// Package engine does the analysis, package nodes has nodes and their coordinator, and package shared
// what processes do with a directory; this package is the door to all of them.
//
// # Results
//
// [Solve] makes a database and resumes from a checkpoint after an interruption.
// [Analyze] keeps the result in memory. docs/retrograde.md explains the algorithm
// and lists its sources.
package retro
