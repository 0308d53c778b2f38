package games

import (
	"errors"
	"fmt"
	"slices"
)

// IndexBits is the width of an index.
const IndexBits = 48

// Successor is the index of a position that a move leads to and, if that
// position is finished, its value: one 64-bit word.
type Successor uint64

// NewSuccessor returns the successor with the given index, which must be less
// than 1<<48, and outcome: [Unfinished] if play goes on there.
func NewSuccessor(index uint64, outcome Value) Successor {
	// Unfinished is coded as 0, so that an unfinished successor is its index.
	return Successor(index | uint64(uint16(outcome)^0x8000)<<IndexBits)
}

// Index returns the index of the position.
func (s Successor) Index() uint64 { return uint64(s) & (1<<IndexBits - 1) }

// Outcome returns the value of the position if it is finished, for the side to
// move there, and otherwise [Unfinished].
func (s Successor) Outcome() Value { return Value(uint16(s>>IndexBits) ^ 0x8000) }

// Expansion is the result of an [Expander] for a batch of positions. Its memory is
// reused from batch to batch.
type Expansion struct {
	// Status has an entry for each position of the batch: its outcome, or
	// [Unfinished], or [Hole] if the index has no position.
	Status []Value
	// End has for each position the end of its successors in Successors. They begin where
	// those of the previous position end. Finished positions and holes have none.
	End []int
	// Successors has the positions that the moves of each position lead to,
	// without repetition.
	Successors []Successor
	// Moves is the total number of moves of the batch. It exceeds the number of
	// successors if moves lead to equal positions.
	Moves int
	// Gains has for each successor the best gain of a move that leads there.
	// It is empty if no move gains anything.
	Gains []int16
	// Counted has for each position how many successors a [Counter] has left out of Successors. An
	// Expander leaves it empty.
	Counted []int
}

// Reset empties x and keeps its memory.
func (x *Expansion) Reset() {
	x.Status = x.Status[:0]
	x.End = x.End[:0]
	x.Successors = x.Successors[:0]
	x.Gains = x.Gains[:0]
	x.Counted = x.Counted[:0]
	x.Moves = 0
}

// Of returns the successors of the i-th position of the batch.
func (x *Expansion) Of(i int) []Successor {
	begin, end := x.bounds(i)
	return x.Successors[begin:end]
}

// GainsOf returns the gains of the moves to the successors of position i of the batch, or nil
// if Gains is empty.
func (x *Expansion) GainsOf(i int) []int16 {
	if len(x.Gains) == 0 {
		return nil
	}
	begin, end := x.bounds(i)
	return x.Gains[begin:end]
}

// CountedOf returns the number of successors of position i of the batch that are left out.
func (x *Expansion) CountedOf(i int) int {
	if len(x.Counted) == 0 {
		return 0
	}
	return x.Counted[i]
}

func (x *Expansion) bounds(i int) (begin, end int) {
	if i > 0 {
		begin = x.End[i-1]
	}
	return begin, x.End[i]
}

// Expander is OPTIONAL: it gives the successors of a batch of positions. Without it
// [MoveExpander] makes moves one by one, which is several times slower.
type Expander interface {
	// Expand replaces the contents of out with the status and the successors of the positions
	// with the given indices. It retains neither argument and is safe for concurrent use.
	Expand(indices []uint64, out *Expansion)
}

// Counter is OPTIONAL for an [Expander]: it leaves out successors that need no index. Where all positions of a tier are solved, of
// those in the same tier an engine only needs to know how many there are.
type Counter interface {
	// Count is like Expand, but may leave out unfinished successors without a gain that are in the tier of their position.
	// It counts them in Counted.
	Count(indices []uint64, out *Expansion)
}

// Count is Count of x if x is a [Counter], and otherwise Expand.
func Count(x Expander, indices []uint64, out *Expansion) {
	if c, ok := x.(Counter); ok {
		c.Count(indices, out)
		return
	}
	x.Expand(indices, out)
}

// Predecessors is the result of a [Retractor] for a batch of positions. Its memory is
// reused from batch to batch.
type Predecessors struct {
	// Indices has the predecessors of each position of the batch, in the order of
	// the batch. A position is listed once for each of its successors in the batch.
	Indices []uint64
}

// Reset empties x and keeps its memory.
func (x *Predecessors) Reset() { x.Indices = x.Indices[:0] }

