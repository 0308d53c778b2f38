// Package yomikiri is the root of a framework that solves games: strongly, by
// retrograde analysis into a database of every position, or weakly, by a search
// whose proof a small checker accepts.
//
// Package games is the contract of a game, and games/gametest checks it. Package retro
// solves a game into a database, and package db reads it. Packages dfpn and solver
// search for proofs, and package proof writes and checks them.
package yomikiri

// Version is the version of the module. Databases and proof files record it.
const Version = "0.1.0"
