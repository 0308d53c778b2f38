package nodes

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// Config configures a solve by several processes.
type Config struct {
	Network cluster.Network
	// Count is how many nodes solve the game.
	Count int
	// Game is the game that the nodes open.
	Game string
	// Version must match that of the nodes.
	Version string
	// Patience is how long a node may be silent before it is considered lost; 0 means 20
	// seconds.
	Patience time.Duration
	// Stall is how long a phase may make no progress at all before the solve ends with an
	// error; 0 means 5 minutes.
	Stall time.Duration
	// Report, if not nil, is called with messages about nodes that come and go.
	Report func(text string)
}

// ErrContradiction is wrapped by the error of a solve whose nodes have reached different
// results.
var ErrContradiction = errors.New("internal error")

// coordinator is the state of a solve by nodes.
type coordinator struct {
	Config
	u        *games.Universe
	cfg      engine.Config
	file     engine.Header // what is committed
	rules    string
	endpoint *cluster.Endpoint
	begin    time.Time
	before   time.Duration // of earlier runs

	mu      sync.Mutex
	peers   map[string]*peer // by location
	session *session         // nil while nodes are missing
	done    bool
	arrived chan struct{} // something has changed
}

// peer is a node that has said hello.
type peer struct {
	hello
	seen time.Time // its last heartbeat
}

// newCoordinator continues a solve by nodes in a directory, or begins one.
func newCoordinator(u *games.Universe, cfg engine.Config, n Config) (*coordinator, error) {
	n.Patience, n.Stall = cmp.Or(n.Patience, 20*time.Second), cmp.Or(n.Stall, 5*time.Minute)
	if n.Report == nil {
		n.Report = func(string) {}
	}
	c := &coordinator{Config: n, u: u, cfg: cfg, begin: time.Now(), peers: map[string]*peer{}, arrived: make(chan struct{}, 1)}
	var err error
	if c.rules, err = engine.Fingerprint(u); err != nil {
		return nil, err
	}
	h, err := engine.ReadHeader(cfg.FS, cfg.Checkpoint, engine.SnapshotName)
	switch {
	case err != nil:
		return nil, err
	case h == nil:
		c.file = engine.Header{Game: u.Name, Positions: cfg.Positions, Partitions: cfg.Partitions, Seat: engine.Seat{Solve: rand.Text(), Node: n.Count, Nodes: n.Count}}
		return c, nil
	}
	if err := h.Fits(u, cfg.Positions, cfg.Checkpoint); err != nil {
		return nil, err
	}
	switch {
	case h.Seat.Nodes == 0:
		return nil, fmt.Errorf("%s has a checkpoint of a solve by one process: continue without nodes, or %w", cfg.Checkpoint, engine.ErrOther)
	case h.Seat.Nodes != n.Count:
		return nil, fmt.Errorf("%s is being solved by %d nodes, not by %d: continue with as many, or %w", cfg.Checkpoint, h.Seat.Nodes, n.Count, engine.ErrOther)
	}
	c.file = *h
	c.cfg.Partitions = h.Partitions // as its nodes have them
	c.before = h.State.Elapsed
	if h.Seat.Epoch > 0 {
		c.file.State.Resumed++
	}
	return c, nil
}

// write writes the snapshot of the coordinator, which has no partitions.
func (c *coordinator) write() error {
	return engine.WriteSnapshot(c.cfg.FS, c.cfg.Checkpoint, engine.SnapshotName, &c.file, nil)
}

