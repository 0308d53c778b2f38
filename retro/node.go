package retro

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Node configures a process that solves a part of a game.
type Node struct {
	Network cluster.Network
	// Dir is the directory of the node's part.
	Dir string
	// Host identifies the machine, since two machines may have the same directories.
	Host string
	// Version and Token must match the coordinator's [cluster.Terms].
	Version, Token string
	// Universe opens a game.
	Universe func(ctx context.Context, a About) (*games.Universe, error)
	// Threads is the number of workers; 0 means one for each processor.
	Threads int
	// Wait is how long to wait for a coordinator; 0 means forever.
	Wait time.Duration
	// Report is called with messages about what the node does.
	Report func(text string)
	FS     vfs.FS // vfs.Default if nil
}

// About tells a node what it has to know of a solve before it takes part.
type About struct {
	Game       string // as [Nodes] has it
	Nodes      int
	Positions  Positions
	Partitions int
}

// helloFormat is the version of the messages between nodes and coordinators.
const helloFormat = 1

// hello asks the coordinator for a place in the solve, or for what to do now.
type hello struct {
	Format  int
	Terms   cluster.Terms
	Ask     bool   // asks only what the solve is about
	ID      string // of the process
	Place   string // host and directory; a new process there replaces an earlier one
	Part    part
	Session uint64 // that it is in, or 0
	Bye     bool   // it leaves
	Threads int
}

// welcome answers a hello.
type welcome struct {
	Format    int
	Refused   string `json:",omitempty"`
	Done      bool   `json:",omitempty"` // the solve is done
	Game      string `json:",omitempty"`
	Session   uint64 `json:",omitempty"` // to join, or to stay in; 0 to wait
	Epoch     int    `json:",omitempty"` // to go on from; 0 to begin
	Part      part
	BatchSize int `json:",omitempty"`
}

const (
	// helloWait is the time between hellos while a node waits, and helloBeat the time
	// between them while it works.
	helloWait = 100 * time.Millisecond
	helloBeat = 500 * time.Millisecond
)

var errDone = errors.New("the solve is done")

// Run takes part in solves of the coordinator until the game is solved. It fails with an
// error that is [cluster.ErrRefused] if the coordinator refuses the node.
func (n Node) Run(ctx context.Context) error {
	if n.FS == nil {
		n.FS = vfs.Default
	}
	if n.Threads == 0 {
		n.Threads = runtime.GOMAXPROCS(0)
	}
	if n.Report == nil {
		n.Report = func(string) {}
	}
	dir := partDir{n.FS, n.Dir}
	_, statErr := n.FS.Stat(n.Dir)
	held, lock, err := dir.open()
	if err != nil {
		return err
	}
	defer func() {
		dir.leave(errors.Is(statErr, os.ErrNotExist))
		lock.Close()
	}()
	place, err := filepath.Abs(n.Dir)
	if err != nil {
		return err
	}
	h := hello{Format: helloFormat, Terms: cluster.Terms{Version: n.Version, Token: n.Token}, ID: rand.Text(),
		Place: n.Host + ":" + place, Part: held, Threads: n.Threads}
	about := h
	about.Ask = true
	w, err := n.hail(ctx, &about)
	if err != nil {
		return n.ended(dir, err)
	}
	u, err := n.Universe(ctx, About{w.Game, w.Part.Nodes, w.Part.Positions, w.Part.Partitions})
	if err != nil {
		return err
	}
	h.Terms.Game = w.Game
	if h.Terms.Rules, err = fingerprint(u); err != nil {
		return err
	}
	defer func() { // so that nobody waits for it
		h.Bye = true
		if question, err := json.Marshal(h); err == nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), helloBeat)
			defer cancel()
			n.Network.Ask(ctx, question)
		}
	}()
	for first := true; ; first = false {
		w, err := n.hail(ctx, &h)
		if errors.Is(err, errDone) && held.Solve == w.Part.Solve {
			err = cmp.Or(dir.clear(), err)
		}
		if err != nil {
			return n.ended(dir, err)
		}
		if w.Session == 0 {
			if first {
				n.Report("waiting for other nodes of " + h.Terms.Game)
			}
			select {
			case <-time.After(helloWait):
			case <-ctx.Done():
				return ctx.Err()
			}
			continue
		}
		h.Part = w.Part
		if held != w.Part {
			if err := errors.Join(dir.clear(), writeText(n.FS, n.Dir, partName, w.Part)); err != nil {
				return err
			}
			held = w.Part
		}
		n.Report(fmt.Sprintf("node %d of %d of %s", w.Part.Number+1, w.Part.Nodes, h.Terms.Game))
		h.Session = w.Session
		err = n.take(ctx, u, &h, w, dir)
		h.Session = 0
		switch {
		case errors.Is(err, errLost):
			n.Report(err.Error())
		case errors.Is(err, errStopped) && ctx.Err() == nil:
			n.Report("the solve is interrupted")
		case errors.Is(err, errDone):
			return n.ended(dir, cmp.Or(dir.clear(), err))
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		}
	}
}

