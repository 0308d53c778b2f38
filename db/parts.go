package db

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Parts describes a database in parts, each in a store of its own. Several processes
// have written them with [WritePart].
type Parts struct {
	// Solve is a random name, which is also stored in each part.
	Solve string `json:"solve"`
	// Deals are the rules that assign blocks to parts, by tier.
	Deals []Deal `json:"deals"`
	List  []Part `json:"list"`
}

// Part is a part of a database.
type Part struct {
	// From is the directory where it was written, with the host, if it has to be copied
	// from there.
	From  string `json:"from,omitempty"`
	Files []File `json:"files"`
}

// Deal assigns the blocks of a tier to 1<<Bits partitions with numbers from First on. Of n
// parts, part p has the partitions p, p+n, p+2n and so on; parts count from 0 here.
type Deal struct {
	First int  `json:"first"`
	Bits  uint `json:"bits"`
}

// maxDealBits is the largest number of bits of a deal.
const maxDealBits = 32

// Spread is a hash of a row of 1<<Bits blocks: with it, the blocks of a row go to different
// partitions, in a different order for each row. The multiplier is 2^64 divided by the
// golden ratio.
func Spread(row uint64) uint64 { return row * 0x9e3779b97f4a7c15 >> 32 }

// of returns the part of a block, from 0 on.
func (p *Parts) of(tier int, block uint64) int {
	d := p.Deals[tier]
	partition := uint64(d.First) + (block^Spread(block>>d.Bits))&(1<<d.Bits-1)
	return int(partition % uint64(len(p.List)))
}

func (p *Parts) check(tiers int) error {
	ok := len(p.Deals) == tiers && len(p.List) > 0
	for _, d := range p.Deals {
		ok = ok && d.First >= 0 && d.Bits <= maxDealBits
	}
	if !ok {
		return fmt.Errorf("%w: the manifest does not say which part has which blocks", ErrCorrupt)
	}
	return nil
}

const partPrefix = "part-"

// PartName returns the name of a part's directory in the directory of the database. Parts
// are numbered from 1.
func PartName(number int) string { return partPrefix + strconv.Itoa(number) }

// IsPart reports whether a file has the name of a part, perhaps of an unfinished one.
func IsPart(name string) bool {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".tmp"), partPrefix)
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n > 0 && digits == strconv.Itoa(n)
}

// Strays returns the parts in the directory of a database that do not belong to it, such as
// those left behind by a killed [Merge].
func (m *Manifest) Strays(fs vfs.FS, dir string) ([]string, error) {
	names, err := fs.List(dir)
	return slices.DeleteFunc(names, func(name string) bool {
		return !IsPart(name) || slices.ContainsFunc(m.stores(), func(s store) bool { return s.name == name })
	}), err
}

// partFile is the file in the store of a part that identifies the part.
const partFile = "yomikiri.part"

// partID is the content of that file.
type partID struct {
	Game  string `json:"game"`
	Solve string `json:"solve"`
	Part  int    `json:"part"`
	Parts int    `json:"parts"`
}

func (id *partID) String() string {
	return fmt.Sprintf("part %d of %d of solve %s of %s", id.Part, id.Parts, id.Solve, id.Game)
}

func (m *Manifest) partID(number int) partID {
	return partID{m.Content.Game, m.Parts.Solve, number, len(m.Parts.List)}
}

// checkParts returns an error if a part is missing, or belongs to another database.
func (m *Manifest) checkParts(fs vfs.FS, dir string) error {
	if m.Parts == nil {
		return nil
	}
	var missing []string
	for i, p := range m.Parts.List {
		name := PartName(i + 1)
		path := fs.PathJoin(dir, name)
		if _, err := fs.Stat(path); errors.Is(err, os.ErrNotExist) {
			if p.From != "" {
				name += " (from " + p.From + ")"
			}
			missing = append(missing, name)
			continue
		}
		text, err := readFile(fs, fs.PathJoin(path, partFile))
		if err != nil {
			return fmt.Errorf("%s: %w: %w", path, ErrCorrupt, err)
		}
		var id partID
		if text, ok := unseal(text); !ok || json.Unmarshal(text, &id) != nil {
			return fmt.Errorf("%s: %w: file %s has changed", path, ErrCorrupt, partFile)
		}
		if want := m.partID(i + 1); id != want {
			return otherf("%s is %v: want %v", path, &id, &want)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s lacks parts, which must be copied into it: %s", dir, strings.Join(missing, ", "))
	}
	return nil
}

// WritePart writes the part of a database with the given number, from 1 on, into a directory:
// the blocks that m assigns to it. Content and Parts of m must be filled in, except for the
// files. If WritePart fails or is killed there is no part, and it can be called again. It
// returns the files and the checksums of the blocks, in order.
func WritePart(ctx context.Context, dir string, m *Manifest, number int, source Source, o WriteOptions) ([]File, []uint64, error) {
	w := newWriter(&m.Content, o)
	w.parts, w.part = m.Parts, number-1
	files, err := w.write(ctx, dir, PartName(number), source, func() error {
		return writeSealed(w.o.FS, w.dir, partFile, m.partID(number))
	})
	var sums []uint64
	for _, table := range w.sums {
		sums = append(sums, table...)
	}
	return files, sums, err
}

// Join makes a database of parts that [WritePart] has written. sums are the checksums that
// it returned. It fills in Format and Checksum of m and writes the manifest.
func Join(fs vfs.FS, dir string, m *Manifest, sums [][]uint64) (err error) {
	m.Format, m.Content.BlockSize = partsFormat, BlockSize
	var all []uint64
	next := make([]int, len(sums))
	for _, b := range m.Content.ranges(1) {
		p := m.Parts.of(b.tier, b.first)
		if next[p] == len(sums[p]) {
			return fmt.Errorf("part %d has %d blocks, and some are missing", p+1, len(sums[p]))
		}
		all = append(all, sums[p][next[p]])
		next[p]++
	}
	if m.Checksum, err = m.Content.checksum([][]uint64{all}); err != nil {
		return err
	}
	return m.write(fs, dir)
}
