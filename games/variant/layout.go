package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Describer[Position, Move] = (*Game)(nil)

// pictures are the characters that stand for kinds of pieces in a set, by the names of their slots and the letters that they
// usually have. With another letter, that is what stands for a piece.
var pictures = map[games.Set]map[string]struct{ letters, text string }{
	games.ChessSet: {
		"king": {"", "♚"}, "commoner": {"k", "♚"}, "queen": {"", "♛"}, "rook": {"", "♜"}, "bishop": {"", "♝"}, "knight": {"", "♞"},
		"pawn": {"", "♟"}, "breakthrough": {"", "♟"}, "immobile": {"", "●"}, "clobber": {"", "●"},
	},
	games.ShogiSet: {
		"king": {"k", "玉"}, "commoner": {"k", "玉"}, "rook": {"r", "飛"}, "bishop": {"b", "角"}, "gold": {"g", "金"}, "silver": {"s", "銀"},
		"shogiKnight": {"n", "桂"}, "lance": {"l", "香"}, "shogiPawn": {"p", "歩"}, "bers": {"d", "龍"}, "dragonHorse": {"h", "馬"}, "queen": {"q", "奔"},
	},
	games.XiangqiSet: {
		"king": {"k", "帥"}, "fers": {"a", "仕"}, "elephant": {"be", "相"}, "horse": {"nh", "傌"}, "rook": {"r", "俥"}, "cannon": {"c", "炮"},
		"soldier": {"ps", "兵"}, "banner": {"m", "旗"},
	},
	games.JanggiSet: {
		"king": {"k", "楚"}, "wazir": {"a", "士"}, "fers": {"a", "士"}, "commoner": {"a", "士"}, "janggiElephant": {"be", "象"}, "horse": {"nh", "馬"},
		"rook": {"r", "車"}, "janggiCannon": {"c", "包"}, "soldier": {"ps", "卒"},
	},
}

// golds are what is written on pieces of shogi that move as a gold when they are promoted, by their letters.
var golds = map[byte]string{'p': "と", 'l': "杏", 'n': "圭", 's': "全"}

const wallKind = "wall"

// kindName is the name of a kind of pieces, or of what it is when it was promoted.
func (g *core) kindName(m man) string {
	k := &g.kinds[m.kind]
	name := slots[k.slot].name
	if slots[k.slot].betza == "" && k.slot != none && name != "immobile" {
		name = "piece " + string(k.letter-('a'-'A'))
	}
	if m.origin >= 0 {
		name = fmt.Sprintf("%s from %c", name, g.kinds[m.origin].letter-('a'-'A'))
	}
	return name
}

// pieces returns the set to which the pieces belong.
func (g *core) pieces() games.Set {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return g.kindOf[slotOf(name)] >= 0 })
	}
	switch {
	case has("pawn"):
		return games.ChessSet
	case has("shogiPawn", "lance", "shogiKnight", "gold"):
		return games.ShogiSet
	case has("janggiCannon", "janggiElephant"):
		return games.JanggiSet
	case has("soldier", "horse", "elephant", "banner"):
		return games.XiangqiSet
	}
	return games.ChessSet
}

// picture returns what stands for a man in a set, or for a custom piece that moves as a piece of chess, also without captures.
func (g *core) picture(set games.Set, m man) string {
	k := &g.kinds[m.kind]
	name := slots[k.slot].name
	if moves := strings.TrimPrefix(g.rules.betza[k.slot], "m"); set == games.ChessSet && k.slot != king && moves != "" {
		i := slices.IndexFunc(slots, func(s struct{ name, betza string }) bool { return s.betza == moves })
		switch {
		case i >= 0:
			name = slots[i].name
		case k.letter == 'p' && (k.pawn[0] || k.pawn[1]):
			name = slots[pawn].name
		}
	}
	own := pictures[set][name]
	fits := own.text != "" && (own.letters == "" || strings.IndexByte(own.letters, k.letter) >= 0)
	promoted := m.origin >= 0 && g.kinds[m.origin].promoted == m.kind
	switch {
	case fits && promoted && name == "gold":
		return cmp.Or(golds[g.kinds[m.origin].letter], own.text)
	case fits && (!promoted || set == games.ShogiSet):
		return own.text
	case promoted:
		return "+" + string(g.kinds[m.origin].letter-('a'-'A'))
	}
	return string(k.letter - ('a' - 'A'))
}

func (g *core) newLayout() games.Layout {
	set := g.pieces()
	var kinds []games.PieceKind
	for _, m := range g.men {
		kinds = append(kinds, games.PieceKind{Name: g.kindName(m), Text: g.picture(set, m), Hand: m.origin < 0 && g.hasHands(), Promoted: m.origin >= 0})
	}
	kinds = append(kinds, games.PieceKind{Name: wallKind, Text: "✳"})
	rows := make([]string, g.ranks)
	for i := range rows {
		rows[i] = strconv.Itoa(g.ranks - i)
	}
	style := games.Grid
	switch {
	case set == games.XiangqiSet || set == games.JanggiSet:
		style = games.Lines
	case set == games.ChessSet && g.rules.enclosingDrop == "none" && g.kindOf[immobile] < 0:
		style = games.Chequered
	}
	l := games.NewLayout(style, games.Labels(g.files, 'a', 1), rows, kinds...)
	if l.Set = set; style == games.Lines {
		l.River, l.Palaces = g.river(), g.palaces()
	}
	return l
}

