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

// process is another program that answers lines with lines.
type process struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed when the program has ended
}

// start starts a program; command is split at blanks.
func start(command string) (*process, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no program is named")
	}
	p := &process{name: command, cmd: exec.Command(words[0], words[1:]...), lines: make(chan string, 64)}
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

// say sends a line.
func (p *process) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// patience is how long a program may take to answer what needs no thought.
const patience = 30 * time.Second

// hear returns the first line that wanted accepts, and skips others.
func (p *process) hear(ctx context.Context, limit time.Duration, what string, wanted func(line string) bool) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s: no %s within %v", p.name, what, limit))
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case line, ok := <-p.lines:
			if !ok {
				return "", fmt.Errorf("%s: the program has ended, want %s", p.name, what)
			}
			if wanted(line) {
				return line, nil
			}
		}
	}
}

// close ends the program: with a last line, and by force if it does not listen.
func (p *process) close(last string) error {
	_ = p.say("%s", last) // it may have ended
	_ = p.in.Close()
	killer := time.AfterFunc(patience/10, func() { _ = p.cmd.Process.Kill() })
	defer killer.Stop()
	for range p.lines {
	}
	_ = p.cmd.Wait() // how a program ends after its last game says nothing
	return nil
}
