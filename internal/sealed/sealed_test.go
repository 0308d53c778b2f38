package sealed_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/sealed"
)

type of struct {
	Game  string
	Nodes int
}

var kind = sealed.Kind{Name: "a search", Version: 2}

// chunks are some of every kind: empty, short, such as compress well and such as do not.
func chunks() [][]byte {
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(i*i>>3 ^ i*7)
	}
	return [][]byte{nil, []byte("short"), bytes.Repeat([]byte("yomikiri"), 10000), noise}
}

func write(t testing.TB, fs vfs.FS) {
	t.Helper()
	require.NoError(t, sealed.Write(fs, "file", kind, of{"hex", 7}, func(w *sealed.Writer) error {
		for _, c := range chunks() {
			if err := w.Append(c); err != nil {
				return err
			}
		}
		return nil
	}))
}

// readAll opens a file and reads it from its end to its beginning.
func readAll(fs vfs.FS) (o of, list [][]byte, err error) {
	f, err := sealed.Open(fs, "file", kind, &o)
	if err != nil {
		return o, nil, err
	}
	defer f.Close()
	var data, packed []byte
	list = make([][]byte, f.Chunks())
	for i := f.Chunks() - 1; i >= 0; i-- {
		data, packed, err = f.Chunk(i, data, packed)
		if err != nil {
			return o, nil, err
		}
		list[i] = bytes.Clone(data)
	}
	return o, list, nil
}

func Example() {
	fs := vfs.NewMem()
	kind := sealed.Kind{Name: "a search", Version: 1}
	err := sealed.Write(fs, "state", kind, "hex 5x5", func(w *sealed.Writer) error {
		return w.Append([]byte("what was found so far"))
	})
	if err != nil {
		fmt.Println(err)
	}
	var game string
	f, err := sealed.Open(fs, "state", kind, &game)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	data, _, err := f.Chunk(0, nil, nil)
	fmt.Printf("%s: %s, %v\n", game, data, err)
	// Output: hex 5x5: what was found so far, <nil>
}

func TestRoundTrip(t *testing.T) {
	fs := vfs.NewMem()
	write(t, fs)
	o, list, err := readAll(fs)
	require.NoError(t, err)
	require.Equal(t, of{"hex", 7}, o)
	require.Equal(t, len(chunks()), len(list))
	for i, c := range chunks() {
		require.True(t, bytes.Equal(c, list[i]), "chunk %d", i)
	}

	require.NoError(t, sealed.Write(fs, "file", kind, of{}, nil))
	o, list, err = readAll(fs)
	require.NoError(t, err)
	require.Equal(t, of{}, o)
	require.Empty(t, list)

	_, err = sealed.Open(fs, "other", kind, &o)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestConcurrent(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, sealed.Write(fs, "file", kind, of{}, func(w *sealed.Writer) error {
		errs := make(chan error)
		for n := range 8 {
			go func() { errs <- w.Append(bytes.Repeat([]byte{byte(n)}, 100*n+1)) }()
		}
		var err error
		for range 8 {
			err = errors.Join(err, <-errs)
		}
		return err
	}))
	_, list, err := readAll(fs)
	require.NoError(t, err)
	seen := map[byte]int{}
	for _, c := range list {
		seen[c[0]] = len(c)
	}
	require.Equal(t, map[byte]int{0: 1, 1: 101, 2: 201, 3: 301, 4: 401, 5: 501, 6: 601, 7: 701}, seen)
}

// TestKind refuses files of other kinds and versions, and says what they are.
func TestKind(t *testing.T) {
	fs := vfs.NewMem()
	write(t, fs)
	for _, c := range []struct {
		kind sealed.Kind
		text string
	}{
		{sealed.Kind{Name: "a solve", Version: 2}, "it holds a search, not a solve"},
		{sealed.Kind{Name: "a search", Version: 3}, "it is of version 2, this program reads version 3"},
	} {
		_, err := sealed.Open(fs, "file", c.kind, new(of))
		require.ErrorIs(t, err, sealed.ErrKind)
		require.ErrorContains(t, err, "file: ")
		require.ErrorContains(t, err, c.text)
	}
	replace(t, fs, []byte("something else that is long enough"))
	_, _, err := readAll(fs)
	require.ErrorIs(t, err, sealed.ErrDamaged)
	require.ErrorContains(t, err, `it begins with "something else th"`)
}

