package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Process is another program that answers lines with lines.
type Process struct {
	Name  string // the command
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed when the program has ended
}

// Start starts a program; command is split at blanks.
func Start(command string) (*Process, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no program is named")
	}
	p := &Process{Name: command, cmd: exec.Command(words[0], words[1:]...), lines: make(chan string, 64)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in = in
	go func() {
		defer close(p.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			p.lines <- strings.TrimSpace(scanner.Text())
		}
	}()
	return p, nil
}

// Say sends a line.
func (p *Process) Say(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return nil
}

// Patience is how long a program may take to answer what needs no thought.
const Patience = 30 * time.Second

// Hear returns the first line that wanted accepts, and skips others. It fails after a limit of time; what says what is
// waited for.
func (p *Process) Hear(ctx context.Context, limit time.Duration, what string, wanted func(line string) bool) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s: no %s within %v", p.Name, what, limit))
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case line, ok := <-p.lines:
			if !ok {
				return "", fmt.Errorf("%s: the program has ended, want %s", p.Name, what)
			}
			if wanted(line) {
				return line, nil
			}
		}
	}
}

// Close ends the program: with a last line, and by force if it does not listen.
func (p *Process) Close(last string) error {
	_ = p.Say("%s", last) // it may have ended
	_ = p.in.Close()
	killer := time.AfterFunc(Patience/10, func() { _ = p.cmd.Process.Kill() })
	defer killer.Stop()
	for range p.lines {
	}
	_ = p.cmd.Wait() // how a program ends after its last game says nothing
	return nil
}
