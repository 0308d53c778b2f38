package ui

import (
	"runtime/debug"

	"github.com/yomikiri/yomikiri"
)

// Version returns the version of the program, with the commit that it was built from if that is known.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return yomikiri.Version + " (" + s.Value + ")"
			}
		}
	}
	return yomikiri.Version
}
