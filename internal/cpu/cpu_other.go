//go:build !unix

package cpu

import "time"

// Time is unknown on this system.
func Time() (all, kernel time.Duration) { return 0, 0 }
