// Package engine does retrograde analysis: partitions, their owners, batches of messages, levels
// and snapshots.
//
// An [Engine] has workers. Each owns some of the partitions, into which the index space is divided,
// and alone touches their arrays; an effect on another partition is a message in a [Batch]. The
// work is done in phases, which end when all workers wait and no batch is in flight:
//
//	reach        finds the positions reachable from the start; one phase
//	initialise   counts the successors of the positions of a tier; one phase for each tier
//	levels       settles the positions of a tier from the extremes inwards; one phase for each level
//
// The engine knows other processes only by the interface [Peers], which it asks once a phase or
// a batch. All processes do the same phases, each on its own partitions, and share the [State]
// between phases. A process that solves a game alone has peers that answer at once: see
// [Analyze].
//
// A snapshot ([Engine.Save]) has the state and the partitions of unfinished tiers. Finished tiers
// have files of their own, from which a tier that has left memory is read too. With a memory
// limit, the tier being solved may be on disk, with one partition of each worker in memory.
//
// docs/retrograde.md explains the algorithm, and docs/database.md draws the files.
package engine
