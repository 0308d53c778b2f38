// Package bench measures the engines and draws what was measured. A benchmark is
// a configuration with a Run; the command binds its flags.
package bench
