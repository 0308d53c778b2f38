package server

import (
	"github.com/yomikiri/yomikiri/app"
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

// newPlace returns a position with its moves, and perhaps with the board. japanese may be nil.
func newPlace(g app.Board, p app.Position, board bool, japanese func(app.Position, app.Move) string) *Place {
	x := placeOf(g, p)
	moves := g.AppendMoves(nil, p)
	addMoves(x, g, p, moves)
	if board {
		addBoard(x, g, p)
		addJapanese(x, p, moves, japanese)
	}
	return x
}

// placeOf returns a position, without moves.
func placeOf(g app.Board, p app.Position) *Place {
	x := &Place{Game: g.Name(), Position: g.PositionText(p)}
	var v games.Value
	if v, x.Finished = g.Outcome(p); x.Finished {
		verdict := db.NewVerdict(g, p, v, [2]int{})
		x.Verdict = &verdict
	}
	return x
}

// addMoves adds moves of the position p.
func addMoves(x *Place, g app.Board, p app.Position, moves []app.Move) {
	x.Moves = []Step{}
	for _, m := range moves {
		x.Moves = append(x.Moves, Step{Move: g.MoveText(p, m), Position: g.PositionText(g.Play(p, m))})
	}
}

// addBoard adds the board of the position p, and what the moves do on it.
func addBoard(x *Place, g app.Board, p app.Position) {
	b, traces := describe(g, p)
	if b == nil {
		return
	}
	x.Board, x.Turn = b, b.Turn
	for i := range x.Moves {
		x.Moves[i].Trace = traces[x.Moves[i].Move]
	}
}

// addJapanese adds the Japanese notation of the moves of the position p, unless the game has none.
func addJapanese(x *Place, p app.Position, moves []app.Move, japanese func(app.Position, app.Move) string) {
	if japanese == nil {
		return
	}
	for i, m := range moves {
		x.Moves[i].Japanese = japanese(p, m)
	}
}
