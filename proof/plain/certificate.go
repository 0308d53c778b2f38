package plain

import (
	"math/big"
	"slices"
	"strings"
)

// certificate checks a certificate of gomoku.
func (c *checker) certificate(p Position, claimantToMove bool, text string) {
	g, ok := c.game.Rules.(*rows)
	must(ok && g.gomoku, "the game has no certificates")
	claimant := p.mover
	if !claimantToMove {
		claimant = other(p.mover)
	}
	lines := strings.Split(text, "\n")
	words := strings.Split(lines[0], " ")
	switch {
	case words[0] == "pairing" && len(lines) == 1:
		must(c.holds, "a pairing does not prove a win")
		g.pairing(p, claimant, words[1:])
	case words[0] == "tree" && len(lines) > 1 && len(words) <= 2:
		must(claimantToMove, "a tree begins with a move of the claimant's")
		t := &tree{rows: g, step: c.step, attacker: claimant, defender: other(claimant), right: map[place]bool{}, zones: map[place]*big.Int{}}
		t.read(lines[1:])
		must(len(words) == 1 || words[1] != "", "a blank after the first word")
		t.check(t.answer(strings.Join(words[1:], ""), false, len(t.lines)-1), p.board)
	default:
		must(false, "no certificate begins with %.100q", lines[0])
	}
}

// pairing checks pairs of squares, of which the claimant gets one each.
func (g *rows) pairing(p Position, claimant byte, words []string) {
	must(len(words)%2 == 0, "a square without another")
	pair := map[int]int{} // for each square in a pair the number of the pair
	for i, word := range words {
		s := g.named(word)
		_, twice := pair[s]
		must(!twice && p.board[s] == empty, "%s is not empty, or in two pairs", word)
		pair[s] = i / 2
	}
	sum, limit := 0, 1<<g.k // of weights, in units of 2^-k
	for i, w := range g.windows {
		if g.lacks(&g.windows[i], p.board, other(claimant)) < 0 {
			continue
		}
		weight, met := 1<<g.k, map[int]bool{}
		for _, s := range w.squares {
			if n, ok := pair[s]; ok && met[n] {
				weight = 0
			} else if ok {
				met[n] = true
			} else if p.board[s] == empty {
				weight /= 2
			}
		}
		sum += weight
	}
	if p.mover != claimant {
		limit /= 2
	}
	must(sum < limit, "the windows weigh %d/%d", sum, 1<<g.k)
}

// A tree is one that is being checked. The attacker is the claimant.
type tree struct {
	*rows
	step               func() // counts work
	attacker, defender byte
	lines              []line
	right              map[place]bool     // where lines are right
	zones              map[place]*big.Int // zones: bit s for square s
}

// A line of a tree is a move of the attacker's and what answers the replies.
type line struct {
	move    int
	answers []answer // none if the move makes a line; the first is OTHERWISE, without replies
	named   bool
}

// An answer is a line that is proven with stones of the defender's placed and taken off.
type answer struct {
	placed, taken, replies []int
	line                   int
}

// A place is a line on a board, with a number of unknown stones.
type place struct {
	line    int
	board   string
	unknown int
}

// ghost is an empty square with the ghost of a stone.
const ghost = '*'

// read reads the lines of a tree.
func (t *tree) read(lines []string) {
	for i, text := range lines {
		words := strings.Split(text, " ")
		l := line{move: t.named(words[0])}
		for j, word := range words[1:] {
			changes, back, changed := strings.Cut(word, "=")
			if !changed {
				changes, back = "", word
			}
			n := number(back)
			must(n >= 1 && n <= i && back[0] != '0' && changed == (changes != ""), "%.100q names no line", word)
			t.lines[i-n].named = true
			l.answers = append(l.answers, t.answer(changes, j > 0, i-n))
		}
		t.lines = append(t.lines, l)
	}
	for i, l := range t.lines {
		must(l.named == (i < len(lines)-1), "line %d is named, or should be", i+1)
	}
}

// answer reads the squares of an answer.
func (t *tree) answer(text string, replies bool, line int) answer {
	a := answer{line: line}
	for text != "" {
		end := 1 + strings.IndexAny(text[1:]+"+", "+-.")
		s := t.named(text[1:end])
		must(text[0] == '.' || !slices.Contains(slices.Concat(a.placed, a.taken), s), "%s is changed twice", text[1:end])
		switch {
		case text[0] == '+':
			a.placed = append(a.placed, s)
		case text[0] == '-':
			a.taken = append(a.taken, s)
		default:
			must(text[0] == '.' && replies, "%.100q has the wrong sign", text)
		}
		if replies && text[0] != '-' && !slices.Contains(a.replies, s) {
			a.replies = append(a.replies, s)
		}
		text = text[end:]
	}
	must(!replies || len(a.replies) > 0, "an answer without a reply")
	must(!t.exact || len(a.placed) == 0 || len(a.replies) == 1, "exact rule: a stone placed that is not the only reply")
	return a
}

