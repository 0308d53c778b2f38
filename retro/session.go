package retro

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
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
	c     *coordinator
	id    uint64
	epoch int // the last that is committed
	nodes []*guest
	mesh  *cluster.Mesh
	notes chan from
	over  chan struct{} // closed when the session ends
	why   string        // how a node was lost
	once  sync.Once

	phase    uint64 // under way
	wave     int
	received uint64 // in the last wave
	reports  []*note
	latest   []*note // of other kinds that all nodes send: ready, saved, done
	outcomes []games.Value
	deferred []games.Value
	tier     int

	pausing  bool // for a checkpoint
	saving   int  // the epoch that is being saved, or 0
	since    time.Time
	rest     time.Time // no checkpoint is due before
	leaving  bool
	states   []*state // of all nodes at the end
	progress []*nodeProgress
	effort   *effort

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
func newSession(c *coordinator, id uint64, nodes []*guest) (s *session, err error) {
	n := len(nodes)
	s = &session{c: c, id: id, epoch: c.file.Epoch, nodes: nodes, notes: make(chan from, 64*n), over: make(chan struct{}),
		phase: 1, wave: 1, reports: make([]*note, n), latest: make([]*note, n), progress: make([]*nodeProgress, n), queries: map[int]chan *note{}}
	s.mesh, err = cluster.NewMesh(c.Network, id, n, n+1, s.handle, func() {})
	return s, err
}

// lose ends the session because a node was lost. The caller holds the coordinator's mu.
func (s *session) lose(number int, how string) {
	s.once.Do(func() {
		last := "the beginning"
		if n := s.c.file.Epoch; n > 0 {
			last = fmt.Sprintf("epoch %d", n)
		}
		s.why = fmt.Sprintf("node %d, %s, %s: going on from %s", number+1, s.nodes[number].Place, how, last)
		close(s.over)
	})
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
func (s *session) run(ctx context.Context) (r *NodesReport, m *db.Manifest, err error) {
	writing, cancel := context.WithCancel(ctx)
	written := make(chan error, 1)
	begun := false
	defer func() {
		cancel()
		s.once.Do(func() { close(s.over) })
		if begun {
			<-written
		}
		err = errors.Join(err, s.mesh.Close())
	}()
	s.since = time.Now()
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
		case now := <-tick:
			s.look(now)
			if s.c.cfg.Progress != nil && now.Sub(shown) >= s.c.cfg.ProgressEvery {
				shown = now
				s.show()
			}
		}
	}
}

