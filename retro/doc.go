// Package retro solves games strongly, by partitioned parallel retrograde
// analysis: it finds the value of every position of a game, working backwards
// from the positions that the rules decide.
//
// # The work
//
// A game is a [games.Universe]: tiers of indices in dependency order, and who
// leads to whom. Where only what can be reached is wanted, a forward pass from
// the start position marks it first. Then each tier is solved level by level.
// At level k are the positions won or lost in k plies. Whoever can move to a
// position lost in k has won in k+1; whoever can only move to positions won for
// the opponent has lost, and a counter of moves not yet known to lose finds out
// when. What is settled by no level is a draw.
//
// Where values are scores, levels go down from the largest score to 1, and what
// is settled at a level settles others at the same level, until nothing moves.
// What is settled by no level is worth 0.
//
// # Owners and batches
//
// The index space is dealt out in blocks to partitions, by a hash, and each
// partition has one owner, a worker that alone touches it. Whatever a worker
// finds out about a position of another partition is a message of four bytes.
// Messages to a partition are collected into a [Batch] and handed over by a
// [Transport]; nobody waits for an answer. A level ends when every worker has
// nothing left to do and as many batches were received as sent. Since a
// partition's arrays are no larger than the cache of a core and its owner
// applies many messages at a time, hardly any of them goes to memory.
//
// Neither the number of threads, nor that of partitions, nor the size of a batch,
// nor the order in which batches arrive changes any byte of the result.
//
// # Results
//
// [Solve] makes a database; it continues after an interruption from a
// checkpoint. [Analyze] keeps the result in memory. docs/retrograde.md explains
// the algorithm and names its sources.
package retro
