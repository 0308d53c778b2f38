package proof

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Side is a player, named from the root position of a proof.
type Side uint8

const (
	// Mover is the side to move in the root position.
	Mover Side = iota
	// Other is the side that is not to move there.
	Other
)

// Opponent returns the other side.
func (s Side) Opponent() Side { return s ^ 1 }

// Goal is what a claimant claims to reach.
type Goal uint8

const (
	// Win is to win.
	Win Goal = iota
	// Hold is to win or draw.
	Hold
)

// reached reports whether r, a result for the claimant, meets the goal.
func (g Goal) reached(r games.Result) bool {
	return r == games.Won || r == games.Drawn && g == Hold
}

// Claim is what a proof shows: that a side, the claimant, reaches a goal from the
// root position whatever the other side does.
type Claim struct {
	Side Side
	Goal Goal
}

// Reached reports whether a finished position whose value for the side to move is v meets the
// claim.
func (c Claim) Reached(v games.Value, claimantToMove bool) bool {
	result := v.Result()
	if !claimantToMove {
		result = -result
	}
	return c.Goal.reached(result)
}

// claimTexts are the claims as they are written.
var claimTexts = [2][2]string{
	Mover: {Win: "mover wins", Hold: "mover holds"},
	Other: {Win: "other wins", Hold: "other holds"},
}

// String returns "mover wins", "mover holds", "other wins" or "other holds".
func (c Claim) String() string {
	if c.Side > Other || c.Goal > Hold {
		return fmt.Sprintf("Claim(%d, %d)", c.Side, c.Goal)
	}
	return claimTexts[c.Side][c.Goal]
}

// MarshalText implements [encoding.TextMarshaler].
func (c Claim) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (c *Claim) UnmarshalText(text []byte) error {
	for side := range claimTexts {
		for goal, s := range claimTexts[side] {
			if s == string(text) {
				*c = Claim{Side(side), Goal(goal)}
				return nil
			}
		}
	}
	return fmt.Errorf(`claim %q: want "mover wins", "mover holds", "other wins" or "other holds"`, text)
}

// values has what each claim says about the value of the root position for the side to move.
var values = map[Claim]string{{Mover, Win}: "win", {Other, Win}: "loss", {Mover, Hold}: "win or draw", {Other, Hold}: "loss or draw"}

// Value returns what the claims together say about the root position's value for the side to
// move: "win", "loss", "draw", "win or draw" or "loss or draw". It fails if they contradict
// each other, or if one of them follows from the others.
func Value(claims []Claim) (string, error) {
	said := map[Claim]bool{}
	for _, c := range claims {
		if c.Side > Other || c.Goal > Hold {
			return "", fmt.Errorf("%v is no claim", c)
		}
		if said[c] {
			return "", fmt.Errorf("claim %q is made twice", c)
		}
		said[c] = true
	}
	switch {
	case len(said) == 1:
		return values[claims[0]], nil
	case len(said) == 2 && said[Claim{Mover, Hold}] && said[Claim{Other, Hold}]:
		return "draw", nil
	}
	return "", fmt.Errorf("claims %v: want one, or that both sides hold", claims)
}
