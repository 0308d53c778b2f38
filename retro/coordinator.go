package retro

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Nodes configures a solve by several processes.
type Nodes struct {
	Network cluster.Network
	// Count is how many nodes solve the game.
	Count int
	// Game is the game that the nodes open.
	Game string
	// Version and Token must match those of the nodes.
	Version, Token string
	// Patience is how long a node may be silent before it is considered lost; 0 means 20
	// seconds.
	Patience time.Duration
	// Report, if not nil, is called with messages about nodes that come and go.
	Report func(text string)
}

// nodesName is the file of the coordinator in the directory of a solve by nodes.
const nodesName = "nodes"

// nodesFile is the committed state of a solve by nodes.
type nodesFile struct {
	Part    part // without the number
	Epoch   int  // 0 if there is none
	Elapsed time.Duration
	Resumed int
	Holders []string // where the parts are
}

// coordinator is the state of a solve by nodes.
type coordinator struct {
	Nodes
	u      *games.Universe
	cfg    Config
	file   nodesFile
	rules  string
	begin  time.Time
	before time.Duration // of earlier runs

	mu      sync.Mutex
	guests  map[string]*guest // by place
	session *session          // nil while nodes are missing
	done    bool
	arrived chan struct{} // something has changed
}

// guest is a node that has said hello.
type guest struct {
	hello
	seen time.Time
}

// fingerprint returns a hash of the numbering of a game and of its rules, as far as a
// sample of its positions shows them.
func fingerprint(u *games.Universe) (string, error) {
	l, err := newLayout(u, 0)
	if err != nil {
		return "", err
	}
	parts := [][]byte{[]byte(u.Name), fmt.Append(nil, u.Order, u.Tiers, u.Start, u.Numbering, db.BlockSize, l.fingerprint())}
	const perTier = 64
	var x games.Expansion
	for _, t := range u.Tiers {
		var list []uint64
		for i := range min(perTier, t.Size) {
			list = append(list, t.Start+t.Size/min(perTier, t.Size)*i)
		}
		u.Expander.Expand(list, &x)
		for i := range list {
			parts = append(parts, fmt.Append(nil, x.Status[i], x.Of(i), x.GainsOf(i)))
		}
	}
	return cluster.NewID(parts...).String()[:16], nil
}

// readNodes reads the file of a solve by nodes.
func readNodes(cfg *Config, dir string) (f nodesFile, err error) {
	text, err := readText(cfg.FS, cfg.FS.PathJoin(dir, nodesName))
	if err == nil {
		if err = json.Unmarshal(text, &f); err != nil {
			err = fmt.Errorf("%s: %w", cfg.FS.PathJoin(dir, nodesName), err)
		}
	}
	return f, err
}

// newCoordinator continues a solve by nodes in a directory, or begins one.
func newCoordinator(u *games.Universe, cfg Config, n Nodes) (*coordinator, error) {
	n.Patience = cmp.Or(n.Patience, 20*time.Second)
	if n.Report == nil {
		n.Report = func(string) {}
	}
	c := &coordinator{Nodes: n, u: u, cfg: cfg, begin: time.Now(), guests: map[string]*guest{}, arrived: make(chan struct{}, 1)}
	var err error
	if c.rules, err = fingerprint(u); err != nil {
		return nil, err
	}
	want := part{Nodes: n.Count, Game: u.Name, Positions: cfg.Positions, Partitions: cfg.Partitions}
	c.file, err = readNodes(&cfg, cfg.Checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := cfg.FS.Stat(cfg.FS.PathJoin(cfg.Checkpoint, checkpointName)); err == nil {
			return nil, fmt.Errorf("%s has a checkpoint of a solve by one process: continue without nodes, or %w", cfg.Checkpoint, ErrOther)
		}
		c.file = nodesFile{Part: want}
		c.file.Part.Solve = rand.Text()
		return c, c.write()
	}
	if err != nil {
		return nil, err
	}
	got := c.file.Part
	if got.Game != want.Game || got.Positions != want.Positions {
		return nil, fmt.Errorf("%s is being solved: %s with %s positions, not %s with %s positions: %w",
			cfg.Checkpoint, got.Game, got.Positions, want.Game, want.Positions, ErrOther)
	}
	if got.Nodes != want.Nodes {
		return nil, fmt.Errorf("%s is being solved by %d nodes, not by %d: continue with as many, or %w", cfg.Checkpoint, got.Nodes, want.Nodes, ErrOther)
	}
	c.cfg.Partitions = got.Partitions // as its nodes have them
	c.before = c.file.Elapsed
	if c.file.Epoch > 0 {
		c.file.Resumed++
	}
	return c, nil
}

func (c *coordinator) write() error {
	return writeText(c.cfg.FS, c.cfg.Checkpoint, nodesName, c.file)
}

