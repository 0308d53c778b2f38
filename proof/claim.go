package proof

import (
	"fmt"
	"strconv"
	"strings"

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
	// AtLeast is to win at least some number of points, net, in a game with scores.
	AtLeast
)

// reached reports whether r, a result for the claimant, meets the goal. Claims about points are
// checked in [games.Aiming], where reaching them is a win.
func (g Goal) reached(r games.Result) bool {
	return r == games.Won || r == games.Drawn && g == Hold
}

// Claim is what a proof shows: that a side, the claimant, reaches a goal from the
// root position whatever the other side does.
type Claim struct {
	Side Side
	Goal Goal
	// Points belong to the goal [AtLeast].
	Points int
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

// claimTexts are the claims as they are written; points follow those to reach some.
var claimTexts = [2][3]string{
	Mover: {Win: "mover wins", Hold: "mover holds", AtLeast: "mover at least "},
	Other: {Win: "other wins", Hold: "other holds", AtLeast: "other at least "},
}

// String returns "mover wins", "mover holds", "other wins", "other holds" or, for example, "other at
// least -8".
func (c Claim) String() string {
	if !c.possible() {
		return fmt.Sprintf("Claim(%d, %d, %d)", c.Side, c.Goal, c.Points)
	}
	text := claimTexts[c.Side][c.Goal]
	if c.Goal == AtLeast {
		text += strconv.Itoa(c.Points)
	}
	return text
}

func (c Claim) possible() bool {
	if c.Goal == AtLeast {
		return c.Side <= Other && c.Points >= -games.MaxScore && c.Points <= games.MaxScore
	}
	return c.Side <= Other && c.Goal <= Hold && c.Points == 0
}

// MarshalText implements [encoding.TextMarshaler].
func (c Claim) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (c *Claim) UnmarshalText(text []byte) error {
	for side := range claimTexts {
		for goal, s := range claimTexts[side] {
			read := Claim{Side: Side(side), Goal: Goal(goal)}
			if points, ok := strings.CutPrefix(string(text), s); ok && read.Goal == AtLeast {
				read.Points, _ = strconv.Atoi(points) // if it fails, the text differs
			}
			if read.possible() && read.String() == string(text) {
				*c = read
				return nil
			}
		}
	}
	return fmt.Errorf(`claim %q: want "mover wins", "mover holds", "other wins" or "other holds", or points as in "mover at least -8"`, text)
}

// values has what each claim says about the value of the root position for the side to move.
var values = map[Claim]string{{Side: Mover, Goal: Win}: "win", {Side: Other, Goal: Win}: "loss", {Side: Mover, Goal: Hold}: "win or draw", {Side: Other, Goal: Hold}: "loss or draw"}

// Value returns what the claims together say about the root position's value for the side to
// move: "win", "loss", "draw", "win or draw" or "loss or draw", or a score such as "-8", "at least
// -8" or "-8 to 2". It fails if they contradict each other, or if one of them follows from the
// others.
func Value(claims []Claim) (string, error) {
	said := map[Claim]bool{}
	for _, c := range claims {
		if !c.possible() {
			return "", fmt.Errorf("%v is no claim", c)
		}
		if said[c] {
			return "", fmt.Errorf("claim %q is made twice", c)
		}
		said[c] = true
	}
	switch {
	case len(claims) > 0 && claims[0].Goal == AtLeast:
		return scores(claims)
	case len(said) == 1:
		return values[claims[0]], nil
	case len(said) == 2 && said[Claim{Side: Mover, Goal: Hold}] && said[Claim{Side: Other, Goal: Hold}]:
		return "draw", nil
	}
	return "", fmt.Errorf("claims %v: want one, or that both sides hold", claims)
}

// scores does the same for claims about points.
func scores(claims []Claim) (string, error) {
	bounds := map[Side]int{} // on the points of the side to move: from below and from above
	for _, c := range claims {
		if _, twice := bounds[c.Side]; twice || c.Goal != AtLeast {
			return "", fmt.Errorf("claims %v: want at most one about points for each side, and no other", claims)
		}
		bounds[c.Side] = c.Points
		if c.Side == Other {
			bounds[c.Side] = -c.Points
		}
	}
	lower, below := bounds[Mover]
	upper, above := bounds[Other]
	switch {
	case !above:
		return fmt.Sprintf("at least %d", lower), nil
	case !below:
		return fmt.Sprintf("at most %d", upper), nil
	case lower > upper:
		return "", fmt.Errorf("claims %v: at least %d and at most %d", claims, lower, upper)
	case lower < upper:
		return fmt.Sprintf("%d to %d", lower, upper), nil
	}
	return games.Score(lower).String(), nil
}
