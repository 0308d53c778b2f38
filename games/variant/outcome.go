package variant

import "github.com/yomikiri/yomikiri/games"

// value returns a result as the value of a finished position.
func (r result) value() games.Value {
	switch r {
	case win:
		return games.Win(0)
	case winNext:
		return games.Win(1)
	case loss:
		return games.Loss(0)
	}
	return games.Draw
}

func (r result) reversed() result {
	switch r {
	case win:
		return loss
	case loss:
		return win
	}
	return r
}

// ended returns the result for the side to move if the game is over whether or not it has moves.
func (b *board) ended() result {
	g := b.game
	r := g.rules
	us := int(b.turn)
	them := 1 - us

	if r.extinction != noResult && (!r.pseudoRoyal || r.blast) {
		for _, side := range []int{them, us} {
			if b.extinct(side) {
				if side == us {
					return r.extinction
				}
				return r.extinction.reversed()
			}
		}
	}
	if v := b.flagged(); v != noResult {
		return v
	}
	if r.castlingWins != [4]bool{} {
		if b.last == winningCastling {
			return loss
		}
		for _, side := range []int{them, us} {
			wanted, kept := false, false
			for i := 2 * side; i < 2*side+2; i++ {
				wanted = wanted || r.castlingWins[i]
				kept = kept || r.castlingWins[i] && b.rooks[i] != noSquare
			}
			if wanted && !kept {
				if side == us {
					return loss
				}
				return win
			}
		}
	}
	if r.checkCounting && b.checks[them] == 0 {
		return loss
	}
	if b.connected(them) {
		return r.connectValue.reversed()
	}
	if b.last == twoPasses || r.fullBoardEnds && g.board.without(b.occupied()).empty() {
		return b.byMaterial()
	}
	if g.takeable && b.takesLast() || g.reachable && b.reachesNext() {
		return winNext
	}
	return noResult
}

// reachesNext reports whether the side to move has a move to its goal.
func (b *board) reachesNext() bool {
	us := int(b.turn)
	for _, m := range b.pseudoMoves(nil) {
		if b.game.flagRegion[us].has(int(m.to)) {
			after := *b
			if after.apply(m); after.reached(us) {
				return true
			}
		}
	}
	return false
}

// takesLast reports whether the side to move can take the last of a kind that the other must not lose.
func (b *board) takesLast() bool {
	us := int(b.turn)
	for _, k := range b.game.extinctionKinds {
		if last := b.of(1-us, k); last.count() == 1 && b.attacked(last.first(), us, b.occupied(), b.sides[us]) {
			return true
		}
	}
	return false
}

// extinct reports whether a side has lost by having too few pieces of some kind.
func (b *board) extinct(side int) bool {
	g := b.game
	r := g.rules
	opponent := r.extinctionOpponent
	if r.extinctionClaim && side == int(b.turn) {
		opponent++
	}
	few := func(kind int) bool {
		return b.count(side, kind)+b.inHand(side, kind) <= r.extinctionCount && b.count(1-side, kind)+b.inHand(1-side, kind) >= opponent
	}
	if g.extinctionAll && few(-1) {
		return true
	}
	for _, k := range g.extinctionKinds {
		if few(k) {
			return true
		}
	}
	return false
}

// reached reports whether a side has its flag pieces in their region.
func (b *board) reached(side int) bool {
	g := b.game
	r := g.rules
	men := b.sides[side].and(g.flagRegion[side])
	if k := g.flagKind[side]; k >= 0 {
		men = men.and(b.kinds[k])
	}
	if men.empty() || men.count() < r.flagCount && !(r.flagBlocked && g.flagRegion[side].without(b.occupied()).empty()) {
		return false
	}
	if r.flagSafe && (!r.flagMove || side != int(b.turn)) && men.count() == r.flagCount {
		for !men.empty() {
			if !b.attackers(men.pop(), 1-side, b.occupied()).empty() {
				return false
			}
		}
	}
	return true
}

