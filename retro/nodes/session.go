package nodes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// session is a period in which all nodes of a solve are present. When a node is lost it
// ends, and the next session continues from the last epoch.
//
// # The end of a phase
//
// Each node counts the batches that it has sent and received in a phase, and reports both
// when its workers are idle. When all have, the coordinator asks for the numbers again. If
// the number received in the first round equals the number sent in the second round, the
// phase is over; otherwise the second round is the first of the next two (F. Mattern,
// Algorithms for distributed termination detection, Distributed Computing 2, 1987: the
// four-counter method).
type session struct {
	c       *coordinator
	id      uint64
	epoch   int // the last that is committed
	nodes   []*peer
	members []cluster.Member // the nodes, and last the coordinator
	mesh    *cluster.Mesh
	notes   chan from
	over    chan struct{} // closed when the session ends
	why     string        // how a node was lost
	once    sync.Once

	phase    uint64 // under way
	wave     int
	received uint64 // in the last wave
	reports  []*engine.Report
	latest   []*note          // of other kinds that all nodes send: ready, saved, done
	lists    [2][]games.Value // by engine.List
	tier     int
	probe    <-chan time.Time // when to ask for the next reports
	moved    time.Time        // when there was progress

	pausing  bool // for a snapshot
	saving   int  // the epoch that is being saved, or 0
	since    time.Time
	rest     time.Time // no checkpoint is due before
	leaving  bool
	states   []*engine.State // of all nodes at the end
	progress []*nodeProgress
	effort   *engine.Effort

	mu      sync.Mutex
	queries map[int]chan *note
	asked   int
}

// from is a note of a node.
type from struct {
	node int
	note *note
}

// newSession begins a session. The nodes learn of it when they ask.
func newSession(c *coordinator, id uint64, nodes []*peer) *session {
	n := len(nodes)
	s := &session{c: c, id: id, epoch: c.file.Seat.Epoch, nodes: nodes, notes: make(chan from, 64*n), over: make(chan struct{}),
		phase: 1, wave: 1, reports: make([]*engine.Report, n), latest: make([]*note, n), progress: make([]*nodeProgress, n), queries: map[int]chan *note{}}
	for _, g := range nodes {
		s.members = append(s.members, g.Member)
	}
	s.members = append(s.members, c.endpoint.Member())
	s.mesh = cluster.NewMesh(c.endpoint, cluster.Session{ID: id, Self: n, Members: s.members},
		cluster.MeshHandler{Handle: s.handle, Eased: func() {}, Fault: s.fault, Lost: s.broke})
	s.mesh.Start()
	return s
}

// lose ends the session because a node was lost. The caller holds the coordinator's mu.
func (s *session) lose(number int, how string) {
	s.once.Do(func() {
		last := "the beginning"
		if n := s.c.file.Seat.Epoch; n > 0 {
			last = fmt.Sprintf("epoch %d", n)
		}
		s.why = fmt.Sprintf("node %d, %s, %s: going on from %s", number+1, s.nodes[number].Location, how, last)
		close(s.over)
	})
}

// ended reports whether the session has ended.
func (s *session) ended() bool {
	select {
	case <-s.over:
		return true
	default:
		return false
	}
}

func (s *session) tell(node int, n *note) {
	s.mesh.Send(node, n.record)
	s.mesh.Flush()
}

func (s *session) tellAll(n *note) {
	for node := range s.nodes {
		s.mesh.Send(node, n.record)
	}
	s.mesh.Flush()
}

