package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

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

// TestNonsense has a node that sends the coordinator, or another node, what no node would send. The solve
// ends with an error that names it.
func TestNonsense(t *testing.T) {
	u := newGraph()
	rules, err := engine.Fingerprint(u)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		to     int
		record string
		want   string
	}{
		"coordinator, nonsense": {2, "nonsense", "node 2, fake: it has sent what it should not: a record that is neither batch nor note"},
		"coordinator, a batch":  {2, "\x00\x01\x00\x00\x00", "a batch for the coordinator"},
		"coordinator, a note":   {2, "\x01" + `{"Kind":"go"}`, `a note of kind "go"`},
		"coordinator, too soon": {2, "\x01" + `{"Kind":"saved"}`, `a note of kind "saved" at a wrong time`},
		"node, nonsense":        {0, "nonsense", "node 2 has sent what it should not: a record that is neither batch nor note"},
		"node, a batch":         {0, "\x00\xff\xff\x00\x00\x09", "node 2 has sent what it should not: "},
		"node, a note":          {0, "\x01" + `{"Kind":"go"}`, "node 2 has sent what it should not: a note"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			network, fs := &cluster.Loopback{}, vfs.NewMem()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			require.NoError(t, fs.MkdirAll("solve", 0o755))
			cfg, err := engine.Config{FS: fs, Checkpoint: "solve", Positions: engine.All}.WithDefaults()
			require.NoError(t, err)
			solved := make(chan error, 1)
			go func() {
				_, _, err := Solve(ctx, u, cfg, Config{Network: network, Count: 2, Game: u.Name})
				solved <- err
			}()
			go Node{Network: network, Dir: "one", Host: "1", FS: fs, Threads: 1,
				Universe: func(context.Context, About) (*games.Universe, error) { return u, nil }}.Run(ctx)

			endpoint, err := cluster.NewEndpoint(network, true)
			require.NoError(t, err)
			defer endpoint.Close()
			h := hello{Format: helloFormat, Terms: cluster.Terms{Game: u.Name, Rules: rules}, ID: "fake", Location: "fake", Member: endpoint.Member()}
			question, err := json.Marshal(h)
			require.NoError(t, err)
			var w welcome
			require.Eventually(t, func() bool {
				reply, err := network.Ask(ctx, question)
				return err == nil && json.Unmarshal(reply, &w) == nil && w.Session != 0
			}, time.Minute, 10*time.Millisecond)
			require.Equal(t, 1, w.Seat.Node)
			m := cluster.NewMesh(endpoint, cluster.Session{ID: w.Session, Self: 1, Members: w.Members}, cluster.MeshHandler{
				Handle: func(int, []byte) error { return nil }, Eased: func() {}, Fault: func(int, error) {}, Lost: func(int, error) {},
			})
			m.Start()
			defer m.Close()
			m.Send(test.to, func(dst []byte) []byte { return append(dst, test.record...) })
			m.Flush()
			require.ErrorContains(t, <-solved, test.want)
		})
	}
}
