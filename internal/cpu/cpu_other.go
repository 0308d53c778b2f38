//go:build !unix

package cpu

import "time"

// Time is unknown on this system, and Kernel too.
func Time() time.Duration   { return 0 }
func Kernel() time.Duration { return 0 }
