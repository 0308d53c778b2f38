// Package cpu says how much CPU time the process has taken.
package cpu
