package ui

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri"
)

// TestVersion names the commit, and says that files differ from it. TestCommit builds a program.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{{Key: "CGO_ENABLED", Value: "0"}, {Key: "vcs.modified", Value: "true"}}, ""},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "false"}}, " (0123abcd)"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.modified", Value: "true"}}, " (0123abcd, modified)"},
	} {
		require.Equal(t, yomikiri.Version+c.want, versionOf(&debug.BuildInfo{Settings: c.settings}))
	}
}
