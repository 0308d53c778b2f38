package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var sink uint64

// BenchmarkWarm decrements states of partitions that are not in the cache, with and without loading them first.
func BenchmarkWarm(b *testing.B) {
	const slots, partitions = partitionSlots, 256
	states := make([]uint8, slots*partitions)
	list := make([]uint32, applyAt)
	for _, messages := range []int{applyAt / 8, applyAt / 2, applyAt} {
		slice := make([]uint32, messages)
		r := rand.New(rand.NewPCG(1, 1))
		for i := range slice {
			slice[i] = r.Uint32N(slots)
		}
		for _, warm := range []bool{false, true} {
			b.Run(fmt.Sprintf("messages=%d/warm=%v", messages, warm), func(b *testing.B) {
				j := newJoint()
				for i := range b.N {
					part := states[i%partitions*slots:][:slots]
					if warm {
						sink |= load(part)
					}
					j.decrement(part, slice, list)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*messages), "ns/message")
			})
		}
	}
}