func (c *coordinator) changed() {
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// answer answers the hello of a node.
func (c *coordinator) answer(question []byte) []byte {
	var h hello
	w := welcome{Format: helloFormat}
	err := json.Unmarshal(question, &h)
	terms := cluster.Terms{Version: c.Version, Game: c.Game, Rules: c.rules, Token: c.Token}
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
	case h.Bye:
		c.bye(&h)
	case c.done:
		w.Done, w.Part = true, c.file.Part
	case h.Ask:
		w.Game, w.Part = c.Game, c.file.Part
	default:
		err = c.place(&h, &w)
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

// bye forgets a node.
func (c *coordinator) bye(h *hello) {
	if g := c.guests[h.Place]; g == nil || g.ID != h.ID {
		return
	}
	delete(c.guests, h.Place)
	c.changed()
	if s := c.session; s != nil {
		for number, g := range s.nodes {
			if g.ID == h.ID {
				s.lose(number, "has left")
			}
		}
	}
}

// place gives a node its place in the session, or lets it wait.
func (c *coordinator) place(h *hello, w *welcome) error {
	p, ours := h.Part, c.file.Part
	switch {
	case p.Solve != "" && p.Solve != ours.Solve:
		return fmt.Errorf("%w: its directory has a part of another solve, of %s: choose another directory, or delete that", cluster.ErrRefused, p.Game)
	case p.Solve != "" && (p.Number < 0 || p.Number >= ours.Nodes):
		return fmt.Errorf("%w: its directory has part %d of %d: delete it", cluster.ErrRefused, p.Number+1, ours.Nodes)
	case p.Solve == "" && c.file.Epoch > 0:
		return fmt.Errorf("%w: the solve goes on from what its nodes have kept in %s: start a node in one of these directories, or in a copy of it; if one is lost, delete %s to begin again",
			cluster.ErrRefused, strings.Join(c.file.Holders, ", "), c.cfg.Checkpoint)
	}
	g := c.guests[h.Place]
	if g == nil || g.ID != h.ID {
		g = &guest{hello: *h}
		c.guests[h.Place] = g
		c.changed()
	}
	g.Part, g.seen = h.Part, time.Now()
	s := c.session
	if s == nil {
		return nil
	}
	number := slices.IndexFunc(s.nodes, func(m *guest) bool { return m.Place == h.Place })
	if number < 0 {
		return nil
	}
	if s.nodes[number].ID != h.ID {
		s.lose(number, "was started again")
		return nil
	}
	w.Session, w.Epoch, w.BatchSize, w.Part = s.id, c.file.Epoch, c.cfg.BatchSize, ours
	w.Part.Number = number
	return nil
}

// assemble waits until there is a node for each part, and begins a session with them.
func (c *coordinator) assemble(ctx context.Context) (*session, error) {
	reported := ""
	for {
		c.mu.Lock()
		nodes, missing := c.seated()
		if missing == 0 {
			id := make([]byte, 8)
			rand.Read(id)
			s, err := newSession(c, binary.LittleEndian.Uint64(id), nodes)
			c.session = s
			c.mu.Unlock()
			return s, err
		}
		c.mu.Unlock()
		if text := fmt.Sprintf("waiting for %d of %d nodes", missing, c.Count); text != reported {
			c.Report(text)
			reported = text
		}
		select {
		case <-c.arrived:
		case <-time.After(helloBeat):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// seated returns the nodes that are present, by number, and how many are missing.
func (c *coordinator) seated() (nodes []*guest, missing int) {
	nodes = make([]*guest, c.Count)
	var free []*guest
	for place, g := range c.guests {
		switch {
		case time.Since(g.seen) > 3*helloBeat:
			delete(c.guests, place)
		case g.Part.Solve == "":
			free = append(free, g)
		case nodes[g.Part.Number] == nil:
			nodes[g.Part.Number] = g
		}
	}
	slices.SortFunc(free, func(a, b *guest) int { return cmp.Compare(a.Place, b.Place) })
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

// NodesReport says how a solve by nodes went.
type NodesReport struct {
	Passes  []Pass // with the counts of all nodes, and the memory of the largest
	Resumed int    // number of continuations from a checkpoint

	CPU time.Duration // of the coordinator, all for messages
}

// SolveNodes solves a universe like [Solve], with nodes that join it ([Node]). Each node
// writes its part of the database. If a node is lost, SolveNodes waits for another in its
// place, and continues from the last epoch.
func SolveNodes(ctx context.Context, u *games.Universe, dir string, cfg Config, n Nodes) (*NodesReport, *db.Manifest, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	if n.Count < 1 || n.Count > 1000 {
		return nil, nil, fmt.Errorf("%d nodes: want 1 to 1000", n.Count)
	}
	var r *NodesReport
	m, err := inDirectory(u, dir, cfg, func(cfg Config) (m *db.Manifest, err error) {
		c, err := newCoordinator(u, cfg, n)
		if err != nil {
			return nil, err
		}
		if err := n.Network.Answer(c.answer); err != nil {
			return nil, err
		}
		r, m, err = c.solve(ctx)
		return m, err
	})
	return r, m, err
}

// solve runs sessions until one ends for another reason than the loss of a node.
func (c *coordinator) solve(ctx context.Context) (*NodesReport, *db.Manifest, error) {
	for {
		s, err := c.assemble(ctx)
		switch {
		case ctx.Err() != nil && s == nil:
			return nil, nil, c.interrupted()
		case err != nil:
			return nil, nil, err
		}
		for i, g := range s.nodes {
			c.Report(fmt.Sprintf("node %d is %s, with %s", i+1, g.Place, threadsText(g.Threads)))
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
	return fmt.Errorf("%w after %v", ErrInterrupted, c.elapsed().Round(time.Second))
}

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

func (c *coordinator) elapsed() time.Duration { return c.before + time.Since(c.begin) }

// linger waits briefly until all nodes have learnt that the solve is done.
func (c *coordinator) linger(nodes []*guest) {
	late := time.After(4 * helloBeat)
	for {
		c.mu.Lock()
		waiting := slices.ContainsFunc(nodes, func(g *guest) bool { return c.guests[g.Place] != nil })
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
