package retro

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// nodeSolve is a solve by nodes that are goroutines.
type nodeSolve struct {
	u       *games.Universe
	network cluster.Network
	nodes   int
	cfg     Config
	fs      func(node int) vfs.FS
	report  func(string)
	starts  []int // of each node
}

// run solves the game, and starts nodes that fail again.
func (s *nodeSolve) run(t *testing.T) (*NodesReport, *db.Manifest, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	if s.report == nil {
		s.report = func(text string) { t.Log(text) }
	}
	for n := range s.nodes {
		group.Go(func() {
			node := Node{
				Network: s.network, Dir: fmt.Sprint("part", n), Host: fmt.Sprint(n), Threads: 1 + n%2, FS: s.fs(n), Version: "1",
				Universe: func(context.Context, About) (*games.Universe, error) { return s.u, nil },
			}
			if err := node.Run(ctx); err != nil && ctx.Err() == nil {
				s.report(fmt.Sprintf("node %d: %v", n, err))
			}
		})
	}
	return SolveNodes(ctx, s.u, "solve", s.cfg, Nodes{Network: s.network, Count: s.nodes, Game: s.u.Name, Version: "1", Report: s.report})
}

func newNodeSolve(u *games.Universe, nodes int) *nodeSolve {
	fs := vfs.NewMem()
	return &nodeSolve{u: u, nodes: nodes, network: &cluster.MemoryNetwork{}, cfg: Config{FS: fs}, fs: func(int) vfs.FS { return fs }}
}

// TestNodes solves games with several nodes: the content of the database is that of one
// process.
func TestNodes(t *testing.T) {
	_, awari := openAwari(t, "", 8)
	for _, u := range []*games.Universe{openUniverse(t, "connect4:size=4x4"), awari} {
		for _, positions := range []Positions{Reachable, All} {
			_, want, err := Solve(t.Context(), u, "solve", Config{FS: vfs.NewMem(), Positions: positions})
			require.NoError(t, err)
			for _, nodes := range []int{1, 2, 3} {
				t.Run(fmt.Sprint(u.Name, positions, nodes), func(t *testing.T) {
					t.Parallel()
					s := newNodeSolve(u, nodes)
					s.cfg.Positions, s.cfg.Partitions = positions, 8
					_, got, err := s.run(t)
					require.NoError(t, err)
					require.Equal(t, want.Content, got.Content)
					require.Equal(t, want.Checksum, got.Checksum)
				})
			}
		}
	}
}
