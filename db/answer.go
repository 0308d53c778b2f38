package db

import (
	"cmp"

	"github.com/yomikiri/yomikiri/games"
)

// Answer is what a database says about a position, with moves in the game's
// notation.
type Answer struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	// Turn is the side to move, as in Board.
	Turn     int    `json:"turn,omitempty"`
	Verdict         // for the side to move
	Finished bool   `json:"finished"`         // decided by the rules
	Reason   string `json:"reason,omitempty"` // why it is finished, or why the value is not known
	// Board is a description of the board, nil if none was asked for or the game does
	// not describe boards.
	Board *games.Board `json:"board,omitempty"`
	Moves []AnswerMove `json:"moves,omitzero"` // best first, nil if not asked for
	Line  []string     `json:"line,omitzero"`  // best play, nil if not asked for; see [Prober.Line]
	// LineEnd is why Line ends, empty if that was not asked for.
	LineEnd LineEnd `json:"line_end,omitempty"`
}

// Verdict is a value, for programs.
type Verdict struct {
	Value games.Value `json:"-"`
	// Category is "win", "draw", "loss" or [Unknown]. Where values are scores, it is
	// the result of the game.
	Category string `json:"category"`
	// DTM is the number of plies to the end of the game, nil if the value is not a win
	// or a loss with a distance.
	DTM *int `json:"dtm"`
	// Score is what is won from this position on, nil if values are not scores.
	Score *int `json:"score"`
	// FinalScore is the score at the end of the game for the side to move and
	// the opponent; nil if the game is not a [games.Scorer].
	FinalScore *[2]float64 `json:"final_score,omitempty"`
}

// Unknown is the category of a position whose value is not known.
const Unknown = "unknown"

// AnswerMove is a move of an [Answer].
type AnswerMove struct {
	Move string `json:"move"`
	// Position is the one after the move, empty for a move that ends the game; see
	// [games.Finisher].
	Position string `json:"position,omitempty"`
	// Verdict is for the side that makes the move, and DTM includes the move: the best move
	// has the verdict of the position.
	Verdict
	// Preserves says that the move keeps the result of the game: a win, a draw, or at
	// least a loss. Optimal says that no move has a better value.
	Preserves bool `json:"preserves_result"`
	Optimal   bool `json:"optimal"`
	// Trace is what the move does on the board, nil if boards are not described.
	*games.Trace
}

// Evaluate looks up a position, without its moves. won is that of [NewVerdict].
func (p *Prober[P, M]) Evaluate(position P, won [2]int) (*Answer, error) {
	v, err := p.Probe(position)
	if err != nil {
		return nil, err
	}
	a := &Answer{Game: p.game.Name(), Position: string(p.game.AppendPosition(nil, position)), Verdict: NewVerdict(p.game, position, v, won)}
	_, a.Finished = p.game.Outcome(position)
	return a, nil
}

// Answer looks up a position with all its moves; see [Prober.Evaluate].
func (p *Prober[P, M]) Answer(position P, won [2]int) (*Answer, error) {
	a, err := p.Evaluate(position, won)
	if err != nil {
		return nil, err
	}
	moves, err := p.ProbeMoves(position)
	if err != nil {
		return nil, err
	}
	a.Moves = make([]AnswerMove, len(moves))
	text := make([]byte, 0, 2*len(a.Position)) // reused, since allocating many small texts takes time
	for i, m := range moves {
		text = p.game.AppendMove(text[:0], position, m.Move)
		move := AnswerMove{Move: string(text), Verdict: NewVerdict(p.game, position, m.Value, won), Optimal: m.Value == a.Value}
		if !a.Finished {
			text = p.game.AppendPosition(text[:0], p.game.Play(position, m.Move))
			move.Position = string(text)
		}
		move.Preserves = move.Category == a.Category
		a.Moves[i] = move
	}
	return a, nil
}

// NewVerdict returns the verdict of a value in a position of g. won has the points that the side
// to move and the opponent have already won; they count only in games that are a [games.Scorer].
func NewVerdict[P, M comparable](g games.Game[P, M], position P, v games.Value, won [2]int) Verdict {
	final := games.FinalScore(g, position, v, won)
	if final == nil {
		d := Verdict{Value: v, Category: v.Result().String()}
		if plies, ok := v.Plies(); ok {
			d.DTM = &plies
		}
		return d
	}
	score := int(v)
	return Verdict{
		Value: v, Category: games.Score(cmp.Compare(final[0], final[1])).Result().String(),
		Score: &score, FinalScore: final,
	}
}
