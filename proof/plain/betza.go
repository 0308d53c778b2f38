package plain

import (
	"slices"
	"strings"
)

// The notation of Betza, as variants.ini has it: letters of leaps, with modifiers before them.

// A vpath is one way of a piece: the step, as its owner sees the board, and what it does with it.
type vpath struct {
	forward, right int
	manner         byte // j jumps, n is blocked by what is between, r rides, h hops
	most           int  // steps of a ride or hop, 0 for no limit
}

// What a move is for.
const (
	toEmpty = iota
	toCapture
	fromStart // to an empty square, from where pawns may make a double step
)

// leaps are the ranks and files of the letters, before they are turned.
var leaps = map[byte][][2]int{
	'W': {{1, 0}}, 'F': {{1, 1}}, 'D': {{2, 0}}, 'N': {{2, 1}}, 'A': {{2, 2}}, 'H': {{3, 0}}, 'L': {{3, 1}}, 'C': {{3, 1}},
	'J': {{3, 2}}, 'Z': {{3, 2}}, 'G': {{3, 3}}, 'K': {{1, 0}, {1, 1}}, 'R': {{1, 0}}, 'B': {{1, 1}}, 'Q': {{1, 0}, {1, 1}},
}

// read reads how a kind moves.
func (k *vkind) read(text string) {
	modifiers := ""
	for i := 0; i < len(text); i++ {
		atom := text[i]
		if leaps[atom] == nil {
			demand(atom != 'h', ErrUnsuited, "no plain rule for the direction h of %.100q", text)
			must(strings.IndexByte("mcepgnifbvrls", atom) >= 0, "the moves %.100q", text)
			modifiers += string(atom)
			continue
		}
		has := func(letter string) bool { return strings.Contains(modifiers, letter) }
		p := vpath{manner: 'j'}
		if strings.IndexByte("RBQ", atom) >= 0 {
			p.manner = 'r'
		}
		if i+1 < len(text) && (text[i+1] == atom || text[i+1] >= '1' && text[i+1] <= '9') {
			i++
			if p.manner = 'r'; text[i] != atom {
				p.most = int(text[i] - '0')
			}
		}
		switch {
		case has("p") || has("g"):
			must(p.manner == 'r', "the moves %.100q: only riders hop", text)
			if p.manner = 'h'; has("g") {
				p.most = 1
			}
		case has("n"):
			must(p.manner == 'j', "the moves %.100q: only leapers are lame", text)
			p.manner = 'n'
		}
		k.passing = k.passing || has("e")
		for _, leap := range leaps[atom] {
			for forward := -3; forward <= 3; forward++ {
				for right := -3; right <= 3; right++ {
					long, short := max(forward, -forward, right, -right), min(max(forward, -forward), max(right, -right))
					if long != leap[0] || short != leap[1] || !directed(modifiers, forward, right) {
						continue
					}
					p.forward, p.right = forward, right
					for mode, wanted := range [3]bool{!has("i") && (has("m") || !has("c")), !has("i") && (has("c") || !has("m")), has("i")} {
						if wanted {
							k.add(mode, p)
						}
					}
				}
			}
		}
		modifiers = ""
	}
	must(strings.Trim(modifiers, "e") == "", "the moves %.100q", text)
}

// add adds a path. A later one of the same kind in the same direction replaces one before.
func (k *vkind) add(mode int, p vpath) {
	for i, q := range k.paths[mode] {
		jumps := strings.IndexByte("jn", p.manner) >= 0 && strings.IndexByte("jn", q.manner) >= 0
		if q.forward == p.forward && q.right == p.right && (q.manner == p.manner || jumps) {
			k.paths[mode][i] = p
			return
		}
	}
	k.paths[mode] = append(k.paths[mode], p)
}

// directed returns whether a step goes in one of the directions of the modifiers; without any it does.
func directed(modifiers string, forward, right int) bool {
	words, any := strings.Map(func(r rune) rune {
		if strings.ContainsRune("fbvrls", r) {
			return r
		}
		return -1
	}, modifiers), false
	along, across := max(forward, -forward), max(right, -right)
	way := map[byte]int{'f': forward, 'b': -forward, 'v': along, 'r': right, 'l': -right, 's': across}
	upright := func(letter byte) bool { return strings.IndexByte("fbv", letter) >= 0 }
	// One letter asks for steps that go farther that way than the other, or as far.
	one := func(letter byte) bool {
		return way[letter] > 0 && (along == across || upright(letter) == (along > across))
	}
	for i := 0; i < len(words); i++ {
		a := words[i]
		b := a
		if i+1 < len(words) {
			if next := words[i+1]; next == a || upright(a) != upright(next) {
				b = next
				i++
			}
		}
		switch straight := along == 0 || across == 0; {
		case a == b:
			any = any || one(a)
		case straight:
			any = any || one(a) || one(b)
		case a != 'v' && a != 's': // that way, but farther the other
			any = any || way[a] > 0 && one(b)
		}
	}
	return any || words == ""
}

// between returns the squares that a lame leap from a square passes: along its longer side first, then diagonally.
func (g *variant) between(s, side int, p vpath) (squares []int) {
	sign := func(n int) int { return min(max(n, -1), 1) }
	for forward, right := 0, 0; ; {
		df, dr := p.forward-forward, p.right-right
		if max(df, -df) >= max(dr, -dr) {
			forward += sign(df)
		}
		if max(dr, -dr) >= max(df, -df) {
			right += sign(dr)
		}
		if forward == p.forward && right == p.right {
			return squares
		}
		squares = append(squares, g.step(s, side, forward, right))
	}
}

// reach returns the squares to which a piece on a square could go, whatever is there. With open it goes as far as on some board.
func (b *vboard) reach(mode int, kind byte, side, from int, open bool) (squares []int) {
	g := b.game
	k := g.pieces[kind]
	add := func(s int) {
		if k.mobility[side][s] {
			squares = append(squares, s)
		}
	}
	rank := from / g.files
	if side == 1 {
		rank = g.ranks - 1 - rank
	}
	for _, p := range k.paths[mode] {
		to := g.step(from, side, p.forward, p.right)
		if to < 0 && p.manner != 'h' {
			continue
		}
		switch p.manner {
		case 'j':
			// A soldier goes sideways when it has passed the river.
			if k.name != "soldier" || p.right == 0 || rank >= g.count("soldierPromotionRank")-1 {
				add(to)
			}
		case 'n':
			if open || !slices.ContainsFunc(g.between(from, side, p), b.taken) {
				add(to)
			}
		case 'r', 'h':
			// A hop goes over one piece, and with a limit of one to the next square.
			over, hurdles := strings.IndexByte("rh", p.manner), 0
			for n := 1; to >= 0 && hurdles <= over && (p.most <= over || n <= p.most); n++ {
				if hurdles == over || open {
					add(to)
				}
				if !open && (b.taken(to) || hurdles == 1 && p.most == 1) {
					hurdles++
				}
				to = g.step(to, side, p.forward, p.right)
			}
		}
	}
	return squares
}
