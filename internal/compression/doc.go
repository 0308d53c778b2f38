// Package compression compresses the small pieces of data of which databases and checkpoints consist.
package compression
