package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// Process is another program that answers lines with lines. It may do anything: whoever waits for it has a context
// that ends.
type Process struct {
	Name  string // the command
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed when nothing more is read
	ended chan struct{}
	how   error // the program has ended, once ended is closed
	stop  func() bool

	tooLong atomic.Bool // was the last line
}

const (
	// longestLine is the most bytes of a line that a program may write.
	longestLine = 1 << 20
	// farewell is how long a program may take to end when it is told to.
	farewell = 3 * time.Second
	// lastWords is how long the output of a program is read after its end, if another program holds it open.
	lastWords = 100 * time.Millisecond
	// departure is how long a program that has closed its output may take to end.
	departure = time.Second
)

// Start starts a program; command is split at blanks. When ctx ends, the program is killed, with those that it has
// started.
func Start(ctx context.Context, command string) (*Process, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no program is named")
	}
	p := &Process{Name: command, cmd: exec.Command(words[0], words[1:]...), lines: make(chan string, 64), ended: make(chan struct{})}
	ownGroup(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, written, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p.in, p.cmd.Stdout = in, written
	err = p.cmd.Start()
	_ = written.Close() // the program has it
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	p.stop = context.AfterFunc(ctx, p.kill)
	go p.read(out)
	go func() {
		p.how = p.cmd.Wait()
		killGroup(p.cmd) // what it has left running
		_ = out.SetReadDeadline(time.Now().Add(lastWords))
		close(p.ended)
	}()
	return p, nil
}

func (p *Process) read(out *os.File) {
	defer out.Close()
	defer close(p.lines)
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		p.lines <- strings.TrimSpace(scanner.Text())
	}
	p.tooLong.Store(errors.Is(scanner.Err(), bufio.ErrTooLong))
}

func (p *Process) kill() {
	select {
	case <-p.ended:
	default:
		killGroup(p.cmd)
	}
}

// Say sends a line. It waits while the program does not read.
func (p *Process) Say(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return p.gone("it does not read what it is sent")
	}
	return nil
}

// Hear returns the first line that wanted accepts, and skips others, until ctx ends; what says what is waited for.
func (p *Process) Hear(ctx context.Context, what string, wanted func(line string) bool) (string, error) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case line, ok := <-p.lines:
			if !ok {
				return "", p.gone("it has closed its output")
			}
			if wanted(line) {
				return line, nil
			}
		}
	}
	return "", fmt.Errorf("%s: no %s: %w", p.Name, what, context.Cause(ctx))
}

// gone says why a program neither hears nor answers; otherwise is for one that runs on.
func (p *Process) gone(otherwise string) error {
	if p.tooLong.Load() {
		return fmt.Errorf("%s: it has written a line of more than %d bytes", p.Name, longestLine)
	}
	select {
	case <-p.ended:
	case <-time.After(departure):
		return fmt.Errorf("%s: %s", p.Name, otherwise)
	}
	how := "exit status 0"
	if p.how != nil {
		how = p.how.Error()
	}
	return fmt.Errorf("%s: the program has ended (%s)", p.Name, how)
}

// Close ends the program: with a last line, and by force if it does not listen, or if the context of [Start] has ended.
func (p *Process) Close(last string) error {
	go func() {
		_ = p.Say("%s", last) // it may have ended
		_ = p.in.Close()
	}()
	killer := time.AfterFunc(farewell, p.kill)
	defer killer.Stop()
	for range p.lines {
	}
	<-p.ended
	p.stop()
	return nil // how a program ends after its last game says nothing
}
