package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

const (
	optionPieces = "pieces"
	allPieces    = "all"
	startPieces  = "start"

	optionRoyal = "royal"
	takenRoyal  = "taken"
	canBeTaken  = "takeable"

	optionGoal   = "goal"
	reachedGoal  = "reached"
	canBeReached = "reachable"
)

// titles are the names of variants that are not those of their sections with a capital.
var titles = map[string]string{
	"normal": "Chess", "fischerandom": "Fischer Random", "nocastle": "No Castling", "pawnsideways": "Pawns Sideways", "pawnback": "Pawns Back",
	"ai-wok": "Ai-Wok", "newzealand": "New Zealand", "kingofthehill": "King of the Hill", "racingkings": "Racing Kings", "threekings": "Three Kings",
	"nocheckatomic": "Atomic without Checks", "isolation7x7": "Isolation 7x7", "snailtrail": "Snail Trail", "fox-and-hounds": "Fox and Hounds",
	"3check": "Three-Check", "5check": "Five-Check", "pocketknight": "Pocket Knight", "mini": "Minishogi", "kyotoshogi": "Kyoto Shogi",
	"micro": "Microshogi", "gorogoro": "Gorogoro Shogi", "judkins": "Judkins Shogi", "torishogi": "Tori Shogi", "euroshogi": "EuroShogi",
	"losalamos": "Los Alamos", "gardner": "Gardner Minichess", "sortofalmost": "Sort of Almost", "minixiangqi": "Mini Xiangqi",
	"checkshogi": "Checkshogi", "shoshogi": "Sho Shogi", "yarishogi": "Yari Shogi", "okisakishogi": "Okisaki Shogi", "jesonmor": "Jeson Mor",
	"connect4": "Connect Four", "tictactoe": "Tic-tac-toe",
}

// titleOf returns the name of a variant as people write it. Another game may have that name too.
func titleOf(name, as string) string {
	title := cmp.Or(titles[name], strings.ToUpper(name[:1])+name[1:])
	if as != name {
		title += " (variant)"
	}
	return title
}

