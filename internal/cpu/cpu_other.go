//go:build !unix

package cpu

import "time"

// Time returns 0, and so does Kernel: they are unknown on this system.
func Time() time.Duration   { return 0 }
func Kernel() time.Duration { return 0 }