// flagged returns the result of a flag piece that has reached its region.
func (b *board) flagged() result {
	g := b.game
	r := g.rules
	us := int(b.turn)
	them := 1 - us
	if g.flagRegion[0].empty() && g.flagRegion[1].empty() {
		return noResult
	}
	kingFlag := func(side int) bool { return g.king >= 0 && g.flagKind[side] == g.king }
	if (r.flagMove || r.flagSafe) && b.reached(us) {
		if (r.flagMove && us == 0 && kingFlag(them) || r.flagSafe && !r.flagMove) && b.reached(them) {
			return draw
		}
		return win
	}
	if r.flagMove && !r.flagSafe && !kingFlag(us) || !b.reached(them) {
		return noResult
	}
	// Black's king may follow white's into the region, and draw.
	if king := b.royal(us); r.flagMove && kingFlag(us) && us == 1 && king >= 0 && !b.checked(us) {
		for _, m := range b.pseudoMoves(nil) {
			if int(m.from) == king && m.kind == normal && g.flagRegion[us].has(int(m.to)) && b.legal(m) {
				return noResult
			}
		}
	}
	return loss
}

// connected reports whether a side has made the row, the square or the connection that ends the game.
func (b *board) connected(side int) bool {
	g := b.game
	r := g.rules
	if r.connect == 0 && r.connectSquare == 0 && r.collinear == 0 && g.connectFrom[side].empty() {
		return false
	}
	var men set
	for _, k := range g.connectKinds {
		men = men.or(b.kinds[k])
	}
	men = men.and(b.sides[side])
	for s := men; !s.empty(); {
		from := s.pop()
		for i, d := range []step{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			if !r.connectLines[min(i, 2)] {
				continue
			}
			if r.connect > 0 {
				n := 1
				for at := g.at(from, 0, d); at >= 0 && men.has(at) && n < r.connect; at = g.at(at, 0, d) {
					n++
				}
				if n >= r.connect {
					return true
				}
			}
			if r.collinear > 0 {
				l := &g.lines[g.line(d)]
				if l.rays[from].and(men).count()+1 >= r.collinear {
					return true
				}
			}
		}
		if n := r.connectSquare; n > 0 && b.squareOf(men, from, n) {
			return true
		}
	}
	if ends := g.connectFrom[side].and(men); !ends.empty() && g.connectTo[side].meets(men) {
		return b.joined(ends, g.connectTo[side], men)
	}
	return false
}

// squareOf reports whether all squares of a block to the right of and above a square are in a set.
func (b *board) squareOf(men set, from, n int) bool {
	for i := range n {
		for j := range n {
			if at := b.game.at(from, 0, step{i, j}); at < 0 || !men.has(at) {
				return false
			}
		}
	}
	return true
}

// joined reports whether men connect one set of squares with another.
func (b *board) joined(from, to, men set) bool {
	g := b.game
	reached, frontier := from, from
	for !frontier.empty() {
		if reached.meets(to) {
			return true
		}
		var next set
		for !frontier.empty() {
			s := frontier.pop()
			for i, d := range []step{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
				if !g.rules.connectLines[min(i/2, 2)] {
					continue
				}
				if at := g.at(s, 0, d); at >= 0 && men.has(at) && !reached.has(at) {
					next.add(at)
				}
			}
		}
		reached, frontier = reached.or(next), next
	}
	return false
}

// byMaterial returns the result by counting men.
func (b *board) byMaterial() result {
	white := draw
	switch b.game.rules.material {
	case "unweighted":
		switch n := b.sides[0].count() - b.sides[1].count(); {
		case n > 0:
			white = win
		case n < 0:
			white = loss
		}
	case "whitedrawodds":
		white = win
	case "blackdrawodds":
		white = loss
	}
	if b.turn == 1 {
		return white.reversed()
	}
	return white
}

// stuck returns the result for a side to move without a legal move.
func (b *board) stuck() result {
	r := b.game.rules
	us := int(b.turn)
	if b.checked(us) || r.pseudoRoyal && b.pseudoChecked(us) {
		return r.checkmate
	}
	v := r.stalemate
	if r.stalemateByCount {
		switch n := b.sides[us].count() - b.sides[1-us].count(); {
		case n == 0:
			v = draw
		case n > 0:
			v = v.reversed()
		}
	}
	if v == draw && r.material != "none" {
		return b.byMaterial()
	}
	return v
}
