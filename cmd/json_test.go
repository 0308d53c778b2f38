package cmd

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/solver"
)

// TestProgressFields looks for the fields of records of progress in docs/json.md, since short
// commands print none.
func TestProgressFields(t *testing.T) {
	text, err := os.ReadFile("../docs/json.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## Progress\n")
	require.True(t, ok)
	for _, r := range []any{solveRecord(retro.Progress{}), proveRecord(solver.Progress{}), nodeProgress{}, app.PointProgress{}, learn.Epoch{}} {
		for f := range reflect.TypeOf(r).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(r).Field(f).Tag.Get("json"), ",")
			if _, node := r.(nodeProgress); node {
				name = "nodes[]." + name
			}
			require.Contains(t, section, "`"+name+"`")
		}
	}
}
