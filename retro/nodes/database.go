package nodes

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/cpu"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// finish writes the database, with blocks that the nodes encode.
func (s *session) finish(ctx context.Context) (*Report, *db.Manifest, error) {
	e, err := engine.Outline(s.c.u, s.c.cfg, s.states[0])
	if err != nil {
		return nil, nil, err
	}
	r := &Report{Passes: mergePasses(s.states), Resumed: s.c.file.State.Resumed, CPU: cpu.Time()}
	solution := e.Solution()
	most, threads := uint64(0), 0
	for i, st := range s.states {
		most = max(most, st.Memory)
		threads += s.nodes[i].Threads
	}
	start, err := s.value(ctx, e, s.c.u.Start)
	if err != nil {
		return nil, nil, err
	}
	m := solution.Manifest(start, func(v games.Value) uint64 {
		var first uint64
		first, err = s.first(ctx, solution, v)
		return first
	})
	if err != nil {
		return nil, nil, err
	}
	begin, before := time.Now(), s.c.elapsed()
	source := &blockReader{s: s, e: e, content: &m.Content, ctx: ctx, runs: map[engine.Run]*fetched{}}
	err = store.WriteEncoded(ctx, s.c.cfg.Checkpoint, m, source.block, store.WriteOptions{
		FS: s.c.cfg.FS, Threads: s.c.cfg.Threads, Progress: engine.WriteProgress(s.c.cfg, s.effort, before, begin),
		Built: func() db.Built { return engine.Built(before+time.Since(begin), threads, most) },
	})
	if err != nil {
		return nil, nil, fmt.Errorf("writing the database: %w", err)
	}
	r.Passes = append(r.Passes, engine.Pass{Name: "write", Time: time.Since(begin), Memory: memory.Resident()})
	return r, m, nil
}

// blockReader fetches the blocks of the database from the nodes, one run ahead of the writer.
type blockReader struct {
	s       *session
	e       *engine.Engine
	content *db.Content
	ctx     context.Context

	mu   sync.Mutex
	runs map[engine.Run]*fetched
}

// fetched is a run of blocks that arrives.
type fetched struct {
	done   chan struct{} // closed when all is there
	blocks [engine.RunBlocks][]byte
	err    error
}

// block is a [store.EncodedSource].
func (b *blockReader) block(tier int, block uint64) ([]byte, error) {
	r := engine.Run{Tier: tier, First: block / engine.RunBlocks * engine.RunBlocks}
	f := b.fetch(r)
	end := (b.content.Tiers[tier].Open + db.BlockSize - 1) / db.BlockSize
	if next := (engine.Run{Tier: tier, First: r.First + engine.RunBlocks}); next.First < end && next.First%store.TableBlocks > 0 {
		b.fetch(next)
	}
	<-f.done
	if block+1 == min(r.First+engine.RunBlocks, end) {
		b.mu.Lock()
		delete(b.runs, r)
		b.mu.Unlock()
	}
	return f.blocks[block-r.First], f.err
}

// fetch begins to fetch a run, unless that has begun.
func (b *blockReader) fetch(r engine.Run) *fetched {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.runs[r]
	if f != nil {
		return f
	}
	f = &fetched{done: make(chan struct{})}
	b.runs[r] = f
	var group errgroup.Group
	for node := range b.s.nodes {
		group.Go(func() error {
			n, err := b.s.query(b.ctx, node, query{Run: &r, Values: b.content.Values})
			if err != nil {
				return err
			}
			data := n.data
			b.e.Blocks(r, node, len(b.s.nodes), func(block uint64) {
				if len(data) < 4 || uint32(len(data)-4) < binary.LittleEndian.Uint32(data) {
					err = fmt.Errorf("node %d, %s: its blocks of tier %d from %d on are too short", node+1, b.s.nodes[node].Location, r.Tier, r.First)
					return
				}
				end := 4 + binary.LittleEndian.Uint32(data)
				f.blocks[block-r.First], data = data[4:end:end], data[end:]
			})
			return err
		})
	}
	go func() {
		f.err = group.Wait()
		close(f.done)
	}()
	return f
}

// mergePasses adds up the passes of all nodes.
func mergePasses(states []*engine.State) []engine.Pass {
	var list []engine.Pass
	for _, st := range states {
		for _, p := range st.Passes {
			at := slices.IndexFunc(list, func(o engine.Pass) bool { return o.Name == p.Name && o.Tier == p.Tier })
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
func (s *session) value(ctx context.Context, e *engine.Engine, index uint64) (games.Value, error) {
	if node, ok := e.Process(index, len(s.nodes)); ok {
		n, err := s.query(ctx, node, query{Index: index})
		if err != nil {
			return 0, err
		}
		if n.Query.Found {
			return n.Query.Value, nil
		}
	}
	var x games.Expansion
	s.c.u.Expander.Expand([]uint64{index}, &x)
	return x.Status[0], nil
}

// first returns the smallest index of an unfinished position with a value.
func (s *session) first(ctx context.Context, solution *engine.Solution, v games.Value) (uint64, error) {
	tier := slices.IndexFunc(solution.Tiers, func(c engine.TierCounts) bool { return c.Values[v] > c.Finished[v] })
	first := ^uint64(0)
	for node := range s.nodes {
		n, err := s.query(ctx, node, query{First: true, Value: v, Tier: tier})
		if err != nil {
			return 0, err
		}
		if n.Query.Found {
			first = min(first, n.Query.Index)
		}
	}
	return first, nil
}
