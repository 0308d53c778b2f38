package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJoint does the same to a partition whose counts and codes share a byte as to one with an array
// for each, with more and more codes and counts, until they no longer fit.
func TestJoint(t *testing.T) {
	const slots = 1000
	splits := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := &worker{e: &Engine{}, tally: make([]tally, 1)}
		plain := &partition{region: &region{}, store: inMemory{}, count: make([]uint8, slots), narrow: make([]uint8, slots)}
		both := &partition{region: &region{}, store: inMemory{}}
		both.narrow, both.joint = make([]uint8, slots), newJoint()
		codes, most, numbers := 2+rng.IntN(60), 1+rng.IntN(150), 1+rng.IntN(4)
		won := func(number uint8) bool { return number%2 == 0 }
		deferred := map[uint16]bool{}
		for slot := range uint32(slots) {
			if rng.IntN(10) == 0 {
				continue // no position
			}
			number, count := uint16(codeDraw), 1+rng.IntN(most)
			if seed%4 == 0 && slot == slots/2 {
				count = mostCount // for which there is never room
			}
			if rng.IntN(3) == 0 {
				number = uint16(firstCode + rng.IntN(numbers))
				deferred[number] = true
				if won(uint8(number)) {
					count = endless
				}
			}
			plain.unsettle(slot, count, number, codes)
			both.unsettle(slot, count, number, codes)
		}
		same := func() {
			for slot := range slots {
				var count, code uint8
				if j := both.joint; j != nil {
					count, code = j.count[both.narrow[slot]], j.code[both.narrow[slot]]
				} else {
					count, code = both.count[slot], both.narrow[slot]
				}
				want := plain.count[slot]
				if want > 0 && count > 0 && code > codeDraw && won(code) {
					count = want // an endless one is not lowered
				}
				if count != want || code != plain.narrow[slot] {
					require.Fail(t, "wrong", "slot %d has count %d and code %d, want %d and %d", slot, count, code, want, plain.narrow[slot])
				}
			}
		}
		for ; codes < 250; codes++ {
			same()
			if both.joint != nil && codes >= both.joint.lowest {
				both.split()
			}
			messages := make([]uint32, rng.IntN(200))
			for i := range messages {
				messages[i] = uint32(rng.IntN(slots))
				for plain.count[messages[i]] == 0 && plain.narrow[messages[i]] == codeNone {
					messages[i] = uint32(rng.IntN(slots)) // only positions get messages
				}
			}
			code := uint16(codes)
			for _, p := range []*partition{plain, both} {
				w.tally[0] = tally{}
				switch {
				case codes%2 == 0:
					w.win(p, messages, code)
				default:
					w.decrement(p, messages, code)
				}
			}
			require.Equal(t, plain.next, both.next)
			plain.next, both.next = frontier{}, frontier{}
			if number := uint16(firstCode + codes/10); codes%10 == 0 && deferred[number] {
				list := plain.deferredSlots(nil, number)
				require.ElementsMatch(t, list, both.deferredSlots(nil, number))
				for _, p := range []*partition{plain, both} {
					if won(uint8(number)) {
						w.win(p, list, code)
						continue
					}
					for _, slot := range list {
						p.undefer(slot, codes+1)
					}
					w.decrement(p, list, code)
				}
				delete(deferred, number)
			}
			if rng.IntN(20) == 0 && both.joint != nil {
				narrow := both.narrow
				both.split()
				both.join(codes+1, won)
				if both.joint != nil {
					require.Len(t, both.narrow, len(narrow))
				}
			}
		}
		same()
		if both.joint == nil {
			splits++
		}
		both.dropCounts()
		require.Equal(t, plain.narrow, both.narrow)
	}
	require.Greater(t, splits, 10)
	require.Less(t, splits, 50)
}