// look checks for silent nodes, and pauses the phase if a checkpoint is due.
func (s *session) look(now time.Time) {
	s.c.mu.Lock()
	for number, g := range s.nodes {
		patience := s.c.Patience
		if s.leaving {
			patience = min(patience, 6*helloBeat)
		}
		if now.Sub(g.seen) > patience {
			s.lose(number, fmt.Sprintf("has been silent for %v", patience))
		}
	}
	s.c.mu.Unlock()
	if every := s.c.cfg.CheckpointEvery; every > 0 && now.Sub(s.since) >= every && now.After(s.rest) && s.saving == 0 && s.states == nil {
		s.pause()
	}
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

// handle takes a record of a node.
func (s *session) handle(node int, record []byte) {
	n, err := readNote(record)
	if err != nil {
		n = &note{Kind: noteFailed, Error: err.Error()}
	}
	if n.Kind == noteReply {
		s.mu.Lock()
		reply := s.queries[n.Query.ID]
		delete(s.queries, n.Query.ID)
		s.mu.Unlock()
		if reply != nil {
			reply <- n
		}
		return
	}
	select {
	case s.notes <- from{node, n}:
	case <-s.over:
	}
}

// take handles a note, and reports whether all tiers are solved.
func (s *session) take(node int, n *note) (end bool, err error) {
	switch n.Kind {
	case noteFailed:
		return false, fmt.Errorf("node %d, %s: %s", node+1, s.nodes[node].Place, n.Error)
	case noteProgress:
		s.progress[node] = n.Progress
	case noteNumber:
		if n.Tier > s.tier {
			s.tier, s.deferred = n.Tier, nil
		}
		list := &s.outcomes
		if n.List == numberDeferred {
			list = &s.deferred
		}
		if !slices.Contains(*list, n.Value) {
			if n.List == numberOutcome && len(*list) == maxOutcomes {
				return false, errTooManyOutcomes
			}
			*list = append(*list, n.Value)
		}
		s.tell(node, &note{Kind: noteNumbers, List: n.List, Tier: n.Tier, Outcomes: *list})
	case noteReport:
		return false, s.report(node, n)
	case noteReady, noteSaved, noteDone:
		s.latest[node] = n
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
	}
	return false, nil
}

// together handles the notes once all nodes have sent one of the same kind.
func (s *session) together(all []*note) (end bool, err error) {
	switch all[0].Kind {
	case noteReady:
		s.outcomes, s.deferred, s.tier = all[0].State.Outcomes, all[0].State.Deferred, all[0].State.Tier
		s.effort = newEffort(s.engine(all[0].State), time.Now())
		n := &note{Kind: noteGo, Now: &frontierSize{}, Next: &frontierSize{}}
		for _, other := range all {
			n.Now.add(other.Now)
			n.Next.add(other.Next)
		}
		s.tellAll(n)
	case noteSaved:
		f := s.c.file
		f.Epoch, f.Elapsed, f.Holders = all[0].Epoch, s.c.elapsed(), nil
		for _, g := range s.nodes {
			f.Holders = append(f.Holders, g.Place)
		}
		s.c.mu.Lock()
		s.c.file = f
		s.c.mu.Unlock()
		if err := s.c.write(); err != nil {
			return false, err
		}
		s.epoch, s.saving = f.Epoch, 0
		s.rest = time.Now().Add(restAfter * time.Since(s.since))
		s.since = time.Now()
		s.tellAll(&note{Kind: noteCommitted, Epoch: f.Epoch, Leave: s.leaving})
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

func (f *frontierSize) add(g *frontierSize) {
	f.Won += g.Won
	f.Lost += g.Lost
}

// report counts a report about the phase, and ends the phase if it is over.
func (s *session) report(node int, n *note) error {
	if n.Phase != s.phase {
		return fmt.Errorf("internal error: node %d is in phase %d, and the others in %d", node+1, n.Phase, s.phase)
	}
	if n.Wave != s.wave {
		return nil
	}
	if n.Tier > s.tier {
		s.tier, s.deferred = n.Tier, nil
	}
	s.reports[node] = n
	if slices.Contains(s.reports, nil) {
		return nil
	}
	all := s.reports
	s.reports = make([]*note, len(s.nodes))
	var sent, received uint64
	for _, r := range all {
		sent += r.Sent
		received += r.Received
	}
	if !n.Quiet && (s.wave == 1 || s.received != sent) {
		if s.wave > 3 { // batches are in flight
			time.Sleep(time.Duration(min(s.wave, 20)) * 100 * time.Microsecond)
		}
		s.wave++
		s.received = received
		s.tellAll(&note{Kind: noteProbe, Phase: s.phase, Wave: s.wave})
		return nil
	}
	end := &note{Kind: noteEnd, Phase: s.phase, Paused: s.pausing && !n.Quiet, Outcomes: s.outcomes, Deferred: s.deferred, Tallies: sum(all)}
	s.phase++
	s.wave = 1
	switch {
	case end.Paused:
		s.begin()
		end.Epoch = s.saving
	case s.pausing: // the next phase ends early instead
		defer s.tellAll(&note{Kind: notePause, Phase: s.phase})
	}
	s.tellAll(end)
	return nil
}

// sum adds up the tallies of all nodes.
func sum(all []*note) []nodeTally {
	var list []nodeTally
	for _, r := range all {
		for _, t := range r.Tallies {
			at := slices.IndexFunc(list, func(o nodeTally) bool { return o.Tier == t.Tier })
			if at < 0 {
				list = append(list, t)
				continue
			}
			o := &list[at]
			o.Open += t.Open
			o.Moves += t.Moves
			o.Won += t.Won
			o.Lost += t.Lost
			for _, f := range t.Finished {
				if i := slices.IndexFunc(o.Finished, func(g [2]uint64) bool { return g[0] == f[0] }); i >= 0 {
					o.Finished[i][1] += f[1]
				} else {
					o.Finished = append(o.Finished, f)
				}
			}
		}
	}
	return list
}

// engine returns an engine without partitions that has the state of the nodes.
func (s *session) engine(st *state) *engine {
	l, err := newLayout(s.c.u, s.c.cfg.Partitions)
	if err != nil {
		panic(err) // the nodes have the same layout
	}
	return &engine{universe: s.c.u, cfg: s.c.cfg, layout: l, plan: s.c.cfg.Plan, state: *st, begin: s.c.begin, before: s.c.before}
}

// show reports the progress of all nodes together.
func (s *session) show() {
	var p Progress
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
			switch p.Pass {
			case "levels":
				p.Done -= before // every node counts the earlier work of all
			case "write":
				p.Total += n.Total
			}
			p.Elapsed = max(p.Elapsed, n.Elapsed)
		}
		p.Nodes = append(p.Nodes, NodeProgress{Done: n.Done, Counts: n.Counts, Memory: n.Memory})
	}
	p.Time, p.Memory, p.Left = s.c.elapsed(), memory.Resident(), 0
	for _, n := range p.Nodes {
		p.Memory = max(p.Memory, n.Memory)
	}
	tier := max(slices.IndexFunc(s.c.u.Tiers, func(t games.Tier) bool { return t.Name == p.Tier }), 0)
	if p.Pass == "write" {
		tier = len(s.c.u.Tiers)
	}
	if s.effort != nil {
		p.Left = s.effort.left(s.effort.done(p.Pass, tier, p.Done, p.Total))
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
