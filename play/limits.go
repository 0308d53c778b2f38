package play

import "time"

// Limits end a search; the zero Limits never do. A search with a limit always completes depth 1.
type Limits struct {
	// Depth is the number of plies to search, Nodes the number of positions and Time the
	// duration, if not 0.
	Depth int
	// FirstDepth is the depth at which deepening begins; 0 means 1.
	FirstDepth int
	Nodes      uint64
	Time       time.Duration
	// Clock, if not zero, is used to find how long to search.
	Clock Clock
}

// Clock is what a player has left.
type Clock struct {
	Left      time.Duration // for the rest of the game
	Increment time.Duration // that every move adds
	Byoyomi   time.Duration // for each move once nothing is left
	Moves     int           // to the next time control, which adds to Left; 0 if there is none
	Margin    time.Duration // kept, for the way to the program that measures the time
}

// movesToGo is the number of moves among which the time that is left is shared.
const movesToGo = 35

// budget returns how long to search: after soft no new depth begins, and after hard the search
// stops.
func (c Clock) budget() (soft, hard time.Duration) {
	share := c.Left / movesToGo
	if c.Moves > 0 && c.Moves < movesToGo {
		share = c.Left / time.Duration(c.Moves)
	}
	soft = share + c.Increment*3/4 + c.Byoyomi/2
	hard = min(4*share, share+(c.Left-share)/2) + c.Increment + c.Byoyomi
	if share < c.Byoyomi/4 { // what is left for the game hardly matters any more
		soft = hard
	}
	hard = max(min(hard, c.Left+c.Byoyomi)-c.Margin, time.Millisecond)
	return max(min(soft-c.Margin, hard), time.Millisecond), hard
}
