package nodes

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/cpu"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// errLost ends an engine whose solve continues without it, from the last epoch.
var errLost = errors.New("the nodes begin again from the last epoch")

// peers are the other nodes of a solve, as the engine of a node sees them. The
// coordinator decides when a phase ends, and numbers values.
type peers struct {
	seat    engine.Seat
	threads int
	u       *games.Universe
	dir     nodeDir
	mesh    *cluster.Mesh
	e       *engine.Engine
	busy    atomic.Int64 // nanoseconds for packing and unpacking

	mu    sync.Mutex
	epoch int // that the end of the phase begins

	begun   chan struct{} // closed when all nodes are ready
	commits chan *note
	orders  chan *note    // for serve
	gone    chan struct{} // closed by kill
	once    sync.Once
	over    atomic.Bool // the coordinator has said the last it will say
	lost    string      // why this node cannot go on in the session; set before gone is closed
}

func newPeers(seat engine.Seat, threads int, u *games.Universe, dir nodeDir) *peers {
	return &peers{seat: seat, threads: threads, u: u, dir: dir, begun: make(chan struct{}), commits: make(chan *note, 1), orders: make(chan *note, 64), gone: make(chan struct{})}
}

// tell sends a note to the coordinator, whose number in the mesh follows those of the nodes.
func (t *peers) tell(n *note) {
	t.mesh.Send(t.seat.Nodes, n.record)
	t.mesh.Flush()
}

// kill ends all waiting: the solve goes on without this engine.
func (t *peers) kill() {
	t.e.Kill(errLost)
	t.once.Do(func() { close(t.gone) })
}

// lose ends the session when the stream to another member breaks, or the coordinator has left.
func (t *peers) lose(member int, err error) {
	left := errors.Is(err, io.EOF)
	if t.over.Load() || left && member != t.seat.Nodes { // others learn from the coordinator that a node has left
		return
	}
	t.mu.Lock()
	if !left {
		t.lost = cmp.Or(t.lost, fmt.Sprintf("has lost its connection to %s: %v", t.name(member), err))
	}
	t.mu.Unlock()
	t.kill()
}

// name names a member of the mesh.
func (t *peers) name(member int) string {
	if member == t.seat.Nodes {
		return "the coordinator"
	}
	return fmt.Sprint("node ", member+1)
}

// Seat implements [engine.Peers].
func (t *peers) Seat() (self, count int) { return t.seat.Node, t.seat.Nodes }

// Send implements [engine.Peers].
func (t *peers) Send(peer int, phase uint64, b *engine.Batch) {
	t.mesh.Send(peer, func(dst []byte) []byte {
		defer t.spent(time.Now())
		return appendBatch(dst, phase, b)
	})
}

// spent counts the time since begin as spent on messages.
func (t *peers) spent(begin time.Time) { t.busy.Add(int64(time.Since(begin))) }

// Flush implements [engine.Peers].
func (t *peers) Flush() { t.mesh.Flush() }

// Congested implements [engine.Peers].
func (t *peers) Congested() bool { return t.mesh.Congested() }

// Idle implements [engine.Peers].
func (t *peers) Idle(r engine.Report) { t.tell(&note{Kind: noteReport, Report: &r}) }

// Ask implements [engine.Peers].
func (t *peers) Ask(list engine.List, tier int, v games.Value) {
	t.tell(&note{Kind: noteAsk, List: list, Tier: tier, Value: v})
}

// Fail implements [engine.Peers].
func (t *peers) Fail(err error) { t.tell(&note{Kind: noteFailed, Error: err.Error()}) }

// AddCounts implements [engine.Peers].
func (t *peers) AddCounts(c *engine.Counts) {
	c.Packets, c.Sent = t.mesh.Sent()
	c.CPU, c.Messaging = cpu.Time(), cpu.Kernel()+time.Duration(t.busy.Load())
}

// Save implements [engine.Peers]: it writes a snapshot of the epoch that the coordinator has
// begun, and waits until it is committed.
func (t *peers) Save() error {
	t.mu.Lock()
	epoch := t.epoch
	t.mu.Unlock()
	return t.save(epoch)
}

func (t *peers) save(epoch int) error {
	seat := t.seat
	seat.Epoch = epoch
	if err := t.e.Save(epochName(epoch), seat); err != nil {
		return err
	}
	t.tell(&note{Kind: noteSaved, Epoch: epoch, Seen: common(t.e.State())})
	select {
	case commit := <-t.commits:
		if commit.Epoch != epoch {
			return fmt.Errorf("the coordinator has committed epoch %d instead of %d", commit.Epoch, epoch)
		}
		if err := t.dir.keep(epoch); err != nil {
			return err
		}
		if commit.Leave {
			return engine.ErrStopped
		}
		return nil
	case <-t.gone:
		return errLost
	}
}

// common returns a hash of the part of the state that all nodes have in common.
func common(s *engine.State) uint64 {
	c := *s
	c.Passes, c.Elapsed, c.Memory, c.Resumed = nil, 0, 0, 0
	text, err := json.Marshal(&c)
	if err != nil {
		panic(err)
	}
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}

// handle takes a record from another peer of the mesh. It blocks until there is room for it.
func (t *peers) handle(from int, record []byte) error {
	begin := time.Now()
	n, phase, batch, err := readRecord(record)
	switch {
	case err != nil:
		return err
	case n == nil && from == t.seat.Nodes:
		return errors.New("a batch")
	case n == nil:
		t.spent(begin)
		return t.e.Deliver(from, phase, batch)
	case from != t.seat.Nodes:
		return fmt.Errorf("a note of kind %q", n.Kind)
	}
	return t.take(n)
}

// fault ends the solve with an error that names who has sent what no peer would send.
func (t *peers) fault(from int, err error) {
	err = fmt.Errorf("%s has sent what it should not: %w", t.name(from), err)
	t.Fail(err)
	if from == t.seat.Nodes { // it may not listen
		t.e.Kill(err)
		t.once.Do(func() { close(t.gone) })
	}
}

// take takes a note of the coordinator.
func (t *peers) take(n *note) error {
	queue := t.orders
	switch n.Kind {
	case noteGo:
		select {
		case <-t.begun:
			return errors.New("all nodes were ready before")
		default:
			close(t.begun)
		}
		return nil
	case noteProbe:
		return t.e.Probe(n.Phase, n.Wave)
	case notePause:
		t.e.Pause(n.Phase)
		return nil
	case noteEnd:
		t.mu.Lock()
		t.epoch = n.Epoch
		t.mu.Unlock()
		return t.e.EndPhase(n.End)
	case noteNumbers:
		t.e.Number(n.List, n.Tier, n.Values)
		return nil
	case noteCommitted:
		queue = t.commits
		t.over.Store(n.Leave)
	case noteFinish:
		t.over.Store(true)
	case noteQuery, noteSave:
	default:
		return fmt.Errorf("a note of kind %q", n.Kind)
	}
	select {
	case queue <- n:
	case <-t.gone:
	}
	return nil
}
