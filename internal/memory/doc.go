// Package memory says how much memory the process occupies and how much there is, and writes such sizes.
package memory
