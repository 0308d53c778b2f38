package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Source is a database to export.
type Source struct {
	Manifest *db.Manifest
	// Block returns the codes of the values of a block, as [db.DB.Block] or [db.Prober.Block] does.
	Block func(ctx context.Context, tier int, block uint64) ([]byte, error)
	// AppendText appends the text of the position with an index, and Boards has its board. They may be nil; then there are
	// no such columns.
	AppendText func(dst []byte, index uint64) []byte
	Boards     *Boards
}

// Format is the form of a table.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
	JSONL   Format = "jsonl"
)

// Formats are all formats.
var Formats = []Format{Parquet, CSV, JSONL}

// Options says what to write, and how.
type Options struct {
	Format  Format
	Columns []string // [Columns] if nil
	Where   *Where   // all positions if nil
	Threads int      // at least 1
	By      string   // program and version, for the file
	// Condition is the text of Where, for the file.
	Condition string
	// Progress, if not nil, is called with the number of blocks read so far.
	Progress games.Progress
}

// groupRows is the number of rows of a row group of Parquet, and of what is encoded at once in other formats.
const groupRows = 1 << 18

// row is a position that is written.
type row struct {
	index uint64
	code  uint16
}

// table writes rows in a format.
type table interface {
	// encode encodes rows, as several goroutines do at once, and returns a function that appends them to the table.
	encode(ctx context.Context, rows []row) (write func() error, err error)
	close() error
}

// Write writes the unfinished positions of a database that meet a condition, ordered by index, and returns how many they
// are. If it fails, the table is not complete.
func Write(ctx context.Context, w io.Writer, s *Source, o Options) (rows uint64, err error) {
	c := &s.Manifest.Content
	if o.Columns == nil {
		o.Columns = Columns(c)
	}
	if o.Where == nil {
		o.Where = everything(c)
	}
	columns, err := s.columns(o.Columns)
	if err != nil {
		return 0, err
	}
	var t table
	switch o.Format {
	case Parquet:
		t, err = newParquet(w, s, columns, &o)
	case CSV:
		t, err = newCSV(w, columns)
	case JSONL:
		t = newJSONL(w, columns)
	default:
		err = fmt.Errorf("format %q: want one of %v", o.Format, Formats)
	}
	if err != nil {
		return 0, err
	}
	e := &exporter{Source: s, Options: o, slots: make(chan struct{}, o.Threads)}
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	blocks := inOrder(ctx, e, &running, e.blocks(), e.read)
	for write, err := range inOrder(ctx, e, &running, e.groups(blocks), t.encode) {
		if err == nil {
			err = write()
		}
		if err != nil {
			return 0, err
		}
	}
	if want, known := e.expected(); known && e.rows != want {
		return 0, fmt.Errorf("%w: the blocks have %d such positions, and the manifest says %d", db.ErrCorrupt, e.rows, want)
	}
	return e.rows, t.close()
}

// Check fails if there is not a column of each of some names.
func (s *Source) Check(columns []string) error {
	_, err := s.columns(columns)
	return err
}

// exporter is the state of a [Write].
type exporter struct {
	*Source
	Options
	slots chan struct{} // taken by what reads or encodes
	rows  uint64        // that were gathered
}

// blocks are consecutive blocks of a tier: those from first to last, last excluded.
type blocks struct {
	tier        int
	first, last uint64
}

// readTogether is how many positions are read at once.
const readTogether = 1 << 16

// blocks returns those that may have positions to write.
func (e *exporter) blocks() iter.Seq2[blocks, error] {
	return func(yield func(blocks, error) bool) {
		c := &e.Manifest.Content
		size := uint64(c.BlockSize)
		step := max(1, readTogether/size)
		for tier := range c.Tiers {
			first, last := e.Where.indices(c, tier)
			if first >= last {
				continue
			}
			end := (last + size - 1) / size
			for b := first / size; b < end; b += step {
				if !yield(blocks{tier, b, min(b+step, end)}, nil) {
					return
				}
			}
		}
	}
}