// run solves the game. It returns errLost if a node is lost.
func (s *session) run(ctx context.Context) (r *Report, m *db.Manifest, err error) {
	writing, cancel := context.WithCancel(ctx)
	written := make(chan error, 1)
	begun := false
	defer func() {
		cancel()
		s.once.Do(func() { close(s.over) })
		if begun {
			<-written
		}
		s.mesh.Close()
	}()
	s.since, s.moved = time.Now(), time.Now()
	tick := time.Tick(50 * time.Millisecond)
	interrupted := ctx.Done()
	shown := time.Now()
	for {
		select {
		case <-s.over:
			return nil, nil, errLost
		case n := <-s.notes:
			end, err := s.take(n.node, n.note)
			if err != nil {
				return nil, nil, err
			}
			if end && !begun {
				begun = true
				go func() {
					var err error
					r, m, err = s.finish(writing)
					written <- err
				}()
			}
		case err := <-written:
			begun = false
			switch {
			case err == nil:
				s.tellAll(&note{Kind: noteFinish})
				return r, m, nil
			case ctx.Err() == nil:
				return nil, nil, err
			}
			interrupted, s.leaving = nil, true
			s.save()
		case <-interrupted:
			interrupted, s.leaving = nil, true
			switch {
			case s.effort == nil: // the nodes have done nothing yet
				return nil, nil, s.c.interrupted()
			case s.states == nil && s.saving == 0:
				s.pause()
			}
		case <-s.probe:
			s.probe = nil
			s.tellAll(&note{Kind: noteProbe, Phase: s.phase, Wave: s.wave})
		case now := <-tick:
			if err := s.look(now); err != nil {
				return nil, nil, err
			}
			if s.c.cfg.Progress != nil && now.Sub(shown) >= s.c.cfg.ProgressEvery {
				shown = now
				s.show()
			}
		}
	}
}

// look checks for silent nodes and for progress, and pauses the phase if a snapshot is due.
func (s *session) look(now time.Time) error {
	s.c.mu.Lock()
	for number, g := range s.nodes {
		patience := s.c.Patience
		if s.leaving {
			patience = min(patience, 6*heartbeat)
		}
		if now.Sub(g.seen) > patience {
			s.lose(number, fmt.Sprintf("has been silent for %v", patience))
		}
	}
	s.c.mu.Unlock()
	if every := s.c.cfg.CheckpointEvery; every > 0 && now.Sub(s.since) >= every && now.After(s.rest) && s.saving == 0 && s.states == nil {
		s.pause()
	}
	if s.saving == 0 && s.states == nil && s.effort != nil && now.Sub(s.moved) > s.c.Stall {
		return s.stalled()
	}
	return nil
}

// stalled returns an error that says what the nodes wait for.
func (s *session) stalled() error {
	var text []string
	for node, r := range s.reports {
		if r == nil {
			text = append(text, fmt.Sprintf("node %d, %s, has not reported", node+1, s.nodes[node].Location))
		} else {
			text = append(text, fmt.Sprintf("node %d has sent %d batches and received %d", node+1, r.Sent, r.Received))
		}
	}
	return fmt.Errorf("phase %d has made no progress for %v: %s; the same command goes on from the last epoch", s.phase, s.c.Stall, strings.Join(text, ", "))
}

// pause makes the phase end early, for a checkpoint.
func (s *session) pause() {
	if !s.pausing {
		s.pausing = true
		s.tellAll(&note{Kind: notePause, Phase: s.phase})
	}
}

// save begins the next epoch.
func (s *session) save() {
	s.begin()
	s.tellAll(&note{Kind: noteSave, Epoch: s.saving})
}

func (s *session) begin() {
	s.pausing = false
	s.saving = s.epoch + 1
	s.since = time.Now()
}

// broke ends the session when the stream to a node breaks. One that leaves says so otherwise.
func (s *session) broke(node int, err error) {
	if errors.Is(err, io.EOF) {
		return
	}
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	delete(s.c.peers, s.nodes[node].Location) // until it says hello again
	s.lose(node, "is lost: "+err.Error())
}

// fault takes the error of what no node would send.
func (s *session) fault(node int, err error) {
	s.put(node, &note{Kind: noteFailed, Error: "it has sent what it should not: " + err.Error()})
}

func (s *session) put(node int, n *note) {
	select {
	case s.notes <- from{node, n}:
	case <-s.over:
	}
}

