package db

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"

	"github.com/yomikiri/yomikiri/games"
)

// DigestOptions configures [Digest].
type DigestOptions struct {
	Threads int // that decode blocks; 0 means one for each processor
	// Progress, if not nil, is called with the number of indices so far.
	Progress games.Progress
}

// Digest returns the SHA-256 of the values of a database, in hexadecimal digits: of a line for each index, in the order of
// the tiers, with the text of the value, which is empty where there is none. So it does not depend on how values are
// stored. block returns the codes of a block, as [Prober.Block] does.
func Digest(ctx context.Context, c *Content, block func(ctx context.Context, tier int, block uint64) ([]byte, error), o DigestOptions) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	d := digest{c, block, [][]byte{[]byte("\n")}, make(chan chan digestPiece, o.Threads)}
	for _, v := range c.Values {
		d.lines = append(d.lines, []byte(v.String()+"\n"))
	}
	go d.begin(ctx)
	sum, done, total := sha256.New(), uint64(0), uint64(0)
	for i := range c.Tiers {
		total += c.Tiers[i].Size
	}
	for next := range d.pieces {
		p := <-next
		if p.err != nil {
			return "", p.err
		}
		sum.Write(p.text)
		if done += p.indices; o.Progress != nil {
			o.Progress("indices", done, total)
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// digest is a digest on its way.
type digest struct {
	*Content
	block  func(ctx context.Context, tier int, block uint64) ([]byte, error)
	lines  [][]byte // by code
	pieces chan chan digestPiece
}

// digestPiece is the text of some indices.
type digestPiece struct {
	text    []byte
	indices uint64
	err     error
}

// digestBlocks is the number of blocks of a piece.
const digestBlocks = 16

// begin makes the pieces in order, each on a goroutine, and closes them.
func (d *digest) begin(ctx context.Context) {
	defer close(d.pieces)
	add := func(piece func() digestPiece) bool {
		next := make(chan digestPiece, 1)
		select {
		case d.pieces <- next:
		case <-ctx.Done():
			return false
		}
		go func() { next <- piece() }()
		return true
	}
	for tier := range d.Tiers {
		blocks := d.Blocks(tier)
		for first := uint64(0); first < blocks; first += digestBlocks {
			if !add(func() digestPiece { return d.piece(ctx, tier, first, min(first+digestBlocks, blocks)) }) {
				return
			}
		}
		t := &d.Tiers[tier]
		for left := t.Size - t.Open; left > 0; { // finished, so without values
			n := min(left, 1<<20)
			left -= n
			if !add(func() digestPiece {
				p := digestPiece{text: make([]byte, n), indices: n}
				for i := range p.text {
					p.text[i] = '\n'
				}
				return p
			}) {
				return
			}
		}
	}
}

// piece returns the text of blocks.
func (d *digest) piece(ctx context.Context, tier int, first, last uint64) (p digestPiece) {
	width := d.Width()
	for b := first; b < last; b++ {
		codes, err := d.block(ctx, tier, b)
		if err != nil {
			return digestPiece{err: err}
		}
		for i := range len(codes) / width {
			code := CodeAt(codes, i, width)
			if code >= len(d.lines) {
				return digestPiece{err: fmt.Errorf("%w: tier %d, block %d has the unknown code %d", ErrCorrupt, tier, b, code)}
			}
			p.text = append(p.text, d.lines[code]...)
		}
		p.indices += uint64(len(codes) / width)
	}
	return p
}
