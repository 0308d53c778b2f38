package awari

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

// Options of the rules.
const (
	optionSlam   = "slam"
	optionStones = "stones"
)

// Family is awari under all its rules.
var Family = games.NewFamily(games.Info{
	Name:  "awari",
	Title: "Awari (oware)",
	Notation: "position: 4,4,4,4,4,4,4,4,4,4,4,4 (the mover's pits A to F, then the opponent's a to f)\n" +
		"move: D (the pit that is sown), D×7 or Dx7 (capturing seven)",
	Options: []games.Option{
		{Name: optionSlam, Values: slamNames,
			Help: "a move that captures all of the opponent's stones: legal-if-only: is legal if all moves leave the opponent none;\n" +
				"no-capture: captures nothing (oware abapa); mover-takes-rest, opponent-takes-rest: captures, and who takes what is\n" +
				"left; illegal: is never legal"},
		{Name: optionStones, Values: []string{strconv.Itoa(maxStones)}, Form: "N", Parse: parseStones, Extent: true,
			Help: "the most stones on the board, 1 to 48"},
	},
}, newGame)

func parseStones(text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxStones {
		return "", fmt.Errorf("want a number of stones from 1 to %d", maxStones)
	}
	return strconv.Itoa(n), nil
}

// slam is a rule for grand slams.
type slam uint8

const (
	legalIfOnly slam = iota
	noCapture
	moverTakesRest
	opponentTakesRest
	neverLegal
)

var slamNames = []string{"legal-if-only", "no-capture", "mover-takes-rest", "opponent-takes-rest", "illegal"}

// Game is awari under some rules. It implements [games.Game] and its
// capabilities [games.Indexer], [games.Expander], [games.Retractor],
// [games.Drawer], [games.Describer] and [games.Scorer].
type Game struct {
	name   string
	slam   slam
	stones int // at most on the board
	index  index
}

var (
	_ games.Indexer[Position]         = (*Game)(nil)
	_ games.Expander                  = (*Game)(nil)
	_ games.Retractor                 = (*Game)(nil)
	_ games.Drawer[Position]          = (*Game)(nil)
	_ games.Describer[Position, Move] = (*Game)(nil)
	_ games.Scorer[Position, Move]    = (*Game)(nil)
)

func newGame(r games.Rules) *Game {
	stones, err := strconv.Atoi(r.Get(optionStones))
	if err != nil {
		panic(err) // parseStones accepted it
	}
	g := &Game{name: r.String(), slam: slam(slices.Index(slamNames, r.Get(optionSlam))), stones: stones}
	g.index.init(stones)
	return g
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// Start implements [games.Game]: the stones are spread evenly. A remainder goes to the first
// pits of the mover and then of the opponent, one stone each.
func (g *Game) Start() Position {
	var stones [2 * pits]int
	for i := range g.stones {
		stones[i%(2*pits)]++
	}
	return positionOf(stones)
}

// Move is the number of the pit that is sown, 0 for A to 5 for F.
type Move uint8

// sown is what a move leads to.
type sown struct {
	next   Position
	gain   int  // net stones for the mover
	starve bool // the opponent has no stones left to move
}

// play makes a move, legal or not.
func (g *Game) play(p Position, pit int) sown {
	own, opposite, captured := p.sow(pit)
	if captured != 0 && captured == opposite {
		switch g.slam {
		case noCapture:
			return sown{next: Position{opposite, own}}
		case opponentTakesRest:
			return sown{gain: captured.stones() - own.stones(), starve: true}
		}
	}
	left := opposite - captured
	return sown{Position{left, own}, captured.stones(), left == 0}
}

// mustFeed reports whether a move of p that leaves the opponent without stones is
// illegal: always or, under the rules of the literature, if there are others.
func (g *Game) mustFeed(p Position) bool {
	switch g.slam {
	case legalIfOnly:
		for pit := range pits {
			if p.own.pit(pit) > 0 && !g.play(p, pit).starve {
				return true
			}
		}
		return false
	case neverLegal:
		return true
	}
	return p.opposite == 0
}

// Outcome implements [games.Game].
func (g *Game) Outcome(p Position) (games.Value, bool) {
	if p.own == 0 {
		return games.Score(-p.opposite.stones()), true
	}
	if g.slam == legalIfOnly || g.slam != neverLegal && p.opposite != 0 {
		return games.Unfinished, false
	}
	for pit := range pits {
		if p.own.pit(pit) > 0 && !g.play(p, pit).starve {
			return games.Unfinished, false
		}
	}
	return games.Score(p.own.stones() - p.opposite.stones()), true
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	for pit := range pits {
		if p.own.pit(pit) > 0 && !(g.play(p, pit).starve && g.mustFeed(p)) {
			dst = append(dst, Move(pit))
		}
	}
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position { return g.play(p, int(m)).next }

// Gain implements [games.Scorer]: the stones that a move captures, less those
// that it leaves to the opponent.
func (g *Game) Gain(p Position, m Move) int { return g.play(p, int(m)).gain }

// Remaining implements [games.Scorer]: the stones on the board.
func (g *Game) Remaining(p Position) int { return p.Stones() }
