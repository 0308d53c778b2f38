package gametest_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

const width, height = 3, 3

// board has the discs of each column, from the bottom: x, o or a dot.
type board [width][height]byte

// columns is a game in which discs fall into columns until these are full. Who fills
// the last one draws. It can be broken in several ways.
type columns struct {
	floating  bool        // ParsePosition reads discs in the air
	emptyTier bool        // there is a tier without an index
	wrongBack bool        // Position returns another position for some index
	mute      bool        // boards do not end with a newline
	alike     bool        // all boards look the same, which is allowed
	twice     bool        // two moves have the same text
	typo      bool        // a text is read as another position than it is written for
	outcome   games.Value // of finished positions; a draw if 0
	open      bool        // positions without moves are not finished
	late      bool        // finished positions have moves
	mirrored  bool        // boards are set up as their mirror images
	trusting  bool        // impossible boards are set up
	lost      bool        // moves go to a square that there is not
	oneSided  bool        // the same side is always to move
	beyond    bool        // features of moves have a wrong number
	numbered  bool        // features of a move depend on the moves beside it
	cursor    fault       // of its cursors
}

// fault is a method of cursors that is wrong.
type fault int

const (
	none fault = iota
	keys
	undo
	outcome
	tactical
	evaluation
)

// cursor is a cursor with a fault.
type cursor struct {
	games.Cursor[board, int]
	fault fault
}

func (g columns) NewCursor(weights []int16) games.Cursor[board, int] {
	return cursor{games.NewStack(g, weights), g.cursor}
}

func (c cursor) Key() uint64 {
	if c.fault == keys {
		return c.Cursor.Key() % 256
	}
	return c.Cursor.Key()
}

func (c cursor) Undo() {
	if p := c.Position(); c.fault == undo && p[0][0] == 'o' {
		c.Set(p)
		return
	}
	c.Cursor.Undo()
}

func (c cursor) Outcome() (games.Value, bool) {
	if p := c.Position(); c.fault == outcome && p[0][height-1] == 'o' {
		return games.Draw, true
	}
	return c.Cursor.Outcome()
}

func (c cursor) AppendTactical(moves []int, ranks []int32) ([]int, []int32) {
	if c.fault == tactical {
		moves = c.AppendMoves(moves)
	}
	return c.Cursor.AppendTactical(moves, ranks)
}

func (c cursor) Evaluate() int {
	if c.fault == evaluation {
		return c.Cursor.Evaluate() + 1
	}
	return c.Cursor.Evaluate()
}

func (columns) Name() string { return "columns" }

func (columns) Start() board {
	var p board
	for c := range p {
		p[c] = [height]byte{'.', '.', '.'}
	}
	return p
}

func (columns) discs(p board) (x, o int) {
	for _, column := range p {
		for _, disc := range column {
			switch disc {
			case 'x':
				x++
			case 'o':
				o++
			}
		}
	}
	return x, o
}

func (g columns) Outcome(p board) (games.Value, bool) {
	if x, o := g.discs(p); x+o >= width*height && !g.open || x+o > 6 && g.late {
		return g.outcome, true
	}
	if g.open {
		return games.Unfinished, false
	}
	for c := range p {
		if p[c][height-1] == '.' {
			return games.Unfinished, false
		}
	}
	return g.outcome, true
}

func (g columns) AppendMoves(dst []int, p board) []int {
	for c := range p {
		if p[c][height-1] == '.' {
			dst = append(dst, c)
		}
	}
	return dst
}

var moveFeatures = games.MoveFeatureSet{Version: "columns-moves-1", Sizes: []int32{width}}

func (columns) MoveFeatureSet() *games.MoveFeatureSet { return &moveFeatures }

func (g columns) AppendMoveFeatures(dst []int32, _ board, _ *int, moves []int) []int32 {
	for i, m := range moves {
		switch {
		case g.beyond:
			m++
		case g.numbered:
			m = i
		}
		dst = append(dst, int32(m))
	}
	return dst
}

