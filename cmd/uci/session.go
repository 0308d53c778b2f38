package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// Session is how an engine talks to a GUI. All but the search happens on one goroutine, which reads commands while a
// search runs.
type Session struct {
	mu   sync.Mutex // guards out
	out  io.Writer
	gone chan struct{} // closed when nobody reads out

	search *Search
	// Late is how much of the next search's time it took to end pondering.
	Late time.Duration
}

// Search is a running search.
type Search struct {
	// Answer is called when the search has ended.
	Answer func()
	// Wait says that the answer must not come before stop, and Args are those of a go that ponderhit begins again.
	Wait bool
	Args []string

	cancel context.CancelFunc
	done   chan struct{} // closed when the search has ended
}

// NewSession returns a session that writes to out.
func NewSession(out io.Writer) *Session { return &Session{out: out, gone: make(chan struct{})} }

// Say writes a line.
func (s *Session) Say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gone:
		return
	default:
	}
	if _, err := fmt.Fprintf(s.out, format+"\n", args...); err != nil {
		close(s.gone)
	}
}

// Run passes commands to a function until that returns false, the end of the input, or the end of ctx. A search that runs at
// the end of the input goes on and is answered, unless nobody reads the answer.
func (s *Session) Run(ctx context.Context, in io.Reader, command func(ctx context.Context, line string) bool) error {
	input, failed := make(chan string), make(chan error, 1)
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer close(input)
		scanner := bufio.NewScanner(ui.TextOf(in))
		scanner.Buffer(nil, 1<<20) // long games come on one line
		for scanner.Scan() {
			select {
			case input <- scanner.Text():
			case <-over:
				return
			}
		}
		failed <- ui.ScanError(scanner)
	}()
	defer s.Abandon()
	lines := (<-chan string)(input) // nil after the last
	for {
		if ctx.Err() != nil { // select takes any case that is ready, the end of the input too
			return ui.Interrupted("interrupted")
		}
		var done <-chan struct{} // never, if no search runs
		if s.search != nil && !s.search.Wait {
			done = s.search.done
		}
		select {
		case <-ctx.Done():
			return ui.Interrupted("interrupted")
		case <-s.gone:
			return nil // the caller knows the error
		case <-done:
			s.Answer()
			if lines == nil {
				return nil
			}
		case line, ok := <-lines:
			if !ok {
				if s.search != nil && s.search.Wait {
					s.Stop()
				}
				if err := <-failed; err != nil || s.search == nil {
					return err
				}
				lines = nil
				continue
			}
			if !command(ctx, line) {
				return nil
			}
		}
	}
}

// Start starts a search, which cancel ends. There must be none.
func (s *Session) Start(x *Search, cancel context.CancelFunc, run func()) {
	x.cancel, x.done = cancel, make(chan struct{})
	s.search = x
	go func() {
		defer close(x.done)
		run()
	}()
}

// Searching reports whether a search is not answered yet.
func (s *Session) Searching() bool { return s.search != nil }

// Stop ends what the last go began, and answers it if it is not answered yet.
func (s *Session) Stop() {
	if s.search == nil {
		return
	}
	begin, pondering := time.Now(), s.search.Args != nil
	s.search.cancel()
	s.Answer()
	if pondering {
		s.Late = time.Since(begin)
	}
}

// Abandon ends the current search without an answer.
func (s *Session) Abandon() {
	if s.search != nil {
		s.search.cancel()
		<-s.search.done
		s.search = nil
	}
}

// Answer waits for the end of the search and prints its result.
func (s *Session) Answer() {
	search := s.search
	<-search.done
	search.cancel()
	s.search = nil
	search.Answer()
}

// PonderHit ends pondering without an answer. It returns what stood after the go that began it, to begin again with
// the clock running, and false if the engine did not ponder. Some GUIs send the limits only now: then these are returned.
func (s *Session) PonderHit(limits []string) (args []string, ok bool) {
	if s.search == nil || s.search.Args == nil {
		return nil, false
	}
	if len(limits) == 0 {
		for _, word := range s.search.Args {
			if word != "ponder" {
				limits = append(limits, word)
			}
		}
	}
	begin := time.Now()
	s.Abandon()
	s.Late = time.Since(begin)
	return limits, true
}