// ended returns nil if all is done.
func (n Node) ended(dir partDir, err error) error {
	if !errors.Is(err, errDone) {
		return err
	}
	text := errDone.Error()
	if part, ok := dir.written(); ok {
		text += "; its part of the database is " + part
	}
	n.Report(text)
	return nil
}

// hail asks the coordinator, and waits for one if there is none.
func (n Node) hail(ctx context.Context, h *hello) (w welcome, err error) {
	question, err := json.Marshal(h)
	if err != nil {
		return w, err
	}
	begin, pause := time.Now(), helloWait/2
	for first := true; ; first = false {
		w = welcome{}
		answer, err := n.Network.Ask(ctx, question)
		switch {
		case err == nil:
			if err := json.Unmarshal(answer, &w); err != nil {
				return w, fmt.Errorf("answer of the coordinator: %w", err)
			}
			switch {
			case w.Refused != "":
				return w, cluster.Refusal(w.Refused)
			case w.Format != helloFormat:
				return w, fmt.Errorf("%w: its messages have format %d, and those of the coordinator %d: use the same program", cluster.ErrRefused, helloFormat, w.Format)
			case w.Done:
				return w, errDone
			}
			return w, nil
		case ctx.Err() != nil:
			return w, ctx.Err()
		case !errors.Is(err, cluster.ErrAbsent):
			return w, err
		case n.Wait > 0 && time.Since(begin) >= n.Wait:
			return w, fmt.Errorf("%w for %v: the solve may be done", err, n.Wait)
		case first:
			n.Report(err.Error() + "; waiting for it")
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, 2*helloBeat)
		case <-ctx.Done():
			return w, ctx.Err()
		}
	}
}

// take takes part in a session, and returns errLost if that ends before the solve does.
func (n Node) take(ctx context.Context, u *games.Universe, h *hello, w welcome, dir partDir) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := newMember(w.Part.Nodes, w.Part.Number, n.Threads, len(u.Tiers))
	cfg := Config{
		Positions: w.Part.Positions, Partitions: w.Part.Partitions, Threads: n.Threads, BatchSize: w.BatchSize,
		FS: n.FS, Checkpoint: n.Dir, member: t,
	}
	if cfg, err = cfg.withDefaults(); err != nil {
		return err
	}
	e, err := newEngine(u, cfg)
	if err != nil {
		return err
	}
	t.save, t.keep = e.savePart, dir.keep
	if t.mesh, err = cluster.NewMesh(n.Network, w.Session, t.self, t.nodes+1, t.handle, t.eased); err != nil {
		return err
	}
	defer func() {
		t.kill()
		err = errors.Join(err, t.mesh.Close())
		if err != nil && e.failure() == errLost && !errors.Is(err, errDone) && !errors.Is(err, errStopped) {
			err = errLost
		}
	}()
	go n.beat(ctx, *h, t)
	if w.Epoch > 0 {
		if err = e.loadPart(ctx, w.Epoch); err == nil {
			err = dir.keep(w.Epoch)
		}
	} else {
		err = dir.keep(0)
	}
	if err == nil {
		if err = t.ready(); err == nil {
			running, ran := context.WithCancel(ctx)
			go t.progress(running)
			if err = e.run(ctx); err == nil {
				err = e.failure()
			}
			ran()
		}
		if err == nil {
			err = t.serve(ctx)
		}
	}
	if err != nil && !errors.Is(err, errLost) && !errors.Is(err, errStopped) && !errors.Is(err, errDone) {
		t.fail(err)
		// Give the error time to arrive; the coordinator then ends the session.
		select {
		case <-ctx.Done():
		case <-time.After(2 * helloBeat):
		}
	}
	return err
}

// beat says hello at intervals, and ends the session when the coordinator has ended it.
func (n Node) beat(ctx context.Context, h hello, t *member) {
	question, err := json.Marshal(&h)
	if err != nil {
		panic(err)
	}
	heard := time.Now()
	for {
		select {
		case <-ctx.Done():
			t.kill()
			return
		case <-time.After(helloBeat):
		}
		answer, err := n.Network.Ask(ctx, question)
		var w welcome
		if err == nil {
			heard = time.Now()
		}
		if err == nil && json.Unmarshal(answer, &w) == nil && w.Session != h.Session || n.Wait > 0 && time.Since(heard) > n.Wait {
			t.kill()
			return
		}
	}
}

