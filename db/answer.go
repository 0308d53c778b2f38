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
	// Turn is 1 if the first player is to move, 2 if the second is, 0 if the game
	// does not tell.
	Turn     int    `json:"turn,omitempty"`
	Verdict         // for the side to move
	Finished bool   `json:"finished"`         // decided by the rules
	Reason   string `json:"reason,omitempty"` // why it is finished, or why the value is not known
	// Board is a description of the board, if the game has one.
	Board *games.Board `json:"board,omitempty"`
	Moves []AnswerMove `json:"moves"` // best first
	// Line is best play; see [Prober.Line].
	Line []string `json:"line,omitempty"`
}

// Verdict is a value, for programs.
type Verdict struct {
	Value games.Value `json:"-"`
	// Category is "win", "draw", "loss" or "unknown". Where values are scores, it is
	// the result of the game.
	Category string `json:"category"`
	// DTM is the number of plies to the end of the game, nil if the value is not a win
	// or a loss with a distance.
	DTM *int `json:"dtm"`
	// Score is what is still won, nil if values are not scores.
	Score *int `json:"score"`
	// FinalScore is the score at the end of the game for the side to move and
	// the opponent; nil if the game is not a [games.Scorer].
	FinalScore *[2]float64 `json:"final_score,omitempty"`
}

// AnswerMove is a move of an [Answer].
type AnswerMove struct {
	Move string `json:"move"`
	// Position is the one after the move, empty for a move that ends the game; see
	// [games.Finisher].
	Position string `json:"position,omitempty"`
	// Verdict is for the side that makes the move, and DTM counts the move: the best
	// move has the verdict of the position.
	Verdict
	// Preserves says that the move keeps the result of the game: a win, a draw, or at
	// least a loss. Optimal says that no move has a better value.
	Preserves bool `json:"preserves_result"`
	Optimal   bool `json:"optimal"`
	// Trace is what the move does on the board, nil if boards are not described.
	*games.Trace
}

// Answer looks up a position with all its moves. The side to move and the opponent have
// won the given points before; they count only in games that are a [games.Scorer].
func (p *Prober[P, M]) Answer(position P, won [2]int) (*Answer, error) {
	a := &Answer{Game: p.game.Name(), Position: string(p.game.AppendPosition(nil, position)), Moves: []AnswerMove{}}
	v, err := p.Probe(position)
	if err != nil {
		return nil, err
	}
	a.Verdict = p.verdict(position, v, won)
	_, a.Finished = p.game.Outcome(position)
	moves, err := p.ProbeMoves(position)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		move := AnswerMove{
			Move: string(p.game.AppendMove(nil, position, m.Move)), Verdict: p.verdict(position, m.Value, won),
			Optimal: m.Value == v,
		}
		if !a.Finished {
			move.Position = string(p.game.AppendPosition(nil, p.game.Play(position, m.Move)))
		}
		move.Preserves = move.Category == a.Category
		a.Moves = append(a.Moves, move)
	}
	return a, nil
}

// verdict returns a value in a position.
func (p *Prober[P, M]) verdict(position P, v games.Value, won [2]int) Verdict {
	d := Verdict{Value: v, FinalScore: p.FinalScore(position, v, won)}
	if d.FinalScore != nil {
		score := int(v)
		d.Score = &score
		d.Category = games.Score(cmp.Compare(d.FinalScore[0], d.FinalScore[1])).Result().String()
		return d
	}
	d.Category = v.Result().String()
	if plies, ok := v.Plies(); ok {
		d.DTM = &plies
	}
	return d
}

// LineText returns the moves of [Prober.Line] in the game's notation.
func (p *Prober[P, M]) LineText(position P) ([]string, error) {
	line, err := p.Line(position)
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, m := range line {
		texts = append(texts, string(p.game.AppendMove(nil, position, m.Move)))
		if _, finished := p.game.Outcome(position); !finished {
			position = p.game.Play(position, m.Move)
		}
	}
	return texts, nil
}

// FinalScore returns the score at the end of the game for two sides that have won
// the given points before the position, of which the first gains v from then on. A
// side may get half a point, if what remains is shared. It returns nil if the game
// is not a [games.Scorer].
func (p *Prober[P, M]) FinalScore(position P, v games.Value, won [2]int) *[2]float64 {
	if p.scorer == nil {
		return nil
	}
	remaining := p.scorer.Remaining(position)
	return &[2]float64{
		float64(won[0]) + float64(remaining+int(v))/2,
		float64(won[1]) + float64(remaining-int(v))/2,
	}
}
