package variant

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

const (
	optionPieces = "pieces"
	allPieces    = "all"

	optionRoyal = "royal"
	takenRoyal  = "taken"
	canBeTaken  = "takeable"
)

// smallGame is the largest number of indices by material that a whole game has without being asked for.
const smallGame = 1 << 32

// Family returns a variant as a program offers it under a name: its own, or that after [games.VariantPrefix]. The game is compiled when it
// is first opened: [File.Game] says before whether it can be. The rule option pieces limits the game to the positions of
// classes of material, which [Tables] numbers.
func (f *File) Family(name, as string) *games.Family[games.Game[Position, Move]] {
	r := f.rules[name]
	info := games.Info{
		Name: as, Variant: true, Title: fmt.Sprintf("%d by %d, from a file of variants", r.files, r.ranks),
		Notation: "Position: FEN, with pieces in hand in brackets.\nMove: as in the UCI protocol, such as e2e4, e7e8q, N@f3.",
	}
	compile := sync.OnceValues(func() (*core, error) {
		g, err := f.Game(name)
		if err != nil {
			return nil, err
		}
		named := *g.core
		named.name = as
		return &named, nil
	})
	tables := map[string]*Tables{} // those that parse has made, which build needs next
	if r.numberable() == nil {
		info.Options = []games.Option{{
			Name: optionPieces, Values: []string{allPieces}, Form: "N|CLASS", Extent: true,
			Parse: func(text string) (string, error) {
				if text == allPieces {
					return text, nil
				}
				g, err := compile()
				if err != nil {
					return "", err
				}
				roots, text, err := g.classes(text)
				if err != nil || tables[text] != nil {
					return text, err
				}
				t, err := g.newTables(as+":"+optionPieces+"="+text, roots, false)
				if err == nil {
					tables[text] = t
				}
				return text, err
			},
			Help: "the most pieces on the board, or a class such as KQvKR with all that it leads to",
		}}
		if r.hands() && r.extinction == loss {
			info.Options = append(info.Options, games.Option{
				Name: optionRoyal, Values: []string{takenRoyal, canBeTaken},
				Help: "a game is over when the last piece that must not be lost is taken, or when it can be",
			})
		}
	}
	return games.NewFamily(info, func(rules games.Rules) games.Game[Position, Move] {
		g, err := compile()
		if err != nil {
			panic(err) // the section was not asked for with Game before it was offered
		}
		if len(info.Options) == 0 {
			return &Game{g}
		}
		takeable := len(info.Options) > 1 && rules.Get(optionRoyal) == canBeTaken
		pieces := rules.Get(optionPieces)
		if pieces != allPieces && !takeable {
			return tables[pieces]
		}
		named := *g
		named.name, named.takeable = rules.String(), takeable
		if pieces != allPieces {
			if roots, _, err := named.classes(pieces); err == nil {
				if x, err := named.newTables(named.name, roots, false); err == nil {
					return x
				}
			}
			panic("variant: a class that was read before is none: " + pieces)
		}
		if !named.hasFewClasses() {
			return &Game{&named}
		}
		if x, err := named.newTables(named.name, nil, true); err == nil && x.size() <= smallGame {
			named.foldFeatures(x)
			return &wholeGame{&Game{&named}, x}
		}
		return &Game{&named}
	})
}

// hasFewClasses reports whether the pieces of the start position may make few enough classes to number them: each piece may be
// gone, or with hands, be in several places. It may still be too many: promotions are not looked at.
func (g *core) hasFewClasses() bool {
	b := g.newBoard(&g.start)
	ways := 1.0
	for k := range g.kinds {
		n := [2]int{b.count(0, k) + int(b.hands[0][k]), b.count(1, k) + int(b.hands[1][k])}
		if g.held { // on the board or in the hand of either side, and promoted
			places := 4
			if g.kinds[k].promoted >= 0 {
				places = 6
			}
			ways *= float64(binomial[min(n[0]+n[1]+places-1, 128)][min(places-1, maxTableMen)])
		} else {
			ways *= float64((n[0] + 1) * (n[1] + 1))
		}
	}
	return ways <= 4*maxClasses
}

// wholeGame is a game with the tables of all positions that its start position may lead to.
type wholeGame struct {
	*Game
	tables *Tables
}

var (
	_ games.Indexer[Position] = (*wholeGame)(nil)
	_ games.Expander          = (*wholeGame)(nil)
	_ games.Retractor         = (*wholeGame)(nil)

	_ games.Canonicalizer[Position] = (*wholeGame)(nil)
)

