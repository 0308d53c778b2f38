package games

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// CheckPosition returns an error if g breaks a promise in p: of [Game] about the outcome, the
// number of moves, and the texts of p and its moves, or of [Canonicalizer], [Indexer] or [Features]
// about p alone. That p has no index is no error.
func CheckPosition[P, M comparable](g Game[P, M], p P) error {
	return at(g, p, checkOutcome[P, M], checkText[P, M], checkMoves[P, M], checkIndex[P, M], checkFeatures[P, M])
}

// at returns the first error of some checks of p, with the text of p in front.
func at[P, M comparable](g Game[P, M], p P, checks ...func(Game[P, M], P) error) error {
	for _, check := range checks {
		if err := check(g, p); err != nil {
			return fmt.Errorf("%s %w", g.AppendPosition(nil, p), err)
		}
	}
	return nil
}

func checkOutcome[P, M comparable](g Game[P, M], p P) error {
	v, finished := g.Outcome(p)
	moves := len(g.AppendMoves(nil, p))
	_, distance := v.Plies()
	switch {
	case !finished && v != Unfinished:
		return fmt.Errorf("has the outcome %v, and false: want Unfinished, and false, for a position that is not finished", v)
	case !finished && moves == 0:
		return fmt.Errorf("has no moves, but Outcome says that it is not finished")
	case !finished:
		return nil
	case v == Unfinished || v == Hole:
		return fmt.Errorf("is finished with the value %v: want the value for the side to move", v)
	case OrderOf(g) == ByScore && distance:
		return fmt.Errorf("is finished with the value %v: want a score, as the game is a Scorer", v)
	case OrderOf(g) != ByScore && v != Win(0) && v != Win(1) && v != Draw && v != Loss(0):
		hint := ""
		if !distance {
			hint = "; a game with scores is a Scorer"
		}
		return fmt.Errorf("is finished with the value %v: want a draw, a loss in 0, or a win in 0 or 1%s", v, hint)
	case moves > 0:
		return fmt.Errorf("is finished (%v), but has moves", v)
	}
	return nil
}

func checkText[P, M comparable](g Game[P, M], p P) error {
	q, err := g.ParsePosition(string(g.AppendPosition(nil, p)))
	if err != nil {
		return fmt.Errorf("is what AppendPosition writes, but ParsePosition does not read it: %w", err)
	}
	if q != p {
		return fmt.Errorf("is read as %s, another position: %+v, not %+v", g.AppendPosition(nil, q), q, p)
	}
	return nil
}

func checkMoves[P, M comparable](g Game[P, M], p P) error {
	moves := g.AppendMoves(nil, p)
	if again := g.AppendMoves(nil, p); !slices.Equal(again, moves) {
		return fmt.Errorf("has the moves %s, and %s when AppendMoves is called again", moveTexts(g, p, moves), moveTexts(g, p, again))
	}
	seen := make(map[string]bool, len(moves))
	var buffer []byte
	for _, m := range moves {
		buffer = g.AppendMove(buffer[:0], p, m)
		text := string(buffer)
		switch {
		case text == "" || strings.ContainsAny(text, " \t\n,"):
			return fmt.Errorf("has a move %q: want text without spaces and commas, which separate moves", text)
		case seen[text]:
			return fmt.Errorf("has two moves %s", text)
		}
		seen[text] = true
	}
	return nil
}

func moveTexts[P, M comparable](g Game[P, M], p P, moves []M) string {
	var b []byte
	for _, m := range moves {
		b = append(g.AppendMove(b, p, m), ' ')
	}
	return strings.TrimSpace(string(b))
}

// checkIndex checks that the canonical position of p is its own canonical position and has the
// same outcome, and that the index of p is that of the canonical position.
func checkIndex[P, M comparable](g Game[P, M], p P) error {
	canonical := canonicalOf(g)
	c := canonical(p)
	if again := canonical(c); again != c {
		return fmt.Errorf("has the canonical position %s, whose canonical position is another one, %s",
			g.AppendPosition(nil, c), g.AppendPosition(nil, again))
	}
	v, _ := g.Outcome(p)
	if w, _ := g.Outcome(c); w != v {
		return fmt.Errorf("has the outcome %v, and its canonical position %s %v", v, g.AppendPosition(nil, c), w)
	}
	x, ok := g.(Indexer[P])
	if !ok {
		return nil
	}
	i, err := x.Index(p)
	if err != nil {
		return nil
	}
	switch q, ok := x.Position(i); {
	case !ok:
		return fmt.Errorf("has the index %d, but Position says that no position has it", i)
	case q != c:
		return fmt.Errorf("has the index of %s", g.AppendPosition(nil, q))
	}
	return nil
}

