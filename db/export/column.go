package export

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// The columns.
const (
	indexColumn    = "index"
	valueColumn    = "value"
	distanceColumn = "distance"
	tierColumn     = "tier"
	textColumn     = "text"
	boardColumn    = "board"
)

// AllColumns are the names of all columns.
var AllColumns = []string{indexColumn, valueColumn, distanceColumn, tierColumn, textColumn, boardColumn}

// Columns returns the columns that a table of a database has by default.
func Columns(c *db.Content) []string {
	if c.Order != games.ByDistance.String() {
		return []string{indexColumn, valueColumn}
	}
	return []string{indexColumn, valueColumn, distanceColumn}
}

// NeedsRules reports whether columns need the rules of the game.
func NeedsRules(columns []string) bool {
	return slices.Contains(columns, textColumn) || slices.Contains(columns, boardColumn)
}

// column is a column of a table.
type column struct {
	name string
	of   func(r row, c *cells) cell
	// kind and tag describe the column to the library for Parquet.
	kind reflect.Type
	tag  string
}

// cell is a value in a table: a number, or bytes, or nothing.
type cell struct {
	kind   cellKind
	number int64
	bytes  []byte
}

type cellKind uint8

const (
	nothing cellKind = iota
	number
	text
	binary
)

// cells is what a goroutine needs to make cells.
type cells struct {
	tier  int
	bytes []byte // that cells have, until it is emptied
}

// append returns a cell with the bytes that a function appends.
func (c *cells) append(kind cellKind, index uint64, bytes func(dst []byte, index uint64) []byte) cell {
	begin := len(c.bytes)
	c.bytes = bytes(c.bytes, index)
	return cell{kind: kind, bytes: c.bytes[begin:]}
}

// columns returns the columns of some names.
func (s *Source) columns(names []string) (list []column, err error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("want some of %s", strings.Join(AllColumns, ", "))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("the column %s is there twice", name)
		}
		c, err := s.column(name)
		if err != nil {
			return nil, err
		}
		c.name = name
		list = append(list, c)
	}
	return list, nil
}

func (s *Source) column(name string) (column, error) {
	content := &s.Manifest.Content
	values := content.Values
	switch name {
	case indexColumn:
		return column{kind: reflect.TypeFor[int64](), tag: ",delta", of: func(r row, _ *cells) cell {
			return cell{kind: number, number: int64(r.index)}
		}}, nil
	case valueColumn:
		if content.Order == games.ByScore.String() {
			return column{kind: reflect.TypeFor[int16](), tag: ",dict", of: func(r row, _ *cells) cell {
				return cell{kind: number, number: int64(values[r.code-1])}
			}}, nil
		}
		results := make([][]byte, len(values))
		for i, v := range values {
			results[i] = []byte(v.Result().String())
		}
		return column{kind: reflect.TypeFor[string](), tag: ",dict", of: func(r row, _ *cells) cell {
			return cell{kind: text, bytes: results[r.code-1]}
		}}, nil
	case distanceColumn:
		if content.Order != games.ByDistance.String() {
			return column{}, fmt.Errorf("column %s: %w", name, errNoDistance)
		}
		return column{kind: reflect.TypeFor[*int16](), tag: ",dict", of: func(r row, _ *cells) cell {
			if plies, ok := values[r.code-1].Plies(); ok {
				return cell{kind: number, number: int64(plies)}
			}
			return cell{}
		}}, nil
	case tierColumn:
		names := make([][]byte, len(content.Tiers))
		for i, t := range content.Tiers {
			names[i] = []byte(t.Name)
		}
		return column{kind: reflect.TypeFor[string](), tag: ",dict", of: func(r row, c *cells) cell {
			if t := &content.Tiers[c.tier]; r.index-t.Start >= t.Size { // rows are in order, so this is rare
				c.tier = sort.Search(len(content.Tiers), func(i int) bool { return r.index < content.Tiers[i].Start+content.Tiers[i].Size })
			}
			return cell{kind: text, bytes: names[c.tier]}
		}}, nil
	case textColumn:
		if s.AppendText == nil {
			return column{}, fmt.Errorf("column %s: %s has no notation of positions", name, content.Game)
		}
		return column{kind: reflect.TypeFor[string](), of: func(r row, c *cells) cell {
			return c.append(text, r.index, s.AppendText)
		}}, nil
	case boardColumn:
		if s.Boards == nil {
			return column{}, fmt.Errorf("column %s: %s does not describe its boards; take the column %s", name, content.Game, textColumn)
		}
		return column{kind: reflect.ArrayOf(s.Boards.Size(), reflect.TypeFor[byte]()), of: func(r row, c *cells) cell {
			return c.append(binary, r.index, s.Boards.append)
		}}, nil
	}
	return column{}, fmt.Errorf("no column %q; there are: %s", name, strings.Join(AllColumns, ", "))
}

// schema returns how Parquet describes columns.
func schema(columns []column) *parquet.Schema {
	var fields []reflect.StructField
	for _, c := range columns {
		fields = append(fields, reflect.StructField{
			Name: strings.ToUpper(c.name[:1]) + c.name[1:], Type: c.kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.name+c.tag)),
		})
	}
	return parquet.NewSchema("positions", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}
