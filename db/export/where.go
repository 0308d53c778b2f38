package export

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Where is a condition on the positions of one database, such as
//
//	value >= win in 20 and tier = 12 and index < 1000000
//
// Its comparisons are resolved into what can be looked up: values by their codes, tiers, and a range of indices.
type Where struct {
	codes       []bool // by code
	tiers       []bool
	first, last uint64 // indices, last excluded
	not         []uint64
}

// everything returns the condition that all positions meet.
func everything(c *db.Content) *Where {
	w := &Where{codes: slices.Repeat([]bool{true}, len(c.Values)+1), tiers: slices.Repeat([]bool{true}, len(c.Tiers)), last: 1 << games.IndexBits}
	w.codes[0] = false // no value
	return w
}

// operators are the comparisons, by how what is compared is ordered.
var operators = map[string]func(order int) bool{
	"=":  func(order int) bool { return order == 0 },
	"!=": func(order int) bool { return order != 0 },
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
}

var (
	comparison = regexp.MustCompile(`^([a-z]+)\s*(<=|>=|!=|=|<|>)\s*([^<>=!\s].*)$`)
	conjoined  = regexp.MustCompile(`(?i)\sand\s`)
	disjoined  = regexp.MustCompile(`(?i)\s(or|not)\s`)
)

// ParseWhere reads a condition: comparisons of value, distance, tier or index, joined by "and". Values are written as
// [games.ParseValue] reads them, and one is larger than another if it is better for the side to move. A win or a loss
// without a distance stands for all of them. A tier is its name, and tiers are in the order of the database. A
// position that has no distance, such as a draw, meets no condition on it.
func ParseWhere(text string, c *db.Content) (*Where, error) {
	w := everything(c)
	for _, part := range conjoined.Split(strings.TrimSpace(text), -1) {
		part = strings.TrimSpace(part)
		m := comparison.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("%q: want a comparison by =, !=, <, <=, > or >=, such as value >= draw, or several joined by and", part)
		}
		if word := disjoined.FindStringSubmatch(m[3]); word != nil {
			return nil, fmt.Errorf("%q: there is no %s: comparisons are joined by and", part, strings.ToLower(word[1]))
		}
		name, holds, operand := m[1], operators[m[2]], m[3]
		var err error
		switch name {
		case "value":
			err = w.value(c, holds, operand)
		case "distance":
			err = w.distance(c, holds, operand)
		case "tier":
			err = w.tier(c, holds, operand)
		case "index":
			err = w.index(m[2], operand)
		default:
			err = errors.New("want value, distance, tier or index")
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
	}
	return w, nil
}

// keep excludes codes whose value does not hold.
func (w *Where) keep(c *db.Content, holds func(v games.Value) bool) {
	for i, v := range c.Values {
		w.codes[i+1] = w.codes[i+1] && holds(v)
	}
}

func (w *Where) value(c *db.Content, holds func(int) bool, operand string) error {
	than, err := games.ParseValue(operand)
	switch {
	case err != nil && c.Order == games.ByScore.String():
		return fmt.Errorf("the values of %s are scores: want one such as +3, or win, draw or loss", c.Game)
	case err != nil:
		return err
	}
	_, measured := than.Plies()
	result := than == than.Result().Value() && than != games.Draw
	switch {
	case result:
		w.keep(c, func(v games.Value) bool { return holds(cmp.Compare(v.Result(), than.Result())) })
		return nil
	case measured && c.Order == games.ByScore.String():
		return fmt.Errorf("the values of %s are scores, such as +3", c.Game)
	case measured && c.Order == games.ByResult.String():
		return fmt.Errorf("%w: want win, draw or loss", errNoDistance)
	case !measured && than != games.Draw && c.Order != games.ByScore.String():
		return fmt.Errorf("the values of %s are not scores: want one such as win in 5, draw or loss", c.Game)
	}
	w.keep(c, func(v games.Value) bool { return holds(cmp.Compare(v, than)) })
	return nil
}

func (w *Where) distance(c *db.Content, holds func(int) bool, operand string) error {
	if c.Order != games.ByDistance.String() {
		return errNoDistance
	}
	than, err := strconv.ParseUint(operand, 10, 16)
	if err != nil || than > games.MaxPlies {
		return fmt.Errorf("want a whole number of plies, 0 to %d", games.MaxPlies)
	}
	w.keep(c, func(v games.Value) bool {
		plies, ok := v.Plies()
		return ok && holds(cmp.Compare(plies, int(than)))
	})
	return nil
}

func (w *Where) tier(c *db.Content, holds func(int) bool, operand string) error {
	than := slices.IndexFunc(c.Tiers, func(t db.Tier) bool { return t.Name == operand })
	switch {
	case len(c.Tiers) == 1:
		return errors.New("the database has only one tier")
	case than < 0:
		return fmt.Errorf("no tier has this name; the first is %s, the last %s", c.Tiers[0].Name, c.Tiers[len(c.Tiers)-1].Name)
	}
	for i := range w.tiers {
		w.tiers[i] = w.tiers[i] && holds(cmp.Compare(i, than))
	}
	return nil
}

func (w *Where) index(operator, operand string) error {
	n, err := strconv.ParseUint(operand, 10, games.IndexBits)
	if err != nil {
		return fmt.Errorf("want a whole number, 0 to %d", uint64(1<<games.IndexBits-1))
	}
	switch operator {
	case "=":
		w.first, w.last = max(w.first, n), min(w.last, n+1)
	case "!=":
		w.not = append(w.not, n)
	case "<":
		w.last = min(w.last, n)
	case "<=":
		w.last = min(w.last, n+1)
	case ">":
		w.first = max(w.first, n+1)
	case ">=":
		w.first = max(w.first, n)
	}
	return nil
}

// indices returns the range of the stored indices of a tier that may meet the condition, from its first index on; first is
// not below last if there are none.
func (w *Where) indices(c *db.Content, tier int) (first, last uint64) {
	t := &c.Tiers[tier]
	if !w.tiers[tier] || w.count(c, t) == 0 {
		return 0, 0
	}
	return max(w.first, t.Start) - t.Start, min(max(w.last, t.Start)-t.Start, t.Open)
}

// count returns how many unfinished positions of a tier have a value that meets the condition.
func (w *Where) count(c *db.Content, t *db.Tier) (n uint64) {
	for _, count := range t.Counts {
		if w.codes[slices.Index(c.Values, count.Value)+1] {
			n += count.Positions - count.Finished
		}
	}
	return n
}