// Retractor is OPTIONAL: it gives the predecessors of a batch of positions within their
// tier. Without it an engine keeps the reverse edges of a tier in memory, which limits
// the size of a tier.
type Retractor interface {
	// Retract replaces the contents of out with the predecessors of the unfinished positions
	// with the given indices. The predecessors of an index are exactly the unfinished
	// positions of the same tier whose expansion contains it. Retract retains neither
	// argument and is safe for concurrent use.
	Retract(indices []uint64, out *Predecessors)
}

// Verdict is what a [Settler] says of an index.
type Verdict uint8

const (
	NoPosition Verdict = iota
	OverLost           // finished, and lost for the side to move
	OverWon            // finished, and won
	ToLose             // unfinished: every move leads to a position won for the opponent
	ToWin              // unfinished: some move leads to a position lost for the opponent
	Verdicts           // the number of verdicts
)

// Settled is the result of a [Settler] for consecutive indices. Its memory is reused from call to call.
type Settled struct {
	Verdicts []Verdict
	// Moves counts moves of unfinished positions, so that the sum over a tier is that of all its positions. A call need not
	// have exactly those of its own positions.
	Moves uint64
}

// Settler is OPTIONAL: it finds results without distance of many positions at once, without a list of their successors. It is
// for games in which every move leads to the tier before, and nothing is drawn. Without it, or where distances are wanted, an
// engine expands each position.
type Settler interface {
	// Settle replaces the contents of out with what it says of n positions of one tier, from an index on. For each index of
	// the tier before, lost has a bit that is set if the side to move has lost there or is going to; the bits of indices
	// without a position mean nothing. Settle retains neither argument and is safe for concurrent use.
	Settle(first uint64, n int, lost []uint64, out *Settled)
}

// Universe is the index side of a game: all that retrograde analysis needs to know.
type Universe struct {
	Name      string
	Order     Order
	Tiers     []Tier
	Start     uint64 // index of the start position
	Numbering string // fingerprint of the numbering if the game has no Indexer
	Rules     string // those of a [Ruled] game
	Expander  Expander
	Retractor Retractor // nil if the game has none
	Classed   Classed   // nil if the game has none
	Settler   Settler   // nil if the game has none
	// Text returns the position with the given index in the game's notation, and "" for a
	// hole. It is nil if there is no notation.
	Text func(index uint64) string
}

// PositionName names the position with an index in a message.
func (u *Universe) PositionName(index uint64) string {
	if u.Text == nil {
		return fmt.Sprintf("position %d", index)
	}
	if text := u.Text(index); text != "" {
		return fmt.Sprintf("position %q", text)
	}
	return fmt.Sprintf("index %d", index)
}

// Size returns the number of indices of all tiers.
func (u *Universe) Size() uint64 {
	last := u.Tiers[len(u.Tiers)-1]
	return last.Start + last.Size
}

// Children returns the numbers of the tiers whose values the tier with a number needs, in
// ascending order.
func (u *Universe) Children(tier int) []int {
	if list := u.Tiers[tier].Children; list != nil {
		return list
	}
	all := make([]int, tier)
	for i := range all {
		all[i] = i
	}
	return all
}

// Results returns the universe of the same game with results for values, without distances. It
// fails if values are scores, which have no distance.
func (u *Universe) Results() (*Universe, error) {
	switch u.Order {
	case ByScore:
		return nil, fmt.Errorf("the values of %s are scores, which have no distance to leave out", u.Name)
	case ByResult:
		return u, nil
	}
	r := *u
	r.Order, r.Expander = ByResult, resultExpander{u.Expander}
	return &r, nil
}

// resultExpander is an Expander that takes the distances from outcomes.
type resultExpander struct{ Expander }

// Expand implements [Expander].
func (e resultExpander) Expand(indices []uint64, out *Expansion) {
	e.Expander.Expand(indices, out)
	withoutDistances(out)
}

// Count implements [Counter].
func (e resultExpander) Count(indices []uint64, out *Expansion) {
	Count(e.Expander, indices, out)
	withoutDistances(out)
}

func withoutDistances(out *Expansion) {
	for i, v := range out.Status {
		if v != Unfinished && v != Hole {
			out.Status[i] = v.Result().Value()
		}
	}
	for i, s := range out.Successors {
		if v := s.Outcome(); v != Unfinished {
			out.Successors[i] = NewSuccessor(s.Index(), v.Result().Value())
		}
	}
}

// ErrNoIndex is returned for a game that does not number its positions.
var ErrNoIndex = errors.New("the game does not number its positions")

