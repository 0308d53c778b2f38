// Package shared solves a game with any number of processes that share a directory, without a server. One of
// them, the host, may also hand out tiers by a queue, to workers that need not see the directory.
//
// A process takes whole tiers: the lock of a tier is one of the operating system, which ends with the
// process that holds it. A solved tier is a file, which gets its name when it is complete. So whoever
// is killed loses the tier in hand, and who comes later finds what is finished.
//
//	share.go    what a process does until all tiers are solved
//	folder.go   the files of the directory
//	order.go    which tier comes first
//	queue.go    what the host does
//	worker.go   what a worker of the queue does
//	own.go      the directory of such a worker
//
// docs/sharing.md explains it.
package shared
