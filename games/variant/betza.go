package variant

import (
	"fmt"
	"strings"
)

// modality is what a way to move is for.
type modality int

const (
	quiet   modality = iota // to an empty square
	capture                 // to a square with a piece of the opponent
	initial                 // to an empty square, from where pawns may make a double step
	modalities
)

// manner is how a piece gets to a square.
type manner int

const (
	leap  manner = iota // over all that is between
	lame                // only if the squares between are empty
	slide               // in steps over empty squares
	hop                 // over one piece
	manners
)

// step is a direction in which a piece moves: ranks forward and files to the right, as its owner sees the board.
type step struct{ forward, right int }

// path is a step of a piece's movement.
type path struct {
	step
	manner manner
	// most is the number of steps of a slide or a hop; 0 for no limit. A hop of 1 ends after the piece that is jumped over.
	most int
}

// movement is how a piece moves: the paths of each modality.
type movement [modalities][]path

// atoms are the leaps that letters stand for.
var atoms = map[byte][]step{
	'W': {{1, 0}}, 'F': {{1, 1}}, 'D': {{2, 0}}, 'N': {{2, 1}}, 'A': {{2, 2}}, 'H': {{3, 0}},
	'L': {{3, 1}}, 'C': {{3, 1}}, 'J': {{3, 2}}, 'Z': {{3, 2}}, 'G': {{3, 3}}, 'K': {{1, 0}, {1, 1}},
	'R': {{1, 0}}, 'B': {{1, 1}}, 'Q': {{1, 0}, {1, 1}},
}

// orientations are the eight ways to turn and mirror an atom (a, b), a >= b, and the directions that ask for each: two
// letters of forward, backward, left, right, vertical, sideways, half.
var orientations = []struct {
	turn  func(a, b int) step
	names string
}{
	{func(a, b int) step { return step{a, b} }, "ff vv rf rv fh rh hr"},
	{func(a, b int) step { return step{a, -b} }, "ff vv lf lv fh lh hl"},
	{func(a, b int) step { return step{-a, b} }, "bb vv rb rv bh rh hl"},
	{func(a, b int) step { return step{-a, -b} }, "bb vv lb lv bh lh hr"},
	{func(a, b int) step { return step{b, a} }, "rr ss fr fs fh rh hl"},
	{func(a, b int) step { return step{-b, a} }, "rr ss br bs bh rh hr"},
	{func(a, b int) step { return step{b, -a} }, "ll ss fl fs fh lh hr"},
	{func(a, b int) step { return step{-b, -a} }, "ll ss bl bs bh lh hl"},
}

// parseBetza reads Betza's notation in the subset of variants.ini: atoms with directions, m and c, limited and unlimited
// riders, p and g for hoppers, n for lame leapers, i for the moves from where pawns make a double step, and e for a piece
// that captures en passant.
func parseBetza(text string) (m movement, enPassant bool, err error) {
	const verticals, horizontals = "fbvh", "rlsh"
	var modes []modality
	var directions []string
	var hops, grasshopper, isLame, isInitial bool
	for i := 0; i < len(text); i++ {
		c := text[i]
		vertical, horizontal := strings.IndexByte(verticals, c) >= 0, strings.IndexByte(horizontals, c) >= 0
		switch {
		case c == 'm':
			modes = append(modes, quiet)
		case c == 'c':
			modes = append(modes, capture)
		case c == 'e':
			enPassant = true
		case c == 'p':
			hops = true
		case c == 'g':
			hops, grasshopper = true, true
		case c == 'n':
			isLame = true
		case c == 'i':
			isInitial = true
		case vertical || horizontal:
			second := c
			if i+1 < len(text) {
				next := text[i+1]
				if next == c || vertical && strings.IndexByte(horizontals, next) >= 0 || horizontal && strings.IndexByte(verticals, next) >= 0 {
					second = next
					i++
				}
			}
			directions = append(directions, string([]byte{c, second}))
		case atoms[c] != nil:
			p := path{manner: leap}
			if strings.IndexByte("RBQ", c) >= 0 {
				p.manner = slide
			}
			if i+1 < len(text) && (text[i+1] == c || text[i+1] >= '1' && text[i+1] <= '9') {
				p.manner = slide
				if text[i+1] != c {
					p.most = int(text[i+1] - '0')
				}
				i++
			}
			switch {
			case hops && p.manner == leap:
				return m, false, fmt.Errorf("%q: only riders can hop, such as pR", text)
			case isLame && p.manner == slide:
				return m, false, fmt.Errorf("%q: only leapers can be lame, such as nN", text)
			case hops:
				p.manner = hop
				if grasshopper {
					p.most = 1
				}
			case isLame:
				p.manner = lame
			}
			if len(modes) == 0 {
				modes = []modality{quiet, capture}
			}
			if isInitial {
				if len(modes) != 1 || modes[0] != quiet {
					return m, false, fmt.Errorf("%q: a move from where pawns make a double step cannot capture: write im", text)
				}
				modes = []modality{initial}
			}
			for _, mode := range modes {
				for _, s := range oriented(c, directions) {
					p.step = s
					m[mode] = withPath(m[mode], p)
				}
			}
			modes, directions = nil, nil
			hops, grasshopper, isLame, isInitial = false, false, false, false
		default:
			return m, false, fmt.Errorf("%q: the letter %q is not understood; want atoms W F D N A H L C J Z G K R B Q after directions f b l r v s h and m c p g n i e", text, c)
		}
	}
	if len(modes)+len(directions) > 0 || hops || isLame || isInitial {
		return m, false, fmt.Errorf("%q ends before an atom", text)
	}
	return m, enPassant, nil
}

// oriented returns the steps of an atom in the given directions, or in all if there are none.
func oriented(atom byte, directions []string) (list []step) {
	for _, a := range atoms[atom] {
		wanted := map[string]bool{}
		for _, d := range directions {
			// Where an atom moves along lines, fs is f and s.
			if len(atoms[atom]) == 1 && a.right == 0 && d[0] != d[1] {
				wanted[d[:1]+d[:1]], wanted[d[1:]+d[1:]] = true, true
			} else {
				wanted[d] = true
			}
		}
		for _, o := range orientations {
			use := len(directions) == 0
			for _, name := range strings.Fields(o.names) {
				use = use || wanted[name]
			}
			if use {
				list = append(list, o.turn(a.forward, a.right))
			}
		}
	}
	return list
}

// withPath adds a path to a list. It replaces one with the same step of the same kind.
func withPath(list []path, p path) []path {
	kind := func(m manner) manner { return max(m, lame) } // a leap and a lame leap are of one kind
	for i, q := range list {
		if q.step == p.step && kind(q.manner) == kind(p.manner) {
			list[i] = p
			return list
		}
	}
	return append(list, p)
}

// between returns the steps that a lame leap passes: along its longer side first, then diagonally.
func (s step) between() (list []step) {
	sign := func(x int) int { return min(max(x, -1), 1) }
	abs := func(x int) int { return max(x, -x) }
	var at step
	for {
		df, dr := s.forward-at.forward, s.right-at.right
		switch diff := abs(dr) - abs(df); {
		case diff > 0:
			at.right += sign(dr)
		case diff < 0:
			at.forward += sign(df)
		default:
			at.right += sign(dr)
			at.forward += sign(df)
		}
		if at == s {
			return list
		}
		list = append(list, at)
	}
}
