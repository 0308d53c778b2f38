package dfpn

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// filled returns a table with random entries of all kinds, and the positions of the entries.
func filled(t *testing.T, size int64, count int) (*Table, []position) {
	table, err := NewFixedTable(size)
	require.NoError(t, err)
	require.True(t, table.adopt(0x8080))
	rng := rand.New(rand.NewPCG(1, 2))
	var all []position
	for range count {
		at := position{nonzero(rng.Uint64()), Hand(rng.UintN(16))}
		e := entry{
			kind: open + kind(rng.IntN(3)), hand: at.hand, depth: uint16(rng.IntN(maxDepth)), amount: 1 + rng.Uint32N(1000),
			repeat: rng.IntN(2) == 0, unsure: rng.IntN(2) == 0,
		}
		if e.kind == open {
			e.proof, e.disproof = rng.Uint32(), rng.Uint32()
		} else {
			e.length, e.move = uint16(rng.IntN(Unlimited)), Move(rng.Uint32())
		}
		table.store(at, &e)
		all = append(all, at)
	}
	return table, all
}

func saved(t *testing.T, table *Table) (chunks [][]byte) {
	require.NoError(t, table.Save(func(chunk []byte) error {
		chunks = append(chunks, bytes.Clone(chunk))
		return nil
	}))
	return chunks
}

func load(table *Table, chunks [][]byte) (err error) {
	for _, chunk := range chunks {
		err = errors.Join(err, table.Load(chunk))
	}
	return err
}

// known returns what a table has of a position: an entry of its own or nothing.
func known(table *Table, at position) entry { return table.lookup(at, 0, 0, 0) }

func TestTableSave(t *testing.T) {
	table, all := filled(t, 1<<20, 2_000)
	data := saved(t, table)
	for _, size := range []int64{1 << 20, 1<<20 + 64*17, 4 << 20} {
		again, err := NewFixedTable(size)
		require.NoError(t, err)
		require.NoError(t, load(again, data))
		for _, at := range all {
			require.Equal(t, known(table, at), known(again, at))
		}
		require.False(t, again.adopt(0), "the hands are those of the table that was saved")
		require.Equal(t, len(bytes.Join(data, nil)), len(bytes.Join(saved(t, again), nil)))
	}
	// A table that is too small keeps some, and nothing else.
	small, err := NewFixedTable(1 << 14)
	require.NoError(t, err)
	require.NoError(t, load(small, data))
	kept := 0
	for _, at := range all {
		if e := known(small, at); e.kind != unknown {
			kept++
			require.Equal(t, known(table, at), e)
		}
	}
	require.Greater(t, kept, 100)
	require.Less(t, kept, 600)
}

// TestTableSaveChunks has several chunks of bounded size, each of which is loaded by itself.
func TestTableSaveChunks(t *testing.T) {
	table, all := filled(t, 8<<20, 100_000)
	chunks := saved(t, table)
	require.Greater(t, len(chunks), 2)
	for i, chunk := range chunks {
		require.LessOrEqual(t, len(chunk), 1<<20)
		if i < len(chunks)-1 {
			require.Greater(t, len(chunk), 1<<19)
		}
	}
	slices.Reverse(chunks)
	again, err := NewFixedTable(16 << 20)
	require.NoError(t, err)
	require.NoError(t, load(again, chunks))
	for _, at := range all {
		require.Equal(t, known(table, at), known(again, at))
	}

	empty, err := NewFixedTable(1 << 16)
	require.NoError(t, err)
	require.Empty(t, saved(t, empty))
	require.NoError(t, load(empty, nil))
	require.True(t, empty.adopt(7), "it has no hands yet")
}

func TestTableLoadRefuses(t *testing.T) {
	table, _ := filled(t, 1<<16, 20)
	chunk := saved(t, table)[0]
	again, err := NewFixedTable(1 << 16)
	require.NoError(t, err)
	changed := func(at int, with ...byte) []byte {
		bad := bytes.Clone(chunk)
		copy(bad[at:], with)
		return bad
	}
	for name, bad := range map[string][]byte{
		"nothing":       nil,
		"half an entry": chunk[:len(chunk)-14],
		"without a key": changed(guardsBytes, make([]byte, 8)...),
		"of no kind":    changed(guardsBytes+20, 0),
	} {
		again.Clear()
		require.ErrorIs(t, again.Load(bad), errChunk, name)
	}
	again.Clear()
	require.NoError(t, again.Load(chunk))
	require.ErrorIs(t, again.Load(changed(0, 1)), errChunk, "of a table with other hands")
}

// TestTableSaveFails stops at the first error, also at that of the last chunk.
func TestTableSaveFails(t *testing.T) {
	cause := errors.New("failing")
	for count, chunks := range map[int]int{20: 1, 100_000: 2} {
		table, _ := filled(t, 8<<20, count)
		calls := 0
		require.ErrorIs(t, table.Save(func([]byte) error {
			if calls++; calls == chunks {
				return cause
			}
			return nil
		}), cause)
		require.Equal(t, chunks, calls)
	}
}

// TestTableSaveWhileSearched saves a table while others store in it: every entry that is saved
// was stored by one of them.
func TestTableSaveWhileSearched(t *testing.T) {
	table, err := NewFixedTable(1 << 14)
	require.NoError(t, err)
	require.True(t, table.adopt(0))
	stop, stopped := make(chan struct{}), make(chan struct{})
	// An entry whose fields all follow from its key.
	made := func(key uint64) entry {
		return entry{kind: open, proof: uint32(key), disproof: uint32(key >> 32), amount: 1 + uint32(key>>16)&0xfff}
	}
	go func() {
		defer close(stopped)
		rng := rand.New(rand.NewPCG(3, 4))
		for {
			select {
			case <-stop:
				return
			default:
				key := nonzero(rng.Uint64())
				e := made(key)
				table.store(position{key: key}, &e)
			}
		}
	}()
	again, err := NewFixedTable(1 << 16)
	require.NoError(t, err)
	entries := 0
	for entries < 20_000 {
		again.Clear()
		require.NoError(t, load(again, saved(t, table)))
		for i := range again.clusters {
			for slot := range 2 {
				l := &again.clusters[i]
				if uint32(l[0].Load()>>32) != again.generation || l[1+slot].Load() == 0 {
					continue
				}
				key := l[1+slot].Load()
				e, ok := again.read(l, slot, key)
				require.True(t, ok)
				require.Equal(t, made(key), e)
				entries++
			}
		}
	}
	close(stop)
	<-stopped
}
