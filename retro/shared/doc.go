// Package shared solves a game with any number of processes that share a directory, without a server.
//
// A process takes whole tiers: the lock of a tier is one of the operating system, which ends with the
// process that holds it. A solved tier is a file, which gets its name when it is complete. So whoever
// is killed loses the tier in hand, and who comes later finds what is finished.
//
//	share.go    what a process does until all tiers are solved
//	folder.go   the files of the directory
//	order.go    which tier comes first
//
// docs/sharing.md explains it.
package shared
