package games

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrWeights is returned for a file of weights that cannot be used.
var ErrWeights = errors.New("bad weights")

// weightsHeader is the first line of a file of weights, as JSON. After it come the weights, 32-bit
// floating-point numbers, little-endian. All is compressed as gzip does.
type weightsHeader struct {
	Format   string `json:"format"`
	Features string `json:"features"` // [FeatureSet.Version]
	Weights  int    `json:"weights"`  // how many
	// Origin says how the weights were made.
	Origin string `json:"origin,omitempty"`
}

const weightsFormat = "yomikiri weights 1"

// WriteWeights writes the weights of a set of features to a file. origin says how they were made.
func WriteWeights(w io.Writer, s *FeatureSet, weights []float32, origin string) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(z).Encode(weightsHeader{weightsFormat, s.Version, len(weights), origin}); err != nil {
		return err
	}
	if err := binary.Write(z, binary.LittleEndian, weights); err != nil {
		return err
	}
	return z.Close()
}

// Embed makes weights in a file that the program has the ones that the game comes with, and keeps those made
// by hand as Made. It panics if the file is of other features.
func (s *FeatureSet) Embed(file []byte) {
	weights, _, err := ReadWeights(bytes.NewReader(file), s)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", s.Version, err))
	}
	s.Weights, s.Made = weights, s.Weights
}

// ReadWeights reads weights for a set of features, and how they were made. An error that is
// [ErrWeights] says why a file cannot be used, such as that its weights are of other features.
func ReadWeights(r io.Reader, s *FeatureSet) (weights []float32, origin string, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, "", fmt.Errorf("%w: this is not a file of weights: %w", ErrWeights, err)
	}
	in := bufio.NewReader(z)
	line, err := in.ReadBytes('\n')
	var h weightsHeader
	if err != nil || json.Unmarshal(line, &h) != nil || h.Format != weightsFormat {
		return nil, "", fmt.Errorf("%w: this is not a file of weights, or of another format than %q", ErrWeights, weightsFormat)
	}
	if h.Features != s.Version || h.Weights != s.Size+s.Coarse {
		return nil, "", fmt.Errorf("%w: they are %d weights of the features %s, want %d of %s", ErrWeights, h.Weights, h.Features, s.Size+s.Coarse, s.Version)
	}
	weights = make([]float32, h.Weights)
	if err := binary.Read(in, binary.LittleEndian, weights); err != nil {
		return nil, "", fmt.Errorf("%w: the file is too short: %w", ErrWeights, err)
	}
	if _, err := in.ReadByte(); err != io.EOF { // the end has the checksum
		return nil, "", fmt.Errorf("%w: the file is damaged or too long", ErrWeights)
	}
	for i, w := range weights {
		if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
			return nil, "", fmt.Errorf("%w: weight %d is %v", ErrWeights, i, w)
		}
	}
	return weights, h.Origin, nil
}
