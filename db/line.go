package db

import (
	"context"

	"github.com/yomikiri/yomikiri/games"
)

// LineEnd is why a line of best play ends.
type LineEnd string

// The ends of lines.
const (
	LineOver    LineEnd = "over"       // the game is over
	LineRepeats LineEnd = "repetition" // best play goes round in a cycle
	LineLimit   LineEnd = "limit"      // whether it does is not known
)

// Line returns a line of best play from a position to the end of the game, or until a
// position repeats, and which of them. It fails if ctx ends first.
//
// Where values have no distance, best moves can go round in cycles. So the line follows the
// shortest path of best moves of both sides to a move that makes progress, and from there to the
// next one. Progress is a gain where values are scores, and an earlier tier where they are
// results; the end of the game is progress too. The line ends with LineRepeats if best moves lead
// to none, and with LineLimit if the nearest lineLimit positions do not tell. So a line of results
// keeps the result, but the side that loses does not resist.
func (p *Prober[P, M]) Line(ctx context.Context, position P) ([]MoveValue[M], LineEnd, error) {
	if !p.distances() {
		return p.progressLine(ctx, position)
	}
	var line []MoveValue[M]
	seen := map[uint64]bool{}
	if index, err := p.indexer.Index(position); err == nil {
		seen[index] = true
	}
	for {
		moves, err := p.probeMoves(ctx, position)
		if err != nil || len(moves) == 0 {
			return line, LineOver, err
		}
		line = append(line, moves[0])
		if _, finished := p.game.Outcome(position); finished {
			return line, LineOver, nil
		}
		position = p.game.Play(position, moves[0].Move)
		index, err := p.indexer.Index(position)
		if err != nil || seen[index] {
			return line, LineRepeats, err
		}
		seen[index] = true
	}
}

// probeMoves is [Prober.ProbeMoves], but fails once ctx has ended.
func (p *Prober[P, M]) probeMoves(ctx context.Context, position P) ([]MoveValue[M], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.ProbeMoves(position)
}

// distances reports whether values have distances.
func (p *Prober[P, M]) distances() bool {
	return !p.results && games.OrderOf(p.game) == games.ByDistance
}

// progress reports whether a move of a position makes progress, other than by ending the game;
// see [Prober.Line].
func (p *Prober[P, M]) progress(position P, m M, next P) bool {
	if !p.results {
		return p.gain(position, m) != 0
	}
	from, err := p.indexer.Index(position)
	if err != nil {
		return false
	}
	to, err := p.indexer.Index(next)
	return err == nil && p.db.tierOf(to) < p.db.tierOf(from)
}

// lineLimit is the number of positions searched for progress.
const lineLimit = 20_000

func (p *Prober[P, M]) progressLine(ctx context.Context, position P) ([]MoveValue[M], LineEnd, error) {
	var line []MoveValue[M]
	for {
		if _, finished := p.game.Outcome(position); finished {
			return line, LineOver, ctx.Err()
		}
		way, next, end, err := p.pathToProgress(ctx, position)
		line = append(line, way...)
		if err != nil || len(way) == 0 {
			return line, end, err
		}
		position = next
	}
}

// step is a position on a path to a gain.
type step[P, M comparable] struct {
	position P
	before   int // the step before, or -1
	move     MoveValue[M]
}

// pathToProgress returns the shortest path of best moves that ends with a gain or with the
// game, and the position that it leads to. The path is empty if there is none, and end then
// says why.
func (p *Prober[P, M]) pathToProgress(ctx context.Context, position P) (way []MoveValue[M], to P, end LineEnd, err error) {
	steps := []step[P, M]{{position: position, before: -1}}
	seen := map[P]bool{position: true}
	for n := 0; n < len(steps); n++ {
		if n == lineLimit {
			return nil, position, LineLimit, nil
		}
		at := steps[n].position
		moves, err := p.probeMoves(ctx, at)
		if err != nil {
			return nil, position, "", err
		}
		for _, m := range moves {
			if m.Value < moves[0].Value {
				break
			}
			next := p.game.Play(at, m.Move)
			_, finished := p.game.Outcome(next)
			if finished || p.progress(at, m.Move, next) {
				return pathTo(steps, n, m), next, "", nil
			}
			if !seen[next] {
				seen[next] = true
				steps = append(steps, step[P, M]{next, n, m})
			}
		}
	}
	return nil, position, LineRepeats, nil
}

