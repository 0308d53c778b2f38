package gomokutest

import "math/bits"

// WinsWithin reports whether the side to move can force a win by its moves-th move at the
// latest. Unlike [Solver.Wins] it leaves out no move that could matter.
func (s *Solver) WinsWithin(p Position, moves int) (won bool, err error) {
	s.nodes = 0
	w := within{s, map[timed]bool{}}
	won = w.attacks(p.Mover, p.Other, moves)
	if s.nodes > s.most {
		return false, ErrTooHard
	}
	return won, nil
}

// within searches for a win in a number of moves.
type within struct {
	*Solver
	known map[timed]bool // with the attacker to move
}

// timed is a position and the number of moves that the attacker has left.
type timed struct {
	attacker, defender uint64
	moves              int
}

// completes returns the squares where a side's next stone makes a line, and the least number
// of stones that it lacks in any line.
func (s *Solver) completes(side, other uint64) (squares uint64, lacks int) {
	lacks = s.rules.K + 1
	for i := range s.lines {
		l := &s.lines[i]
		if l.squares&other|l.ends&side != 0 {
			continue
		}
		left := l.squares &^ side
		n := bits.OnesCount64(left)
		if lacks = min(lacks, n); n == 1 {
			squares |= left
		}
	}
	return squares, lacks
}

// attacks reports whether the attacker, to move, wins with so many moves.
func (w *within) attacks(attacker, defender uint64, moves int) bool {
	own, lacks := w.completes(attacker, defender)
	if lacks > moves {
		return false
	}
	if own != 0 {
		return true
	}
	at := timed{attacker, defender, moves}
	if won, ok := w.known[at]; ok {
		return won
	}
	if w.nodes++; w.nodes > w.most {
		return false
	}
	list := w.rules.board() &^ attacker &^ defender
	if parries, _ := w.completes(defender, attacker); parries != 0 {
		list = parries
		if parries&(parries-1) != 0 {
			list = 0
		}
	}
	won := false
	for ; list != 0 && !won; list &= list - 1 {
		won = w.defends(attacker|list&-list, defender, moves-1)
	}
	w.known[at] = won
	return won
}

// defends reports whether the attacker wins with so many moves left, the defender to move.
func (w *within) defends(attacker, defender uint64, moves int) bool {
	own, lacks := w.completes(attacker, defender)
	if lacks > moves {
		return false
	}
	if others, _ := w.completes(defender, attacker); others != 0 {
		return false
	}
	list := w.rules.board() &^ attacker &^ defender
	if list == 0 {
		return false
	}
	if own != 0 { // whatever does not stop this loses at once
		list = own
		if own&(own-1) != 0 {
			return true
		}
	}
	for ; list != 0; list &= list - 1 {
		if !w.attacks(attacker, defender|list&-list, moves) {
			return false
		}
	}
	return true
}
