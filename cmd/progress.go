package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress shows the progress of a long task: a line that is repainted on a terminal,
// otherwise a line every few seconds, or JSON records, or nothing.
type progress struct {
	mu       sync.Mutex
	w        io.Writer
	json     bool
	quiet    bool
	terminal bool
	columns  func() int // of the terminal
	width    int        // of what is painted
	last     time.Time  // when something was shown
}

const (
	paintEvery = 200 * time.Millisecond
	lineEvery  = 5 * time.Second
)

func newProgress(w io.Writer, json, quiet bool) *progress {
	p := &progress{w: w, json: json, quiet: quiet, last: time.Now()}
	if f, ok := w.(*os.File); ok && !json {
		p.terminal = term.IsTerminal(int(f.Fd()))
		p.columns = func() int {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				return columns
			}
			return 80
		}
	}
	return p
}

// fit cuts a line after a word, so that it is shorter than columns: a line of that length
// or longer could not be painted over.
func fit(line string, columns int) string {
	cut := []rune(line)
	if len(cut) < columns {
		return line
	}
	line = string(cut[:max(columns-1, 0)])
	if cut[len([]rune(line))] != ' ' {
		line = line[:strings.LastIndexByte(line, ' ')+1]
	}
	return strings.TrimRight(line, " ,:;")
}

// every returns how often to report progress.
func (p *progress) every() time.Duration {
	if p.terminal {
		return paintEvery
	}
	return lineEvery
}

// show shows a status, as text or as the fields of a record, unless it has just shown
// one.
func (p *progress) show(text func() string, fields any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || time.Since(p.last) < p.every()/2 {
		return
	}
	p.last = time.Now()
	switch {
	case p.json:
		record(p.w, fields)
	case p.terminal:
		line := fit(text(), p.columns())
		width := utf8.RuneCountInString(line)
		fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(p.width-width, 0)))
		p.width = width
	default:
		fmt.Fprintln(p.w, text())
	}
}

// showDone shows how many units of a task are done, of a total that is not 0 if it is known.
func (p *progress) showDone(begin time.Time, unit string, done, total uint64) {
	p.showResumed(begin, unit, 0, done, total)
}

// showResumed is showDone of a task of which an earlier run has done some units.
func (p *progress) showResumed(begin time.Time, unit string, before, done, total uint64) {
	p.show(func() string {
		of, left, took := "", "", time.Since(begin)
		if total > 0 {
			of = " of " + grouped(total)
		}
		if before < done && done < total {
			left = ", about " + seconds(time.Duration(float64(took)*float64(total-done)/float64(done-before))) + " left"
		}
		return fmt.Sprintf("%s%s  %s%s %s", seconds(took), left, grouped(done), of, unit)
	}, map[string]any{"seconds": time.Since(begin).Seconds(), "unit": unit, "done": done, "total": total})
}

// watch returns a writer to a file that shows how much of it is done, which is written or read.
func (p *progress) watch(file io.Writer, what, done string) io.Writer {
	return &watched{file, p, what, done, time.Now(), 0}
}

type watched struct {
	io.Writer
	progress   *progress
	what, done string
	begin      time.Time
	bytes      uint64
}

func (w *watched) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	w.bytes += uint64(n)
	w.progress.show(func() string {
		return fmt.Sprintf("%s  %s of the %s %s", seconds(time.Since(w.begin)), size(w.bytes), w.what, w.done)
	}, map[string]any{"seconds": time.Since(w.begin).Seconds(), "unit": "bytes of the " + w.what, "done": w.bytes})
	return n, err
}

// done clears the painted line.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// note prints a line besides the status.
func (p *progress) note(format string, args ...any) {
	p.done()
	if !p.quiet && !p.json {
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}
