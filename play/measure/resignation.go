package measure

import (
	"math"

	"github.com/yomikiri/yomikiri/play"
)

// Resignation is a model of when a player resigns, by the score alone. The probability is that of a normal
// distribution, of what it takes to resign, below the points that the player is behind.
type Resignation struct {
	Mean, Deviation float64
	// Base is the share of resignations among the positions that the model was fitted to. Where fewer of the
	// positions are resignations, players resign less often than the model says.
	Base float64
}

// Probability returns how likely a player with a score resigns.
func (r *Resignation) Probability(score play.Score) float64 {
	return math.Erfc((float64(score)+r.Mean)/(r.Deviation*math.Sqrt2)) / 2
}

// Amateurs is a model of when amateurs of shogi resign; docs/resignation.md says how it was fitted, and why by the
// score alone. Few positions of a game are resignations, so it tells positions apart rather than how often players
// resign.
var Amateurs = &Resignation{Mean: 199.4, Deviation: 409.4, Base: 0.5}
