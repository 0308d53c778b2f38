// Package yomikiri is the root of a framework that solves games: strongly, by
// retrograde analysis into a database of every position, or weakly, by a search
// that leaves a proof which a small checker accepts.
//
// Package games is the contract that a game fulfils, and games/gametest checks
// it. Package retro solves a game into a database, and package db reads one.
// Packages dfpn, solver and proof search for proofs, write them and check them.
package yomikiri

// Version is the version of the module. Databases and proof files record it.
const Version = "0.1.0"