// handle takes a record of a node.
func (s *session) handle(node int, record []byte) error {
	n, _, _, err := readRecord(record)
	if err == nil && n == nil {
		err = errors.New("a batch for the coordinator")
	}
	if err != nil {
		return err
	}
	if n.Kind == noteReply {
		s.mu.Lock()
		reply := s.queries[n.Query.ID]
		delete(s.queries, n.Query.ID)
		s.mu.Unlock()
		if reply != nil {
			reply <- n
		}
		return nil
	}
	s.put(node, n)
	return nil
}

// take handles a note, and reports whether all tiers are solved.
func (s *session) take(node int, n *note) (end bool, err error) {
	switch n.Kind {
	case noteFailed:
		return false, fmt.Errorf("node %d, %s: %s", node+1, s.nodes[node].Location, n.Error)
	case noteProgress:
		if old := s.progress[node]; old == nil || old.Counts.Positions != n.Progress.Counts.Positions || old.Counts.Messages != n.Progress.Counts.Messages {
			s.moved = time.Now()
		}
		s.progress[node] = n.Progress
	case noteAsk:
		s.reach(n.Tier)
		if list := &s.lists[n.List]; !slices.Contains(*list, n.Value) {
			*list = append(*list, n.Value)
		}
		s.tell(node, &note{Kind: noteNumbers, List: n.List, Tier: n.Tier, Values: s.lists[n.List]})
	case noteReport:
		return false, s.report(node, n.Report)
	case noteReady, noteSaved, noteDone:
		if n.Kind == noteSaved && (s.saving == 0 || n.Epoch != s.saving) || n.Kind != noteSaved && s.saving > 0 || s.latest[node] != nil {
			return false, s.wrong(node, fmt.Errorf("a note of kind %q at a wrong time", n.Kind))
		}
		s.latest[node], s.moved = n, time.Now()
		if slices.Contains(s.latest, nil) {
			return false, nil
		}
		all := s.latest
		s.latest = make([]*note, len(s.nodes))
		for i, other := range all {
			if other.Kind != n.Kind || other.Seen != n.Seen || other.Epoch != n.Epoch {
				return false, fmt.Errorf("%w: nodes 1 and %d differ in what they have in common (%s %d: %x, %s %d: %x)",
					ErrContradiction, i+1, all[0].Kind, all[0].Epoch, all[0].Seen, other.Kind, other.Epoch, other.Seen)
			}
		}
		return s.together(all)
	default:
		return false, s.wrong(node, fmt.Errorf("a note of kind %q", n.Kind))
	}
	return false, nil
}

// wrong returns the error for what no node would send.
func (s *session) wrong(node int, err error) error {
	return fmt.Errorf("node %d, %s, has sent what it should not: %w", node+1, s.nodes[node].Location, err)
}

// reach notes that the nodes have reached a tier.
func (s *session) reach(tier int) {
	if tier > s.tier {
		s.tier, s.lists[engine.Deferred] = tier, nil
	}
}

// together handles the notes once all nodes have sent one of the same kind.
func (s *session) together(all []*note) (end bool, err error) {
	switch all[0].Kind {
	case noteReady:
		st := all[0].State
		s.lists, s.tier = [2][]games.Value{engine.Outcomes: st.Outcomes, engine.Deferred: st.Deferred}, st.Tier
		e, err := engine.Outline(s.c.u, s.c.cfg, st)
		if err != nil {
			return false, err
		}
		s.effort = engine.NewEffort(e, time.Now())
		s.tellAll(&note{Kind: noteGo})
	case noteSaved:
		f := s.c.file
		f.Seat.Epoch, f.State.Elapsed, f.Seat.Holders = all[0].Epoch, s.c.elapsed(), nil
		for _, g := range s.nodes {
			f.Seat.Holders = append(f.Seat.Holders, g.Location)
		}
		s.c.mu.Lock()
		s.c.file = f
		s.c.mu.Unlock()
		if err := s.c.write(); err != nil {
			return false, err
		}
		s.epoch, s.saving = f.Seat.Epoch, 0
		s.rest = time.Now().Add(engine.RestAfter * time.Since(s.since))
		s.since = time.Now()
		s.tellAll(&note{Kind: noteCommitted, Epoch: f.Seat.Epoch, Leave: s.leaving})
		if s.leaving {
			return false, s.c.interrupted()
		}
	case noteDone:
		s.pausing = false
		for _, n := range all {
			s.states = append(s.states, n.State)
		}
		if s.leaving {
			s.save()
			return false, nil
		}
		return true, nil
	}
	return false, nil
}