// pathTo returns the moves that lead to a step, and one more.
func pathTo[P, M comparable](steps []step[P, M], n int, last MoveValue[M]) []MoveValue[M] {
	if steps[n].before < 0 {
		return []MoveValue[M]{last}
	}
	return append(pathTo(steps, steps[n].before, steps[n].move), last)
}

// Best returns a best move that makes progress. By distance that is the first of
// [Prober.ProbeMoves]. Where values have no distance, the side that is ahead must not go round in
// cycles, so its move brings progress, as in [Prober.Line], nearer, whichever best move the
// opponent plays. If the nearest lineLimit positions do not show such a move, it is the
// first move of [Prober.Line]. Best returns false for a finished position.
func (p *Prober[P, M]) Best(ctx context.Context, position P) (MoveValue[M], bool, error) {
	moves, err := p.ProbeMoves(position)
	if err != nil || len(moves) == 0 {
		return MoveValue[M]{}, false, err
	}
	if p.distances() {
		return moves[0], true, nil
	}
	if moves[0].Value > games.Draw {
		if m, ok, err := p.forcing(ctx, position); ok || err != nil {
			return m, ok, err
		}
	}
	way, _, _, err := p.pathToProgress(ctx, position)
	if err != nil || len(way) == 0 {
		return moves[0], err == nil, err
	}
	return way[0], true, nil
}

// choice is a position between gains, with its best moves.
type choice[M comparable] struct {
	ours  bool // the side that is ahead is to move
	moves []MoveValue[M]
	to    []int // choices that the moves lead to, or reached for a gain or the end
	rank  int   // moves until a gain or the end can be forced; 0 if unknown
}

const reached = -1

// forcing returns a move that brings a gain or the end of the game nearer whichever best
// move the opponent plays, and false if none is found.
func (p *Prober[P, M]) forcing(ctx context.Context, position P) (MoveValue[M], bool, error) {
	var choices []choice[M]
	positions, numbers := []P{position}, map[P]int{position: 0}
	for n := 0; n < len(positions) && n < lineLimit; n++ {
		moves, err := p.probeMoves(ctx, positions[n])
		if err != nil {
			return MoveValue[M]{}, false, err
		}
		// Between gains, the sign of the value says which side is to move.
		c := choice[M]{ours: moves[0].Value > games.Draw}
		for _, m := range moves {
			if m.Value < moves[0].Value {
				break
			}
			next := p.game.Play(positions[n], m.Move)
			to := reached
			if _, finished := p.game.Outcome(next); !finished && !p.progress(positions[n], m.Move, next) {
				var known bool
				if to, known = numbers[next]; !known {
					to = len(positions)
					numbers[next] = to
					positions = append(positions, next)
				}
			}
			c.moves, c.to = append(c.moves, m), append(c.to, to)
		}
		choices = append(choices, c)
	}
	for rank, found := 1, true; found; rank++ {
		found = false
		for i := range choices {
			if c := &choices[i]; c.rank == 0 && c.forcedBy(choices, rank) >= 0 {
				c.rank, found = rank, true
			}
		}
		if root := &choices[0]; root.rank > 0 {
			return root.moves[root.forcedBy(choices, root.rank)], true, nil
		}
	}
	return MoveValue[M]{}, false, nil
}

// forcedBy returns the number of a move that shows that the choice has the given rank. If
// the side that is ahead is to move, it is the first move to a lower rank; otherwise it is
// the last move, if all moves lead to lower ranks. It returns -1 if there is none.
func (c *choice[M]) forcedBy(choices []choice[M], rank int) int {
	at := -1
	for i, to := range c.to {
		below := to == reached || to < len(choices) && choices[to].rank > 0 && choices[to].rank < rank
		if below && c.ours {
			return i
		}
		if !below && !c.ours {
			return -1
		}
		if below {
			at = i
		}
	}
	return at
}
