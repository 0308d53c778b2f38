// Package storage holds what databases, checkpoints and proof files share: atomic
// file writing, zstd compression, and Pebble stores without a log.
package storage