func (g columns) Play(p board, m int) board {
	disc := byte('x')
	if x, o := g.discs(p); x > o {
		disc = 'o'
	}
	p[m][strings.IndexByte(string(p[m][:]), '.')] = disc
	return p
}

func (columns) AppendPosition(dst []byte, p board) []byte {
	return fmt.Appendf(dst, "%s/%s/%s", p[0], p[1], p[2])
}

func (g columns) ParsePosition(text string) (board, error) {
	p := g.Start()
	list := strings.Split(text, "/")
	if len(list) != width {
		return p, fmt.Errorf("%d columns", len(list))
	}
	for c, column := range list {
		if len(column) != height || strings.Trim(column, "xo.") != "" {
			return p, fmt.Errorf("column %q", column)
		}
		if !g.floating && strings.Trim(strings.TrimRight(column, "."), "xo") != "" {
			return p, fmt.Errorf("column %q: a disc in the air", column)
		}
		copy(p[c][:], column)
	}
	if g.typo && p[0][0] == 'o' && p[1][0] == 'o' {
		p[1] = p[0]
	}
	if x, o := g.discs(p); x != o && x != o+1 {
		return p, fmt.Errorf("%d x and %d o", x, o)
	}
	return p, nil
}

func (g columns) AppendMove(dst []byte, _ board, m int) []byte {
	if g.twice {
		m /= 2
	}
	return append(dst, 'a'+byte(m))
}

// states is how many contents a column can have: 1 + 2 + 4 + 8.
const states = 15

func (g columns) Tiers() []games.Tier {
	list := []games.Tier{{Size: states * states * states, Open: states * states * states}}
	if g.emptyTier {
		list = append(list, games.Tier{Start: list[0].Size})
	}
	return list
}

// Index reads a column as a binary number with a leading 1, gaps left out.
func (columns) Index(p board) (uint64, error) {
	index := uint64(0)
	for _, column := range p {
		n := uint64(1)
		for _, disc := range column {
			switch disc {
			case 'x':
				n = 2 * n
			case 'o':
				n = 2*n + 1
			}
		}
		index = states*index + n - 1
	}
	return index, nil
}

func (g columns) Position(index uint64) (board, bool) {
	p := g.Start()
	if index >= states*states*states {
		return p, false
	}
	if g.wrongBack && index%7 == 5 {
		index = 0
	}
	for c := width - 1; c >= 0; c-- {
		n := index%states + 1
		index /= states
		discs := fmt.Sprintf("%b", n)[1:]
		for i, bit := range discs {
			p[c][i] = "xo"[bit-'0']
		}
	}
	x, o := g.discs(p)
	return p, x == o || x == o+1
}

func (g columns) AppendBoard(dst []byte, p board) []byte {
	if !g.alike {
		dst = g.AppendPosition(dst, p)
	}
	if g.mute {
		return dst
	}
	return append(dst, '\n')
}

