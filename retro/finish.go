package retro

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/cpu"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// finish makes the nodes write their parts of the database, and joins them into one database.
func (s *session) finish(ctx context.Context) (*NodesReport, *db.Manifest, error) {
	e := s.engine(s.states[0])
	r := &NodesReport{Passes: mergePasses(s.states), Resumed: s.c.file.Resumed, CPU: cpu.Time()}
	solution := e.solution()
	most, threads := uint64(0), 0
	for i, st := range s.states {
		most = max(most, st.Memory)
		threads += s.nodes[i].Threads
	}
	start, err := s.value(ctx, e, s.c.u.Start)
	if err != nil {
		return nil, nil, err
	}
	m := solution.manifest(start, func(v games.Value) uint64 {
		var first uint64
		first, err = s.first(ctx, solution, v)
		return first
	})
	if err != nil {
		return nil, nil, err
	}
	begin, before := time.Now(), s.c.elapsed()
	m.Parts = &db.Parts{Solve: s.c.file.Part.Solve, Deals: e.layout.deals(len(s.c.u.Tiers)), List: make([]db.Part, len(s.nodes))}
	wanted := *m // all nodes get the same
	list := make([]db.Part, len(s.nodes))
	sums := make([][]uint64, len(s.nodes))
	group, writing := errgroup.WithContext(ctx)
	for node := range s.nodes {
		group.Go(func() error {
			w, err := s.written(writing, node, &wanted)
			list[node].Files, sums[node] = w.Files, w.Sums
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for node := range list {
		if list[node].From, err = s.gather(node); err != nil {
			return nil, nil, err
		}
	}
	if err := storage.SyncDir(s.c.cfg.FS, s.c.cfg.Checkpoint); err != nil {
		return nil, nil, err
	}
	m.Parts = &db.Parts{Solve: m.Parts.Solve, Deals: m.Parts.Deals, List: list}
	m.Built = db.Built{
		By: "yomikiri " + yomikiri.Version + ", " + runtime.Version(), At: time.Now().UTC().Truncate(time.Second),
		Time: before + time.Since(begin), Threads: threads, Memory: most,
	}
	if err := db.Join(s.c.cfg.FS, s.c.cfg.Checkpoint, m, sums); err != nil {
		return nil, nil, fmt.Errorf("writing the database: %w", err)
	}
	r.Passes = append(r.Passes, Pass{Name: "write", Time: time.Since(begin), Memory: memory.Resident()})
	return r, m, cleanUp(s.c.cfg.FS, s.c.cfg.Checkpoint)
}

// chunkBytes is the number of bytes of a [writtenPart] that are asked for at a time.
const chunkBytes = 1 << 18

// writtenPart describes a node's part of the database. It is sent in the format of package gob.
type writtenPart struct {
	Files []db.File
	Sums  []uint64 // of its blocks, in order
}

// written has a node write its part.
func (s *session) written(ctx context.Context, node int, m *db.Manifest) (w writtenPart, err error) {
	n, err := s.query(ctx, node, query{Write: m})
	if err != nil {
		return w, err
	}
	var text []byte
	for size := n.Query.Size; len(text) < size; text = append(text, n.data...) {
		if n, err = s.query(ctx, node, query{Read: true, At: len(text)}); err != nil {
			return w, err
		}
		if len(n.data) == 0 {
			return w, fmt.Errorf("internal error: node %d has said less of its part than it announced", node+1)
		}
	}
	return w, gob.NewDecoder(bytes.NewReader(text)).Decode(&w)
}

// gather moves the part of a node to the database if it is below this directory, and
// otherwise returns its location.
func (s *session) gather(node int) (from string, err error) {
	fs, dir, name := s.c.cfg.FS, s.c.cfg.Checkpoint, db.PartName(node+1)
	place := s.nodes[node].Place
	own := fs.PathBase(place)
	path, to := fs.PathJoin(dir, own, name), fs.PathJoin(dir, name)
	if _, err := fs.Stat(path); !isNodeDir(own) || err != nil {
		return fs.PathJoin(place, name), nil
	}
	if err := fs.RemoveAll(to); err != nil { // of an earlier session
		return "", err
	}
	return "", fs.Rename(path, to)
}

// writePart writes the part of this node, and returns a [writtenPart].
func (t *member) writePart(ctx context.Context, m *db.Manifest) ([]byte, error) {
	e := t.e
	e.cfg.Progress = func(p Progress) { t.tell(&note{Kind: noteProgress, Progress: &nodeProgress{Progress: p}}) }
	files, sums, err := db.WritePart(ctx, e.cfg.Checkpoint, m, t.self+1, e.solution().source(m.Content.Values), db.WriteOptions{
		FS: e.cfg.FS, Threads: e.cfg.Threads, Progress: e.writeProgress(e.elapsed(), time.Now()),
	})
	if err != nil {
		return nil, fmt.Errorf("writing its part of the database: %w", err)
	}
	var text bytes.Buffer
	err = gob.NewEncoder(&text).Encode(writtenPart{files, sums})
	return text.Bytes(), err
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
func (s *session) value(ctx context.Context, e *engine, index uint64) (games.Value, error) {
	r := e.layout.find(index, &e.layout.regions[0])
	if r.open {
		number, _ := r.locate(index)
		n, err := s.query(ctx, number%len(s.nodes), query{Index: index})
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
func (s *session) first(ctx context.Context, solution *Solution, v games.Value) (uint64, error) {
	q := query{First: true, Value: v}
	for tier, c := range solution.Tiers {
		if c.Values[v] > c.Finished[v] {
			q.Tiers = append(q.Tiers, tier)
			break // one is enough: some node has a position there
		}
	}
	first := ^uint64(0)
	for node := range s.nodes {
		n, err := s.query(ctx, node, q)
		if err != nil {
			return 0, err
		}
		if n.Query.Found {
			first = min(first, n.Query.Index)
		}
	}
	return first, nil
}
