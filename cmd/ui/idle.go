package ui

import (
	"fmt"

	"github.com/spf13/pflag"
)

// Idle is a case in which flags have no effect.
type Idle struct {
	When bool
	// Why says in which case, and what would be right, as in "without --self-play, whose games it is for".
	Why   string
	Flags []string
}

// RefuseIdle refuses flags that have been given another value than their default, and have no effect.
func RefuseIdle(flags *pflag.FlagSet, cases ...Idle) error {
	for _, c := range cases {
		for _, name := range c.Flags {
			if f := flags.Lookup(name); c.When && f.Changed && f.Value.String() != f.DefValue {
				return Usage(fmt.Errorf("--%s has no effect %s", name, c.Why))
			}
		}
	}
	return nil
}
