package nodes

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
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// Node configures a process that solves a part of a game.
type Node struct {
	Network cluster.Network
	// Dir is the directory of the node's part.
	Dir string
	// Host identifies the machine, since two machines may have the same directories.
	Host string
	// Version must match the coordinator's.
	Version string
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
	Game       string // as [Config] has it
	Nodes      int
	Positions  engine.Positions
	Partitions int
}

// helloFormat is the version of the messages between nodes and coordinators.
const helloFormat = 2

// hello asks the coordinator for a seat in the solve, or for what to do now.
type hello struct {
	Format int
	Terms  cluster.Terms
	Ask    bool   // asks only what the solve is about
	ID     string // of the process
	// Location is the host and the directory; a new process there replaces an earlier one.
	Location string
	Seat     engine.Seat
	Session  uint64 // that it is in, or 0
	Goodbye  bool   // it leaves
	Lost     string // why it has left Session, if it could not go on
	Member   cluster.Member
	Threads  int
}

// welcome is the reply to a hello.
type welcome struct {
	Format     int
	Refused    string           `json:",omitempty"`
	Done       bool             `json:",omitempty"` // the solve is done
	Game       string           `json:",omitempty"`
	Session    uint64           `json:",omitempty"` // to join, or to stay in; 0 to wait
	Members    []cluster.Member `json:",omitempty"` // the nodes of the session, and last the coordinator
	Seat       engine.Seat      // with the epoch to go on from; 0 to begin
	Positions  engine.Positions
	Partitions int `json:",omitempty"`
	BatchSize  int `json:",omitempty"`
}

const (
	// helloWait is the time between hellos while a node waits, and heartbeat the time
	// between them while it works.
	helloWait = 100 * time.Millisecond
	heartbeat = 500 * time.Millisecond
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
	dir := nodeDir{n.FS, n.Dir}
	_, statErr := n.FS.Stat(n.Dir)
	held, lock, err := dir.open()
	if err != nil {
		return err
	}
	defer dir.leave(lock, errors.Is(statErr, os.ErrNotExist))
	path, err := filepath.Abs(n.Dir)
	if err != nil {
		return err
	}
	h := hello{Format: helloFormat, Terms: cluster.Terms{Version: n.Version}, ID: rand.Text(),
		Location: n.Host + ":" + path, Seat: held, Threads: n.Threads}
	about := h
	about.Ask = true
	w, err := n.greet(ctx, &about)
	if err != nil {
		return n.ended(err)
	}
	u, err := n.Universe(ctx, About{w.Game, w.Seat.Nodes, w.Positions, w.Partitions})
	if err != nil {
		return err
	}
	endpoint, err := cluster.NewEndpoint(n.Network, true)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	h.Terms.Game, h.Member = w.Game, endpoint.Member()
	if h.Terms.Rules, err = engine.Fingerprint(u); err != nil {
		return err
	}
	defer func() { // so that nobody waits for it
		h.Goodbye = true
		if question, err := json.Marshal(h); err == nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeat)
			defer cancel()
			n.Network.Ask(ctx, question)
		}
	}()
	for first := true; ; first = false {
		w, err := n.greet(ctx, &h)
		h.Session, h.Lost = 0, ""
		if errors.Is(err, errDone) && held.Solve == w.Seat.Solve {
			err = cmp.Or(dir.clear(), err)
		}
		if err != nil {
			return n.ended(err)
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
		if held.Solve == "" { // what is there is of no use
			if err := dir.clear(); err != nil {
				return err
			}
		}
		held = engine.Seat{Solve: w.Seat.Solve, Node: w.Seat.Node, Nodes: w.Seat.Nodes}
		h.Seat = held
		n.Report(fmt.Sprintf("node %d of %d of %s", w.Seat.Node+1, w.Seat.Nodes, h.Terms.Game))
		h.Session = w.Session
		h.Lost, err = n.take(ctx, u, &h, w, dir, endpoint)
		switch {
		case errors.Is(err, errLost):
			n.Report(err.Error())
		case errors.Is(err, engine.ErrStopped) && ctx.Err() == nil:
			n.Report("the solve is interrupted")
		case errors.Is(err, errDone):
			return n.ended(cmp.Or(dir.clear(), err))
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		}
	}
}

// ended returns nil if all is done.
func (n Node) ended(err error) error {
	if !errors.Is(err, errDone) {
		return err
	}
	n.Report(errDone.Error())
	return nil
}

