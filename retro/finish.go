package retro

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

const (
	// chunkBlocks is the number of blocks that are fetched together, so that a node's share
	// of them is some hundred KiB at most, and chunksAhead is how many such chunks of a tier
	// are fetched before they are needed.
	chunkBlocks = 64
	chunksAhead = 2
)

// fetcher gets blocks from the nodes, for the writer of the database.
type fetcher struct {
	s      *session
	e      *engine
	values []games.Value
	width  int

	mu     sync.Mutex
	chunks map[chunkID]*fetched
}

// chunkID is a run of blocks of a tier.
type chunkID struct {
	tier   int
	number uint64
}

// fetched is a chunk that is on its way.
type fetched struct {
	ready chan struct{}
	codes []byte
	err   error
}

// source implements [db.Source]. A goroutine of the writer takes the blocks of a table in
// order.
func (f *fetcher) source(tier int, block uint64, dst []byte) error {
	id := chunkID{tier, block / chunkBlocks}
	blocks := (f.e.universe.Tiers[tier].Open + db.BlockSize - 1) / db.BlockSize
	f.mu.Lock()
	for ahead := range uint64(chunksAhead + 1) {
		next := chunkID{tier, id.number + ahead}
		first := next.number * chunkBlocks
		if first < blocks && first/db.TableBlocks == block/db.TableBlocks && f.chunks[next] == nil && (ahead == 0 || block%chunkBlocks == 0) {
			c := &fetched{ready: make(chan struct{})}
			f.chunks[next] = c
			go f.fetch(next, c)
		}
	}
	c := f.chunks[id]
	f.mu.Unlock()
	<-c.ready
	if c.err != nil {
		return c.err
	}
	copy(dst, c.codes[int(block%chunkBlocks)*db.BlockSize*f.width:])
	if block%chunkBlocks == chunkBlocks-1 || block == blocks-1 {
		f.mu.Lock()
		delete(f.chunks, id)
		f.mu.Unlock()
	}
	return nil
}

// fetch gets a chunk.
func (f *fetcher) fetch(id chunkID, c *fetched) {
	defer close(c.ready)
	nodes := len(f.s.nodes)
	parts := make([][]byte, nodes)
	errs := make([]error, nodes)
	var group sync.WaitGroup
	for node := range nodes {
		group.Go(func() {
			n, err := f.s.query(node, query{Blocks: true, Tier: id.tier, Block: id.number * chunkBlocks, Count: chunkBlocks, Values: f.values})
			if err == nil {
				parts[node], err = s2.Decode(nil, n.data)
			}
			errs[node] = err
		})
	}
	group.Wait()
	if c.err = errors.Join(errs...); c.err != nil {
		return
	}
	t := f.e.universe.Tiers[id.tier]
	r := f.e.layout.find(t.Start, &f.e.layout.regions[0])
	for block := id.number * chunkBlocks; block < (id.number+1)*chunkBlocks && block*db.BlockSize < t.Open; block++ {
		number, _ := r.locate(t.Start + block*db.BlockSize)
		part := &parts[number%nodes]
		n := f.width * int(min(db.BlockSize, t.Open-block*db.BlockSize))
		if len(*part) < n {
			c.err = fmt.Errorf("node %d has sent less than was asked for", number%nodes+1)
			return
		}
		c.codes = append(c.codes, (*part)[:n]...)
		*part = (*part)[n:]
	}
}

// finish writes the database.
func (s *session) finish(ctx context.Context) (*NodesReport, *db.Manifest, error) {
	e := s.engine(s.states[0])
	r := &NodesReport{Passes: mergePasses(s.states), Resumed: s.c.file.Resumed}
	solution := e.solution()
	most, threads := uint64(0), 0
	for i, st := range s.states {
		most = max(most, st.Memory)
		threads += s.nodes[i].Threads
	}
	start, err := s.value(e, s.c.u.Start)
	if err != nil {
		return nil, nil, err
	}
	m := solution.manifest(start, func(v games.Value) uint64 {
		var first uint64
		first, err = s.first(solution, v)
		return first
	})
	if err != nil {
		return nil, nil, err
	}
	begin, before := time.Now(), s.c.elapsed()
	e.effort = s.effort
	f := &fetcher{s: s, e: e, values: m.Content.Values, width: m.Content.Width(), chunks: map[chunkID]*fetched{}}
	err = db.Write(ctx, s.c.cfg.Checkpoint, m, f.source, db.WriteOptions{
		FS: s.c.cfg.FS, Progress: e.writeProgress(before, begin),
		Built: func() db.Built {
			return db.Built{
				By: "yomikiri " + yomikiri.Version + ", " + runtime.Version(), At: time.Now().UTC().Truncate(time.Second),
				Time: before + time.Since(begin), Threads: threads, Memory: most,
			}
		},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("writing the database: %w", err)
	}
	r.Passes = append(r.Passes, Pass{Name: "write", Time: time.Since(begin), Memory: memory.Resident()})
	return r, m, cleanUp(s.c.cfg.FS, s.c.cfg.Checkpoint)
}

// mergePasses adds up the passes of all nodes.
func mergePasses(states []*state) []Pass {
	var list []Pass
	for _, st := range states {
		for _, p := range st.Passes {
			at := slices.IndexFunc(list, func(o Pass) bool { return o.Name == p.Name && o.Tier == p.Tier })
			if at < 0 {
				list = append(list, p)
				continue
			}
			o := &list[at]
			o.Time, o.Memory = max(o.Time, p.Time), max(o.Memory, p.Memory)
			o.Counts.Add(p.Counts)
		}
	}
	return list
}

// value returns the value of a position.
func (s *session) value(e *engine, index uint64) (games.Value, error) {
	r := e.layout.find(index, &e.layout.regions[0])
	if r.open {
		number, _ := r.locate(index)
		n, err := s.query(number%len(s.nodes), query{Index: index})
		if err != nil {
			return 0, err
		}
		if n.Query.Found {
			return n.Query.Value, nil
		}
	}
	var x games.Expansion
	e.universe.Expander.Expand([]uint64{index}, &x)
	return x.Status[0], nil
}

// first returns the smallest index of an unfinished position with a value.
func (s *session) first(solution *Solution, v games.Value) (uint64, error) {
	q := query{First: true, Value: v}
	for tier, c := range solution.Tiers {
		if c.Values[v] > c.Finished[v] {
			q.Tiers = append(q.Tiers, tier)
			break // one is enough: some node has a position there
		}
	}
	first := ^uint64(0)
	for node := range s.nodes {
		n, err := s.query(node, q)
		if err != nil {
			return 0, err
		}
		if n.Query.Found {
			first = min(first, n.Query.Index)
		}
	}
	return first, nil
}
