package games

// Cursor is a position on which moves are made and taken back, for searches of many
// positions. It belongs to one goroutine.
type Cursor[P, M comparable] interface {
	// Set puts the cursor on p and forgets the moves made.
	Set(p P)

	// Position returns the position that the cursor is on.
	Position() P

	// Key returns a hash of the position, the same in every run.
	Key() uint64

	// Outcome returns what [Game.Outcome] returns for the position.
	Outcome() (Value, bool)

	// AppendMoves appends what [Game.AppendMoves] appends.
	AppendMoves(dst []M) []M

	// AppendTactical appends those legal moves, in the same order, whose rank is positive, and
	// their ranks.
	AppendTactical(moves []M, ranks []int32) ([]M, []int32)

	// AppendRanks appends a rank for each of the given legal moves: positive for tactical
	// moves, such as captures, the more promising the higher, negative for captures that lose
	// material, and 0 for others.
	AppendRanks(dst []int32, moves []M) []int32

	// Forced reports whether the side to move has to answer a threat or has no choice, so
	// that the evaluation of the unfinished position says little.
	Forced() bool

	// Do makes a legal move and returns its gain; see [Scorer].
	Do(m M) (gain int)

	// Pass gives the turn to the opponent, and reports false, doing nothing, if a search
	// should not do so here.
	Pass() bool

	// Undo takes back the last move or pass that was made and not taken back.
	Undo()

	// Evaluate returns the sum of the weights of the features of the unfinished position.
	Evaluate() int

	// Repetition returns the value for the side to move if the position is the same as it was
	// the given number of plies before, all of them moves made by Do.
	Repetition(plies int) Value
}

// CursorMaker is OPTIONAL: it makes cursors that are faster than a stack of positions, which
// is what [NewCursor] makes without it.
type CursorMaker[P, M comparable] interface {
	// NewCursor returns a cursor on the start position that evaluates by the given weights,
	// what [FeatureSet.Folded] returns. Without weights all evaluations are 0.
	NewCursor(weights []int16) Cursor[P, M]
}

// Selector is OPTIONAL for a [Cursor]: it leaves out moves that are hardly ever good, for games with very many
// moves. A search that plays uses it unless it has to look at all moves.
type Selector[M comparable] interface {
	// AppendPromising appends legal moves, the most promising first: at least one if the position
	// is unfinished, and always the same for a position.
	AppendPromising(dst []M) []M
}

// Exchanger is OPTIONAL for a [Cursor]: it says which quiet moves need no deep search.
type Exchanger[M comparable] interface {
	// Losing reports whether a legal move loses material to captures on its destination.
	Losing(m M) bool
}

// Tactics is OPTIONAL: it tells a search that plays which positions it must not judge by their
// evaluation. A game with a [CursorMaker] does not need it.
type Tactics[P, M comparable] interface {
	// AppendRanks and Forced are as in [Cursor].
	AppendRanks(dst []int32, p P, moves []M) []int32
	Forced(p P) bool
}

// Passer is OPTIONAL: it lets a search that plays pass, to see whether the opponent threatens
// anything. It is for games in which having to move is hardly ever a disadvantage. A game with
// a [CursorMaker] does not need it.
type Passer[P comparable] interface {
	// Pass returns p with the opponent to move, and false if the search should not pass.
	Pass(p P) (P, bool)
}

// NewCursor returns a cursor for g on the start position. The weights are those of its
// [Features], as in [CursorMaker].
func NewCursor[P, M comparable](g Game[P, M], weights []int16) Cursor[P, M] {
	if maker, ok := g.(CursorMaker[P, M]); ok {
		return maker.NewCursor(weights)
	}
	return NewStack(g, weights)
}

// NewStack returns the cursor that a game without a [CursorMaker] has: a stack of positions.
func NewStack[P, M comparable](g Game[P, M], weights []int16) Cursor[P, M] {
	c := &stack[P, M]{game: g, hasher: NewHasher(g), weights: weights}
	c.features, _ = g.(Features[P])
	c.tactics, _ = g.(Tactics[P, M])
	c.passer, _ = g.(Passer[P])
	c.scorer, _ = g.(Scorer[P, M])
	c.Set(g.Start())
	return c
}

// stack is a cursor that keeps the positions of its path.
type stack[P, M comparable] struct {
	game     Game[P, M]
	hasher   *Hasher[P]
	weights  []int16
	features Features[P]   // these are nil if the game has none
	tactics  Tactics[P, M] //
	passer   Passer[P]     //
	scorer   Scorer[P, M]  //
	path     []P
	found    []Feature // buffers
	ranks    []int32   //
}

func (c *stack[P, M]) now() *P                 { return &c.path[len(c.path)-1] }
func (c *stack[P, M]) Set(p P)                 { c.path = append(c.path[:0], p) }
func (c *stack[P, M]) Position() P             { return *c.now() }
func (c *stack[P, M]) Key() uint64             { return c.hasher.Hash(c.now()) }
func (c *stack[P, M]) Outcome() (Value, bool)  { return c.game.Outcome(*c.now()) }
func (c *stack[P, M]) AppendMoves(dst []M) []M { return c.game.AppendMoves(dst, *c.now()) }
func (c *stack[P, M]) Repetition(int) Value    { return Draw }
func (c *stack[P, M]) Undo()                   { c.path = c.path[:len(c.path)-1] }
func (c *stack[P, M]) Forced() bool            { return c.tactics != nil && c.tactics.Forced(*c.now()) }

func (c *stack[P, M]) AppendTactical(moves []M, ranks []int32) ([]M, []int32) {
	if c.tactics == nil {
		return moves, ranks
	}
	first := len(moves)
	moves = c.game.AppendMoves(moves, *c.now())
	c.ranks = c.tactics.AppendRanks(c.ranks[:0], *c.now(), moves[first:])
	kept := moves[:first]
	for i, rank := range c.ranks {
		if rank > 0 {
			kept, ranks = append(kept, moves[first+i]), append(ranks, rank)
		}
	}
	return kept, ranks
}

func (c *stack[P, M]) AppendRanks(dst []int32, moves []M) []int32 {
	if c.tactics != nil {
		return c.tactics.AppendRanks(dst, *c.now(), moves)
	}
	return append(dst, make([]int32, len(moves))...)
}

func (c *stack[P, M]) Do(m M) (gain int) {
	p := *c.now()
	if c.scorer != nil {
		gain = c.scorer.Gain(p, m)
	}
	c.path = append(c.path, c.game.Play(p, m))
	return gain
}

func (c *stack[P, M]) Pass() bool {
	if c.passer == nil {
		return false
	}
	p, ok := c.passer.Pass(*c.now())
	if ok {
		c.path = append(c.path, p)
	}
	return ok
}

func (c *stack[P, M]) Evaluate() int {
	if c.weights == nil || c.features == nil {
		return 0
	}
	c.found = c.features.AppendFeatures(c.found[:0], *c.now())
	sum := 0
	for _, f := range c.found {
		sum += int(c.weights[f.Number]) * int(f.Count)
	}
	return sum
}