// selected is the rows of some blocks.
type selected struct {
	rows   []row
	blocks uint64
}

// read returns the rows of blocks that meet the condition.
func (e *exporter) read(ctx context.Context, b blocks) (selected, error) {
	c, w := &e.Manifest.Content, e.Where
	s := selected{blocks: b.last - b.first}
	width := c.Width()
	for n := b.first; n < b.last; n++ {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		codes, err := e.Block(ctx, b.tier, n)
		if err != nil {
			return s, err
		}
		begin := c.Tiers[b.tier].Start + n*uint64(c.BlockSize)
		for i := range len(codes) / width {
			code := uint16(codes[i*width])
			if width == 2 {
				code |= uint16(codes[i*width+1]) << 8
			}
			index := begin + uint64(i)
			switch {
			case int(code) >= len(w.codes):
				return s, fmt.Errorf("%w: index %d has the unknown code %d", db.ErrCorrupt, index, code)
			case !w.codes[code] || index < w.first || index >= w.last || slices.Contains(w.not, index):
				continue
			}
			if s.rows == nil {
				s.rows = make([]row, 0, len(codes)/width*int(b.last-n))
			}
			s.rows = append(s.rows, row{index, code})
		}
	}
	return s, nil
}

// groups gathers rows.
func (e *exporter) groups(read iter.Seq2[selected, error]) iter.Seq2[[]row, error] {
	return func(yield func([]row, error) bool) {
		total, done := uint64(0), uint64(0)
		for b := range e.blocks() {
			total += b.last - b.first
		}
		var group []row
		for s, err := range read {
			if err != nil {
				yield(nil, err)
				return
			}
			for len(s.rows) > 0 {
				n := min(len(s.rows), groupRows-len(group))
				group, s.rows = append(group, s.rows[:n]...), s.rows[n:]
				e.rows += uint64(n)
				if len(group) == groupRows {
					if !yield(group, nil) {
						return
					}
					group = make([]row, 0, groupRows)
				}
			}
			if done += s.blocks; e.Progress != nil {
				e.Progress("blocks", done, total)
			}
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// expected returns how many rows the manifest promises. It does not say it for a range of indices.
func (e *exporter) expected() (n uint64, known bool) {
	c := &e.Manifest.Content
	for i := range c.Tiers {
		t := &c.Tiers[i]
		first, last := e.Where.indices(c, i)
		if first >= last {
			continue
		}
		if first > 0 || last < t.Open || len(e.Where.not) > 0 {
			return 0, false
		}
		n += e.Where.count(c, t)
	}
	return n, true
}

// inOrder calls work for each of some items, several at once on the threads of an export, and yields what it returns in the
// order of the items. It ends at the first error.
func inOrder[In, Out any](ctx context.Context, e *exporter, running *sync.WaitGroup, items iter.Seq2[In, error], work func(context.Context, In) (Out, error)) iter.Seq2[Out, error] {
	type result struct {
		out Out
		err error
	}
	return func(yield func(Out, error) bool) {
		var begun []chan result
		next := func() bool {
			r := <-begun[0]
			begun = begun[1:]
			return yield(r.out, r.err) && r.err == nil
		}
		for item, err := range items {
			r := make(chan result, 1)
			if begun = append(begun, r); err != nil {
				r <- result{err: err}
				break
			}
			running.Go(func() {
				e.slots <- struct{}{}
				defer func() { <-e.slots }()
				var r1 result
				if r1.err = ctx.Err(); r1.err == nil {
					r1.out, r1.err = work(ctx, item)
				}
				r <- r1
			})
			if len(begun) > e.Threads && !next() {
				return
			}
		}
		for len(begun) > 0 {
			if !next() {
				return
			}
		}
	}
}

var errNoDistance = errors.New("the database has no distances")
