package db

import "github.com/yomikiri/yomikiri/games"

// Line returns a line of best play from a position: to the end of the game, or
// until a position comes up again.
//
// Where values are scores the best moves may lead round and round, so the line
// takes the shortest way along best moves of both sides to a move that gains
// something, and from there to the next one. It ends where there is none, or none
// among the nearest lineLimit positions.
func (p *Prober[P, M]) Line(position P) ([]MoveValue[M], error) {
	if games.OrderOf(p.game) == games.ByScore {
		return p.scoreLine(position)
	}
	var line []MoveValue[M]
	seen := map[uint64]bool{}
	if index, err := p.indexer.Index(position); err == nil {
		seen[index] = true
	}
	for {
		moves, err := p.ProbeMoves(position)
		if err != nil || len(moves) == 0 {
			return line, err
		}
		line = append(line, moves[0])
		if _, finished := p.game.Outcome(position); finished {
			return line, nil
		}
		position = p.game.Play(position, moves[0].Move)
		index, err := p.indexer.Index(position)
		if err != nil {
			return line, err
		}
		if seen[index] {
			return line, nil
		}
		seen[index] = true
	}
}

// lineLimit is how many positions are looked at for the next move that gains.
const lineLimit = 20_000

func (p *Prober[P, M]) scoreLine(position P) ([]MoveValue[M], error) {
	var line []MoveValue[M]
	for {
		way, next, err := p.wayToGain(position)
		line = append(line, way...)
		if err != nil || len(way) == 0 {
			return line, err
		}
		position = next
	}
}

// step is a position on the way to a gain.
type step[P, M comparable] struct {
	position P
	before   int // step, or -1
	move     MoveValue[M]
}

// wayToGain returns the shortest way along best moves to a move that gains
// something or ends the game, and the position it leads to. If there is none it
// returns nothing.
func (p *Prober[P, M]) wayToGain(position P) ([]MoveValue[M], P, error) {
	steps := []step[P, M]{{position: position, before: -1}}
	seen := map[P]bool{position: true}
	for n := 0; n < len(steps) && n < lineLimit; n++ {
		at := steps[n].position
		moves, err := p.ProbeMoves(at)
		if err != nil {
			return nil, position, err
		}
		for _, m := range moves {
			if m.Value < moves[0].Value {
				break
			}
			next := p.game.Play(at, m.Move)
			_, finished := p.game.Outcome(next)
			if gain := p.gain(at, m.Move); gain != 0 || finished {
				return wayTo(steps, n, m), next, nil
			}
			if !seen[next] {
				seen[next] = true
				steps = append(steps, step[P, M]{next, n, m})
			}
		}
	}
	return nil, position, nil
}

// wayTo returns the moves that lead to a step, and one more.
func wayTo[P, M comparable](steps []step[P, M], n int, last MoveValue[M]) []MoveValue[M] {
	if steps[n].before < 0 {
		return []MoveValue[M]{last}
	}
	return append(wayTo(steps, steps[n].before, steps[n].move), last)
}