// broken are games that break a promise, with part of what the suite says.
var broken = map[string]struct {
	game  columns
	perft uint64
	want  []string
}{
	"a wrong count":    {columns{}, 10, []string{"perft 2 of startpos: 9 sequences of moves, want 10"}},
	"floating discs":   {columns{floating: true}, 9, []string{"TestOne/Mutants", " has the index of "}},
	"an empty tier":    {columns{emptyTier: true}, 9, []string{"tier 1 has 0 positions"}},
	"Position":         {columns{wrongBack: true}, 9, []string{"TestOne/Indexer", " has the index of "}},
	"a board":          {columns{mute: true}, 9, []string{"TestOne/Drawer", "the board does not end with a newline"}},
	"equal moves":      {columns{twice: true}, 9, []string{"TestOne/Moves", "two moves a"}},
	"another reading":  {columns{typo: true}, 9, []string{"TestOne/Text", "is read as"}},
	"a loss in 3":      {columns{outcome: games.Loss(3)}, 9, []string{"is finished with the value loss in 3: want a draw, a loss in 0, or a win in 0 or 1"}},
	"a score":          {columns{outcome: games.Score(2)}, 9, []string{"is finished with the value +2: want a draw"}},
	"unfinished, true": {columns{outcome: games.Unfinished}, 9, []string{"is finished with the value unfinished: want the value for the side to move"}},
	"no end":           {columns{open: true}, 9, []string{"has no moves, but Outcome says that it is not finished"}},
	"a mirrored board": {columns{mirrored: true}, 9, []string{"TestOne/Describer", " is set up as "}},
	"discs in the air": {columns{trusting: true}, 9, []string{"TestOne/Describer", "which is refused"}},
	"a lost square":    {columns{lost: true}, 9, []string{"TestOne/Describer", `does not contain "z1"`}},
	"one side":         {columns{oneSided: true}, 9, []string{"TestOne/Describer", "the same side is to move"}},
	"keys":             {columns{cursor: keys}, 9, []string{"TestOne/Cursor", "have the same key"}},
	"undo":             {columns{cursor: undo}, 9, []string{"TestOne/Cursor", "the cursor is on "}},
	"outcome":          {columns{cursor: outcome}, 9, []string{"TestOne/Cursor", "Outcome of the cursor"}},
	"tactical moves":   {columns{cursor: tactical}, 9, []string{"TestOne/Cursor", "want the moves of positive rank"}},
	"evaluation":       {columns{cursor: evaluation}, 9, []string{"TestOne/Cursor", "want the sum of the weights"}},
	"a move feature":   {columns{beyond: true}, 9, []string{"TestOne/MoveFeatures", "move c has feature 3 of group 0, want -1 to 2"}},
	"other features":   {columns{numbered: true}, 9, []string{"TestOne/MoveFeatures", " alone"}},
	aFeature:           {columns{}, 9, []string{"TestOne/Features", "feature 1, want 0 to 0"}},
	"an early end":     {columns{late: true}, 9, []string{"is finished (draw), but has moves"}},
}

const (
	environment = "YOMIKIRI_BROKEN_GAME"
	aFeature    = "a feature"
)

// judged is the game with a feature whose number is too large.
type judged struct{ columns }

func (judged) FeatureSet() *games.FeatureSet {
	return &games.FeatureSet{Version: "1", Size: 1, Weights: []float32{1}}
}

func (judged) AppendFeatures(dst []games.Feature, _ board) []games.Feature {
	return append(dst, games.Feature{Number: 1, Count: 1})
}

// TestOne runs the suite on a broken game that TestBroken names.
func TestOne(t *testing.T) {
	name := os.Getenv(environment)
	if name == "" {
		t.Skip("it is for TestBroken")
	}
	gametest.Perft(t, columns{}, "startpos", 3, broken[name].perft)
	if name == aFeature {
		gametest.Run(t, judged{})
		return
	}
	gametest.Run(t, broken[name].game)
}

// TestBroken checks that the suite finds what is wrong with a game, and does not
// panic.
func TestBroken(t *testing.T) {
	for name, c := range broken {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestOne$", "-test.v")
			cmd.Env = append(os.Environ(), environment+"="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "nothing is found: %s", out)
			require.NotContains(t, string(out), "panic:")
			for _, want := range c.want {
				require.Contains(t, strings.ToLower(string(out)), strings.ToLower(want))
			}
		})
	}
}

// TestSound checks that the suite accepts the game when it is not broken.
func TestSound(t *testing.T) {
	gametest.Run(t, columns{})
	gametest.Run(t, columns{alike: true})
	gametest.Run(t, columns{outcome: games.Loss(0)})
	gametest.Perft(t, columns{}, "startpos", 3, 9, 27)
}
