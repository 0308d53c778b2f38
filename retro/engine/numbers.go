package engine

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// List is a list of values that all processes number in the same way.
type List int

const (
	Outcomes List = iota // of finished positions, from 1 on in messages
	Deferred             // of the tier
)

// list returns a numbered list.
func (e *Engine) list(l List) *[]games.Value {
	if l == Outcomes {
		return &e.state.Outcomes
	}
	return &e.state.Deferred
}

// assign gives a value a number in a list.
func (e *Engine) assign(l List, v games.Value) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if list := e.list(l); !slices.Contains(*list, v) {
		*list = append(*list, v)
	}
}

// Number says which values a list of a tier has now. Lists only grow.
func (e *Engine) Number(l List, tier int, values []games.Value) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l == Outcomes || tier == e.tier {
		*e.list(l) = values
	}
	e.wake.Broadcast()
}

// numberOf returns the number of a value in a list, from 0 on.
func (e *Engine) numberOf(l List, v games.Value) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	for asked := false; ; {
		at := slices.Index(*e.list(l), v)
		switch {
		case at >= 0:
			return at
		case e.dead:
			return 0
		case !asked:
			asked = true
			e.mu.Unlock()
			e.peers.Ask(l, e.tier, v)
			e.mu.Lock()
		default:
			e.wake.Wait()
		}
	}
}