// ParsePosition implements [games.Game]. It refuses positions that have no index.
func (g *wholeGame) ParsePosition(text string) (Position, error) { return g.tables.ParsePosition(text) }

// SetUp implements [games.Describer].
func (g *wholeGame) SetUp(b games.Board) (Position, error) { return g.tables.SetUp(b) }

// Tiers implements [games.Indexer].
func (g *wholeGame) Tiers() []games.Tier { return g.tables.Tiers() }

// Index implements [games.Indexer].
func (g *wholeGame) Index(p Position) (uint64, error) { return g.tables.Index(p) }

// Position implements [games.Indexer].
func (g *wholeGame) Position(index uint64) (Position, bool) { return g.tables.Position(index) }

// Canonical implements [games.Canonicalizer].
func (g *wholeGame) Canonical(p Position) Position { return g.tables.Canonical(p) }

// Expand implements [games.Expander].
func (g *wholeGame) Expand(indices []uint64, out *games.Expansion) { g.tables.Expand(indices, out) }

// Retract implements [games.Retractor].
func (g *wholeGame) Retract(indices []uint64, out *games.Predecessors) {
	g.tables.Retract(indices, out)
}

// size returns the number of indices.
func (x *Tables) size() uint64 {
	last := x.blocks[len(x.blocks)-1]
	return last.start + last.size
}

// classes reads a number of pieces or a class, and returns the text in canonical form.
func (g *core) classes(text string) (roots []material, canonical string, err error) {
	x := &Tables{core: g}
	if n, err := strconv.Atoi(text); err == nil {
		if n < 2 || n > maxTableMen {
			return nil, "", fmt.Errorf("%d: want 2 to %d pieces", n, maxTableMen)
		}
		return x.classesUpTo(n), strconv.Itoa(n), nil
	}
	white, black, ok := strings.Cut(text, "v")
	if !ok {
		return nil, "", fmt.Errorf("%q: want a number of pieces or a class such as KQvKR", text)
	}
	var m material
	for side, army := range []string{white, black} {
		if army == "" {
			return nil, "", fmt.Errorf("%q: want pieces of both sides", text)
		}
		for _, c := range []byte(army) {
			k, _, err := g.parsePiece(c)
			if err != nil {
				return nil, "", err
			}
			m.men[side][k]++
		}
	}
	m = x.settled(m)
	if m.count() > maxTableMen {
		return nil, "", fmt.Errorf("%q has %d pieces, want at most %d", text, m.count(), maxTableMen)
	}
	if err := x.complete(m); err != nil {
		return nil, "", err
	}
	x.findStands()
	x.findSymmetry()
	if !x.held && x.turned != nil && x.compare(m.turned(), m) > 0 {
		m = m.turned()
	}
	return []material{m}, x.className(m), nil
}

// needs returns how many pieces of a kind a side must have as long as a game goes on, and how many it can have: a king, and
// the last of a kind that must not be lost.
func (x *Tables) needs(side, k int) (least, most int) {
	b := x.newBoard(&x.start)
	r := x.rules
	switch {
	case b.count(side, k) == 0 && k == x.king:
		return 0, 0
	case k == x.king:
		return 1, 1
	case b.count(side, k) > 0 && x.core.kinds[k].extinction && r.extinction == loss && !x.extinctionAll && r.extinctionCount < maxTableMen:
		return r.extinctionCount + 1, maxTableMen
	}
	return 0, maxTableMen
}

// complete refuses a class without a king, or without the last of a kind that must not be lost.
func (x *Tables) complete(m material) error {
	for side, name := range []string{"white", "black"} {
		for k := range x.kinds {
			least, most := x.needs(side, k)
			if n := int(m.men[side][k]); n < least || n > most {
				return fmt.Errorf("%s has %d of the piece %c in %s, want %d to %d", name, n, x.letter(k, 0), x.className(m), least, most)
			}
		}
	}
	return nil
}

// classesUpTo returns the classes with at most so many pieces, at least one on each side.
func (x *Tables) classesUpTo(most int) (list []material) {
	var fill func(m material, side, k, left int)
	fill = func(m material, side, k, left int) {
		if k == len(x.kinds) {
			if side == 0 {
				fill(m, 1, 0, left)
			} else if x.complete(m) == nil && m.has(0) && m.has(1) && x.settled(m) == m {
				list = append(list, m)
			}
			return
		}
		for n := 0; n <= left; n++ {
			m.men[side][k] = uint8(n)
			fill(m, side, k+1, left-n)
		}
	}
	fill(material{}, 0, 0, most)
	return list
}

func (m *material) has(side int) bool { return m.men[side] != [maxMen]uint8{} }
