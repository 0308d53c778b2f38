package variant

import (
	"fmt"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Limits of what a variant can have. Positions are values of a fixed size.
const (
	maxKinds = 32
	maxMen   = 60
)

// man is a piece as it stands on a square: its kind, and the kind that it is demoted to when it is captured, if that is
// not its own kind.
type man struct {
	kind   int8 // index of Game.kinds
	origin int8 // -1 for none
}

// ray is a direction in which a kind slides or hops.
type ray struct {
	line int   // index of Game.lines
	upto []set // by square: the squares of the line within the limit; nil for no limit
	next bool  // a hop ends on the square after the piece that is jumped over
}

// lameLeap is a leap that pieces can block: by square, where it ends and what must be empty.
type lameLeap struct {
	to   []int16 // -1 off the board
	path []set
}

// motion is how a kind of one side moves, by square.
type motion struct {
	leaps  []set // by square; nil for none
	slides []ray
	hops   []ray
	lames  []lameLeap
}

// line is a direction: by square, the squares from there to the edge of the board, not that square itself.
type line struct {
	step step
	rays []set
	up   bool // squares grow along the line
}

// kind is what a variant says of one kind of piece.
type kind struct {
	slot     slot
	letter   byte
	motion   [2][modalities]motion
	mobility [2]set
	// reach has, by square, the squares from which a piece of a side may be able to capture there.
	reach [2][]set
	// leaps says that captures of the kind are leaps that nothing blocks, straight that they are leaps and slides along ranks,
	// files and diagonals; quietLeaps and quietStraight say so of other moves.
	leaps, straight, quietLeaps, quietStraight bool
	// moves has the squares from which the kind can move on an empty board.
	moves      [2]set
	promoted   int8 // the kind that it is promoted to, -1 for none
	limit      int  // of pieces that are promoted to this kind; 0 for none
	pawn       [2]bool
	enPassant  [2]bool
	promotion  [2]bool // pawns of the side are promoted to it
	extinction bool
}

// Game is a variant. It implements [games.Game], and judges positions by [games.Features]. It is safe for concurrent use.
type Game struct{ *core }

// core is a variant as it is compiled: rules and boards, without a judgement of positions.
type core struct {
	name  string
	rules *Rules

	files, ranks, squares int
	board                 set
	kinds                 []kind
	men                   []man
	codes                 [maxKinds][maxKinds + 1]uint8 // of a man of the first side: by kind, and origin plus 1
	kindOf                [64]int8                      // by slot, -1 for none

	lines     []line
	neighbors []set // by square
	king      int   // the royal kind, -1 for none

	promotionZone, doubleStep, tripleStep, enPassant [2]set
	dropRegion, wallRegion, flagRegion               [2]set
	connectFrom, connectTo                           [2]set
	connectKinds, extinctionKinds                    []int
	enclosingStart, edge                             set
	backRank                                         [2]set
	fileSets                                         []set
	dark                                             set
	flagKind                                         [2]int // -1 for all
	extinctionAll                                    bool
	plainMoves                                       bool // moves do nothing but move a piece and capture one
	// looseMoves says that moves are also legal unless they leave a king attacked.
	looseMoves bool
	// paths has, by square, the squares on which what stands may change whether another piece attacks it; screens says that a
	// piece that comes there may too, since others hop over it.
	paths                                             []set
	between                                           []set // by two squares, first*squares + second: those between them on a rank, a file or a diagonal
	held                                              bool  // pieces can be in hand
	takeable                                          bool  // the game is over when the last royal piece can be taken
	reachable                                         bool  // the game is over when the side to move can reach its goal
	simpleMoves                                       bool  // a normal move does nothing else but end captures in passing
	screens                                           bool
	blastImmune, mutuallyImmune, petrify              [maxKinds]bool
	noDoubled, mustDrop, bishop, rook, janggi, pawnIx int // kinds, -1 for none
	start                                             Position

	features func() *games.FeatureSet
	layout   func() games.Layout
}

// at returns the square at a step from another, as a side sees the board, or -1.
func (g *core) at(s, side int, d step) int {
	if side == 1 {
		d = step{-d.forward, -d.right}
	}
	file, rank := s%g.files+d.right, s/g.files+d.forward
	if file < 0 || file >= g.files || rank < 0 || rank >= g.ranks {
		return -1
	}
	return rank*g.files + file
}

// newGame compiles rules.
func newGame(r *Rules) (*core, error) {
	g := &core{name: r.name, rules: r, files: r.files, ranks: r.ranks, squares: r.files * r.ranks, king: -1}
	for s := range g.squares {
		g.board.add(s)
	}
	if !r.doubleStep {
		r.doubleStepRegion = [2]region{}
	}
	used := r.slots()
	if len(used) == 0 {
		return nil, fmt.Errorf("%s has no pieces: a section without a parent names them, such as pawn = p", r.name)
	}
	if len(used) > maxKinds {
		return nil, fmt.Errorf("%s has %d kinds of pieces, want at most %d", r.name, len(used), maxKinds)
	}
	for i := range g.kindOf {
		g.kindOf[i] = -1
	}
	for i, s := range used {
		g.kindOf[s] = int8(i)
	}
	ix := func(s slot) int { return int(g.kindOf[s]) }
	g.king, g.bishop, g.rook, g.janggi, g.pawnIx = ix(king), ix(bishop), ix(rook), ix(janggiCannon), ix(pawn)
	on := func(r region) set { return r.on(g.files, g.ranks) }
	both := func(r [2]region) [2]set { return [2]set{on(r[0]), on(r[1])} }
	g.promotionZone, g.doubleStep, g.tripleStep = both(r.promotionRegion), both(r.doubleStepRegion), both(r.tripleStepRegion)
	g.enPassant, g.dropRegion, g.wallRegion = both(r.enPassantRegion), both(r.dropRegion), both(r.wallingRegion)
	g.flagRegion, g.connectFrom, g.connectTo = both(r.flagRegion), both(r.connectFrom), both(r.connectTo)
	g.enclosingStart = on(r.enclosingStart)
	for file := range g.files {
		var column set
		for rank := range g.ranks {
			s := rank*g.files + file
			column.add(s)
			if file == 0 || file == g.files-1 || rank == 0 || rank == g.ranks-1 {
				g.edge.add(s)
			}
			if (file+rank)%2 == 0 {
				g.dark.add(s)
			}
			if rank == 0 {
				g.backRank[0].add(s)
			}
			if rank == g.ranks-1 {
				g.backRank[1].add(s)
			}
		}
		g.fileSets = append(g.fileSets, column)
	}
	for s := range g.squares {
		var near set
		for _, d := range allAround {
			if to := g.at(s, 0, d); to >= 0 {
				near.add(to)
			}
		}
		g.neighbors = append(g.neighbors, near)
	}
	g.between = make([]set, g.squares*g.squares)
	for _, d := range allAround {
		l := &g.lines[g.line(d)] // connections and flips use them
		for from := range g.squares {
			for t := l.rays[from]; !t.empty(); {
				to := t.pop()
				between := l.rays[from].without(l.rays[to])
				between.remove(to)
				g.between[from*g.squares+to] = between
			}
		}
	}
	for _, s := range used {
		if err := g.addKind(s); err != nil {
			return nil, err
		}
	}
	for side := range 2 {
		g.flagKind[side] = -1
		if r.flagKind[side] != none {
			g.flagKind[side] = ix(r.flagKind[side])
			if g.flagKind[side] < 0 {
				g.flagRegion[side] = set{}
			}
		}
	}
	g.extinctionAll = r.extinctionKinds.has(none)
	for i := range g.kinds {
		k := &g.kinds[i]
		g.blastImmune[i], g.mutuallyImmune[i] = r.blastImmune.has(k.slot), r.mutuallyImmune.has(k.slot)
		g.petrify[i] = r.petrify.has(k.slot)
		if k.extinction = r.extinctionKinds.has(k.slot); k.extinction {
			g.extinctionKinds = append(g.extinctionKinds, i)
		}
		if r.connectKinds.has(k.slot) {
			g.connectKinds = append(g.connectKinds, i)
		}
	}
	g.noDoubled, g.mustDrop = -1, -1
	if r.noDoubled != none {
		g.noDoubled = ix(r.noDoubled)
	}
	if r.mustDropKind != none {
		g.mustDrop = ix(r.mustDropKind)
	}
	g.listMen()
	if len(g.men) > maxMen {
		return nil, fmt.Errorf("%s has %d kinds of pieces with those that were promoted, want at most %d", r.name, len(g.men), maxMen)
	}
	g.plainMoves = !r.pseudoRoyal && !r.blast && r.petrify == 0 && r.flip == "none" && r.walling == "none" && !r.gating && r.checking && !r.sittuyinPromotion
	g.looseMoves = g.plainMoves && !r.immobilityIllegal && r.mutuallyImmune == 0 && r.promotionLimit == [64]int{} && g.janggi < 0
	g.held = r.hands()
	g.simpleMoves = g.plainMoves && !r.checkCounting && r.castlingWins == [4]bool{}
	g.findPaths()
	start, err := g.ParsePosition(r.start)
	if err != nil {
		return nil, fmt.Errorf("the start position: %w", err)
	}
	g.start = start
	g.features, g.layout = sync.OnceValue(g.newFeatures), sync.OnceValue(g.newLayout)
	return g, nil
}

var allAround = []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// line returns the number of the line in a direction as white sees the board.
func (g *core) line(d step) int {
	if i := slices.IndexFunc(g.lines, func(l line) bool { return l.step == d }); i >= 0 {
		return i
	}
	l := line{step: d, up: d.forward > 0 || d.forward == 0 && d.right > 0}
	for s := range g.squares {
		var squares set
		for at := g.at(s, 0, d); at >= 0; at = g.at(at, 0, d) {
			squares.add(at)
		}
		l.rays = append(l.rays, squares)
	}
	g.lines = append(g.lines, l)
	return len(g.lines) - 1
}

// addKind compiles the kind of a slot.
func (g *core) addKind(s slot) error {
	r := g.rules
	text := slots[s].betza
	if r.betza[s] != "" {
		text = r.betza[s]
	}
	m, _, err := parseBetza(text)
	if err != nil {
		return fmt.Errorf("%s: %w", slots[s].name, err)
	}
	k := kind{slot: s, letter: r.letters[s], promoted: -1, limit: r.promotionLimit[s],
		leaps: true, straight: true, quietLeaps: true, quietStraight: true}
	if p := r.promoted[s]; p != none {
		k.promoted = g.kindOf[p]
	}
	for side := range 2 {
		k.mobility[side] = g.board
		if region := r.mobility[side][s]; region != nil && !region.empty() {
			k.mobility[side] = region.on(g.files, g.ranks)
		}
		k.pawn[side], k.enPassant[side] = r.promotionPawns[side].has(s), r.enPassantKinds[side].has(s)
		k.promotion[side] = r.promotionPieces[side].has(s)
		for mode := range modalities {
			k.motion[side][mode] = g.motion(m[mode], side, s)
		}
		x := &k.motion[side][capture]
		straight := func(m *motion) bool {
			return len(m.hops)+len(m.lames) == 0 && s != janggiCannon && !slices.ContainsFunc(m.slides, func(r ray) bool { return r.line >= len(allAround) })
		}
		q := &k.motion[side][quiet]
		k.leaps, k.quietLeaps = k.leaps && straight(x) && len(x.slides) == 0, k.quietLeaps && straight(q) && len(q.slides) == 0
		k.straight, k.quietStraight = k.straight && straight(x), k.quietStraight && straight(q)
		k.reach[side] = make([]set, g.squares)
		for from := range g.squares {
			all := g.farthest(x, from).and(k.mobility[side])
			for t := all; !t.empty(); {
				k.reach[side][t.pop()].add(from)
			}
			if g.farthest(q, from).or(all).meets(k.mobility[side]) {
				k.moves[side].add(from)
			}
		}
	}
	g.kinds = append(g.kinds, k)
	return nil
}

// farthest returns all squares to which a motion may lead from a square, whatever stands on the board.
func (g *core) farthest(m *motion, from int) (all set) {
	if m.leaps != nil {
		all = m.leaps[from]
	}
	for _, list := range [][]ray{m.slides, m.hops} {
		for _, r := range list {
			if r.upto != nil {
				all = all.or(r.upto[from])
			} else {
				all = all.or(g.lines[r.line].rays[from])
			}
		}
	}
	for _, l := range m.lames {
		if l.to[from] >= 0 {
			all.add(int(l.to[from]))
		}
	}
	return all
}

// motion compiles paths for a side.
func (g *core) motion(paths []path, side int, s slot) (m motion) {
	for _, p := range paths {
		d := p.step
		if side == 1 {
			d = step{-d.forward, -d.right}
		}
		switch p.manner {
		case leap:
			if m.leaps == nil {
				m.leaps = make([]set, g.squares)
			}
			for from := range g.squares {
				// Soldiers move sideways once they have passed the river.
				if rank := from / g.files; s == soldier && p.right != 0 && g.relative(side, rank) < g.rules.soldierRank-1 {
					continue
				}
				if to := g.at(from, 0, d); to >= 0 {
					m.leaps[from].add(to)
				}
			}
		case lame:
			l := lameLeap{to: make([]int16, g.squares), path: make([]set, g.squares)}
			for from := range g.squares {
				l.to[from] = int16(g.at(from, side, p.step))
				if l.to[from] < 0 {
					continue
				}
				for _, b := range p.between() {
					l.path[from].add(g.at(from, side, b))
				}
			}
			m.lames = append(m.lames, l)
		case slide, hop:
			r := ray{line: g.line(d), next: p.manner == hop && p.most == 1}
			if p.most > 0 && !r.next {
				r.upto = make([]set, g.squares)
				for from := range g.squares {
					for at, n := g.at(from, 0, d), 0; at >= 0 && n < p.most; at, n = g.at(at, 0, d), n+1 {
						r.upto[from].add(at)
					}
				}
			}
			if p.manner == hop {
				m.hops = append(m.hops, r)
			} else {
				m.slides = append(m.slides, r)
			}
		}
	}
	return m
}

// relative returns a rank as a side counts it, from 0.
func (g *core) relative(side, rank int) int {
	if side == 1 {
		return g.ranks - 1 - rank
	}
	return rank
}

// listMen lists the men that can stand on a board: those of each kind, those that remember what they were before they
// were promoted, and, where it matters, promoted pawns.
func (g *core) listMen() {
	add := func(m man) {
		if !slices.Contains(g.men, m) {
			g.men = append(g.men, m)
		}
	}
	for i := range g.kinds {
		add(man{int8(i), -1})
	}
	for i := range g.kinds {
		if p := g.kinds[i].promoted; p >= 0 {
			add(man{p, int8(i)})
		}
	}
	if g.rules.capturesToHand && !g.rules.dropLoop {
		for side := range 2 {
			if p := g.kindOf[g.rules.mainPawn[side]]; p >= 0 {
				for i := range g.kinds {
					if g.kinds[i].promotion[side] {
						add(man{int8(i), p})
					}
				}
			}
		}
	}
	for i := range g.kinds { // a man that remembers what it was, where that does not matter
		for origin := range g.codes[i] {
			g.codes[i][origin] = uint8(firstMan + 2*slices.Index(g.men, man{int8(i), -1}))
		}
	}
	for i, m := range g.men {
		g.codes[m.kind][m.origin+1] = uint8(firstMan + 2*i)
	}
}

// findPaths finds the squares between a square and all pieces that may attack it.
func (g *core) findPaths() {
	g.paths = make([]set, g.squares)
	for i := range g.kinds {
		for side := range 2 {
			m := &g.kinds[i].motion[side][capture]
			g.screens = g.screens || len(m.hops) > 0
			for from := range g.squares {
				for _, list := range [][]ray{m.slides, m.hops} {
					for _, r := range list {
						line := &g.lines[r.line]
						for t := g.reached(&r, from); !t.empty(); {
							to := t.pop()
							between := line.rays[from].without(line.rays[to])
							between.remove(to)
							g.paths[to] = g.paths[to].or(between)
						}
					}
				}
				for _, l := range m.lames {
					if l.to[from] >= 0 {
						g.paths[l.to[from]] = g.paths[l.to[from]].or(l.path[from])
					}
				}
			}
		}
	}
	if g.rules.flyingGeneral {
		for s := range g.squares {
			for i := range 4 {
				g.paths[s] = g.paths[s].or(g.lines[i].rays[s])
			}
		}
	}
}

// targets returns the squares to which a motion leads from a square past the pieces of occupied.
func (g *core) targets(m *motion, from int, occupied set) (t set) {
	if m.leaps != nil {
		t = m.leaps[from]
	}
	for i := range m.slides {
		r := &m.slides[i]
		l := &g.lines[r.line]
		squares := l.rays[from]
		if r.upto != nil {
			squares = r.upto[from]
		}
		if blockers := squares.and(occupied); !blockers.empty() {
			squares = squares.without(l.rays[l.nearest(blockers)])
		}
		t = t.or(squares)
	}
	for i := range m.hops {
		r := &m.hops[i]
		l := &g.lines[r.line]
		blockers := l.rays[from].and(occupied)
		if blockers.empty() {
			continue
		}
		hurdle := l.nearest(blockers)
		squares := l.rays[hurdle]
		if blockers = squares.and(occupied); !blockers.empty() {
			squares = squares.without(l.rays[l.nearest(blockers)])
		}
		if r.next {
			squares = set{}
			if at := g.at(hurdle, 0, l.step); at >= 0 {
				squares.add(at)
			}
		}
		if r.upto != nil {
			squares = squares.and(r.upto[from])
		}
		t = t.or(squares)
	}
	for i := range m.lames {
		l := &m.lames[i]
		if to := l.to[from]; to >= 0 && !l.path[from].meets(occupied) {
			t.add(int(to))
		}
	}
	return t
}

// nearest returns the square of a set on the line that comes first along it.
func (l *line) nearest(s set) int {
	if l.up {
		return s.first()
	}
	return s.last()
}
