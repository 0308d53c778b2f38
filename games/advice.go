package games

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
)

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

// Meet returns what follows from both bounds. It fails if they exclude each other.
func (b Bounds) Meet(c Bounds) (Bounds, error) {
	m := Bounds{max(b.Lower, c.Lower), min(b.Upper, c.Upper)}
	if m.Lower > m.Upper {
		return b, fmt.Errorf("internal error: a value is %v and %v", b, c)
	}
	return m, nil
}

// String returns the value if it is known, and otherwise what is, such as "win in 7 or less", "win" or
// "+2 or more".
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
		return b.Upper.bare() + " or less"
	case !upper:
		return b.Lower.bare() + " or more"
	}
	return b.Lower.bare() + " to " + b.Upper.bare()
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

// Compare orders bounds by what they promise: first by Lower, then by Upper.
func (b Bounds) Compare(c Bounds) int {
	return cmp.Or(cmp.Compare(b.Lower, c.Lower), cmp.Compare(b.Upper, c.Upper))
}
