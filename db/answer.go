package db

import (
	"cmp"

	"github.com/yomikiri/yomikiri/games"
)

// Answer is what a database says about a position, with moves in the game's
// notation.
type Answer struct {
	Game     string       `json:"game"`
	Position string       `json:"position"`
	Value    games.Value  `json:"value"`
	Finished bool         `json:"finished"` // decided by the rules
	Moves    []AnswerMove `json:"moves"`    // best first
	Line     []string     `json:"line"`     // best play
	// FinalScore is the score at the end of the game for the side to move and
	// the opponent; nil if the game is not a [games.Scorer].
	FinalScore *[2]float64 `json:"final_score,omitempty"`
}

// AnswerMove is a move of an [Answer].
type AnswerMove struct {
	Move       string      `json:"move"`
	Value      games.Value `json:"value"`
	FinalScore *[2]float64 `json:"final_score,omitempty"`
	// Optimal says that no move has a better value, and Preserves that the
	// move keeps the result of the game: a win, a draw, or at least a loss.
	Optimal   bool `json:"-"`
	Preserves bool `json:"-"`
}

// Answer looks up a position with all its moves and a line of best play. The side
// to move and the opponent have won the given points before; they count only in
// games that are a [games.Scorer].
func (p *Prober[P, M]) Answer(position P, won [2]int) (*Answer, error) {
	a := &Answer{Game: p.game.Name(), Position: string(p.game.AppendPosition(nil, position)),
		Moves: []AnswerMove{}, Line: []string{}}
	var err error
	if a.Value, err = p.Probe(position); err != nil {
		return nil, err
	}
	_, a.Finished = p.game.Outcome(position)
	a.FinalScore = p.FinalScore(position, a.Value, won)
	moves, err := p.ProbeMoves(position)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		score := p.FinalScore(position, m.Value, won)
		a.Moves = append(a.Moves, AnswerMove{
			Move: string(p.game.AppendMove(nil, position, m.Move)), Value: m.Value, FinalScore: score,
			Optimal: m.Value == a.Value, Preserves: result(m.Value, score) == result(a.Value, a.FinalScore),
		})
	}
	line, err := p.Line(position)
	if err != nil {
		return nil, err
	}
	for _, m := range line {
		a.Line = append(a.Line, string(p.game.AppendMove(nil, position, m.Move)))
		if _, finished := p.game.Outcome(position); !finished {
			position = p.game.Play(position, m.Move)
		}
	}
	return a, nil
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

// result returns who wins the game: by the final score if there is one.
func result(v games.Value, score *[2]float64) games.Result {
	if score == nil {
		return v.Result()
	}
	return games.Score(cmp.Compare(score[0], score[1])).Result()
}
