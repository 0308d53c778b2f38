// Package storage holds what databases, checkpoints and proof files share: atomic
// file writing and zstd compression.
package storage
