package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	Reason   string `json:"reason,omitempty"` // why it is finished, or why the value or its distance is not known
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

// noDistance is what an answer says of a result without distance.
const noDistance = "the database has results without distance"

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
		return nil, p.howToHold(err)
	}
	a := &Answer{Game: p.game.Name(), Position: string(p.game.AppendPosition(nil, position)), Verdict: NewVerdict(p.game, position, v, won)}
	if _, a.Finished = p.game.Outcome(position); !a.Finished && p.results && v != games.Draw {
		a.Reason = noDistance
	}
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
		return nil, p.howToHold(err)
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

// NotHeld returns the answer for a position that a database does not hold.
func NotHeld(game, position string, reason error) *Answer {
	return &Answer{Game: game, Position: position, Verdict: Verdict{Category: Unknown}, Reason: reason.Error()}
}

// howToHold adds to an error how to get a database that holds the position.
func (p *Prober[P, M]) howToHold(err error) error {
	if c := &p.db.Manifest().Content; errors.Is(err, ErrNotHeld) && c.Positions != "all" && c.Numbering == "" {
		return fmt.Errorf("%w: it holds those reachable from the start position; solve with --positions all to hold all", err)
	}
	return err
}

// LineAnswer is best play from a position, in the game's notation.
type LineAnswer struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
	// Positions are those after each move. A move that ends the game from a finished
	// position has none; see [games.Finisher].
	Positions []string `json:"positions"`
	// End is why the line ends.
	End LineEnd `json:"end"`
}

// AnswerLine returns [Prober.Line] in the game's notation.
func (p *Prober[P, M]) AnswerLine(ctx context.Context, position P) (*LineAnswer, error) {
	g := p.game
	line := &LineAnswer{Game: g.Name(), Position: string(g.AppendPosition(nil, position)), Moves: []string{}, Positions: []string{}}
	moves, end, err := p.Line(ctx, position)
	if err != nil {
		return nil, p.howToHold(err)
	}
	line.End = end
	for _, m := range moves {
		line.Moves = append(line.Moves, string(g.AppendMove(nil, position, m.Move)))
		if _, finished := g.Outcome(position); !finished {
			position = g.Play(position, m.Move)
			line.Positions = append(line.Positions, string(g.AppendPosition(nil, position)))
		}
	}
	return line, nil
}

// Find calls found for the first unfinished positions that have a value, by index, with answers
// without moves.
func (p *Prober[P, M]) Find(ctx context.Context, v games.Value, limit int, found func(index uint64, a *Answer) error) error {
	return p.find(ctx, v, limit, func(index uint64) error {
		position, err := p.Position(index)
		if err != nil {
			return err
		}
		a, err := p.Evaluate(position, [2]int{})
		if err != nil {
			return err
		}
		return found(index, a)
	})
}

// ParseScore reads the points that the side to move and the opponent have won before a position:
// S,N. No text means none.
func ParseScore[P, M comparable](g games.Game[P, M], position P, text string) (won [2]int, err error) {
	if text == "" {
		return won, nil
	}
	scorer, ok := games.As[games.Scorer[P, M]](g)
	if !ok {
		return won, fmt.Errorf("score %q: the values of %s are not scores", text, g.Name())
	}
	fields := strings.Split(text, ",")
	if len(fields) != 2 {
		return won, fmt.Errorf("score %q: want S,N: points that the side to move and the opponent have won before", text)
	}
	for i, field := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 0 {
			return won, fmt.Errorf("score %q: %q is not a number of points, 0 or more", text, field)
		}
		won[i] = n
	}
	remaining, most := scorer.Remaining(position), scorer.Remaining(g.Start())
	if sum := won[0] + won[1] + remaining; won[0] > most || won[1] > most || sum > most {
		return won, fmt.Errorf("score %q: with %d on the board that makes more than the %d of the game", text, remaining, most)
	}
	return won, nil
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