// check checks that the line of an answer is right on its own board, and carries over to this
// board with each of its replies, or without if it has none.
func (t *tree) check(a answer, board string) {
	for _, s := range slices.Concat(a.placed, a.replies) {
		must(board[s] == empty, "line %d: %s has a stone", a.line+1, t.names[s])
	}
	for _, s := range a.taken {
		must(board[s] == t.defender, "line %d: %s has no stone to take off", a.line+1, t.names[s])
	}
	t.isRight(a.line, with(with(board, t.defender, a.placed...), empty, a.taken...))
	carry := func(reply ...int) {
		both := with(with(board, ghost, a.placed...), empty, a.taken...)
		add := a.taken
		for _, s := range reply {
			if both[s] == ghost { // placed
				both = with(both, t.defender, s)
			} else {
				add = append(slices.Clone(add), s)
			}
		}
		for _, s := range add {
			must(t.zone(a.line, both, 0).Bit(s) == 0, "line %d does not carry over: %s is in its zone", a.line+1, t.names[s])
			both = with(both, t.defender, s)
		}
	}
	for _, s := range a.replies {
		carry(s)
	}
	if len(a.replies) == 0 {
		carry()
	}
}

// isRight checks that a line is right on a board.
func (t *tree) isRight(n int, board string) {
	if t.right[place{n, board, 0}] {
		return
	}
	t.step()
	l := t.lines[n]
	must(board[l.move] == empty, "line %d: %s is not empty", n+1, t.names[l.move])
	must(!t.within(0, board, t.defender), "line %d: the defender has a line", n+1)
	after := with(board, t.attacker, l.move)
	must(t.within(0, after, t.attacker) == (l.answers == nil), "line %d: %s makes a line, or should", n+1, t.names[l.move])
	if l.answers != nil {
		must(!t.within(1, after, t.defender), "line %d: the defender can make a line", n+1)
		answered := map[int]bool{}
		for _, a := range l.answers {
			t.check(a, after)
			for _, s := range a.replies {
				answered[s] = true
			}
		}
		zone := t.zone(l.answers[0].line, withGhosts(after, l.answers[0]), 0)
		for s := range after {
			must(after[s] != empty || zone.Bit(s) == 0 || answered[s], "line %d: no answer to %s", n+1, t.names[s])
		}
	}
	t.forget()
	t.right[place{n, board, 0}] = true
}

// forget bounds the memory that places take.
func (t *tree) forget() {
	if len(t.right)+len(t.zones) >= maxPlaces {
		clear(t.right)
		clear(t.zones)
	}
}

// withGhosts returns a board on which the squares that an answer places are ghosts, if empty.
func withGhosts(board string, a answer) string {
	return with(board, ghost, slices.DeleteFunc(slices.Clone(a.placed), func(s int) bool { return board[s] != empty })...)
}

// zone returns the zone of a line on a board with ghosts.
func (t *tree) zone(n int, board string, unknown int) *big.Int {
	if z, ok := t.zones[place{n, board, unknown}]; ok {
		return z
	}
	t.step()
	l := t.lines[n]
	must(board[l.move] == empty, "line %d: %s is not empty in a zone", n+1, t.names[l.move])
	z := new(big.Int)
	z.SetBit(z, l.move, 1)
	if l.answers != nil {
		after := with(board, t.attacker, l.move)
		for i, w := range t.windows {
			if lacks := t.lacks(&t.windows[i], after, t.defender); lacks < 0 || lacks > 2+unknown {
				continue
			}
			for _, s := range w.squares {
				if after[s] != t.defender {
					z.SetBit(z, s, 1)
				}
			}
		}
		z.Or(z, t.zone(l.answers[0].line, withGhosts(after, l.answers[0]), unknown+1))
		for _, a := range l.answers[1:] {
			for _, s := range a.replies {
				if after[s] == empty {
					z.Or(z, t.zone(a.line, withGhosts(with(after, t.defender, s), a), unknown))
				}
			}
		}
	}
	t.forget()
	t.zones[place{n, board, unknown}] = z
	return z
}
