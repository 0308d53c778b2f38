package engine

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Report says how far a process is in a phase.
type Report struct {
	Phase          uint64
	Wave           int    // reports of the phase, from 1 on
	Sent, Received uint64 // batches to and from peers, in the phase
	Tier           int
	Tallies        []Tally
}

// Tally counts the positions of a tier that were visited or settled in a phase.
type Tally struct {
	Tier       int
	Unfinished uint64   `json:"Open"`
	Moves      uint64   // of unfinished positions
	Finished   []uint64 // by the number of their outcome
	Settled    []uint64 // by code
}

// add adds another tally of the tier.
func (t *Tally) add(o *Tally) {
	t.Unfinished += o.Unfinished
	t.Moves += o.Moves
	for list, more := range map[*[]uint64][]uint64{&t.Finished: o.Finished, &t.Settled: o.Settled} {
		for i, n := range more {
			if n > 0 {
				*list = grown(*list, i)
				(*list)[i] += n
			}
		}
	}
}

// AddTallies adds tallies to a list that has at most one for each tier.
func AddTallies(list, more []Tally) []Tally {
	for i := range more {
		at := slices.IndexFunc(list, func(t Tally) bool { return t.Tier == more[i].Tier })
		if at < 0 {
			at = len(list)
			list = append(list, Tally{Tier: more[i].Tier})
		}
		list[at].add(&more[i])
	}
	return list
}

// End ends a phase. It is the same for all processes.
type End struct {
	Phase   uint64
	Paused  bool // for a snapshot; the phase then goes on
	Tallies []Tally
	// Outcomes and Deferred are the lists at the end of the phase.
	Outcomes, Deferred []games.Value
}