func checkFeatures[P, M comparable](g Game[P, M], p P) error {
	f, ok := g.(Features[P])
	if _, finished := g.Outcome(p); !ok || finished {
		return nil
	}
	size := f.FeatureSet().Size
	for _, x := range f.AppendFeatures(nil, p) {
		if x.Number < 0 || int(x.Number) >= size {
			return fmt.Errorf("has the feature %d: want 0 to %d", x.Number, size-1)
		}
	}
	return nil
}

// CheckPlay plays random games, of a thousand positions in all and the same in each call, and
// returns the error of [CheckPosition] for the first position that has one. After two hundred
// positions it only checks outcomes. It also checks that no move leads to a later tier, that each
// move of a [Describer] changes the side to move, and in some positions that equal positions have
// equal moves. It takes some milliseconds, and finds most of what would lead an engine to wrong
// results; package gametest looks at far more.
func CheckPlay[P, M comparable](g Game[P, M]) error {
	const positions, most, whole, compared = 1000, 100, 200, 20
	rng := rand.New(rand.NewPCG(1, 1))
	d, described := g.(Describer[P, M])
	described = described && !d.Layout().Relative
	tier := tierOf(g)
	for n := 0; n < positions; {
		p := g.Start()
		for range most {
			n++
			err := at(g, p, checkOutcome[P, M])
			if err == nil && n <= whole {
				err = CheckPosition(g, p)
			}
			if err == nil && n <= compared {
				err = checkEqual(g, p)
			}
			if err != nil {
				return bug(g, err)
			}
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			q := g.Play(p, m)
			if described && d.Board(p).Turn == d.Board(q).Turn {
				return bug(g, fmt.Errorf("%s: after move %s the same side is to move", g.AppendPosition(nil, p), g.AppendMove(nil, p, m)))
			}
			if before, after := tier(p), tier(q); before >= 0 && after > before {
				return bug(g, fmt.Errorf("%s is in tier %d, and move %s leads to %s in tier %d: want the same tier or an earlier one",
					g.AppendPosition(nil, p), before, g.AppendMove(nil, p, m), g.AppendPosition(nil, q), after))
			}
			p = q
		}
	}
	return nil
}

func bug[P, M comparable](g Game[P, M], err error) error {
	return fmt.Errorf("bug in the game %s: %w", g.Name(), err)
}

// checkEqual checks that p and its canonical position have the same successors.
func checkEqual[P, M comparable](g Game[P, M], p P) error {
	canonical := canonicalOf(g)
	c := canonical(p)
	if c == p {
		return nil
	}
	for _, x := range [][2]P{{p, c}, {c, p}} {
		others := map[P]bool{}
		for _, m := range g.AppendMoves(nil, x[1]) {
			others[canonical(g.Play(x[1], m))] = true
		}
		for _, m := range g.AppendMoves(nil, x[0]) {
			if q := canonical(g.Play(x[0], m)); !others[q] {
				return fmt.Errorf("%s has the canonical position %s, but they differ: move %s of %s leads to %s, and no move of %s to an equal position",
					g.AppendPosition(nil, p), g.AppendPosition(nil, c), g.AppendMove(nil, x[0], m), g.AppendPosition(nil, x[0]), g.AppendPosition(nil, q), g.AppendPosition(nil, x[1]))
			}
		}
	}
	return nil
}

// tierOf returns a function that returns the number of a position's tier, and -1 for one without
// an index.
func tierOf[P, M comparable](g Game[P, M]) func(P) int {
	x, ok := g.(Indexer[P])
	if !ok {
		return func(P) int { return -1 }
	}
	tiers := x.Tiers()
	return func(p P) int {
		i, err := x.Index(p)
		if err != nil {
			return -1
		}
		return slices.IndexFunc(tiers, func(t Tier) bool { return i < t.Start+t.Size })
	}
}