func replace(t testing.TB, fs vfs.FS, data []byte) {
	t.Helper()
	f, err := fs.Create("file", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	_, err = f.Write(data)
	require.NoError(t, errors.Join(err, f.Close()))
}

// TestDamage changes each bit of a small file, and cuts it off everywhere: it is refused, or what it
// says is as it was.
func TestDamage(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, sealed.Write(fs, "file", kind, of{"hex", 7}, func(w *sealed.Writer) error {
		return errors.Join(w.Append([]byte("one chunk")), w.Append(nil), w.Append(bytes.Repeat([]byte("x"), 200)))
	}))
	want, wantList, err := readAll(fs)
	require.NoError(t, err)
	f, err := fs.Open("file")
	require.NoError(t, err)
	whole, err := io.ReadAll(f)
	require.NoError(t, errors.Join(err, f.Close()))
	check := func(data []byte, what string) {
		replace(t, fs, data)
		got, list, err := readAll(fs)
		if err == nil {
			require.Equal(t, want, got, what)
			require.Equal(t, wantList, list, what)
			return
		}
		require.True(t, errors.Is(err, sealed.ErrDamaged) || errors.Is(err, sealed.ErrKind), "%s: %v", what, err)
	}
	for i := range whole {
		for bit := range 8 {
			data := bytes.Clone(whole)
			data[i] ^= 1 << bit
			check(data, fmt.Sprintf("bit %d of byte %d", bit, i))
		}
		replace(t, fs, whole[:i])
		_, _, err := readAll(fs)
		require.Error(t, err, "cut off after %d bytes", i)
	}
	check(append(bytes.Clone(whole), 0), "a byte more")
}

// TestForgedEnds has ends that contradict each other under a right sum refused.
func TestForgedEnds(t *testing.T) {
	fs := vfs.NewMem()
	require.NoError(t, sealed.Write(fs, "file", kind, of{}, func(w *sealed.Writer) error {
		return errors.Join(w.Append([]byte("one")), w.Append([]byte("another")))
	}))
	f, err := fs.Open("file")
	require.NoError(t, err)
	whole, err := io.ReadAll(f)
	require.NoError(t, errors.Join(err, f.Close()))
	ends := whole[len(whole)-4*8 : len(whole)-8] // two ends and their number
	first, second := binary.LittleEndian.Uint64(ends), binary.LittleEndian.Uint64(ends[8:])
	for _, c := range [][2]uint64{
		{second, first}, {first, first}, {first, second - 1}, {first, second + 1}, {0, second}, {second + 1, second},
		{first, 1 << 63}, {math.MaxUint64, second},
	} {
		forged := bytes.Clone(whole)
		at := forged[len(forged)-4*8:]
		binary.LittleEndian.PutUint64(at, c[0])
		binary.LittleEndian.PutUint64(at[8:], c[1])
		binary.LittleEndian.PutUint64(at[24:], xxhash.Sum64(at[:24]))
		replace(t, fs, forged)
		_, err := sealed.Open(fs, "file", kind, new(of))
		require.ErrorIs(t, err, sealed.ErrDamaged, "%v", c)
	}
}

// TestFailure leaves the old file if the new one cannot be completed.
func TestFailure(t *testing.T) {
	fs := vfs.NewMem()
	write(t, fs)
	cause := errors.New("no more")
	require.ErrorIs(t, sealed.Write(fs, "file", kind, of{}, func(*sealed.Writer) error { return cause }), cause)
	o, _, err := readAll(fs)
	require.NoError(t, err)
	require.Equal(t, of{"hex", 7}, o)
}

func FuzzOpen(f *testing.F) {
	fs := vfs.NewMem()
	write(f, fs)
	file, err := fs.Open("file")
	require.NoError(f, err)
	whole, err := io.ReadAll(file)
	require.NoError(f, err)
	f.Add(whole)
	f.Fuzz(func(t *testing.T, data []byte) {
		fs := vfs.NewMem()
		replace(t, fs, data)
		_, _, _ = readAll(fs) // does not panic
	})
}