func (c *coordinator) changed() {
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// reply replies to the hello of a node.
func (c *coordinator) reply(question []byte) []byte {
	var h hello
	w := welcome{Format: helloFormat}
	err := json.Unmarshal(question, &h)
	terms := cluster.Terms{Version: c.Version, Game: c.Game, Rules: c.rules}
	if h.Ask { // it does not know the game yet
		terms.Game, terms.Rules = h.Terms.Game, h.Terms.Rules
	}
	switch {
	case err != nil || h.Format != helloFormat:
		err = fmt.Errorf("%w: its messages have format %d, and those of the coordinator %d: use the same program", cluster.ErrRefused, h.Format, helloFormat)
	default:
		err = terms.Admit(h.Terms)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
	case h.Goodbye:
		c.goodbye(&h)
	case c.done:
		w.Done, w.Seat = true, c.file.Seat
	case h.Ask:
		w.Game, w.Seat, w.Positions, w.Partitions = c.Game, c.file.Seat, c.file.Positions, c.file.Partitions
	default:
		err = c.admit(&h, &w)
	}
	if err != nil {
		w.Refused = err.Error()
	}
	text, err := json.Marshal(w)
	if err != nil {
		panic(err)
	}
	return text
}

// goodbye forgets a node.
func (c *coordinator) goodbye(h *hello) {
	if g := c.peers[h.Location]; g == nil || g.ID != h.ID {
		return
	}
	delete(c.peers, h.Location)
	c.changed()
	if s := c.session; s != nil {
		for number, g := range s.nodes {
			if g.ID == h.ID {
				s.lose(number, "has left")
			}
		}
	}
}

// admit gives a node its seat in the session, or lets it wait.
func (c *coordinator) admit(h *hello, w *welcome) error {
	p, ours := h.Seat, c.file.Seat
	switch {
	case p.Solve != "" && p.Solve != ours.Solve:
		return fmt.Errorf("%w: its directory has a checkpoint of another solve: choose another directory, or delete that", cluster.ErrRefused)
	case p.Solve != "" && (p.Node < 0 || p.Node >= ours.Nodes || p.Nodes != ours.Nodes):
		return fmt.Errorf("%w: its directory has a checkpoint of node %d of %d: delete it", cluster.ErrRefused, p.Node+1, p.Nodes)
	case p.Solve == "" && ours.Epoch > 0:
		return fmt.Errorf("%w: the solve goes on from what its nodes have kept in %s: start a node in one of these directories, or in a copy of it; if one is lost, delete %s to begin again",
			cluster.ErrRefused, strings.Join(ours.Holders, ", "), c.cfg.Checkpoint)
	}
	g := c.peers[h.Location]
	if g == nil || g.ID != h.ID {
		g = &peer{hello: *h}
		c.peers[h.Location] = g
		c.changed()
	}
	g.Seat, g.seen = h.Seat, time.Now()
	s := c.session
	if s == nil || s.ended() {
		return nil
	}
	number := slices.IndexFunc(s.nodes, func(m *peer) bool { return m.Location == h.Location })
	if number < 0 {
		return nil
	}
	if s.nodes[number].ID != h.ID {
		s.lose(number, "was started again")
		return nil
	}
	if h.Lost != "" && h.Session == s.id {
		s.lose(number, h.Lost)
		return nil
	}
	w.Session, w.Members, w.BatchSize, w.Seat, w.Positions, w.Partitions = s.id, s.members, c.cfg.BatchSize, ours, c.file.Positions, c.file.Partitions
	w.Seat.Node, w.Seat.Holders = number, nil
	return nil
}

// assemble waits until there is a node for each part, and begins a session with them.
func (c *coordinator) assemble(ctx context.Context) (*session, error) {
	reported := ""
	for {
		c.mu.Lock()
		nodes, missing := c.seated()
		if missing == 0 {
			var id [8]byte
			rand.Read(id[:])
			s := newSession(c, binary.LittleEndian.Uint64(id[:]), nodes)
			c.session = s
			c.mu.Unlock()
			return s, nil
		}
		c.mu.Unlock()
		if text := fmt.Sprintf("waiting for %d of %d nodes", missing, c.Count); text != reported {
			c.Report(text)
			reported = text
		}
		select {
		case <-c.arrived:
		case <-time.After(heartbeat):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// seated returns the nodes that are present, by number, and how many are missing.
func (c *coordinator) seated() (nodes []*peer, missing int) {
	nodes = make([]*peer, c.Count)
	var free []*peer
	for location, g := range c.peers {
		switch {
		case time.Since(g.seen) > 3*heartbeat:
			delete(c.peers, location)
		case g.Seat.Solve == "":
			free = append(free, g)
		case nodes[g.Seat.Node] == nil:
			nodes[g.Seat.Node] = g
		}
	}
	slices.SortFunc(free, func(a, b *peer) int { return cmp.Compare(a.Location, b.Location) })
	for n := range nodes {
		if nodes[n] == nil && len(free) > 0 {
			nodes[n], free = free[0], free[1:]
		}
		if nodes[n] == nil {
			missing++
		}
	}
	return nodes, missing
}

// Report says how a solve by nodes went.
type Report struct {
	Passes  []engine.Pass // with the counts of all nodes, and the memory of the largest
	Resumed int           // number of continuations from a checkpoint

	CPU time.Duration // of the coordinator, all for messages
}

// Solve solves a universe with nodes that join the solve, and writes its database into the
// directory cfg.Checkpoint, which must be locked. All defaults of cfg must be set.
func Solve(ctx context.Context, u *games.Universe, cfg engine.Config, n Config) (*Report, *db.Manifest, error) {
	if n.Count < 1 || n.Count > 1000 {
		return nil, nil, fmt.Errorf("%d nodes: want 1 to 1000", n.Count)
	}
	c, err := newCoordinator(u, cfg, n)
	if err != nil {
		return nil, nil, err
	}
	if c.endpoint, err = cluster.NewEndpoint(n.Network, false); err != nil {
		return nil, nil, err
	}
	if err := n.Network.Serve(c.reply); err != nil {
		return nil, nil, err
	}
	if c.file.Seat.Epoch == 0 {
		if err := c.write(); err != nil {
			return nil, nil, err
		}
	}
	return c.solve(ctx)
}

// solve runs sessions until one ends for another reason than the loss of a node.
func (c *coordinator) solve(ctx context.Context) (*Report, *db.Manifest, error) {
	for {
		s, err := c.assemble(ctx)
		switch {
		case ctx.Err() != nil && s == nil:
			return nil, nil, c.interrupted()
		case err != nil:
			return nil, nil, err
		}
		for i, g := range s.nodes {
			c.Report(fmt.Sprintf("node %d is %s, with %s", i+1, g.Location, threadsText(g.Threads)))
		}
		r, m, err := s.run(ctx)
		c.mu.Lock()
		c.session, c.done = nil, err == nil
		c.mu.Unlock()
		if !errors.Is(err, errLost) {
			if err == nil {
				c.linger(s.nodes)
			}
			return r, m, err
		}
		c.Report(s.why)
		if ctx.Err() != nil {
			return nil, nil, c.interrupted()
		}
	}
}

// interrupted returns the error of an interrupted solve.
func (c *coordinator) interrupted() error {
	return fmt.Errorf("%w after %v", engine.ErrInterrupted, c.elapsed().Round(time.Second))
}

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

func (c *coordinator) elapsed() time.Duration { return c.before + time.Since(c.begin) }

// linger waits briefly until all nodes have learnt that the solve is done.
func (c *coordinator) linger(nodes []*peer) {
	late := time.After(4 * heartbeat)
	for {
		c.mu.Lock()
		waiting := slices.ContainsFunc(nodes, func(g *peer) bool { return c.peers[g.Location] != nil })
		c.mu.Unlock()
		if !waiting {
			return
		}
		select {
		case <-c.arrived:
		case <-late:
			return
		}
	}
}
