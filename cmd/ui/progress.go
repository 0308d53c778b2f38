package ui

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/yomikiri/yomikiri/games"
)

// Progress shows the progress of a long task: a line that is repainted on a terminal,
// otherwise a line every few seconds, or JSON records, or nothing.
// One that is not made by [NewProgress] shows the first status at once.
type Progress struct {
	mu       sync.Mutex
	Out      io.Writer
	JSON     bool
	Quiet    bool
	terminal bool
	columns  func() int // of the terminal
	width    int        // of what is painted
	last     time.Time  // when something was shown
}

const (
	paintEvery = 200 * time.Millisecond
	lineEvery  = 5 * time.Second
)

// NewProgress returns a Progress that writes to w, as JSON records if that is set, and nothing if quiet is.
func NewProgress(w io.Writer, json, quiet bool) *Progress {
	p := &Progress{Out: w, JSON: json, Quiet: quiet, last: time.Now()}
	if f, ok := w.(*os.File); ok && !json {
		p.terminal = term.IsTerminal(int(f.Fd()))
		p.columns = func() int { return Columns(f) }
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

// Every returns how often to report progress.
func (p *Progress) Every() time.Duration {
	if p.terminal {
		return paintEvery
	}
	return lineEvery
}

// Show shows a status, as text or as the fields of a record, unless it has just shown
// one.
func (p *Progress) Show(text func() string, fields any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Quiet || time.Since(p.last) < p.Every()/2 {
		return
	}
	p.last = time.Now()
	switch {
	case p.JSON:
		WriteRecord(p.Out, fields)
	case p.terminal:
		line := fit(text(), p.columns())
		width := utf8.RuneCountInString(line)
		fmt.Fprintf(p.Out, "\r%s%s", line, strings.Repeat(" ", max(p.width-width, 0)))
		p.width = width
	default:
		fmt.Fprintln(p.Out, text())
	}
}

// ShowDone shows how many units of a task are done, of a total that is not 0 if it is known.
func (p *Progress) ShowDone(begin time.Time, unit string, done, total uint64) {
	p.ShowResumed(begin, unit, 0, done, total)
}

// Since returns ShowDone for a task that began at a time.
func (p *Progress) Since(begin time.Time) games.Progress {
	return func(unit string, done, total uint64) { p.ShowDone(begin, unit, done, total) }
}

// ShowResumed is ShowDone of a task of which an earlier run has done some units.
func (p *Progress) ShowResumed(begin time.Time, unit string, before, done, total uint64) {
	p.Show(func() string {
		of, left, took := "", "", time.Since(begin)
		if total > 0 {
			of = " of " + Grouped(total)
		}
		if before < done && done < total {
			left = ", about " + Seconds(time.Duration(float64(took)*float64(total-done)/float64(done-before))) + " left"
		}
		return fmt.Sprintf("%s%s  %s%s %s", Seconds(took), left, Grouped(done), of, unit)
	}, struct {
		Seconds float64 `json:"seconds"`
		Unit    string  `json:"unit"`
		Done    uint64  `json:"done"`
		Total   uint64  `json:"total,omitempty"`
	}{time.Since(begin).Seconds(), unit, done, total})
}

// Watch returns a writer to a file that shows how much of it is done, which is written or read.
func (p *Progress) Watch(file io.Writer, what, done string) io.Writer {
	return &watched{file, p, what, done, time.Now(), 0}
}

type watched struct {
	io.Writer
	progress   *Progress
	what, done string
	begin      time.Time
	bytes      uint64
}

func (w *watched) Write(data []byte) (int, error) {
	n, err := w.Writer.Write(data)
	w.bytes += uint64(n)
	w.progress.Show(func() string {
		return fmt.Sprintf("%s  %s of the %s %s", Seconds(time.Since(w.begin)), Size(w.bytes), w.what, w.done)
	}, map[string]any{"seconds": time.Since(w.begin).Seconds(), "unit": "bytes of the " + w.what, "done": w.bytes})
	return n, err
}

// Done clears the painted line.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width > 0 {
		fmt.Fprintf(p.Out, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// Note prints a line besides the status.
func (p *Progress) Note(format string, args ...any) {
	p.Done()
	if !p.Quiet && !p.JSON {
		fmt.Fprintf(p.Out, format+"\n", args...)
	}
}
