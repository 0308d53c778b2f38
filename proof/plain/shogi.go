package plain

import (
	"iter"
	"slices"
	"strings"
)

// Shogi. A board has the letters of pieces, Black's in upper case; promoted pieces have letters
// of their own. A move is its squares and whether the piece promotes; see move.
type shogi struct {
	grid
	names    [81]string    // of squares
	checking byte          // the side that must give check, 0 for none
	rays     [81][12][]int // from each square in each direction
	toward   [81][81]int   // the direction from one square to another, plus 1; 0 if there is none
	reach    [256][12]int  // the most squares that each piece goes in each direction
}

// The pieces in hand, in the order of SFEN, and how many there are. Those that promote become
// these letters.
const (
	kindsOfShogi = "RBGSNLP"
	unpromoted   = "RBSNLPrbsnlp"
	promotedAs   = "DHTMVUdhtmvu"
)

var inSet = []int{2, 2, 4, 4, 4, 4, 18}

// ways are the rows and columns of all directions, each next to the opposite one; the last four
// are jumps.
var ways = [12][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-2, -1}, {2, 1}, {-2, 1}, {2, -1}}

// piecesMove has the directions, numbers in ways, in which Black's pieces move once and always.
var piecesMove = []struct{ pieces, once, always string }{
	{"P", "0", ""}, {"L", "", "0"}, {"N", "8a", ""}, {"S", "04657", ""}, {"G", "046231", ""}, {"K", "01234567", ""},
	{"R", "", "0123"}, {"B", "", "4567"}, {"D", "4567", "0123"}, {"H", "0123", "4567"}, {"TMVU", "046231", ""},
}

func newShogi(o map[string]string) (*shogi, bool) {
	checking, ok := map[string]byte{"free": 0, "black": 'b', "white": 'w'}[o["checks"]]
	g := &shogi{grid: grid{9, 9}, checking: checking}
	for s := range 81 {
		g.names[s] = string([]byte{byte('9' - s%9), byte('a' + s/9)})
		for d, way := range ways {
			most := 8
			if d >= 8 {
				most = 1
			}
			g.rays[s][d] = g.line(s, way[0], way[1], most)
			for _, to := range g.rays[s][d] {
				g.toward[s][to] = d + 1
			}
		}
	}
	for _, m := range piecesMove {
		for _, piece := range []byte(m.pieces) {
			for i, d := range []byte(m.once + m.always) {
				n, most := strings.IndexByte("0123456789ab", d), 1
				if i >= len(m.once) {
					most = 8
				}
				back := slices.Index(ways[:], [2]int{-ways[n][0], ways[n][1]})
				g.reach[piece][n], g.reach[piece|32][back] = most, most
			}
		}
	}
	return g, ok
}

// change returns what a piece becomes by a list of letters and those in their place, and 0 for
// one that is not in the list.
func change(piece byte, from, to string) byte {
	if i := strings.IndexByte(from, piece); i >= 0 {
		return to[i]
	}
	return 0
}

// A sight is what is seen from a king: which squares a piece must go to that parries the checks, and which
// pieces shield it.
type sight struct {
	king    int // its square, -1 if there is none
	checks  int
	parries [81]bool // where a checking piece can be captured or shut out
	shields [81]bool // without which the next piece would give check
}

// sight returns what the king of a side sees.
func (g *shogi) sight(board string, mover byte) (s sight) {
	if s.king = strings.IndexByte(board, owned('K', mover)); s.king < 0 {
		return s
	}
	for d, line := range &g.rays[s.king] {
		first := -1 // the square of the first piece
		for i, at := range line {
			piece := board[at]
			if piece == empty {
				continue
			}
			check := !own(piece, mover) && i < g.reach[piece][d^1]
			if first >= 0 {
				s.shields[first] = check
				break
			}
			if check {
				s.checks++
				for _, to := range line[:i+1] {
					s.parries[to] = true
				}
			}
			first = at
		}
	}
	return s
}

// attacked returns whether a side could capture on a square if its own king were not on another.
func (g *shogi) attacked(board string, s int, by byte, king int) bool {
	for d, line := range &g.rays[s] {
		for i, at := range line {
			if piece := board[at]; piece != empty && at != king {
				if own(piece, by) && i < g.reach[piece][d^1] {
					return true
				}
				break
			}
		}
	}
	return false
}