// UniverseOf returns the index side of g. It fails with [ErrNoIndex] if g is not
// an [Indexer], or if its tiers are invalid.
func UniverseOf[P, M comparable](g Game[P, M]) (*Universe, error) {
	indexer, ok := g.(Indexer[P])
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), ErrNoIndex)
	}
	return UniverseWith(g, indexer)
}

// UniverseWith returns the index side of g with the given indexer: its own, or a [Numbering].
func UniverseWith[P, M comparable](g Game[P, M], indexer Indexer[P]) (*Universe, error) {
	u := &Universe{Name: g.Name(), Tiers: indexer.Tiers(), Numbering: FingerprintOf(indexer), Rules: RulesTextOf(g)}
	if err := checkTiers(u.Tiers); err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name(), err)
	}
	start, err := indexer.Index(g.Start())
	if err != nil {
		return nil, fmt.Errorf("%s: the start position has no index: %w", g.Name(), err)
	}
	if u.Start = start; start >= u.Size() {
		return nil, fmt.Errorf("%s: the start position has the index %d, past the last one", g.Name(), start)
	}
	u.Order = OrderOf(g)
	u.Expander = MoveExpander(g, indexer)
	u.Text = func(index uint64) string {
		if p, ok := indexer.Position(index); ok {
			return string(g.AppendPosition(nil, p))
		}
		return ""
	}
	if u.Numbering == "" { // otherwise the game's own methods would mean other indices
		if x, ok := g.(Expander); ok {
			u.Expander = x
		}
		u.Retractor, _ = g.(Retractor)
		u.Classed, _ = g.(Classed)
		u.Settler, _ = g.(Settler)
	}
	return u, nil
}

func checkTiers(list []Tier) error {
	if len(list) == 0 {
		return errors.New("the game has no tiers")
	}
	var next uint64
	for i, s := range list {
		if s.Start != next {
			return fmt.Errorf("tier %d starts at %d, want %d, the end of the tier before", i, s.Start, next)
		}
		if s.Size == 0 || s.Open > s.Size {
			return fmt.Errorf("tier %d has %d positions of which %d are open", i, s.Size, s.Open)
		}
		if s.Size > 1<<IndexBits-next {
			return fmt.Errorf("tier %d has %d positions from %d on, past the largest index", i, s.Size, next)
		}
		next += s.Size
		for n, child := range s.Children {
			if child < 0 || child >= i || n > 0 && child <= s.Children[n-1] {
				return fmt.Errorf("tier %d has the children %v, want numbers of earlier tiers in ascending order", i, s.Children)
			}
		}
	}
	return nil
}

// MoveExpander returns an [Expander] that makes the moves of g one by one. It is the fallback
// for games without an Expander, and the reference against which a game's own Expander is
// tested.
func MoveExpander[P, M comparable](g Game[P, M], indexer Indexer[P]) Expander {
	scorer, _ := g.(Scorer[P, M])
	return &moveExpander[P, M]{g, indexer, scorer}
}

type moveExpander[P, M comparable] struct {
	game    Game[P, M]
	indexer Indexer[P]
	scorer  Scorer[P, M]
}

func (e *moveExpander[P, M]) Expand(indices []uint64, out *Expansion) {
	out.Reset()
	var moves []M
	for _, index := range indices {
		status := Hole
		if p, ok := e.indexer.Position(index); ok {
			status, _ = e.game.Outcome(p)
			if status == Unfinished {
				moves = e.game.AppendMoves(moves[:0], p)
				out.Moves += len(moves)
				e.successors(p, moves, out)
			}
		}
		out.Status = append(out.Status, status)
		out.End = append(out.End, len(out.Successors))
	}
}

func (e *moveExpander[P, M]) successors(p P, moves []M, out *Expansion) {
	begin := len(out.Successors)
	for _, m := range moves {
		child := e.game.Play(p, m)
		index, err := e.indexer.Index(child)
		if err != nil {
			panic(fmt.Sprintf("%s: move %s in %s leads to a position without an index: %v",
				e.game.Name(), e.game.AppendMove(nil, p, m), e.game.AppendPosition(nil, p), err))
		}
		outcome, _ := e.game.Outcome(child)
		s := NewSuccessor(index, outcome)
		at := slices.Index(out.Successors[begin:], s)
		if at < 0 {
			at = len(out.Successors) - begin
			out.Successors = append(out.Successors, s)
			if e.scorer != nil {
				out.Gains = append(out.Gains, -MaxScore)
			}
		}
		if e.scorer != nil {
			gain := &out.Gains[begin+at]
			*gain = max(*gain, int16(e.scorer.Gain(p, m)))
		}
	}
}