// report counts a report about the phase, and ends the phase if it is over.
func (s *session) report(node int, r *engine.Report) error {
	if r.Phase != s.phase || r.Wave != s.wave || s.reports[node] != nil {
		return s.wrong(node, fmt.Errorf("report %d of phase %d instead of %d of phase %d", r.Wave, r.Phase, s.wave, s.phase))
	}
	s.reach(r.Tier)
	s.reports[node] = r
	if slices.Contains(s.reports, nil) {
		return nil
	}
	all := s.reports
	s.reports = make([]*engine.Report, len(s.nodes))
	end := engine.End{Phase: s.phase, Paused: s.pausing, Outcomes: s.lists[engine.Outcomes], Deferred: s.lists[engine.Deferred]}
	var sent, received uint64
	for _, r := range all {
		sent += r.Sent
		received += r.Received
		end.Tallies = engine.AddTallies(end.Tallies, r.Tallies)
	}
	if s.wave == 1 || s.received != sent {
		if received != s.received {
			s.moved = time.Now()
		}
		s.wave++
		s.received = received
		if s.wave > 4 { // batches are in flight
			s.probe = time.After(time.Duration(min(s.wave, 20)) * 100 * time.Microsecond)
		} else {
			s.tellAll(&note{Kind: noteProbe, Phase: s.phase, Wave: s.wave})
		}
		return nil
	}
	s.phase++
	s.wave, s.moved = 1, time.Now()
	n := &note{Kind: noteEnd, End: &end}
	if end.Paused {
		s.begin()
		n.Epoch = s.saving
	}
	s.tellAll(n)
	return nil
}

// show reports the progress of all nodes together.
func (s *session) show() {
	if s.states != nil { // the database is being written, or a checkpoint
		return
	}
	var p engine.Progress
	var before uint64
	for _, n := range s.progress {
		if n == nil {
			return
		}
		if p.Pass != "" && (p.Pass != n.Pass || p.Tier != n.Tier) {
			return // they are between two passes
		}
		if p.Pass == "" {
			p = n.Progress
			p.Nodes = nil
			before = n.Before
		} else {
			p.Counts.Add(n.Counts)
			p.Done += n.Done
			if p.Pass == "levels" {
				p.Done -= before // every node counts the earlier work of all
			}
			p.Elapsed = max(p.Elapsed, n.Elapsed)
		}
		p.Nodes = append(p.Nodes, engine.NodeProgress{Done: n.Done, Counts: n.Counts, Memory: n.Memory})
	}
	p.Time, p.Memory, p.Left = s.c.elapsed(), memory.Resident(), 0
	for _, n := range p.Nodes {
		p.Memory = max(p.Memory, n.Memory)
	}
	tier := max(slices.IndexFunc(s.c.u.Tiers, func(t games.Tier) bool { return t.Name == p.Tier }), 0)
	if s.effort != nil {
		p.Left = s.effort.Left(s.effort.Done(p.Pass, tier, p.Done, p.Total))
	}
	s.c.cfg.Progress(p)
}

// query asks a node.
func (s *session) query(ctx context.Context, node int, q query) (*note, error) {
	reply := make(chan *note, 1)
	s.mu.Lock()
	s.asked++
	q.ID = s.asked
	s.queries[q.ID] = reply
	s.mu.Unlock()
	s.tell(node, &note{Kind: noteQuery, Query: &q})
	select {
	case n := <-reply:
		return n, nil
	case <-s.over:
		return nil, errLost
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
