package book

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Opening looks positions of a game up in a book. It is safe for concurrent use, and implements [play.Book].
type Opening[P, M comparable] struct {
	rules[P, M]
	positions map[string]*Position
}

// Open returns the book of a game. It fails with [ErrBook] if the book is of another one, or has a move that is not
// legal.
func Open[P, M comparable](b *Book, g games.Game[P, M]) (*Opening[P, M], error) {
	o := &Opening[P, M]{newRules(g), make(map[string]*Position, len(b.Positions))}
	if own := games.RulesDigest(games.RulesTextOf(g)); b.Game != g.Name() {
		return nil, fmt.Errorf("%w: it is of %s, not of %s", ErrBook, b.Game, g.Name())
	} else if b.Rules != own {
		return nil, fmt.Errorf("%w: it is of other rules of %s, with the digest %.20q, not %q", ErrBook, b.Game, b.Rules, own)
	}
	for i := range b.Positions {
		x := &b.Positions[i]
		if err := o.check(x); err != nil {
			return nil, fmt.Errorf("%w: position %d, %q: %w", ErrBook, i+1, x.Position, err)
		}
		if o.positions[x.Position] != nil {
			return nil, fmt.Errorf("%w: position %d, %q: it is there twice", ErrBook, i+1, x.Position)
		}
		o.positions[x.Position] = x
	}
	return o, nil
}

// check refuses a position that is not canonical, or has a move that is not legal or there twice.
func (o *Opening[P, M]) check(x *Position) error {
	p, err := o.game.ParsePosition(x.Position)
	if err != nil {
		return err
	}
	if text := o.text(p); text != x.Position {
		return fmt.Errorf("want the one that stands for it, %q", text)
	}
	if v, finished := o.game.Outcome(p); finished {
		return fmt.Errorf("the game is over (%v)", v)
	}
	legal := o.ways(p)
	known := map[after[P]]bool{}
	for _, m := range x.Moves {
		to, ok := legal[m.Move]
		switch {
		case !ok:
			return fmt.Errorf("move %q is not legal", m.Move)
		case known[to]:
			return fmt.Errorf("move %q leads where another one leads", m.Move)
		}
		known[to] = true
	}
	return nil
}

// Known is a move of a book in a position, with all that lead to the same but for symmetry.
type Known[M comparable] struct {
	*Move
	Same []M // at least one
}

// Lookup returns what the book has of a position.
func (o *Opening[P, M]) Lookup(p P) (list []Known[M]) {
	c := o.canonical(p)
	x := o.positions[o.text(c)]
	if x == nil {
		return nil
	}
	there := o.ways(c)
	same := map[after[P]][]M{}
	for _, m := range o.game.AppendMoves(nil, p) {
		to := o.after(p, m)
		same[to] = append(same[to], m)
	}
	for i := range x.Moves {
		if to, ok := there[x.Moves[i].Move]; ok && len(same[to]) > 0 {
			list = append(list, Known[M]{&x.Moves[i], same[to]})
		}
	}
	return list
}

// Moves implements [play.Book]. Moves that are the same but for symmetry share a weight.
func (o *Opening[P, M]) Moves(p P) (list []play.BookMove[M]) {
	for _, k := range o.Lookup(p) {
		score, judged := k.score()
		for _, m := range k.Same {
			list = append(list, play.BookMove[M]{Move: m, Weight: float64(k.Weight) / float64(len(k.Same)), Score: score, Judged: judged})
		}
	}
	return list
}

// score returns how good a move is, if that is known.
func (m *Move) score() (play.Score, bool) {
	switch {
	case m.Value != nil:
		if r, ok := m.Value.Result(); ok && r == games.Lost {
			return play.ScoreOf(m.Value.Upper), true
		}
		return play.ScoreOf(m.Value.Lower), true
	case m.Estimate != nil:
		return *m.Estimate, true
	}
	return 0, false
}

// Walk calls visit with the positions of the book that its moves reach from the start position, each once, with the moves
// that lead there. Those with fewer moves come first, then those with more weight on the way.
func (o *Opening[P, M]) Walk(visit func(line []M, p P, list []Known[M])) {
	type place struct {
		p    P
		line []M
	}
	seen := map[string]bool{}
	for queue := []place{{p: o.game.Start()}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		key := o.text(o.canonical(at.p))
		if seen[key] || o.positions[key] == nil {
			continue
		}
		seen[key] = true
		list := o.Lookup(at.p)
		visit(at.line, at.p, list)
		for _, k := range list {
			m := k.Same[0]
			queue = append(queue, place{o.game.Play(at.p, m), append(at.line[:len(at.line):len(at.line)], m)})
		}
	}
}

// rules are those of a game as a book needs them.
type rules[P, M comparable] struct {
	game      games.Game[P, M]
	scorer    games.Scorer[P, M] // nil if there are no scores
	canonical func(P) P
}

func newRules[P, M comparable](g games.Game[P, M]) rules[P, M] {
	r := rules[P, M]{game: g, canonical: func(p P) P { return p }}
	r.scorer, _ = games.As[games.Scorer[P, M]](g)
	if c, ok := games.As[games.Canonicalizer[P]](g); ok {
		r.canonical = c.Canonical
	}
	return r
}

// text returns the text of the position that stands for p.
func (r *rules[P, M]) text(p P) string { return string(r.game.AppendPosition(nil, r.canonical(p))) }

// after is where a move leads. Two moves of a position that lead to the same are the same but for symmetry.
type after[P comparable] struct {
	p    P // canonical
	gain int
}

func (r *rules[P, M]) after(p P, m M) after[P] {
	a := after[P]{p: r.canonical(r.game.Play(p, m))}
	if r.scorer != nil {
		a.gain = r.scorer.Gain(p, m)
	}
	return a
}

// ways returns where the moves of a position lead, by their texts.
func (r *rules[P, M]) ways(p P) map[string]after[P] {
	list := map[string]after[P]{}
	for _, m := range r.game.AppendMoves(nil, p) {
		list[string(r.game.AppendMove(nil, p, m))] = r.after(p, m)
	}
	return list
}
