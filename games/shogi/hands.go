package shogi

// Hands says how the hands of a position are read if its text does not show a whole set.
type Hands uint8

const (
	// UsualHands leaves it to the text, see [Hands.Read].
	UsualHands Hands = iota
	// GivenHands are those that the text gives: the other pieces are nowhere.
	GivenHands
	// RestOfSet gives all other pieces to the defender.
	RestOfSet
	// BlackHasRest and WhiteHasRest are RestOfSet with the defender named.
	BlackHasRest
	WhiteHasRest
)

// ParseHands reads usual (or ""), given or rest.
func ParseHands(text string) (Hands, error) {
	switch text {
	case "", "usual":
		return UsualHands, nil
	case "given":
		return GivenHands, nil
	case "rest":
		return RestOfSet, nil
	}
	return 0, errHands.Error(text)
}

// String returns "given", "rest", or "" for UsualHands.
func (h Hands) String() string {
	return [...]string{UsualHands: "", GivenHands: "given", RestOfSet: "rest", BlackHasRest: "rest", WhiteHasRest: "rest"}[h]
}

// Written is what a text says about the hands of a position.
type Written struct {
	Hand    [2]bool // it has the hand of a side, which may be empty; not so in SFEN, which has to write both
	Rest    [2]bool // it says that a side has all other pieces
	Problem bool    // it calls the position a mate problem
}

// Read returns a position that was read from a text, with the hands that are meant. It belongs
// before the first move.
//
// A position of a game has the pieces that its text gives. In a mate problem the defender has all
// other pieces of the set, without a second king. The defender is the side of the only king or,
// with two, the side that is not to move. With UsualHands, a position is a problem if the text does
// not have the hand of the defender, and there is one king or the text calls it a problem. Where
// the text itself says that a side has the rest, that holds for any h.
//
// If pieces are missing in p and the text does not say who has them, used says how the hands were
// read: GivenHands, BlackHasRest or WhiteHasRest. Otherwise it is UsualHands.
func (h Hands) Read(p Position, w Written) (q Position, used Hands) {
	switch {
	case w.Rest[Black]:
		return p.WithRest(Black), UsualHands
	case w.Rest[White]:
		return p.WithRest(White), UsualHands
	}
	defender := p.turn.Other()
	kings := [2]bool{p.King(Black) != NoSquare, p.King(White) != NoSquare}
	problem := w.Problem
	if kings[Black] != kings[White] {
		problem, defender = true, Black
		if kings[White] {
			defender = White
		}
	}
	rest := problem && !w.Hand[defender]
	switch {
	case h == GivenHands:
		rest = false
	case h == RestOfSet:
		rest = true
	case h == BlackHasRest:
		rest, defender = true, Black
	case h == WhiteHasRest:
		rest, defender = true, White
	}
	q = p.WithRest(defender)
	switch {
	case q == p:
		return p, UsualHands
	case !rest:
		return p, GivenHands
	}
	return q, BlackHasRest + Hands(defender)
}