// opens returns whether a piece that leaves a square opens a line to the king.
func (g *shogi) opens(s *sight, from, to int) bool {
	return s.shields[from] && g.toward[s.king][from] != g.toward[s.king][to]
}

// parried returns whether a piece that arrives on a square parries all checks.
func (s *sight) parried(to int) bool { return s.checks == 0 || s.checks == 1 && s.parries[to] }

// stuck returns whether a piece could never move from a square.
func (g *shogi) stuck(piece byte, s int) bool {
	for d, line := range &g.rays[s] {
		if len(line) > 0 && g.reach[piece][d] > 0 {
			return false
		}
	}
	return true
}

// inZone returns whether pieces of a side promote on a square.
func inZone(mover byte, s int) bool { return mover == 'b' && s < 27 || mover == 'w' && s >= 54 }

// A move of a piece: from, to and whether it promotes. From 81 on, from is a piece in hand.
func shogiMove(from, to int, promotes Move) Move { return Move(from)<<8 | Move(to)<<1 | promotes }

func (m Move) squares() (from, to int, promotes bool) {
	return int(m >> 8), int(m >> 1 & 127), m&1 != 0
}

// safe returns all moves after which the king of the side to move is not in check. Among them may
// be drops of pawns that give mate.
func (g *shogi) safe(p Position) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		king, pawns, hand := g.sight(p.board, p.mover), [9]bool{}, handOf(p, 7)
		for s := range 81 {
			if p.board[s] == owned('P', p.mover) {
				pawns[s%9] = true
			}
		}
		for s := range 81 {
			piece := p.board[s]
			if piece == empty && king.parried(s) {
				for i, kind := range []byte(kindsOfShogi) {
					free := p.hands[hand+i] > 0 && !(kind == 'P' && pawns[s%9]) && !g.stuck(owned(kind, p.mover), s)
					if free && !yield(shogiMove(81+i, s, 0)) {
						return
					}
				}
			}
			if !own(piece, p.mover) {
				continue
			}
			for d, most := range &g.reach[piece] {
				for i, to := range g.rays[s][d] {
					if i >= most || own(p.board[to], p.mover) {
						break
					}
					safe := king.parried(to) && !g.opens(&king, s, to)
					if s == king.king {
						safe = !g.attacked(p.board, to, opponent(p.mover), s)
					}
					promotes := change(piece, unpromoted, promotedAs) != 0 && (inZone(p.mover, s) || inZone(p.mover, to))
					if safe && (!g.stuck(piece, to) && !yield(shogiMove(s, to, 0)) || promotes && !yield(shogiMove(s, to, 1))) {
						return
					}
					if p.board[to] != empty {
						break
					}
				}
			}
		}
	}
}

// gives returns whether a move gives check to a king that is not in check before.
func (g *shogi) gives(p Position, king *sight, m Move) bool {
	from, to, promotes := m.squares()
	if king.king < 0 {
		return false
	}
	piece := byte(0)
	if from >= 81 {
		piece = owned(kindsOfShogi[from-81], p.mover)
	} else if piece = p.board[from]; promotes {
		piece = change(piece, unpromoted, promotedAs)
	}
	if from < 81 && g.opens(king, from, to) {
		return true
	}
	d := g.toward[king.king][to] - 1
	if d < 0 {
		return false
	}
	for i, at := range g.rays[king.king][d] {
		if at == to {
			return i < g.reach[piece][d^1]
		}
		if p.board[at] != empty && at != from {
			break
		}
	}
	return false
}

// legal returns all moves.
func (g *shogi) legal(p Position) iter.Seq[Move] {
	return func(yield func(Move) bool) {
		king := g.sight(p.board, opponent(p.mover))
		for m := range g.safe(p) {
			from, _, _ := m.squares()
			pawn := from == 81+6
			if g.checking == p.mover || pawn {
				check := g.gives(p, &king, m)
				if !check && g.checking == p.mover || check && pawn && !g.escapes(g.Play(p, m)) {
					continue
				}
			}
			if !yield(m) {
				return
			}
		}
	}
}

