package export

import (
	"context"
	"io"
	"reflect"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// parquetTable is a [table] in a Parquet file.
type parquetTable struct {
	w       *parquet.GenericWriter[any]
	columns []column

	mu     sync.Mutex
	unused []*parquet.ConcurrentRowGroupWriter
}

// newParquet returns a table in Parquet. Its metadata say what it was made from.
func newParquet(w io.Writer, s *Source, columns []column, o *Options) (*parquetTable, error) {
	c := &s.Manifest.Content
	options := []parquet.WriterOption{schema(columns), parquet.Compression(&parquet.Zstd)}
	about := [][2]string{{"game", c.Game}, {"checksum", s.Manifest.Checksum}, {"rules", c.Rules}, {"where", o.Condition}, {"by", o.By}}
	for _, column := range columns {
		switch column.name {
		case indexColumn:
			options = append(options, parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending(indexColumn))))
		case boardColumn:
			text, err := s.Boards.description()
			if err != nil {
				return nil, err
			}
			about = append(about, [2]string{"board", text})
		}
	}
	for _, a := range about {
		if a[1] != "" {
			options = append(options, parquet.KeyValueMetadata("yomikiri."+a[0], a[1]))
		}
	}
	return &parquetTable{w: parquet.NewGenericWriter[any](w, options...), columns: columns}, nil
}

// rowsTogether is how many rows are handed to the library at once, which ends pages between such calls.
const rowsTogether = checkEvery

func (t *parquetTable) encode(ctx context.Context, rows []row) (func() error, error) {
	group := t.rowGroup()
	var c cells
	values := make([]parquet.Value, 0, rowsTogether)
	for len(rows) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(len(rows), rowsTogether)
		for k, w := range group.ColumnWriters() {
			values, c.bytes = values[:0], c.bytes[:0]
			of, optional := t.columns[k].of, t.columns[k].kind.Kind() == reflect.Pointer
			for _, r := range rows[:n] {
				values = append(values, parquetValue(of(r, &c), k, optional))
			}
			if _, err := w.WriteRowValues(values); err != nil {
				return nil, err
			}
		}
		rows = rows[n:]
	}
	if err := group.Flush(); err != nil {
		return nil, err
	}
	return func() error {
		_, err := group.Commit()
		t.mu.Lock()
		defer t.mu.Unlock()
		t.unused = append(t.unused, group) // which is empty again
		return err
	}, nil
}

// rowGroup returns an empty row group.
func (t *parquetTable) rowGroup() *parquet.ConcurrentRowGroupWriter {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.unused) - 1; last >= 0 {
		group := t.unused[last]
		t.unused = t.unused[:last]
		return group
	}
	return t.w.BeginRowGroup()
}

func (t *parquetTable) close() error { return t.w.Close() }

// parquetValue returns a cell of a column with a number.
func parquetValue(c cell, column int, optional bool) parquet.Value {
	var v parquet.Value
	switch c.kind {
	case nothing:
		return v.Level(0, 0, column)
	case number:
		v = parquet.Int64Value(c.number)
	case text:
		v = parquet.ByteArrayValue(c.bytes)
	default:
		v = parquet.FixedLenByteArrayValue(c.bytes)
	}
	if optional {
		return v.Level(0, 1, column)
	}
	return v.Level(0, 0, column)
}

// count is a row of [WriteCounts], and scoreCount one of a database of scores.
type count struct {
	Tier      string `parquet:"tier,dict"`
	Value     string `parquet:"value,dict"`
	Distance  *int16 `parquet:"distance"`
	Positions int64  `parquet:"positions"`
	Finished  int64  `parquet:"finished"`
}

type scoreCount struct {
	Tier      string `parquet:"tier,dict"`
	Value     int16  `parquet:"value"`
	Positions int64  `parquet:"positions"`
	Finished  int64  `parquet:"finished"`
}

// WriteCounts writes the numbers of positions by tier and value in Parquet.
func WriteCounts(w io.Writer, c *db.Content) error {
	var counts []count
	var scores []scoreCount
	for _, t := range c.Tiers {
		for _, n := range t.Counts {
			x := count{t.Name, n.Value.Result().String(), nil, int64(n.Positions), int64(n.Finished)}
			if plies, ok := n.Value.Plies(); ok {
				x.Distance = new(int16(plies))
			}
			counts = append(counts, x)
			scores = append(scores, scoreCount{x.Tier, int16(n.Value), x.Positions, x.Finished})
		}
	}
	if c.Order == games.ByScore.String() {
		return parquet.Write(w, scores)
	}
	return parquet.Write(w, counts)
}