// river returns the number of ranks beyond the middle of the board, if soldiers change there.
func (g *core) river() int {
	if beyond := g.ranks - g.rules.soldierRank + 1; 2*beyond == g.ranks {
		return beyond
	}
	return 0
}

// palaces returns the corners of the squares that kings cannot leave, three by three.
func (g *core) palaces() (list [][2]string) {
	if g.king < 0 {
		return nil
	}
	for _, region := range g.kinds[g.king].mobility {
		first, last := region.first(), region.last()
		if region.count() == 9 && last-first == 2*g.files+2 {
			list = append(list, [2]string{g.squareName(last - 2), g.squareName(first + 2)})
		}
	}
	return list
}

// Layout implements [games.Describer].
func (g *core) Layout() games.Layout { return g.layout() }

// fromTop returns the square of a place in the layout, which counts from the top, and the other way round.
func (g *core) fromTop(i int) int { return (g.ranks-1-i/g.files)*g.files + i%g.files }

// Board implements [games.Describer].
func (g *core) Board(p Position) games.Board {
	b := games.Board{Turn: int(p.turn) + 1, Pieces: []games.Piece{}, State: g.state(&p)}
	for i := range g.squares {
		s := g.fromTop(i)
		switch c := p.cells[s]; {
		case c == wall:
			b.Pieces = append(b.Pieces, games.Piece{Kind: wallKind, Side: 1, Square: g.squareName(s)})
		case c >= firstMan:
			b.Pieces = append(b.Pieces, games.Piece{Kind: g.kindName(g.men[(c-firstMan)>>1]), Side: int(c-firstMan)&1 + 1, Square: g.squareName(s)})
		}
	}
	for side := range 2 {
		for k, n := range p.hands[side] {
			if n > 0 {
				b.Pieces = append(b.Pieces, games.Piece{Kind: g.kindName(man{int8(k), -1}), Side: side + 1, Count: int(n)})
			}
		}
	}
	return b
}

// state returns the fields of a position after the side to move, without the counters, and nothing if they say nothing.
func (g *core) state(p *Position) string {
	if state := string(g.appendState(nil, p)); state != "- -" {
		return state
	}
	return ""
}

// SetUp implements [games.Describer].
func (g *core) SetUp(b games.Board) (Position, error) {
	l := g.Layout()
	squares, hand, err := l.Place(b)
	if err != nil {
		return Position{}, err
	}
	x := board{game: g, Position: nowhere()}
	x.turn = uint8(b.Turn - 1)
	find := func(name string) man {
		for _, m := range g.men {
			if g.kindName(m) == name {
				return m
			}
		}
		return g.men[0]
	}
	for i, piece := range squares {
		switch {
		case piece.Kind == "":
		case piece.Kind == wallKind && piece.Side != 1:
			return Position{}, fmt.Errorf("a wall of side %d on %s, want side 1", piece.Side, piece.Square)
		case piece.Kind == wallKind:
			x.setWall(g.fromTop(i))
		default:
			x.put(g.fromTop(i), piece.Side-1, find(piece.Kind))
		}
	}
	for _, piece := range hand {
		if piece.Count > 255 {
			return Position{}, fmt.Errorf("%d pieces of a kind in hand, want at most 255", piece.Count)
		}
		x.hands[piece.Side-1][find(piece.Kind).kind] = uint8(piece.Count)
	}
	if g.rules.checkCounting {
		x.checks = g.start.checks
	}
	if b.State != "" {
		g.fitState(&x.Position, strings.Fields(b.State))
	}
	return x.Position, g.check(&x.Position)
}

// fitState reads what [Game.state] writes, as far as it fits the pieces.
func (g *core) fitState(p *Position, fields []string) {
	for i := range fields {
		q := *p
		var err error
		switch i {
		case 0:
			for _, c := range fields[0] { // each right by itself
				if err = g.parseRights(&q, string(c)); err == nil {
					*p = q
				}
			}
		case 1:
			err = g.parsePassing(&q, fields[1])
		default:
			_, err = g.parseLate(&q, fields[i:i+1])
		}
		if err == nil {
			*p = q
		}
	}
}

// Trace implements [games.Describer].
func (g *core) Trace(p Position, m Move) (t games.Trace) {
	b := g.newBoard(&p)
	to := int(m.to)
	switch m.kind {
	case drop:
		if !g.rules.freeDrops {
			t.Drop = g.kindName(man{int8(m.hand), -1})
		}
		t.Squares = []string{g.squareName(to)}
	case castling:
		if kto, _ := g.castlingSquares(int(p.turn), int(m.from), to); !g.rules.chess960 && !b.motion(quiet, b.kind(int(m.from)), int(p.turn), int(m.from), b.occupied()).has(kto) {
			to = kto
		}
		t.Squares = []string{g.squareName(int(m.from)), g.squareName(to)}
	case pass:
		t.Squares = []string{g.squareName(to)}
	default:
		t.Squares = []string{g.squareName(int(m.from)), g.squareName(to)}
	}
	if m.gate != noSquare && g.rules.walling != "none" {
		t.Squares = append(t.Squares, g.squareName(int(m.gate)))
	}
	return t
}
