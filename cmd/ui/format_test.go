package ui

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12_345: "12,345", 123_456: "123,456", 1_000_000: "1,000,000",
		246_803_167: "246,803,167", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		require.Equal(t, want, Grouped(n))
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0 s", 40 * time.Millisecond: "0.0 s", 1250 * time.Millisecond: "1.2 s", 9900 * time.Millisecond: "9.9 s",
		10 * time.Second: "10 s", 75_600 * time.Millisecond: "76 s", 9 * time.Minute: "540 s",
	} {
		require.Equal(t, want, Seconds(d), d)
	}
}

// failing is a writer whose reader has gone.
type failing struct{}

var errGone = errors.New("nobody reads this")

func (failing) Write([]byte) (int, error) { return 0, errGone }

func TestRecord(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteRecord(&b, map[string]any{"a": 1, "b": "x\ny"}))
	require.Equal(t, `{"a":1,"b":"x\ny"}`+"\n", b.String(), "one line")
	require.Error(t, WriteRecord(&b, math.NaN()))
	require.ErrorIs(t, WriteRecord(failing{}, 1), errGone)
}

func TestProgress(t *testing.T) {
	line := func() string { return "half of it" }
	fields := map[string]int{"done": 5}
	soon := func(p *Progress) *Progress { // the last that was shown was long ago
		p.last = time.Time{}
		return p
	}
	for _, c := range []struct {
		name        string
		json, quiet bool
		want        string
	}{
		{"a plain line", false, false, "half of it\nby the way 7\n"},
		{"a record", true, false, `{"done":5}` + "\n"},
		{"nothing", false, true, ""},
		{"not even a record", true, true, ""},
	} {
		var b bytes.Buffer
		p := soon(NewProgress(&b, c.json, c.quiet))
		p.Show(line, fields)
		p.Show(line, fields) // too early
		p.Note("by the way %d", 7)
		p.Done()
		require.Equal(t, c.want, b.String(), c.name)
		require.Equal(t, lineEvery, p.Every())
	}

	// A terminal's line is painted again, over what was longer, and cleared.
	var b bytes.Buffer
	p := NewProgress(&b, false, false)
	p.terminal, p.columns = true, func() int { return 80 }
	require.Equal(t, paintEvery, p.Every())
	soon(p).Show(line, fields)
	soon(p).Show(func() string { return "done" }, fields)
	p.Done()
	p.Done()
	require.Equal(t, "\rhalf of it\rdone      \r    \r", b.String())

	// It is cut to the width of the terminal.
	b.Reset()
	p.columns = func() int { return 8 }
	soon(p).Show(line, fields)
	require.Equal(t, "\rhalf of", b.String())
}

// TestProgressOfFile shows how much of a file is written.
func TestProgressOfFile(t *testing.T) {
	var out, file bytes.Buffer
	w := (&Progress{Out: &out, JSON: true}).Watch(&file, "proof", "written")
	for range 2 {
		_, err := w.Write(make([]byte, 1000))
		require.NoError(t, err)
	}
	require.Equal(t, 2000, file.Len())
	require.Regexp(t, `^{"done":1000,"seconds":[0-9.e-]+,"unit":"bytes of the proof"}\n$`, out.String(), "the second time too early")
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{
		{"half of it", 11, "half of it"},
		{"half of it", 10, "half of"}, // the cursor would be in the next line
		{"half of it", 8, "half of"},
		{"half of it", 7, "half"},
		{"half, of it", 7, "half"},
		{"half of it", 3, ""},
		{"half of it", 0, ""},
		{"どうぶつ しょうぎ", 7, "どうぶつ"},
	} {
		require.Equal(t, c.want, fit(c.line, c.columns), c)
	}
}
