package games_test

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/yomikiri/yomikiri/games"
)

// countdown is the smallest game: from a number one can step down by one or two,
// and who cannot has lost. It has no capability.
type countdown struct {
	name  string
	rules games.Rules
	start int
}

func (g *countdown) Name() string { return g.name }

func (g *countdown) Start() int { return g.start }

func (g *countdown) Outcome(p int) (games.Value, bool) {
	if p <= 0 {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

func (g *countdown) AppendMoves(dst []int, p int) []int {
	for m := 1; m <= min(p, 2); m++ {
		dst = append(dst, m)
	}
	return dst
}

func (g *countdown) Play(p, m int) int { return p - m }

func (g *countdown) AppendPosition(dst []byte, p int) []byte {
	return strconv.AppendInt(dst, int64(p), 10)
}

func (g *countdown) ParsePosition(text string) (int, error) { return strconv.Atoi(text) }

func (g *countdown) AppendMove(dst []byte, _, m int) []byte {
	return strconv.AppendInt(dst, int64(m), 10)
}

func (g *countdown) ParseMove(p int, text string) (int, error) {
	m, err := strconv.Atoi(text)
	if err == nil && !slices.Contains(g.AppendMoves(nil, p), m) {
		err = fmt.Errorf("no step of %d", m)
	}
	return m, err
}

// numbered is a countdown whose numbers are indices, in tiers that a test
// chooses.
type numbered struct {
	countdown
	tiers []games.Tier
}

func (g *numbered) Tiers() []games.Tier { return g.tiers }

func (g *numbered) Index(p int) (uint64, error) {
	if p < 0 || p > 100 {
		return 0, fmt.Errorf("%d is out of range", p)
	}
	return uint64(p), nil
}

func (g *numbered) Position(index uint64) (int, bool) { return int(index), index <= 100 && index != 7 }

// capable is a countdown with all capabilities. Its canonical positions are even
// (which makes no sense), so that steps lead to equal ones.
type capable struct{ numbered }

func (g *capable) Canonical(p int) int { return p &^ 1 }

func (g *capable) Index(p int) (uint64, error) { return g.numbered.Index(p &^ 1) }

func (g *capable) AppendBoard(dst []byte, p int) []byte { return fmt.Appendf(dst, "board of %d\n", p) }

func (g *capable) AppendFinishing(dst []int, p int) []int { return append(dst, p+1000) }

func (g *capable) Gain(p, m int) int { return 10*p + m }

func (g *capable) Remaining(p int) int { return p }

func (g *capable) Expand(indices []uint64, out *games.Expansion) {
	out.Reset()
	out.Moves = 1000 + len(indices)
}

func (g *capable) Retract(indices []uint64, out *games.Predecessors) {
	out.Reset()
	out.Indices = append(out.Indices, 2000+uint64(len(indices)))
}
