package variant

// Codes of what stands on a square: empty, a wall, or firstMan + 2*man + side.
const (
	empty    = 0
	wall     = 1
	firstMan = 2
)

// noSquare stands where there is no square.
const noSquare = 255

// Position is a position of any variant. Its zero value is no position. What depends on earlier positions, such as
// repetition and the rule of 50 moves, is not part of it.
type Position struct {
	cells   [MaxSquares]uint8
	hands   [2][maxKinds]uint8
	gates   [2]set // squares from which a first move may bring in a piece
	passing set    // squares on which a piece can be captured that has just passed them
	passed  uint8  // where that piece is
	kings   [2]uint8
	rooks   [4]uint8 // rooks that can castle: white kingside and queenside, black kingside and queenside
	checks  [2]uint8 // that each side has left to give
	turn    uint8
	// last is what the last moves were, where it matters.
	last lastMove
}

// nowhere returns a position without a piece.
func nowhere() Position {
	return Position{passed: noSquare, kings: [2]uint8{noSquare, noSquare}, rooks: [4]uint8{noSquare, noSquare, noSquare, noSquare}}
}

// lastMove is what a position keeps of the move that led to it.
type lastMove uint8

const (
	other           lastMove = iota
	aPass                    // another ends the game
	twoPasses                // they have ended it
	winningCastling          // it has won
)

// board is a position with its pieces by kind and side, as moves are made on it.
type board struct {
	Position
	game  *core
	sides [2]set
	kinds [maxKinds]set // of both sides
	walls set
}

// newBoard sets up a board.
func (g *core) newBoard(p *Position) *board {
	b := &board{Position: *p, game: g}
	for s := range g.squares {
		switch c := p.cells[s]; {
		case c == wall:
			b.walls.add(s)
		case c >= firstMan:
			b.sides[(c-firstMan)&1].add(s)
			b.kinds[g.men[(c-firstMan)>>1].kind].add(s)
		}
	}
	return b
}

// set makes b a copy of another board of the game, without the sets of kinds that the game does not have.
func (b *board) set(o *board) {
	b.Position, b.game, b.sides, b.walls = o.Position, o.game, o.sides, o.walls
	copy(b.kinds[:len(o.game.kinds)], o.kinds[:])
}

func (b *board) pieces() set   { return b.sides[0].or(b.sides[1]) }
func (b *board) occupied() set { return b.pieces().or(b.walls) }

// of returns the pieces of a kind and a side.
func (b *board) of(side, kind int) set { return b.sides[side].and(b.kinds[kind]) }

// man returns the man on a square that has one.
func (b *board) man(s int) man { return b.game.men[(b.cells[s]-firstMan)>>1] }

func (b *board) kind(s int) int { return int(b.man(s).kind) }

// put puts a man on an empty square.
func (b *board) put(s, side int, m man) {
	b.cells[s] = b.game.codes[m.kind][m.origin+1] + uint8(side)
	b.sides[side].add(s)
	b.kinds[m.kind].add(s)
}

// clear empties a square with a piece, and returns its man.
func (b *board) clear(s int) man {
	m := b.man(s)
	b.sides[(b.cells[s]-firstMan)&1].remove(s)
	b.kinds[m.kind].remove(s)
	b.cells[s] = empty
	return m
}

func (b *board) setWall(s int) {
	b.cells[s] = wall
	b.walls.add(s)
}

// count returns how many pieces of a kind a side has on the board; a negative kind stands for all.
func (b *board) count(side, kind int) int {
	if kind < 0 {
		return b.sides[side].count()
	}
	return b.of(side, kind).count()
}

// inHand returns how many pieces of a kind a side has in hand; a negative kind stands for all.
func (b *board) inHand(side, kind int) (n int) {
	if kind >= 0 {
		return int(b.hands[side][kind])
	}
	if !b.game.held {
		return 0
	}
	for _, count := range b.hands[side] {
		n += int(count)
	}
	return n
}

// motion returns the squares to which a piece of a kind moves or captures.
func (b *board) motion(mode modality, kind, side, from int, occupied set) set {
	g := b.game
	k := &g.kinds[kind]
	t := g.targets(&k.motion[side][mode], from, occupied)
	if kind == g.janggi { // neither jumps over its like nor captures it
		t = t.and(g.targets(&k.motion[side][mode], from, occupied.without(b.kinds[kind]))).without(b.kinds[kind])
	}
	return t.and(k.mobility[side])
}

