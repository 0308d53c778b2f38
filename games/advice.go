package games

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrContradiction says that an engine contradicts itself or another, which is a bug.
var ErrContradiction = errors.New("internal error: a search contradicts itself")

// Bounds say what is proven about the value of a position for the side to move: it is at least Lower and
// at most Upper. Nothing is known with [Unbounded]. Won.Value() as Upper says only that the position
// may be won, and Lost.Value() as Lower that it may be lost.
type Bounds struct{ Lower, Upper Value }

// Unbounded are the bounds of a position of which nothing is known.
var Unbounded = Bounds{Lost.Value(), Won.Value()}

// BoundsOf returns the bounds of a position with a known value. A win or a loss without distance may be
// of any.
func BoundsOf(v Value) Bounds {
	switch v {
	case Won.Value():
		return Bounds{Win(MaxPlies), v}
	case Lost.Value():
		return Bounds{v, Loss(MaxPlies)}
	}
	return Bounds{v, v}
}

// BoundsOfResults returns the bounds of a position whose result is at least lower and at most upper, at any
// distance.
func BoundsOfResults(lower, upper Result) Bounds {
	return Bounds{BoundsOf(lower.Value()).Lower, BoundsOf(upper.Value()).Upper}
}

// Exact reports whether the value is known, with its distance if it has one.
func (b Bounds) Exact() bool { return b.Lower == b.Upper }

// Result returns the result, and true if it is known.
func (b Bounds) Result() (Result, bool) {
	r := b.Lower.Result()
	return r, r == b.Upper.Result()
}

// Decided reports whether there is nothing left to find but perhaps a distance: the result is known or, where values
// are scores, the score.
func (b Bounds) Decided(order Order) bool {
	_, ok := b.Result()
	return ok && (order != ByScore || b.Exact())
}

// Backup returns the bounds of a move that gains gain points at once and leads to a position with these bounds.
func (b Bounds) Backup(gain int) Bounds {
	back := func(v Value) Value {
		if plies, ok := v.Plies(); ok && plies == MaxPlies {
			return -v // a bound that says nothing of the distance
		}
		return v.Backup(gain)
	}
	return Bounds{back(b.Upper), back(b.Lower)}
}

// After returns the bounds of the position after a move that gains gain points, which is worth no more than a position
// with these bounds: it is the inverse of Backup, of which only Upper says anything.
func (b Bounds) After(gain int) Bounds {
	after := Unbounded
	switch plies, ok := b.Upper.Plies(); {
	case ok && plies == MaxPlies:
		after.Lower = -b.Upper
	case ok && plies > 0 && b.Upper > 0:
		after.Lower = Loss(plies - 1)
	case ok && plies > 0:
		after.Lower = Win(plies - 1)
	case !ok && b.Upper.measured():
		after.Lower = Score(gain - int(b.Upper))
	}
	return after
}

// Meet returns what follows from both bounds. It fails if they exclude each other.
func (b Bounds) Meet(c Bounds) (Bounds, error) {
	m := Bounds{max(b.Lower, c.Lower), min(b.Upper, c.Upper)}
	if m.Lower > m.Upper {
		return b, fmt.Errorf("%w: a value is %v and %v", ErrContradiction, b, c)
	}
	return m, nil
}

// String returns the value if it is known, and otherwise what is, such as "win in 7 or less", "win" or
// "at least +2".
func (b Bounds) String() string {
	lower, upper := b.Lower.measured(), b.Upper.measured()
	if r, ok := b.Result(); ok && !b.Exact() && (r != Drawn) && !isScore(b.Lower) && !isScore(b.Upper) {
		bound := b.Lower
		if r == Lost {
			bound = b.Upper
		}
		if plies, ok := bound.Plies(); ok && plies < MaxPlies {
			return r.String() + " in " + strconv.Itoa(plies) + " or less"
		}
		return r.String()
	}
	switch {
	case b.Exact():
		return b.Lower.String()
	case !lower && !upper:
		return "unknown"
	case !lower:
		return "at most " + b.Upper.bare()
	case !upper:
		return "at least " + b.Lower.bare()
	}
	return b.Lower.bare() + " to " + b.Upper.bare()
}

// MarshalText returns what [Bounds.String] returns.
func (b Bounds) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText returns.
func (b *Bounds) UnmarshalText(text []byte) error {
	*b = Unbounded
	s := string(text)
	value := func(s string) (v Value, err error) {
		switch s {
		case "win":
			return Win(MaxPlies), nil
		case "loss":
			return Loss(MaxPlies), nil
		}
		return ParseValue(s)
	}
	set := func(s string, into ...*Value) error {
		v, err := value(s)
		for _, x := range into {
			*x = v
		}
		return err
	}
	if s == "unknown" {
		return nil
	}
	if at, ok := strings.CutPrefix(s, "at most "); ok {
		return set(at, &b.Upper)
	}
	if at, ok := strings.CutPrefix(s, "at least "); ok {
		return set(at, &b.Lower)
	}
	if lower, upper, ok := strings.Cut(s, " to "); ok {
		return errors.Join(set(lower, &b.Lower), set(upper, &b.Upper))
	}
	at, less := strings.CutSuffix(s, " or less")
	switch v, err := value(at); {
	case err != nil:
		return err
	case !less && s != "win" && s != "loss":
		*b = Bounds{v, v}
	case v > 0:
		b.Lower = v
	default:
		b.Upper = v
	}
	return nil
}

// isScore reports whether v is a score other than 0.
func isScore(v Value) bool { return v >= -MaxScore && v <= MaxScore && v != Draw }

// bare returns the value without a distance that is no more than a bound.
func (v Value) bare() string {
	if plies, ok := v.Plies(); ok && plies == MaxPlies {
		return v.Result().String()
	}
	return v.String()
}

// Advice is what a [Decider] has proven about a position.
type Advice[M any] struct {
	Bounds
	// By is who has proven it, such as "database" or "mate search"; empty if nothing is known.
	By string
	// Line is a line of play. Its first move attains Lower, unless it is empty: then no move is known
	// to.
	Line []M
	// Left, if not empty, are the only moves that are not proven to lose.
	Left []M
	// Nodes is how many positions were searched.
	Nodes uint64
}

// Decider proves values of positions of one game by what is particular to it: mates, threats, an exact search
// of endings. It belongs to one goroutine.
type Decider[P, M any] interface {
	// Decide says what it can prove about an unfinished position, for both sides, by searching at most about a
	// number of positions. Bounds are [Unbounded] if that is nothing. The answer depends on nothing but the
	// position and that number. It fails if ctx ends.
	Decide(ctx context.Context, p P, nodes uint64) (Advice[M], error)
}

// PlainDecider is a [Decider] that searches all moves, as any search of the game does. Such a search, which finds most of
// what that decides, leaves it a smaller share.
type PlainDecider interface {
	// SearchesAll does nothing: it says what the decider does.
	SearchesAll()
}
