package ui

import (
	"runtime/debug"

	"github.com/yomikiri/yomikiri"
)

// Version returns the version of the program, with the commit that it was built from if that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return yomikiri.Version
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	var commit, modified string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	if commit == "" {
		return yomikiri.Version
	}
	return yomikiri.Version + " (" + commit + modified + ")"
}