// greet says hello to the coordinator, and waits for one if there is none.
func (n Node) greet(ctx context.Context, h *hello) (w welcome, err error) {
	question, err := json.Marshal(h)
	if err != nil {
		return w, err
	}
	begin, pause := time.Now(), helloWait/2
	for first := true; ; first = false {
		w = welcome{}
		reply, err := n.Network.Ask(ctx, question)
		switch {
		case err == nil:
			if err := json.Unmarshal(reply, &w); err != nil {
				return w, fmt.Errorf("reply of the coordinator: %w", err)
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
			pause = min(2*pause, 2*heartbeat)
		case <-ctx.Done():
			return w, ctx.Err()
		}
	}
}

// take takes part in a session, and returns errLost if that ends before the solve does, with the
// reason if it is this node's.
func (n Node) take(ctx context.Context, u *games.Universe, h *hello, w welcome, dir nodeDir, endpoint *cluster.Endpoint) (lost string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seat := w.Seat
	seat.Epoch = 0
	t := newPeers(seat, n.Threads, u, dir)
	cfg := engine.Config{
		Positions: w.Positions, Partitions: w.Partitions, Threads: n.Threads, BatchSize: w.BatchSize,
		FS: n.FS, Checkpoint: n.Dir,
	}
	if cfg, err = cfg.WithDefaults(); err != nil {
		return "", err
	}
	e, err := engine.New(u, cfg, t)
	if err != nil {
		return "", err
	}
	t.e = e
	t.mesh = cluster.NewMesh(endpoint, cluster.Session{ID: w.Session, Self: seat.Node, Members: w.Members},
		cluster.MeshHandler{Handle: t.handle, Eased: e.Eased, Fault: t.fault, Lost: t.lose})
	t.mesh.Start()
	defer func() {
		t.kill()
		t.mesh.Close()
		lost = t.lost
		if err != nil && e.Err() == errLost && !errors.Is(err, errDone) && !errors.Is(err, engine.ErrStopped) {
			err = errLost
		}
	}()
	go n.heartbeat(ctx, *h, t)
	if epoch := w.Seat.Epoch; epoch > 0 {
		var found bool
		if found, err = e.Load(ctx, epochName(epoch)); err == nil && !found {
			err = fmt.Errorf("%s has no %s, which the solve goes on from", n.Dir, epochName(epoch))
		}
	}
	if err == nil {
		err = dir.keep(w.Seat.Epoch)
	}
	if err == nil {
		if err = t.ready(); err == nil {
			running, ran := context.WithCancel(ctx)
			go t.progress(running)
			err = e.Run(ctx)
			ran()
		}
		if err == nil {
			err = t.serve()
		}
	}
	if err != nil && !errors.Is(err, errLost) && !errors.Is(err, engine.ErrStopped) && !errors.Is(err, errDone) {
		t.Fail(err)
		// Give the error time to arrive; the coordinator then ends the session.
		select {
		case <-ctx.Done():
		case <-time.After(2 * heartbeat):
		}
	}
	return "", err
}

// heartbeat says hello at intervals, and ends the session when the coordinator has ended it.
func (n Node) heartbeat(ctx context.Context, h hello, t *peers) {
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
		case <-time.After(heartbeat):
		}
		reply, err := n.Network.Ask(ctx, question)
		var w welcome
		if err == nil {
			heard = time.Now()
		}
		if err == nil && json.Unmarshal(reply, &w) == nil && w.Session != h.Session || n.Wait > 0 && time.Since(heard) > n.Wait {
			t.kill()
			return
		}
	}
}

// ready tells the coordinator that this node has loaded its snapshot, and waits until all
// nodes have.
func (t *peers) ready() error {
	s := *t.e.State()
	t.tell(&note{Kind: noteReady, State: &s, Seen: common(&s)})
	select {
	case <-t.begun:
		return nil
	case <-t.gone:
		return errLost
	}
}

// progressEvery is the time between two notes about progress.
const progressEvery = 500 * time.Millisecond

// progress tells the coordinator at intervals how far this node has got.
func (t *peers) progress(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(progressEvery):
		}
		if p := t.e.Progress(); p.Pass != "" {
			t.tell(&note{Kind: noteProgress, Progress: &nodeProgress{p, t.e.DoneBefore()}})
		}
	}
}

// serve answers queries until the database is written.
func (t *peers) serve() error {
	s := *t.e.State()
	s.Elapsed, s.Memory = t.e.Elapsed(), t.e.PeakMemory()
	t.tell(&note{Kind: noteDone, State: &s, Seen: common(&s)})
	var encoding errgroup.Group
	encoding.SetLimit(t.threads)
	defer encoding.Wait()
	for {
		var n *note
		select {
		case n = <-t.orders:
		case <-t.gone:
			return errLost
		}
		switch n.Kind {
		case noteFinish:
			return errDone
		case noteSave:
			encoding.Wait()
			if err := t.save(n.Epoch); err != nil {
				return err
			}
		case noteQuery:
			encoding.Go(func() error {
				r, err := t.reply(n.Query)
				if err != nil {
					t.Fail(err)
				} else {
					t.tell(r)
				}
				return nil
			})
		}
	}
}

// reply replies to a query.
func (t *peers) reply(q *query) (n *note, err error) {
	n = &note{Kind: noteReply, Query: &query{ID: q.ID}}
	switch tiers := len(t.u.Tiers); {
	case q.Run != nil:
		if q.Run.Tier < 0 || q.Run.Tier >= tiers || q.Run.First >= t.u.Tiers[q.Run.Tier].Open || len(q.Values) == 0 {
			return nil, fmt.Errorf("the coordinator wants blocks of tier %d from %d on, which does not exist", q.Run.Tier, q.Run.First)
		}
		n.data, err = t.e.Solution().Encode([]byte{}, *q.Run, q.Values)
	case q.First:
		if q.Tier < 0 || q.Tier >= tiers {
			return nil, fmt.Errorf("the coordinator wants a position of tier %d, which does not exist", q.Tier)
		}
		n.Query.Index, n.Query.Found = t.e.Solution().FirstOf(q.Tier, q.Value)
	case q.Index >= t.u.Size():
		return nil, fmt.Errorf("the coordinator wants the value of index %d, which does not exist", q.Index)
	default:
		n.Query.Value, n.Query.Found = t.e.Solution().Value(q.Index)
	}
	return n, err
}
