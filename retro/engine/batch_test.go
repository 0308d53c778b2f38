package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro/internal/graph"
)

// TestBatchRecords encodes batches and decodes them again.
func TestBatchRecords(t *testing.T) {
	for _, test := range []struct {
		b     Batch
		bytes int // of the messages
	}{
		{Batch{kind: kindReach, to: 7}, 0},
		{Batch{kind: kindReach, to: 7, messages: []uint32{0, 1<<22 - 1, 3<<24 | 1<<22 - 1, 5}}, 12},
		{Batch{kind: kindReach, to: 7, messages: []uint32{0, 4 << 24}}, 8},
		{Batch{kind: kindReach, to: 7, messages: []uint32{1 << 22, 3}}, 8},
		{Batch{kind: kindReach, to: 7, messages: []uint32{255<<24 | 1<<24 - 1}}, 4},
		{Batch{kind: kindWin, to: 1<<20 - 1, messages: []uint32{1, 2, 3}}, 9},
		{Batch{kind: kindReach, messages: []uint32{1, 1 << 24, 2<<24 | 3, 3<<24 | 9, 5, 3<<24 | 8, 7, 6, 1<<24 | 8, 0, 4}}, 33},
		{Batch{kind: kindDecrement, messages: []uint32{1<<24 - 1, 2, 3}}, 12},
		{Batch{kind: kindAsk, to: 9, messages: []uint32{1<<24 - 1, 2, 3}, worker: 1, ticket: 1 << 30}, 12},
		{Batch{kind: kindReply, to: 3, messages: []uint32{0, 255}, ticket: 1 << 30}, 2},
		{Batch{kind: kindReply, to: 3, messages: []uint32{0, 256}, ticket: 5}, 4},
	} {
		data := test.b.Append([]byte("x"))[1:]
		require.Len(t, data, batchHeader+test.bytes, "%+v", test.b)
		got := Batch{messages: []uint32{9, 9}}
		most, err := got.decode(data)
		require.NoError(t, err)
		if len(got.messages) > 0 && got.kind != kindReply {
			require.Equal(t, most, largestSlot(&got))
		}
		if len(got.messages) == 0 {
			got.messages = nil
		}
		require.Equal(t, test.b, got)
	}
}

// largestSlot returns the largest slot of the messages of a batch.
func largestSlot(b *Batch) (most uint32) {
	for _, m := range b.messages {
		most = max(most, m&(1<<slotBits-1))
	}
	return most
}

// TestBatchErrors decodes and checks batches that no peer would send.
func TestBatchErrors(t *testing.T) {
	g := graph.New(rand.New(rand.NewPCG(1, 1)), graph.Options{Tiers: 2, Size: 60_000, Degree: 2, Outcomes: graph.PlainOutcomes})
	e, err := New(g.Universe(0), Config{Positions: All, Threads: 2, Partitions: 4, BatchSize: 8}, two{})
	require.NoError(t, err)
	own, other := uint32(0), uint32(0)
	for _, p := range e.partitions {
		if p.open && p.tier == 1 && p.remote {
			other = uint32(p.number)
		} else if p.open && p.tier == 1 {
			own = uint32(p.number)
		}
	}
	for _, kind := range []messageKind{kindReach, kindAsk, kindWin} {
		e.kind, e.tier = kind, 1
		good := Batch{kind: kind, to: own, messages: []uint32{1}}
		if kind != kindAsk {
			require.NoError(t, e.check(&good, largestSlot(&good)))
		}
		for _, bad := range []Batch{
			{kind: kind, to: 1 << 30, messages: []uint32{1}},
			{kind: kind, to: other, messages: []uint32{1}},
			{kind: kind, to: own, messages: []uint32{1, 1<<24 - 1}},
			{kind: kind, to: own},
			{kind: (kind + 3) % 5, to: own, messages: []uint32{1}},
			{kind: kindReply, to: 2, messages: []uint32{1}},
		} {
			if bad.kind == kindDecrement && kind == kindWin {
				continue
			}
			require.Error(t, e.check(&bad, largestSlot(&bad)), "kind %d: %+v", kind, bad)
		}
	}
	// A reply to no question ends the solve.
	e.workers[0].learn(&Batch{kind: kindReply, ticket: 3, messages: []uint32{2}, peer: 1})
	require.EqualError(t, e.Err(), "a reply of peer 2 to question 3 has 1 codes, or unknown ones")
}

// two is the first of two processes.
type two struct{ alone }

func (two) Seat() (self, count int) { return 0, 2 }

func FuzzBatch(f *testing.F) {
	f.Add((&Batch{kind: kindReach, messages: []uint32{1, 2, 3}}).Append(nil))
	f.Add((&Batch{kind: kindReply, messages: []uint32{1, 2, 300}}).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b, again Batch
		most, err := b.decode(data)
		if err != nil {
			return
		}
		same, err := again.decode(b.Append(nil))
		require.NoError(t, err)
		require.Equal(t, most, same)
		require.Equal(t, b.messages, again.messages)
	})
}