// ready tells the coordinator that this node has loaded its state, and waits until all
// nodes have.
func (t *member) ready() error {
	s := t.e.state
	s.Passes = nil
	t.tell(&note{Kind: noteReady, State: &s, Now: &t.e.now, Next: &t.e.next, Seen: s.common()})
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.dead && t.begun == nil {
		t.wake.Wait()
	}
	if t.dead {
		return errLost
	}
	t.e.now, t.e.next = *t.begun.Now, *t.begun.Next
	return nil
}

// progressEvery is the time between two notes about progress.
const progressEvery = 500 * time.Millisecond

// progress tells the coordinator at intervals how far this node has got.
func (t *member) progress(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(progressEvery):
		}
		if at := t.e.at.Load(); at != nil {
			p := t.e.progress()
			t.tell(&note{Kind: noteProgress, Tier: at.tier, Progress: &nodeProgress{p, at.done}})
		}
	}
}

// nodeProgress is the progress of a node.
type nodeProgress struct {
	Progress
	Before uint64 // positions done in earlier runs: by this node, or in the pass "levels" by all
}

// query is a question to a node that has solved all tiers.
type query struct {
	ID    int
	Index uint64       // for the value of a position that it has,
	First bool         // the first unfinished position with a value,
	Value games.Value  // this one,
	Tiers []int        // in the first of these tiers that has any,
	Write *db.Manifest // to write its part of the database,
	Read  bool         // or for the description of that part
	At    int          // from this byte on
	// Answers.
	Found bool
	Size  int
}

// serve answers queries until the database is written.
func (t *member) serve(ctx context.Context) error {
	s := t.e.state
	s.Elapsed, s.Memory = t.e.elapsed(), t.e.peakMemory()
	t.tell(&note{Kind: noteDone, State: &s, Seen: s.common()})
	ctx, cancel := context.WithCancel(ctx)
	var writing sync.WaitGroup
	stop := func() {
		cancel()
		writing.Wait()
	}
	defer stop()
	var text []byte // describes the part that was written
	failed := make(chan error, 1)
	for {
		var n *note
		select {
		case n = <-t.orders:
		case err := <-failed:
			return err
		case <-t.gone:
			return errLost
		}
		switch n.Kind {
		case noteFinish:
			return errDone
		case noteSave:
			stop()
			if err := t.save(n.Epoch); err != nil {
				return err
			}
			if err := t.committed(n.Epoch); err != nil {
				return err
			}
		case noteQuery:
			switch q := n.Query; {
			case q.Write != nil:
				writing.Go(func() {
					part, err := t.writePart(ctx, q.Write)
					switch {
					case err == nil:
						text = part // it is asked for after the answer
						t.tell(&note{Kind: noteReply, Query: &query{ID: q.ID, Size: len(part)}})
					case ctx.Err() == nil:
						failed <- err
					}
				})
			case q.Read:
				t.tell(&note{Kind: noteReply, Query: &query{ID: q.ID}, data: text[q.At:min(q.At+chunkBytes, len(text))]})
			default:
				t.tell(t.e.answer(q))
			}
		}
	}
}

// answer answers a query.
func (e *engine) answer(q *query) *note {
	n := &note{Kind: noteReply, Query: &query{ID: q.ID}}
	switch {
	case q.First:
		for _, tier := range q.Tiers {
			if index, ok := e.firstOf(tier, q.Value); ok {
				n.Query.Index, n.Query.Found = index, true
				break
			}
		}
	default:
		r := e.layout.find(q.Index, &e.layout.regions[0])
		number, slot := r.locate(q.Index)
		if code := e.partitions[number].code(slot); r.open && code != codeNone {
			n.Query.Value, n.Query.Found = e.valueOf(code), true
		}
	}
	return n
}

// firstOf returns the smallest index of an unfinished position of a tier that has a value
// and is in a partition of this process.
func (e *engine) firstOf(tier int, v games.Value) (index uint64, ok bool) {
	index = ^uint64(0)
	for _, p := range e.held {
		if p.tier != tier || !p.open {
			continue
		}
		for slot := range uint32(p.slots()) {
			at := p.index(p.number, slot)
			if at >= index || at >= p.start+p.size {
				continue
			}
			if code := p.code(slot); code != codeNone && e.valueOf(code) == v {
				index = at
			}
		}
	}
	return index, index != ^uint64(0)
}