// Family returns a variant as a program offers it under a name: its own, or that after [games.VariantPrefix]. The game is compiled when it
// is first opened: [File.Game] says before whether it can be. The rule option pieces limits the game to the positions of
// classes of material, which [Tables] numbers.
func (f *File) Family(name, as string) *games.Family[games.Game[Position, Move]] {
	r := f.rules[name]
	info := games.Info{
		Name: as, Variant: true, Title: titleOf(name, as),
		Notation: fmt.Sprintf("Board: %d files, %d ranks.\n", r.files, r.ranks) + "Position: FEN, with pieces in hand in brackets.\nMove: as in the UCI protocol, such as e2e4, e7e8q, N@f3.",
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
	var mu sync.Mutex
	made := map[string]*Tables{} // those of the option pieces, which is read before the game is opened
	if r.numberable() == nil {
		info.Options = []games.Option{{
			Name: optionPieces, Values: []string{allPieces}, Form: "N|CLASS|start", Extent: true, FromStart: startPieces,
			Parse: func(text string) (string, error) {
				mu.Lock()
				defer mu.Unlock()
				if text == allPieces || made[text] != nil {
					return text, nil
				}
				g, err := compile()
				if err != nil {
					return "", err
				}
				x, text, err := g.tables(text)
				if err == nil {
					x.name = as + ":" + optionPieces + "=" + text
					made[text] = x
				}
				return text, err
			},
			Help: "the most pieces on the board, or a class such as KQvKR with all that it leads to; start: the class of the start position",
		}}
		if r.takeable() {
			info.Options = append(info.Options, games.Option{
				Name: optionRoyal, Values: []string{takenRoyal, canBeTaken},
				Help: "a game is over when the last piece that must not be lost is taken, or when it can be",
			})
		}
		if r.reachable() {
			info.Options = append(info.Options, games.Option{
				Name: optionGoal, Values: []string{reachedGoal, canBeReached},
				Help: "a game is over when a goal is reached, or when the side to move can reach its own",
			})
		}
	}
	walled := sync.OnceValues(func() (*Walled, error) {
		g, err := compile()
		if err != nil {
			return nil, err
		}
		return g.newWalled(as + ":" + optionPieces + "=" + startPieces)
	})
	isWalled := r.walledOnly() == nil
	if isWalled {
		info.Options = []games.Option{{
			Name: optionPieces, Values: []string{allPieces}, Form: startPieces, Extent: true, FromStart: startPieces,
			Parse: func(text string) (string, error) {
				switch text {
				case allPieces:
					return text, nil
				case startPieces:
					_, err := walled()
					return text, err
				}
				return "", fmt.Errorf("%q: want %s or %s", text, allPieces, startPieces)
			},
			Help: "start: the positions are numbered by their walls",
		}}
	}
	has := func(option string) bool {
		return slices.ContainsFunc(info.Options, func(o games.Option) bool { return o.Name == option })
	}
	return games.NewFamily(info, func(rules games.Rules) games.Game[Position, Move] {
		g, err := compile()
		if err != nil {
			panic(err) // the section was not asked for with Game before it was offered
		}
		named := *g
		named.name = rules.String()
		named.takeable = has(optionRoyal) && rules.Get(optionRoyal) == canBeTaken
		named.reachable = has(optionGoal) && rules.Get(optionGoal) == canBeReached
		if len(info.Options) == 0 || rules.Get(optionPieces) == allPieces {
			if isWalled {
				return ending{&Game{&named}}
			}
			return &Game{&named}
		}
		if isWalled {
			x, err := walled()
			if err != nil {
				panic(err) // it was made when the option was read
			}
			return x
		}
		mu.Lock()
		x := made[rules.Get(optionPieces)]
		mu.Unlock()
		if x.name == named.name {
			return x
		}
		x, _, err = named.tables(rules.Get(optionPieces))
		if err != nil && named.reachable { // nothing is left to solve, so the class keeps the positions with a man on a goal
			named.reachable = false
			x, _, err = named.tables(rules.Get(optionPieces))
		}
		if err != nil {
			panic(err) // they were made with less rules
		}
		return x
	})
}

// takeable reports whether a side that can take the last of a kind that the other must not lose wins by that, whatever else
// stands on the board.
func (r *Rules) takeable() bool {
	return r.hands() && r.extinction == loss && r.extinctionCount == 0 && r.extinctionOpponent == 0 && !r.extinctionClaim && !r.pseudoRoyal &&
		!r.extinctionKinds.has(none) && !r.mustDrop && !r.blast && r.petrify == 0 && r.mutuallyImmune == 0 && !r.immobilityIllegal &&
		r.letters[king] == 0
}

// reachable reports whether a side with a move to its goal wins by that, whatever else stands on the board.
func (r *Rules) reachable() bool {
	return (!r.flagRegion[0].empty() || !r.flagRegion[1].empty()) && r.flagCount == 1 && !r.flagMove && !r.flagSafe && !r.hands() &&
		r.extinction == noResult && !r.pseudoRoyal && r.letters[king] == 0 && !r.mustCapture && !r.blast && r.mutuallyImmune == 0 &&
		!r.immobilityIllegal
}

// tables numbers the positions that the option pieces asks for, and returns it in canonical form.
func (g *core) tables(pieces string) (*Tables, string, error) {
	if pieces == startPieces {
		x, err := g.newTables(g.name, nil, true)
		return x, pieces, err
	}
	roots, pieces, err := g.classes(pieces)
	if err != nil {
		return nil, "", err
	}
	x, err := g.newTables(g.name, roots, false)
	return x, pieces, err
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
		return nil, "", fmt.Errorf("%q: want a number of pieces, a class such as KQvKR, or start", text)
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
		if least = r.extinctionCount + 1; x.held {
			return least, least // the distributions of a class have no more: see Tables.distributions
		}
		return least, maxTableMen
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
