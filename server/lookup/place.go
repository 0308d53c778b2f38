package lookup

import (
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Place is a position whose value is not looked up.
type Place struct {
	Game     string `json:"game"`
	Position string `json:"position"` // in the game's notation
	// Hands says how the pieces were read that the position asked for does not show; empty if it
	// shows all, and in what a search finds.
	Hands string `json:"hands,omitempty"`
	Turn  int    `json:"turn,omitempty"`
	// Verdict is the result by the rules, nil unless the game is over.
	*db.Verdict
	Finished bool         `json:"finished"`        // decided by the rules
	Board    *games.Board `json:"board,omitempty"` // nil if none was asked for or the game does not describe boards
	Moves    []Step       `json:"moves,omitzero"`  // nil if not asked for
}

// Step is a move of a [Place].
type Step struct {
	Move     string `json:"move"`
	Position string `json:"position"` // after the move
	// Japanese is the move in the game's Japanese notation, if it has one and the board is asked for.
	Japanese string `json:"japanese,omitempty"`
	// Trace is what the move does on the board, nil if boards are not described.
	*games.Trace
}

// NewPlace returns a position with its moves, and perhaps with the board. japanese may be nil.
func NewPlace[P, M comparable](g games.Game[P, M], p P, board bool, japanese func(P, M) string) *Place {
	x := PlaceOf(g, p)
	moves := g.AppendMoves(nil, p)
	AddMoves(x, g, p, moves)
	if board {
		AddBoard(x, g, p)
		addJapanese(x, p, moves, japanese)
	}
	return x
}

// PlaceOf returns a position, without moves.
func PlaceOf[P, M comparable](g games.Game[P, M], p P) *Place {
	x := &Place{Game: g.Name(), Position: string(g.AppendPosition(nil, p))}
	var v games.Value
	if v, x.Finished = g.Outcome(p); x.Finished {
		verdict := db.NewVerdict(g, p, v, [2]int{})
		x.Verdict = &verdict
	}
	return x
}

// AddMoves adds moves of the position p.
func AddMoves[P, M comparable](x *Place, g games.Game[P, M], p P, moves []M) {
	x.Moves = []Step{}
	for _, m := range moves {
		x.Moves = append(x.Moves, Step{Move: string(g.AppendMove(nil, p, m)), Position: string(g.AppendPosition(nil, g.Play(p, m)))})
	}
}

// AddBoard adds the board of the position p, and what the moves do on it.
func AddBoard[P, M comparable](x *Place, g games.Game[P, M], p P) {
	b, traces := Describe(g, p)
	if b == nil {
		return
	}
	x.Board, x.Turn = b, b.Turn
	for i := range x.Moves {
		x.Moves[i].Trace = traces[x.Moves[i].Move]
	}
}

// addJapanese adds the Japanese notation of the moves of the position p, unless the game has none.
func addJapanese[P, M comparable](x *Place, p P, moves []M, japanese func(P, M) string) {
	if japanese == nil {
		return
	}
	for i, m := range moves {
		x.Moves[i].Japanese = japanese(p, m)
	}
}

// Describe returns the board of a position and what each move, in the game's notation, does
// on it. The board is nil if the game is not a [games.Describer].
func Describe[P, M comparable](g games.Game[P, M], p P) (*games.Board, map[string]*games.Trace) {
	d, ok := games.As[games.Describer[P, M]](g)
	if !ok {
		return nil, nil
	}
	b := d.Board(p)
	moves := g.AppendMoves(nil, p)
	if f, ok := games.As[games.Finisher[P, M]](g); ok {
		moves = f.AppendFinishing(moves, p)
	}
	traces := map[string]*games.Trace{}
	for _, m := range moves {
		t := d.Trace(p, m)
		traces[string(g.AppendMove(nil, p, m))] = &t
	}
	return &b, traces
}

// SetUp returns the position of a board.
func SetUp[P, M comparable](g games.Game[P, M], b games.Board) (string, error) {
	d, ok := games.As[games.Describer[P, M]](g)
	if !ok {
		return "", BadRequest("%s does not describe its boards; write the position as text", g.Name())
	}
	p, err := d.SetUp(b)
	if err != nil {
		return "", BadPosition(err)
	}
	return string(g.AppendPosition(nil, p)), nil
}

// PositionOfBoard answers POST /api/v1/{game}/board.
type PositionOfBoard struct {
	Position string `json:"position"`
}
