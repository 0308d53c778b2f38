// Package store writes databases to disk and opens them.
//
// A database is a directory with a manifest and a Pebble store that never changes; [Write] creates it,
// [WriteEncoded] does so from blocks that other processes have encoded, and [Compact] makes a smaller one
// with the same values. [Pack] makes a single file of it. [Open] opens either, for package db to read.
package store