// attackers returns the pieces of a side that attack a square, with other squares occupied than on the board: a piece
// that the board has is left out if its square is not occupied.
func (b *board) attackers(s, side int, occupied set) (found set) {
	men := b.sides[side].and(occupied)
	for i := range b.game.kinds {
		for near := men.and(b.kinds[i]).and(b.game.kinds[i].reach[side][s]); !near.empty(); {
			if from := near.pop(); b.reaches(i, side, from, s, occupied) {
				found.add(from)
			}
		}
	}
	return found
}

// attacked reports whether some of the men of a side attack a square.
func (b *board) attacked(s, side int, occupied, men set) bool {
	for i := range b.game.kinds {
		near := men.and(b.kinds[i])
		if near.empty() {
			continue
		}
		for near = near.and(b.game.kinds[i].reach[side][s]); !near.empty(); {
			if b.reaches(i, side, near.pop(), s, occupied) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a piece captures on a square that its kind may reach from where it stands, past what is occupied.
func (b *board) reaches(kind, side, from, to int, occupied set) bool {
	g := b.game
	k := &g.kinds[kind]
	switch {
	case k.leaps:
		return true
	case k.straight:
		m := &k.motion[side][capture]
		return m.leaps != nil && m.leaps[from].has(to) || !g.between[from*g.squares+to].meets(occupied)
	}
	return b.motion(capture, kind, side, from, occupied).has(to)
}

// royal returns the square of the king of a side, or -1.
func (b *board) royal(side int) int {
	if g := b.game; g.king >= 0 {
		if k := b.of(side, g.king); !k.empty() {
			return k.first()
		}
	}
	return -1
}

// checked reports whether the king of a side is attacked.
func (b *board) checked(side int) bool {
	s := b.royal(side)
	return s >= 0 && b.attacked(s, 1-side, b.occupied(), b.sides[1-side])
}

// exposed reports whether the side that is not to move has left a royal piece attacked, in a game that goes on: no move leads
// to such a board, where pieces are not petrified. Where moves must not give check, that is so of the side to move too.
func (b *board) exposed() bool {
	them := 1 - int(b.turn)
	r := b.game.rules
	if b.checked(them) || !r.checking && b.checked(int(b.turn)) {
		return true
	}
	return r.pseudoRoyal && b.pseudoChecked(them) && !(r.extinction != noResult && b.extinct(int(b.turn)))
}

// facing reports whether the king of a side sees that of the other along a file or a rank.
func (b *board) facing(side int) bool {
	from, to := b.royal(side), b.royal(1-side)
	if from < 0 || to < 0 {
		return false
	}
	return b.game.sees(from, to, b.occupied())
}

// sees reports whether a rook on a square would attack another.
func (g *core) sees(from, to int, occupied set) bool {
	for i := range 4 { // the lines of a rook come first
		l := &g.lines[i]
		if seen := l.rays[from].and(occupied); !seen.empty() && l.nearest(seen) == to {
			return true
		}
	}
	return false
}

// pseudoRoyals returns the pieces of a side that are royal because few of their kind are left, and those that count
// together.
func (b *board) pseudoRoyals(side int) (royal, candidates set) {
	g := b.game
	for i := range g.kinds {
		if !g.kinds[i].extinction {
			continue
		}
		men := b.of(side, i)
		candidates = candidates.or(men)
		if men.count() <= g.rules.extinctionCount+1 {
			royal = royal.or(men)
		}
	}
	return royal, candidates
}

// immune reports whether a royal piece cannot be captured, since the blast would reach one of the other side.
func (b *board) immune(s int, theirs set) bool {
	return b.game.rules.blast && theirs.meets(b.game.neighbors[s])
}

// pseudoChecked reports whether the pseudo-royal pieces of a side are attacked in a way that a mate can follow.
func (b *board) pseudoChecked(side int) bool {
	royal, candidates := b.pseudoRoyals(side)
	theirs, _ := b.pseudoRoyals(1 - side)
	attacked := func(s int) bool {
		return !b.immune(s, theirs) && !b.attackers(s, 1-side, b.occupied()).empty()
	}
	for !royal.empty() {
		if attacked(royal.pop()) {
			return true
		}
	}
	if !b.game.rules.dupleCheck || candidates.empty() {
		return false
	}
	for !candidates.empty() {
		if !attacked(candidates.pop()) {
			return false
		}
	}
	return true
}
