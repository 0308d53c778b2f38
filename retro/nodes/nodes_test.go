package nodes

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
)

func newGraph() *games.Universe {
	rng := rand.New(rand.NewPCG(1, 1))
	return graph.New(rng, graph.Options{Tiers: 2, Size: 100, Degree: 3, Finished: 10, Outcomes: graph.PlainOutcomes}).Universe(0)
}

// TestAdmit has nodes with checkpoints of seats that there are, and are not.
func TestAdmit(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("solve", 0o755))
	c, err := newCoordinator(newGraph(), engine.Config{FS: fs, Checkpoint: "solve", Positions: engine.All}, Config{Count: 2})
	require.NoError(t, err)
	ours := c.file.Seat.Solve
	for _, test := range []struct {
		seat    engine.Seat
		refused bool
	}{
		{engine.Seat{}, false},
		{engine.Seat{Solve: ours, Node: 0, Nodes: 2}, false},
		{engine.Seat{Solve: ours, Node: 1, Nodes: 2}, false},
		{engine.Seat{Solve: ours, Node: -1, Nodes: 2}, true},
		{engine.Seat{Solve: ours, Node: 2, Nodes: 2}, true},
		{engine.Seat{Solve: ours, Node: 1, Nodes: 3}, true},
		{engine.Seat{Solve: "another", Node: 1, Nodes: 2}, true},
	} {
		err := c.admit(&hello{Seat: test.seat}, &welcome{})
		require.Equal(t, test.refused, errors.Is(err, cluster.ErrRefused), "%+v: %v", test.seat, err)
	}
}

// TestRecords reads records that no node sends: they are errors.
func TestRecords(t *testing.T) {
	end, err := json.Marshal(note{Kind: noteEnd, End: &engine.End{}})
	require.NoError(t, err)
	n, _, _, err := readRecord(append([]byte{noteRecord}, end...))
	require.NoError(t, err)
	require.Equal(t, noteEnd, n.Kind)
	_, phase, batch, err := readRecord([]byte{batchRecord, 7, 0, 0, 0, 'x'})
	require.NoError(t, err)
	require.Equal(t, uint64(7), phase)
	require.Equal(t, []byte("x"), batch)
	for _, record := range []string{"", "\x00", "\x00\x01\x02", "\x07hello", "\x01", "\x01{", "\x01{}", `` + "\x01" + `{"Kind":"nonsense"}`,
		"\x01" + `{"Kind":"end"}`, "\x01" + `{"Kind":"report"}`, "\x01" + `{"Kind":"ready"}`, "\x01" + `{"Kind":"query"}`,
		"\x01" + `{"Kind":"progress"}`, "\x01" + `{"Kind":"ask","List":2}`} {
		_, _, _, err := readRecord([]byte(record))
		require.Error(t, err, "%q", record)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte("\x01" + `{"Kind":"report","Report":{"Phase":1}}`))
	f.Add([]byte("\x00\x01\x00\x00\x00"))
	f.Fuzz(func(_ *testing.T, record []byte) { readRecord(record) })
}
