// Package memory reports how much memory the process occupies and how much there is, and formats
// such sizes.
package memory
