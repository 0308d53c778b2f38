package games

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWeights(t *testing.T) {
	set := &FeatureSet{Version: "test-1", Size: 3, Coarse: 2}
	weights := []float32{1, -2.5, 0, 1e6, 3}
	var file bytes.Buffer
	require.NoError(t, WriteWeights(&file, set, weights, "by hand"))
	text := file.Bytes()
	got, origin, err := ReadWeights(bytes.NewReader(text), set)
	require.NoError(t, err)
	require.Equal(t, weights, got)
	require.Equal(t, "by hand", origin)

	_, _, err = ReadWeights(bytes.NewReader(text), &FeatureSet{Version: "test-2", Size: 3, Coarse: 2})
	require.ErrorContains(t, err, "of the features test-1, want 5 of test-2")
	_, _, err = ReadWeights(bytes.NewReader(text), &FeatureSet{Version: "test-1", Size: 6})
	require.ErrorIs(t, err, ErrWeights)
	for n := range text {
		_, _, err = ReadWeights(bytes.NewReader(text[:n]), set)
		require.ErrorIs(t, err, ErrWeights, "%d bytes", n)
	}
	for i := 10; i < len(text); i++ { // the header of gzip may differ
		bad := bytes.Clone(text)
		bad[i] ^= 0x10
		if got, _, err := ReadWeights(bytes.NewReader(bad), set); err == nil {
			require.Equal(t, weights, got)
		}
	}
	var infinite bytes.Buffer
	require.NoError(t, WriteWeights(&infinite, set, []float32{1, 2, 3, 4, float32(math.Inf(1))}, ""))
	_, _, err = ReadWeights(&infinite, set)
	require.ErrorIs(t, err, ErrWeights)
}

func TestFolded(t *testing.T) {
	set := &FeatureSet{Version: "test-1", Size: 3, Coarse: 2, AppendCoarse: func(dst []int32, i int32) []int32 {
		if i < 2 {
			dst = append(dst, 3, 4)
		}
		return dst
	}}
	require.Equal(t, []int16{110, -16_000, 7}, set.Folded([]float32{0.4, -30_000, 7.2, 100, 10}))
}

func TestEmbed(t *testing.T) {
	made := []float32{1, 2, 3}
	set := &FeatureSet{Version: "test-1", Size: 3, Weights: made}
	require.Equal(t, made, set.ByHand())
	var file bytes.Buffer
	require.NoError(t, WriteWeights(&file, set, []float32{4, 5, 6}, ""))
	set.Embed(file.Bytes())
	require.Equal(t, []float32{4, 5, 6}, set.Weights)
	require.Equal(t, made, set.ByHand())
	require.Panics(t, func() { (&FeatureSet{Version: "test-2", Size: 3}).Embed(file.Bytes()) })
}
