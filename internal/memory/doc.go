// Package memory says how much memory the process occupies and how much there is.
package memory
