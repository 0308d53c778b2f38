package solver

import "github.com/yomikiri/yomikiri/dfpn"

// plan holds the steps of a proof found so far. The builder goes through the proof
// in the order of the file; scouts, each in its own goroutine, work ahead of it from the
// other end. It is safe for concurrent use.
type plan[P, M comparable] struct {
	mu      monitor // announces that pending, active or ended has changed
	entries map[position[P]]*planned[P, M]

	pending []position[P] // for scouts, the next one last
	active  int           // scouts that are working on a position
	ended   bool
}

// planned is the entry of a position that needs a node.
type planned[P, M comparable] struct {
	step    *step[P, M] // nil before it is found, and when the node is built
	number  uint32      // of the node, 0 before it is built
	scouted bool
}

func newPlan[P, M comparable]() *plan[P, M] {
	return &plan[P, M]{entries: map[position[P]]*planned[P, M]{}}
}

// entry returns the entry of a position, and makes one if there is none.
func (l *plan[P, M]) entry(at position[P]) *planned[P, M] {
	e := l.entries[at]
	if e == nil {
		e = &planned[P, M]{}
		l.entries[at] = e
	}
	return e
}

// of returns the entry of a position with its number and step.
func (l *plan[P, M]) of(at position[P]) (e *planned[P, M], number uint32, s *step[P, M]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e = l.entry(at)
	return e, e.number, e.step
}

// has reports whether a position is known to need a node.
func (l *plan[P, M]) has(at position[P]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[at] != nil
}

// built gives an entry the number of its node.
func (l *plan[P, M]) built(e *planned[P, M], number uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.number, e.step = number, nil
}

// begin queues the root for the scouts.
func (l *plan[P, M]) begin(root position[P]) { l.pending = append(l.pending, root) }

// end makes scouts stop after their current position.
func (l *plan[P, M]) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.mu.announce()
}

// task is a position for a scout, with its step if that was found.
type task[P, M comparable] struct {
	at    position[P]
	entry *planned[P, M]
	step  *step[P, M]
}

// next appends up to most tasks to dst. It waits for the first while other scouts may find more, and
// returns none when none is left.
func (l *plan[P, M]) next(dst []task[P, M], most int) []task[P, M] {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.ended && len(dst) < most {
		if len(l.pending) == 0 {
			if l.active == 0 || len(dst) > 0 {
				break
			}
			if most > 1 {
				l.mu.sleep() // the wait is not for a moment
			} else {
				l.mu.wait()
			}
			continue
		}
		at := l.pending[len(l.pending)-1]
		l.pending = l.pending[:len(l.pending)-1]
		if e := l.entry(at); !e.scouted && e.number == 0 {
			e.scouted = true
			l.active++
			dst = append(dst, task[P, M]{at, e, e.step})
		}
	}
	return dst
}

// scouted records the step that a scout found at a position, nil if it found none.
func (l *plan[P, M]) scouted(e *planned[P, M], s *step[P, M]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s != nil {
		if e.number == 0 {
			e.step = s
		}
		l.pending = append(l.pending, s.next...)
	}
	l.active--
	l.mu.announce()
}

// scout finds steps for the builder until none are left. Where it fails, the builder
// will fail too, and report why.
func (f *finder[P, M]) scout() {
	var tasks []task[P, M]
	for {
		if tasks = f.plan.next(tasks[:0], 1); len(tasks) == 0 {
			return
		}
		f.scoutOne(tasks[0])
	}
}

// scoutOne does a task.
func (f *finder[P, M]) scoutOne(t task[P, M]) {
	s := t.step
	if s == nil {
		s, _ = f.find(t.at, dfpn.Unlimited)
	}
	f.plan.scouted(t.entry, s)
}
