// Package storage holds what databases, checkpoints and proof files share: atomic
// file writing, and Pebble stores without a log.
package storage
