package learn

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/sealed"
)

// Config configures a fit. Zero fields have the values of [Default].
type Config struct {
	// From are the weights to begin with.
	From []float32
	// Rate is the length of the steps, in units of 256.
	Rate float64
	// L1 is the weight of the sum of the absolute weights, in units of 256, beside the sum of the losses.
	L1 float64
	// Batch is the number of examples a step.
	Batch int
	// Epochs is the most times that all examples are gone through, and Patience how many in a row may be no
	// better for the games held out.
	Epochs, Patience int
	// HeldOut holds out one group of games of every HeldOut.
	HeldOut int
	// Seed is that of the order of the examples.
	Seed uint64
	// Parts, if not nil, are factors of the weights of examples, by [Example.Part].
	Parts []float64
	// File, if not empty, keeps the state after each epoch. If it exists, the fit goes on there.
	File string
	// Progress, if not nil, is called after each epoch.
	Progress func(Epoch)
}

// Default is a configuration that suits most fits.
var Default = Config{Rate: 0.02, L1: 40, Batch: 1000, Epochs: 30, Patience: 2, HeldOut: 10, Seed: 1}

func (c *Config) complete() {
	d := &Default
	c.Rate = cmp.Or(c.Rate, d.Rate)
	c.L1 = cmp.Or(c.L1, d.L1)
	c.Batch = cmp.Or(c.Batch, d.Batch)
	c.Epochs = cmp.Or(c.Epochs, d.Epochs)
	c.Patience = cmp.Or(c.Patience, d.Patience)
	c.HeldOut = cmp.Or(c.HeldOut, d.HeldOut)
	c.Seed = cmp.Or(c.Seed, d.Seed)
}

// Epoch is how a fit stands.
type Epoch struct {
	Number int `json:"number"` // 0 before the first
	// Train and Held are the mean losses of the examples, Train while the weights changed.
	Train float64 `json:"train"`
	Held  float64 `json:"held_out"`
}

// Fitted is the result of a fit.
type Fitted struct {
	// Weights are whole numbers, which a file has in little space.
	Weights []float32
	// Epochs are all epochs; the weights are those after the best of them.
	Epochs []Epoch
	Best   int
	// Examples is the number of examples learned from, and Held that of those held out.
	Examples, Held int
}

// ErrExamples is returned if there is too little to learn from.
var ErrExamples = errors.New("too few examples")

// ErrState is returned for a file with the state of another fit, or a damaged one.
var ErrState = errors.New("bad state of a fit")

// prior is the square of gradients that every weight begins with, in examples: it keeps the first steps of
// weights that occur rarely small.
const prior = 10

// fit is what changes in a fit. In its file the lists of numbers are chunks, and the rest is the header.
type fit struct {
	Signature uint64 // of the examples and the configuration
	Epochs    []Epoch
	BestEpoch int
	Weights   []float32 `json:"-"`
	Squares   []float64 `json:"-"` // sums of squared gradients
	Best      []float32 `json:"-"`
}

var fitKind = sealed.Kind{Name: "the state of a fit", Version: 2}

// Fit fits weights to examples. If ctx ends it returns its error.
func Fit(ctx context.Context, x *Examples, c Config) (*Fitted, error) {
	c.complete()
	if len(c.From) != x.set.Size+x.set.Coarse {
		return nil, fmt.Errorf("there are %d weights to begin with, want %d", len(c.From), x.set.Size+x.set.Coarse)
	}
	var train, apart []int32
	for i := range x.list {
		if Held(int(x.list[i].group), c.HeldOut) {
			apart = append(apart, int32(i))
		} else {
			train = append(train, int32(i))
		}
	}
	if len(train) == 0 || len(apart) == 0 {
		return nil, fmt.Errorf("%w: there are %d, %d of them held out; want some of both", ErrExamples, len(x.list), len(apart))
	}
	if n := x.Parts(); c.Parts != nil && len(c.Parts) < n {
		return nil, fmt.Errorf("there are weights for %d parts of the data, want %d", len(c.Parts), n)
	}
	m := newModel(x, c.From)
	m.parts = c.Parts
	f := &fit{}
	if c.File != "" {
		f.Signature = x.Signature() ^ c.signature()
		if err := f.read(c.File); err != nil {
			return nil, err
		}
	}
	if f.Epochs == nil {
		f.Squares = slices.Repeat([]float64{prior}, len(m.weights))
		f.Weights = slices.Clone(m.weights)
		f.add(m, Epoch{Held: m.mean(apart)}, &c)
	} else {
		copy(m.weights, f.Weights)
	}
	order := slices.Clone(train)
	for len(f.Epochs) <= c.Epochs && len(f.Epochs)-1-f.BestEpoch < c.Patience {
		e := Epoch{Number: len(f.Epochs)}
		rng := rand.New(rand.NewPCG(c.Seed, uint64(e.Number)))
		copy(order, train)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for batch := range slices.Chunk(order, c.Batch) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, i := range batch {
				e.Train += m.add(int(i))
			}
			m.spread()
			m.step(f.Squares, c.Rate, c.L1*float64(len(batch))/float64(len(train)))
		}
		e.Train /= float64(len(train))
		e.Held = m.mean(apart)
		copy(f.Weights, m.weights)
		f.add(m, e, &c)
		if err := f.write(c.File); err != nil {
			return nil, err
		}
	}
	r := &Fitted{Epochs: f.Epochs, Best: f.BestEpoch, Examples: len(train), Held: len(apart)}
	for _, w := range f.Best {
		r.Weights = append(r.Weights, float32(math.RoundToEven(float64(w*scale))))
	}
	return r, nil
}