// escapes returns whether the side to move has a move after a pawn was dropped and gives check.
// No drop parries that, so it does not matter whether one gives mate.
func (g *shogi) escapes(p Position) bool {
	for range g.safe(p) {
		return true
	}
	return false
}

func (g *shogi) Result(p Position) (result int, over bool) {
	for range g.legal(p) {
		return 0, false
	}
	return -1, true
}

func (g *shogi) Moves(p Position) []Move { return slices.Collect(g.legal(p)) }

func (g *shogi) Text(_ Position, m Move) string {
	from, to, promotes := m.squares()
	if from >= 81 {
		return kindsOfShogi[from-81:from-80] + "*" + g.names[to]
	}
	if promotes {
		return g.names[from] + g.names[to] + "+"
	}
	return g.names[from] + g.names[to]
}

func (g *shogi) Play(p Position, m Move) Position {
	from, to, promotes := m.squares()
	hand, piece, taken := handOf(p, 7), byte(0), p.board[to]
	if from >= 81 {
		i := hand + from - 81
		piece, p.hands = owned(kindsOfShogi[from-81], p.mover), with(p.hands, p.hands[i]-1, i)
	} else {
		if piece = p.board[from]; promotes {
			piece = change(piece, unpromoted, promotedAs)
		}
		if bare := change(taken, promotedAs, unpromoted); bare != 0 {
			taken = bare
		}
		if i := hand + strings.IndexByte(kindsOfShogi, taken&^32); i >= hand { // no king, nor an empty square
			p.hands = with(p.hands, p.hands[i]+1, i)
		}
		p.board = with(p.board, empty, from)
	}
	p.board, p.mover = with(p.board, piece, to), opponent(p.mover)
	return p
}

func (g *shogi) Canonical(p Position) Position { return p }

// plus writes promoted pieces with a + before the letter of the unpromoted one, and minus reads
// them.
var plus, minus = func() (plus, minus *strings.Replacer) {
	var to, from []string
	for i := range len(promotedAs) {
		letter, text := promotedAs[i:i+1], "+"+unpromoted[i:i+1]
		to, from = append(to, letter, text), append(from, text, letter)
	}
	return strings.NewReplacer(to...), strings.NewReplacer(from...)
}()

func (g *shogi) Format(p Position) string {
	return plus.Replace(numbers.Replace(g.slashed(p.board))) + " " + string(p.mover) + " " + handText(p.hands, kindsOfShogi)
}

func (g *shogi) parse(text string) Position {
	fields := strings.Split(text, " ")
	must(len(fields) == 3, "%.1000q is no position", text)
	p := Position{board: strings.ReplaceAll(squares.Replace(minus.Replace(fields[0])), "/", ""), hands: parseHands(fields[2], kindsOfShogi), mover: 'b'}
	if fields[1] == "w" {
		p.mover = 'w'
	}
	letters := "K" + kindsOfShogi + promotedAs[:6]
	must(len(p.board) == 81 && strings.Trim(p.board, letters+strings.ToLower(letters)+".") == "", "%.1000q is no position", text)
	spelled(g, p, text)
	for i, kind := range kindsOfShogi {
		n := int(p.hands[i]) + int(p.hands[7+i])
		for _, piece := range []byte(strings.ToUpper(p.board)) {
			if piece == byte(kind) || change(piece, promotedAs, unpromoted) == byte(kind) {
				n++
			}
		}
		must(n <= inSet[i], "%.1000q has %d pieces %c", text, n, kind)
	}
	black, white := strings.Count(p.board, "K"), strings.Count(p.board, "k")
	must(max(black, white) == 1, "%.1000q has no king, or two of a side", text)
	for s, piece := range []byte(p.board) {
		must(piece == empty || !g.stuck(piece, s), "%.1000q has a piece that could never move", text)
		for below := s + 9; piece|32 == 'p' && below < 81; below += 9 {
			must(p.board[below] != piece, "%.1000q has two pawns on a file", text)
		}
	}
	king := g.sight(p.board, opponent(p.mover))
	must(king.checks == 0, "%.1000q: the side that is not to move is in check", text)
	return p
}
