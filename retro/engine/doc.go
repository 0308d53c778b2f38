// Package engine does retrograde analysis: partitions, their owners, batches of messages, levels
// and snapshots.
//
// An [Engine] has workers, one for each thread. The index space of the game is divided into
// partitions. Each belongs to one worker, its owner, which alone touches its arrays. Every effect
// on another position is a message to its partition. A worker gathers messages in an outbox for
// each partition, and sends a full outbox to the owner as a [Batch].
//
// The work is done in stages, and each stage in phases:
//
//	reach        finds the positions reachable from the start; one phase
//	initialise   counts the successors of the positions of a tier; one phase for each tier
//	levels       settles the positions of a tier from the extremes inwards; one phase for each level
//
// At the end of a phase there is a barrier: all workers wait and no batch is in flight. In
// between, workers never wait for each other's results. Progress reports and statistics call a
// stage of a tier a [Pass], and have one more for writing the database.
//
// The engine knows other processes only by the interface [Peers], which it asks once a phase or
// a batch. All processes do the same phases, each on its own partitions, and share the [State]
// between phases. A process that solves a game alone has peers that reply at once: see
// [Analyze].
//
// A snapshot ([Engine.Save]) has the state and the partitions of tiers that are not solved yet. A
// phase can end early for it, with the barrier as usual, and then goes on: so a snapshot has no
// messages. Solved tiers have files of their own, from which a tier that has left memory is read
// too. With a memory limit, the tier being solved may be on disk, with one partition of each
// worker in memory: each partition has a store, which hides where its arrays are.
//
// A finished position is one that the rules decide; docs/ call it terminal. A tier whose positions
// all have their values is solved.
//
// To read the package, begin with [Analyze], which makes an engine and runs it. Then:
//
//	engine.go                  stages and phases
//	layout.go, partition.go    where a position is, and what is known of it
//	batch.go                   messages
//	worker.go                  the loop of a worker; how it sends and applies messages
//	passes.go                  how it produces them
//	pause.go                   when a phase stops for a snapshot
//	queues.go, report.go       queues, and the barrier at the end of a phase
//	peers.go, numbers.go       other processes, and the numbers of values that all agree on
//
// The rest can be read alone:
//
//	values.go                  values of solved tiers, wherever they are
//	plan.go, sample.go         how much memory a solve needs, and which tiers go to disk
//	store.go                   what a partition in memory and one on disk have in common
//	disk.go, ondisk.go         partitions on disk, and how workers go through them
//	scratch.go                 the files of these, which end with the process
//	tierfile.go, snapshot.go   the files that a solve goes on from
//	tiers.go                   tiers that are solved one at a time, some of them elsewhere
//	grow.go                    solved tiers from the database of a smaller part of a game
//	reverse.go                 games without a Retractor
//	progress.go                progress, and the time that is left
//	solution.go, database.go   results
//
// docs/retrograde.md explains the algorithm, docs/retrograde-engine.md partitions and batches, and
// docs/database.md draws the files.
package engine