// step changes the weights against the gradient, and sets that to 0.
func (m *model) step(squares []float64, rate, l1 float64) {
	for i, g := range m.gradient {
		w := float64(m.weights[i])
		if g == 0 && w == 0 {
			continue
		}
		squares[i] += g * g
		length := rate / math.Sqrt(squares[i])
		w -= length * g
		if shrunk := math.Abs(w) - length*l1; shrunk > 0 {
			w = math.Copysign(shrunk, w)
		} else {
			w = 0
		}
		m.weights[i], m.gradient[i] = float32(w), 0
	}
}

// mean returns the mean loss of some examples.
func (m *model) mean(list []int32) (mean float64) {
	for _, i := range list {
		loss, _ := m.loss(int(i))
		mean += loss
	}
	return mean / float64(len(list))
}

func (f *fit) add(m *model, e Epoch, c *Config) {
	f.Epochs = append(f.Epochs, e)
	if f.Best == nil || e.Held < f.Epochs[f.BestEpoch].Held {
		f.Best, f.BestEpoch = slices.Clone(m.weights), e.Number
	}
	if c.Progress != nil {
		c.Progress(e)
	}
}

// signature returns a hash of everything that the result depends on beside the examples.
func (c *Config) signature() uint64 {
	text := fmt.Sprint(c.From, c.Rate, c.L1, c.Batch, c.Epochs, c.Patience, c.HeldOut, c.Seed, c.Parts)
	return uint64(crc32.ChecksumIEEE([]byte(text))) << 16
}

// read reads the state from a file, if it exists.
func (f *fit) read(name string) error {
	g := new(fit)
	file, err := sealed.Open(vfs.Default, name, fitKind, g)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = errors.Join(g.readLists(file), file.Close())
	}
	if err != nil {
		return fmt.Errorf("%w: %w; remove it to begin again", ErrState, err)
	}
	if g.Signature != f.Signature {
		return fmt.Errorf("%s: %w: it is of a fit to other examples or with other settings; remove it to begin again", name, ErrState)
	}
	*f = *g
	return nil
}

func (f *fit) readLists(file *sealed.File) (err error) {
	if file.Chunks() != 3 {
		return sealed.ErrDamaged
	}
	if f.Weights, err = readList[float32](file, 0); err != nil {
		return err
	}
	if f.Squares, err = readList[float64](file, 1); err != nil {
		return err
	}
	f.Best, err = readList[float32](file, 2)
	return err
}

func readList[T float32 | float64](file *sealed.File, chunk int) ([]T, error) {
	data, _, err := file.Chunk(chunk, nil, nil)
	if err != nil {
		return nil, err
	}
	var zero T
	list := make([]T, len(data)/binary.Size(zero))
	_, err = binary.Decode(data, binary.LittleEndian, list)
	return list, err
}

// write writes the state to a file, whole or not at all.
func (f *fit) write(name string) error {
	if name == "" {
		return nil
	}
	return sealed.Write(vfs.Default, name, fitKind, f, func(w *sealed.Writer) error {
		for _, list := range []any{f.Weights, f.Squares, f.Best} {
			data, err := binary.Append(nil, binary.LittleEndian, list)
			if err != nil {
				return err
			}
			if err := w.Append(data); err != nil {
				return err
			}
		}
		return nil
	})
}
