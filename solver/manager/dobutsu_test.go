package manager

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/solver"
)

var (
	dobutsuDatabase = flag.String("dobutsu", "", "database of dobutsu from which TestDobutsu takes positions")
	dobutsuSample   = flag.Int("dobutsu.positions", 200, "how many positions it takes from there")
	dobutsuTime     = flag.Duration("dobutsu.time", time.Minute, "how long it searches each")
	dobutsuParallel = flag.Int("dobutsu.parallel", 2, "how many it searches side by side")
	dobutsuSeed     = flag.Uint64("dobutsu.seed", 1, "seed for the choice of positions")
)

// TestDobutsu searches random positions of Dōbutsu shōgi, won and lost in turns and at a
// distance of 30 plies or more, and compares all that the trees have settled with values
// from retrograde analysis.
//
//	yomikiri solve dobutsu --db dobutsu.db
//	go test ./solver/manager -run TestDobutsu -dobutsu dobutsu.db -timeout 4h -v
func TestDobutsu(t *testing.T) {
	if *dobutsuDatabase == "" {
		t.Skip("it needs a database")
	}
	g := dobutsu.New()
	d, err := store.Open(*dobutsuDatabase, nil)
	require.NoError(t, err)
	defer d.Close()
	var probing sync.Mutex
	value := func(p dobutsu.Position) games.Value {
		probing.Lock()
		defer probing.Unlock()
		index, err := g.Index(g.Canonical(p))
		require.NoError(t, err)
		v, held, err := d.Value(index)
		require.NoError(t, err)
		require.True(t, held)
		return v
	}
	var group errgroup.Group
	group.SetLimit(*dobutsuParallel)
	var mu sync.Mutex
	settled, answered, nodes := map[games.Result]int{}, map[games.Result]int{}, 0
	for i, p := range farDobutsu(t, g, d) {
		group.Go(func() error {
			front, err := searchDobutsu(g, p)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			want := value(p).Result()
			got, known := front.Value()
			if known {
				settled[want]++
				require.Equal(t, want, got, "%s", g.AppendPosition(nil, p))
			}
			if front.nodes[front.questions()[0]].outcome.Settled() {
				answered[want]++
			}
			for q, n := range front.nodes {
				if !n.outcome.Settled() {
					continue
				}
				p, err := g.ParsePosition(q.Position)
				require.NoError(t, err)
				r := value(p).Result()
				require.Equal(t, q.Attacker && r == games.Won || !q.Attacker && r == games.Lost, n.outcome == solver.Proven, "%v", q)
				nodes++
			}
			t.Logf("%d: %s, %v: known %v, %d jobs, %d positions, %v of work", i, g.AppendPosition(nil, p), value(p),
				known, front.stats.Jobs, front.stats.Nodes, front.stats.Work)
			return nil
		})
	}
	require.NoError(t, group.Wait())
	t.Logf("settled %v, whether the side to move wins %v; %d settled nodes agree", settled, answered, nodes)
}

// farDobutsu returns random positions, won and lost in turns.
func farDobutsu(t *testing.T, g *dobutsu.Game, d *db.DB) (list []dobutsu.Position) {
	const plies = 30
	tiers := g.Tiers()
	last := tiers[len(tiers)-1]
	rng := rand.New(rand.NewPCG(*dobutsuSeed, 6))
	for len(list) < *dobutsuSample {
		index := rng.Uint64N(last.Start + last.Open)
		v, held, err := d.Value(index)
		require.NoError(t, err)
		p, ok := g.Position(index)
		want := []games.Result{games.Won, games.Lost}[len(list)%2]
		if !held || !ok || v.Result() != want {
			continue
		}
		if n, _ := v.Plies(); n >= plies {
			list = append(list, p)
		}
	}
	return list
}

// searchDobutsu has one worker search the value of a position.
func searchDobutsu(g *dobutsu.Game, p dobutsu.Position) (*FrontEnd, error) {
	rules := NewRules(g)
	m, err := NewManifest(rules, string(g.AppendPosition(nil, p)), AskValue, "a test")
	if err != nil {
		return nil, err
	}
	tree, err := Open("tree", rules, m, Options{FS: vfs.NewMem()})
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	backends, err := solver.NewBackends(g, nil, solver.Config{Method: solver.DepthFirst, Memory: 64 << 20}, 1)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), *dobutsuTime)
	defer cancel()
	carrier := cluster.NewMemory(cluster.Terms{})
	back, err := carrier.Join(cluster.Terms{}, "worker")
	if err != nil {
		return nil, err
	}
	w := Worker{Carrier: back, Backend: backends[0]}
	var group errgroup.Group
	group.Go(func() error { return w.Run(ctx) })
	group.Go(func() error {
		defer carrier.Front().Close()
		return tree.Run(ctx, carrier.Front(), RunOptions{Jobs: func() int { return 1 }, Lease: time.Minute, Every: time.Second})
	})
	if err := group.Wait(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return tree.front, nil
}
