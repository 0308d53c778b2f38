package games

// Any is a game whose types of position and move are hidden, as [Open] returns
// it. Its positions and moves come from its own methods only. It is meant for
// commands; where speed counts use the game's own types.
type Any = Game[any, any]

// Erase hides the types of g. All its capabilities remain.
func Erase[P, M comparable](g Game[P, M]) Any { return erased[P, M]{g} }

// Underlying returns the game that [Erase] hid, or g itself.
func Underlying(g any) any {
	if e, ok := g.(interface{ underlying() any }); ok {
		return e.underlying()
	}
	return g
}

// IndexerOf returns the [Indexer] of g if it has one.
func IndexerOf[P, M comparable](g Game[P, M]) (Indexer[P], bool) {
	if e, ok := g.(interface{ indexer() (Indexer[P], bool) }); ok {
		return e.indexer()
	}
	x, ok := g.(Indexer[P])
	return x, ok
}

// CanonicalizerOf returns the [Canonicalizer] of g if it has one.
func CanonicalizerOf[P, M comparable](g Game[P, M]) (Canonicalizer[P], bool) {
	if e, ok := g.(interface {
		canonicalizer() (Canonicalizer[P], bool)
	}); ok {
		return e.canonicalizer()
	}
	x, ok := g.(Canonicalizer[P])
	return x, ok
}

// DrawerOf returns the [Drawer] of g if it has one.
func DrawerOf[P, M comparable](g Game[P, M]) (Drawer[P], bool) {
	if e, ok := g.(interface{ drawer() (Drawer[P], bool) }); ok {
		return e.drawer()
	}
	x, ok := g.(Drawer[P])
	return x, ok
}

// FinisherOf returns the [Finisher] of g if it has one.
func FinisherOf[P, M comparable](g Game[P, M]) (Finisher[P, M], bool) {
	if e, ok := g.(interface{ finisher() (Finisher[P, M], bool) }); ok {
		return e.finisher()
	}
	x, ok := g.(Finisher[P, M])
	return x, ok
}

// GainerOf returns the [Gainer] of g if it has one.
func GainerOf[P, M comparable](g Game[P, M]) (Gainer[P, M], bool) {
	if e, ok := g.(interface{ gainer() (Gainer[P, M], bool) }); ok {
		return e.gainer()
	}
	x, ok := g.(Gainer[P, M])
	return x, ok
}

// ScorerOf returns the [Scorer] of g if it has one.
func ScorerOf[P, M comparable](g Game[P, M]) (Scorer[P], bool) {
	if e, ok := g.(interface{ scorer() (Scorer[P], bool) }); ok {
		return e.scorer()
	}
	x, ok := g.(Scorer[P])
	return x, ok
}

// OrderOf returns how the values of g are ordered.
func OrderOf[P, M comparable](g Game[P, M]) Order {
	if o, ok := Underlying(g).(Orderer); ok {
		return o.Order()
	}
	return ByDistance
}

// LayererOf returns the [Layerer] of g if it has one.
func LayererOf[P, M comparable](g Game[P, M]) (Layerer[P], bool) {
	if e, ok := g.(interface{ layerer() (Layerer[P], bool) }); ok {
		return e.layerer()
	}
	x, ok := g.(Layerer[P])
	return x, ok
}

// erased is a game with its types hidden.
type erased[P, M comparable] struct{ g Game[P, M] }

func (e erased[P, M]) underlying() any { return e.g }

func (e erased[P, M]) Name() string { return e.g.Name() }

func (e erased[P, M]) Start() any { return e.g.Start() }

func (e erased[P, M]) Outcome(p any) (Value, bool) { return e.g.Outcome(p.(P)) }

func (e erased[P, M]) AppendMoves(dst []any, p any) []any {
	return appendAny(dst, e.g.AppendMoves(nil, p.(P)))
}

func (e erased[P, M]) Play(p, m any) any { return e.g.Play(p.(P), m.(M)) }

func (e erased[P, M]) AppendPosition(dst []byte, p any) []byte {
	return e.g.AppendPosition(dst, p.(P))
}

func (e erased[P, M]) ParsePosition(text string) (any, error) {
	p, err := e.g.ParsePosition(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (e erased[P, M]) AppendMove(dst []byte, p, m any) []byte {
	return e.g.AppendMove(dst, p.(P), m.(M))
}

func (e erased[P, M]) ParseMove(p any, text string) (any, error) {
	m, err := e.g.ParseMove(p.(P), text)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func appendAny[T any](dst []any, list []T) []any {
	for _, x := range list {
		dst = append(dst, x)
	}
	return dst
}

func (e erased[P, M]) indexer() (Indexer[any], bool) {
	if x, ok := e.g.(Indexer[P]); ok {
		return erasedIndexer[P]{x}, true
	}
	return nil, false
}

type erasedIndexer[P comparable] struct{ x Indexer[P] }

func (e erasedIndexer[P]) Tiers() []Tier                 { return e.x.Tiers() }
func (e erasedIndexer[P]) Index(p any) (uint64, error)   { return e.x.Index(p.(P)) }
func (e erasedIndexer[P]) Position(i uint64) (any, bool) { return e.x.Position(i) }

func (e erased[P, M]) canonicalizer() (Canonicalizer[any], bool) {
	if x, ok := e.g.(Canonicalizer[P]); ok {
		return erasedCanonicalizer[P]{x}, true
	}
	return nil, false
}

type erasedCanonicalizer[P comparable] struct{ x Canonicalizer[P] }

func (e erasedCanonicalizer[P]) Canonical(p any) any { return e.x.Canonical(p.(P)) }

func (e erased[P, M]) drawer() (Drawer[any], bool) {
	if x, ok := e.g.(Drawer[P]); ok {
		return erasedDrawer[P]{x}, true
	}
	return nil, false
}

type erasedDrawer[P comparable] struct{ x Drawer[P] }

func (e erasedDrawer[P]) AppendBoard(dst []byte, p any) []byte { return e.x.AppendBoard(dst, p.(P)) }

func (e erased[P, M]) finisher() (Finisher[any, any], bool) {
	if x, ok := e.g.(Finisher[P, M]); ok {
		return erasedFinisher[P, M]{x}, true
	}
	return nil, false
}

type erasedFinisher[P, M comparable] struct{ x Finisher[P, M] }

func (e erasedFinisher[P, M]) AppendFinishing(dst []any, p any) []any {
	return appendAny(dst, e.x.AppendFinishing(nil, p.(P)))
}

func (e erased[P, M]) gainer() (Gainer[any, any], bool) {
	if x, ok := e.g.(Gainer[P, M]); ok {
		return erasedGainer[P, M]{x}, true
	}
	return nil, false
}

type erasedGainer[P, M comparable] struct{ x Gainer[P, M] }

func (e erasedGainer[P, M]) Gain(p, m any) int { return e.x.Gain(p.(P), m.(M)) }

func (e erased[P, M]) scorer() (Scorer[any], bool) {
	if x, ok := e.g.(Scorer[P]); ok {
		return erasedScorer[P]{x}, true
	}
	return nil, false
}

type erasedScorer[P comparable] struct{ x Scorer[P] }

func (e erasedScorer[P]) Remaining(p any) int { return e.x.Remaining(p.(P)) }

func (e erased[P, M]) layerer() (Layerer[any], bool) {
	if x, ok := e.g.(Layerer[P]); ok {
		return erasedLayerer[P]{x}, true
	}
	return nil, false
}

type erasedLayerer[P comparable] struct{ x Layerer[P] }

func (e erasedLayerer[P]) Layer(p any) int { return e.x.Layer(p.(P)) }
