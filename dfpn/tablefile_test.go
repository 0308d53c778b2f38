package dfpn

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
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

func saved(t *testing.T, table *Table) []byte {
	var out bytes.Buffer
	require.NoError(t, table.Save(&out))
	return out.Bytes()
}

// known returns what a table has of a position: an entry of its own or nothing.
func known(table *Table, at position) entry { return table.lookup(at, 0, 0, 0) }

func TestTableSave(t *testing.T) {
	table, all := filled(t, 1<<20, 2_000)
	data := saved(t, table)
	for _, size := range []int64{1 << 20, 1<<20 + 64*17, 4 << 20} {
		again, err := NewFixedTable(size)
		require.NoError(t, err)
		require.NoError(t, again.Load(bytes.NewReader(data)))
		for _, at := range all {
			require.Equal(t, known(table, at), known(again, at))
		}
		require.False(t, again.adopt(0), "the hands are those of the table that was saved")
		require.Len(t, saved(t, again), len(data))
	}
	// A table that is too small keeps some, and nothing else.
	small, err := NewFixedTable(1 << 14)
	require.NoError(t, err)
	require.NoError(t, small.Load(bytes.NewReader(data)))
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

func TestTableLoadDamaged(t *testing.T) {
	table, all := filled(t, 1<<16, 20)
	data := saved(t, table)
	again, err := NewFixedTable(1 << 16)
	require.NoError(t, err)
	refuses := func(data []byte) {
		err := again.Load(bytes.NewReader(data))
		require.True(t, errors.Is(err, ErrDamaged), err)
		for _, at := range all {
			require.Zero(t, known(again, at).kind)
		}
	}
	for end := range data {
		refuses(data[:end])
	}
	for i := range data {
		for bit := range 8 {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << bit
			refuses(bad)
		}
	}
	require.NoError(t, again.Load(bytes.NewReader(data)))
	// An error of the reader is returned as it is.
	again.Clear()
	require.ErrorIs(t, again.Load(io.MultiReader(bytes.NewReader(data[:50]), failing{})), errFailing)
}

var errFailing = errors.New("failing")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errFailing }

func (failing) Write([]byte) (int, error) { return 0, errFailing }

func TestTableSaveFails(t *testing.T) {
	table, _ := filled(t, 1<<16, 20)
	require.ErrorIs(t, table.Save(failing{}), errFailing)
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
		require.NoError(t, again.Load(bytes.NewReader(saved(t, table))))
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
