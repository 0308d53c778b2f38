package main

import (
	"debug/elf"
	"debug/gosym"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInstances counts how often functions are in the program: an engine is compiled once for each game that
// can use it, and once in all if it does not know positions.
func TestInstances(t *testing.T) {
	path, err := os.Executable()
	require.NoError(t, err)
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	lines, err := f.Section(".gopclntab").Data()
	require.NoError(t, err)
	text := f.Section(".text")
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, text.Addr))
	require.NoError(t, err)
	const module = "github.com/yomikiri/yomikiri/"
	count, bytes := map[string]int{}, uint64(0)
	for _, x := range table.Funcs {
		name := x.Name
		require.False(t, strings.HasPrefix(name, "gonum.org/"), "%s: only experiments need it", name)
		if i, j := strings.Index(name, "["), strings.LastIndex(name, "]"); i >= 0 && strings.Contains(name, "[go.shape.") {
			name = name[:i] + "[...]" + name[j+1:]
			bytes += x.End - x.Entry
		}
		count[strings.TrimPrefix(name, module)]++
	}
	t.Logf("%.1f MB of %.1f MB of machine code are instances", float64(bytes)/1e6, float64(text.Size)/1e6)
	for _, c := range []struct {
		name string
		most int
	}{
		{"solver/connect.(*Search).explore", 1},
		{"solver/connect.(*virtual).build", 1},
		{"retro/engine.(*Engine).Run", 1},
		{"play.(*worker[...]).search", 10},
		{"solver.(*Solver[...]).ask", 12}, // for wins of ten games, for points of two
		{"solver.(*ScoreSolver[...]).ask", 2},
	} {
		require.Positive(t, count[c.name], "no %s", c.name)
		require.LessOrEqual(t, count[c.name], c.most, c.name)
	}
}
