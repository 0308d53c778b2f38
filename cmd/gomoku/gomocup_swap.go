package gomoku

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// parseSwap reads the stones of a swap opening, which were placed in turn.
func (s *gomocupSession) parseSwap(text string) (gomoku.Position, error) {
	p := s.game.Start()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.EqualFold(line, "DONE") {
			continue
		}
		at, err := s.game.ParseCoordinates(line)
		if err != nil {
			return p, fmt.Errorf("SWAP2BOARD %w", err)
		}
		if _, taken := p.At(at); taken {
			return p, fmt.Errorf("SWAP2BOARD %s: the square is not empty", line)
		}
		p = s.game.Play(p, at)
	}
	if n := s.game.Layer(p); n != 0 && n != 3 && n != 5 {
		return p, fmt.Errorf("SWAP2BOARD with %s: want 0, 3 or 5", ui.Counted(uint64(n), "stone"))
	}
	return p, nil
}

// swap2 answers a SWAP2BOARD: with the first three stones, with a move, or with SWAP.
// It never places two stones.
func (s *gomocupSession) swap2() {
	if !s.ready() {
		return
	}
	if s.game.Layer(s.position) == 0 {
		s.answer("%s", s.opening())
		return
	}
	r := s.think(nil)
	best := r.Best()
	if best.Score < 0 { // the other side is better off
		s.answer("SWAP")
		return
	}
	at := best.Moves[0]
	s.position = s.game.Play(s.position, at)
	s.answer("%s", s.game.AppendCoordinates(nil, at))
}

// opening places the first three stones of a swap opening: on one edge, so that White,
// who is to move, has about as much of the board as Black.
func (s *gomocupSession) opening() string {
	r := s.rules
	var text []string
	for _, at := range []gomoku.Square{
		gomoku.SquareAt(r.Rows-2, r.Columns/2), gomoku.SquareAt(r.Rows-3, r.Columns/2-1), gomoku.SquareAt(r.Rows-2, r.Columns/2-2),
	} {
		s.position = s.game.Play(s.position, at)
		text = append(text, string(s.game.AppendCoordinates(nil, at)))
	}
	return strings.Join(text, " ")
}
