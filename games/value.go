package games

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Value is the value of a position for the side to move, under perfect play of both
// sides. Values are ordered: larger is better for the side to move.
//
// Three kinds share the number line: wins at the top, quick ones highest; losses at the
// bottom, quick ones lowest; and scores between them, with 0 for a draw. A game uses
// either wins, draws and losses, or scores. Outside them are a win and a loss without distance;
// see [Result.Value].
type Value int16

const (
	// Draw is the value of a position from which neither side can force a win,
	// and the score of an even result.
	Draw Value = 0
	// Unfinished is returned instead of a value if the rules do not yet decide the game in a
	// position.
	Unfinished Value = math.MinInt16
	// Hole is returned instead of a value for an index without a position.
	Hole Value = math.MinInt16 + 1
	// MaxPlies is the longest distance that a Value can hold.
	MaxPlies = 15_999
	// MaxScore is the largest score, and -MaxScore the smallest.
	MaxScore = 16_000

	mate = 32_000
	// unmeasured is a win without distance, and -unmeasured such a loss.
	unmeasured Value = mate + 1
)

// Win returns the value of a position won in the given number of plies, the
// ply that ends the game included. It panics if plies is not in 0..MaxPlies.
func Win(plies int) Value {
	mustBeDistance(plies)
	return Value(mate - plies)
}

// Loss returns the value of a position lost in the given number of plies; 0 if
// the game is over. It panics if plies is not in 0..MaxPlies.
func Loss(plies int) Value {
	mustBeDistance(plies)
	return Value(plies - mate)
}

// Score returns the value of a position worth n to the side to move. It panics
// if n is not in -MaxScore..MaxScore.
func Score(n int) Value {
	if n < -MaxScore || n > MaxScore {
		panic(fmt.Sprintf("games: score %d is not in %d..%d", n, -MaxScore, MaxScore))
	}
	return Value(n)
}

func mustBeDistance(plies int) {
	if plies < 0 || plies > MaxPlies {
		panic(fmt.Sprintf("games: distance %d is not in 0..%d", plies, MaxPlies))
	}
}

// Result is a value without its distance or size.
type Result int8

// The results, ordered like values.
const (
	Lost  Result = -1
	Drawn Result = 0
	Won   Result = 1
)

// String returns "loss", "draw" or "win".
func (r Result) String() string { return [...]string{"loss", "draw", "win"}[r-Lost] }

// Value returns the value of a position of which only the result is known: a win or a loss
// without distance, or a draw. Such values are never mixed with those that have a distance.
func (r Result) Value() Value { return Value(r) * unmeasured }

// measured reports whether v is not a win or a loss without distance.
func (v Value) measured() bool { return v != unmeasured && v != -unmeasured }

// Result returns who wins: the side to move, nobody, or the opponent.
func (v Value) Result() Result { return Result(cmp.Compare(v, Draw)) }

// Plies returns the number of plies to the end of the game, and false if v is not a win
// or a loss.
func (v Value) Plies() (int, bool) {
	switch {
	case v > MaxScore && v <= mate:
		return mate - int(v), true
	case v < -MaxScore && v >= -mate:
		return mate + int(v), true
	}
	return 0, false
}

// Size returns the distance of a win or a loss, and the absolute value of a score. It is 1 for a
// win or a loss without distance.
func (v Value) Size() int {
	if !v.measured() {
		return 1
	}
	if plies, ok := v.Plies(); ok {
		return plies
	}
	return max(int(v), -int(v))
}

// Backup returns the value of a move that gains gain points at once and leads to a position
// of value v for the opponent. A win becomes a loss in one ply more and vice versa; a score
// becomes gain minus v. The gain counts for scores only.
func (v Value) Backup(gain int) Value {
	if !v.measured() {
		return -v
	}
	if plies, ok := v.Plies(); ok {
		if v > 0 {
			return Loss(plies + 1)
		}
		return Win(plies + 1)
	}
	return Score(gain - int(v))
}

// String returns the value as text, such as "win in 3", "loss in 78", "draw", "+5" or
// "-2".
func (v Value) String() string {
	if plies, ok := v.Plies(); ok {
		return v.Result().String() + " in " + strconv.Itoa(plies)
	}
	switch v {
	case Unfinished:
		return "unfinished"
	case Hole:
		return "no position"
	case Draw:
		return "draw"
	case unmeasured, -unmeasured:
		return v.Result().String()
	}
	return fmt.Sprintf("%+d", int(v))
}

// ParseValue reads what [Value.String] returns, except for [Unfinished] and [Hole].
func ParseValue(text string) (Value, error) {
	bad := func() (Value, error) {
		return 0, fmt.Errorf(`value %q: want "win in N", "loss in N", "draw", or a score such as +5; without distance "win" or "loss"`, text)
	}
	for _, r := range []Result{Lost, Drawn, Won} {
		if text == r.String() {
			return r.Value(), nil
		}
	}
	for _, kind := range []struct {
		prefix string
		value  func(int) Value
	}{{"win in ", Win}, {"loss in ", Loss}} {
		if digits, ok := strings.CutPrefix(text, kind.prefix); ok {
			n, err := strconv.ParseUint(digits, 10, 16)
			if err != nil || n > MaxPlies || strconv.FormatUint(n, 10) != digits {
				return bad()
			}
			return kind.value(int(n)), nil
		}
	}
	n, err := strconv.ParseInt(text, 10, 16)
	if err != nil || n == 0 || n < -MaxScore || n > MaxScore || fmt.Sprintf("%+d", n) != text {
		return bad()
	}
	return Score(int(n)), nil
}

func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

func (v *Value) UnmarshalText(text []byte) error {
	parsed, err := ParseValue(string(text))
	if err == nil {
		*v = parsed
	}
	return err
}

// Order says how the values of a game are ordered.
type Order uint8

const (
	// ByDistance orders by win, draw and loss, and these by plies to the end.
	ByDistance Order = iota
	// ByScore orders by net score.
	ByScore
	// ByResult orders by win, draw and loss alone.
	ByResult
)

// String returns "distance", "score" or "result".
func (o Order) String() string { return [...]string{"distance", "score", "result"}[o] }
