package dobutsu

import (
	"math/bits"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Options of the rules.
const (
	optionSize  = "size"
	optionDrops = "drops"
	optionTry   = "try"

	dropsAny       = "any"
	dropsNearChick = "near-chick"
	dropsNone      = "none"
)

// Family is Dōbutsu shōgi under all its rules.
var Family = games.NewFamily(games.Info{
	Name:  "dobutsu",
	Title: "Dōbutsu shōgi",
	Notation: "position: gle/1c1/1C1/ELG b - (rank 1 first, sente in upper case; side to move b or w; hands)\n" +
		"move: b3b2, a2a1+ (chick becomes hen), C*b2 (drop)",
	Options: []games.Option{
		{Name: optionSize, Values: []string{"4x3", "3x3", "5x3", "6x3"},
			Help: "rows and columns of the board; 3x3 has no room for chicks"},
		{Name: optionDrops, Values: []string{dropsAny, dropsNearChick, dropsNone},
			Help: "any: on every empty square; near-chick: no chick on the far rank; none: animals in hand stay there"},
		{Name: optionTry, Values: []string{"win", "no"},
			Help: "win: a lion safe on the far rank wins; no: only capturing the lion wins"},
	},
}, newGame)

// New returns the game under the usual rules.
func New() *Game {
	g, err := Family.Open("dobutsu")
	if err != nil {
		panic(err)
	}
	return g
}

// Game is Dōbutsu shōgi under some rules. It implements [games.Game] and its
// capabilities [games.Indexer], [games.Expander], [games.Retractor],
// [games.Canonicalizer], [games.Drawer], [games.Describer] and [games.Finisher].
type Game struct {
	board
	name      string
	drops     bool // animals in hand can be dropped
	farChicks bool // a chick can be dropped on the far rank
	try       bool // the lion wins by reaching the far rank safely
	index     indexTables
	features  featureTables
	layout    games.Layout
}

var (
	_ games.Indexer[Position]         = (*Game)(nil)
	_ games.Expander                  = (*Game)(nil)
	_ games.Retractor                 = (*Game)(nil)
	_ games.Canonicalizer[Position]   = (*Game)(nil)
	_ games.Drawer[Position]          = (*Game)(nil)
	_ games.Describer[Position, Move] = (*Game)(nil)
	_ games.Finisher[Position, Move]  = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	g := &Game{
		name:      r.String(),
		drops:     r.Get(optionDrops) != dropsNone,
		farChicks: r.Get(optionDrops) == dropsAny,
		try:       r.Get(optionTry) == "win",
	}
	ranks, _, _ := strings.Cut(r.Get(optionSize), "x")
	g.board.init(int(ranks[0] - '0'))
	g.index.init(&g.board, g.try)
	g.features.init(&g.board, "dobutsu-"+r.Get(optionSize)+"-1")
	g.layout = layoutOf(g.ranks)
	return g
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game].
func (g *Game) Start() Position {
	army := side{board: [kinds]uint32{kindElephant: 1 << 0, kindLion: 1 << 1, kindGiraffe: 1 << 2}}
	if g.chicks > 0 {
		army.board[kindChick] = 1 << (1 + files)
	}
	p := Position{mine: army, theirs: army}
	for k := range kinds {
		p.theirs.board[k] = g.turn(army.board[k])
	}
	return p
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	switch {
	case g.attackers(&p.mine, p.theirs.lion()) != 0:
		return games.Win(1), true
	case g.try && p.theirs.board[kindLion]&g.home != 0:
		return games.Loss(0), true
	case g.stuck(&p):
		return games.Draw, true
	}
	return games.Unfinished, false
}

// stuck reports whether the side to move, which cannot capture the lion, has no
// move at all.
func (g *Game) stuck(p *Position) bool {
	own := p.mine.all()
	if g.steps[kindLion][p.mine.lion()]&^own != 0 {
		return false
	}
	// There are more squares than animals, so there is always room for a drop.
	if g.drops && p.mine.hand != [kindHen]uint8{} {
		return false
	}
	for k := range kindLion {
		for set := p.mine.board[k]; set != 0; set &= set - 1 {
			if g.steps[k][bits.TrailingZeros32(set)]&^own != 0 {
				return false
			}
		}
	}
	return true
}

// Move is a move or a drop, seen from the side that makes it.
type Move struct {
	from int8 // square, or drop + kind
	to   int8 // square
}

const drop = fieldBits

// dropped returns the kind that m drops, and false if m is not a drop.
func (m Move) dropped() (kind, bool) { return kind(m.from - drop), m.from >= drop }

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	if _, finished := g.Outcome(p); finished {
		return dst
	}
	own := p.mine.all()
	for from := range g.squares {
		if own>>from&1 == 0 {
			continue
		}
		targets := g.steps[p.mine.kindAt(1<<from)][from] &^ own
		for ; targets != 0; targets &= targets - 1 {
			dst = append(dst, Move{int8(from), int8(bits.TrailingZeros32(targets))})
		}
	}
	if !g.drops {
		return dst
	}
	empty := g.all &^ own &^ p.theirs.all()
	for k := range kindHen {
		if p.mine.hand[k] == 0 {
			continue
		}
		targets := empty
		if k == kindChick && !g.farChicks {
			targets &^= g.far
		}
		for ; targets != 0; targets &= targets - 1 {
			dst = append(dst, Move{int8(drop + k), int8(bits.TrailingZeros32(targets))})
		}
	}
	return dst
}

// AppendFinishing implements [games.Finisher]: the captures of the lion.
func (g *Game) AppendFinishing(dst []Move, p Position) []Move {
	lion := p.theirs.lion()
	for from := g.attackers(&p.mine, lion); from != 0; from &= from - 1 {
		dst = append(dst, Move{int8(bits.TrailingZeros32(from)), int8(lion)})
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position {
	to := uint32(1) << m.to
	if k, ok := m.dropped(); ok {
		p.mine.hand[k]--
		p.mine.board[k] |= to
		return g.swapped(p)
	}
	if p.theirs.all()&to != 0 {
		taken := p.theirs.kindAt(to)
		p.theirs.board[taken] &^= to
		p.mine.hand[unpromoted(taken)]++
	}
	from := uint32(1) << m.from
	k := p.mine.kindAt(from)
	p.mine.board[k] &^= from
	if k == kindChick && to&g.far != 0 {
		k = kindHen
	}
	p.mine.board[k] |= to
	return g.swapped(p)
}

func unpromoted(k kind) kind {
	if k == kindHen {
		return kindChick
	}
	return k
}
