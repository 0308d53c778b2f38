// Package cpu reports how much CPU time the process has taken.
package cpu
