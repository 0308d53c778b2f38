package db

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"github.com/yomikiri/yomikiri/games"
)

const (
	// FormatVersion is the newest version of the format, that of compact databases. Others still have version 1.
	FormatVersion = 3

	// UnitsCodec is the codec of databases with blocks of units.
	UnitsCodec = "units"

	// ManifestName is the name of the manifest in a database's directory.
	ManifestName = "yomikiri.manifest"

	// StoreName is the directory of the store in that of a database.
	StoreName = "store"
)

// Manifest describes a database.
type Manifest struct {
	Format  int     `json:"format"`
	Content Content `json:"content"`
	// Checksum is the logical checksum of the content and all blocks, in
	// hexadecimal. It does not depend on how the game was solved.
	Checksum string `json:"checksum"`
	Built    Built  `json:"built"`
	// Compaction is nil if no tier is compact.
	Compaction *Compaction `json:"compaction,omitempty"`
	Files      []File      `json:"files,omitempty"` // of the store
}

// Content describes what a database holds.
type Content struct {
	Game       string      `json:"game"`      // with rule options, as [games.Rules.String] writes it
	Order      string      `json:"order"`     // of values
	Positions  string      `json:"positions"` // "reachable" from the start position, or "all"
	BlockSize  int         `json:"block_size"`
	Codec      string      `json:"codec,omitempty"`     // of blocks; empty for zstd
	UnitSize   int         `json:"unit_size,omitempty"` // positions of a unit, if blocks have units
	Start      uint64      `json:"start"`               // index of the start position
	StartValue games.Value `json:"start_value"`         // of the start position
	// Numbering is the fingerprint of the numbering of a game without an Indexer.
	Numbering string `json:"numbering,omitempty"`
	// Values are the values of unfinished positions, best first. The code of a
	// value is its place here, counted from 1; code 0 means no value. Codes have
	// one byte, or two if there are more than 255 values.
	Values []games.Value `json:"values"`
	// Longest is the first unfinished position with the largest distance or
	// score, a win rather than a loss; nil if there is no unfinished position.
	Longest *Example `json:"longest,omitempty"`
	// Tiers are called slices in format 1, and the checksum covers the name.
	Tiers []Tier `json:"slices"`
	// Rules are those of a game whose rules come from a file, and RulesDigest is their digest; see [games.Ruled].
	Rules       string `json:"rules,omitempty"`
	RulesDigest string `json:"rules_digest,omitempty"`
}

// Example is a position with its value.
type Example struct {
	Value games.Value `json:"value"`
	Index uint64      `json:"index"`
}

// Tier describes a tier of the index space.
type Tier struct {
	Name       string `json:"name,omitempty"`
	Start      uint64 `json:"start"`
	Size       uint64 `json:"size"`
	Open       uint64 `json:"open"`       // indices from Start on that are stored
	Unfinished uint64 `json:"unfinished"` // positions with a stored value
	Moves      uint64 `json:"moves"`      // of the unfinished positions
	// Compact says that the value of a position is the larger one of what is stored and of the
	// best move that ends the game or leaves the tier; see [Compact].
	Compact bool    `json:"compact,omitempty"`
	Counts  []Count `json:"counts"` // positions by value, best first
}

// Count is the number of positions with a value.
type Count struct {
	Value     games.Value `json:"value"`
	Positions uint64      `json:"positions"`
	Finished  uint64      `json:"finished,omitempty"` // those of them that the rules decide
}

// Built says how a database was built.
type Built struct {
	By      string        `json:"by"` // program and version
	At      time.Time     `json:"at"`
	Time    time.Duration `json:"nanoseconds"`
	Threads int           `json:"threads"`
	Memory  uint64        `json:"peak_memory"` // in bytes
}

// File is a file of the store.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Sum  string `json:"xxh64,omitempty"`
}

// StoreFiles returns the number of files of the store, and their total size.
func (m *Manifest) StoreFiles() (files int, bytes int64) {
	for _, f := range m.Files {
		bytes += f.Size
	}
	return len(m.Files), bytes
}

// Width returns the number of bytes of a code.
func (c *Content) Width() int {
	if len(c.Values) > 255 {
		return 2
	}
	return 1
}

// Blocks returns the number of blocks of a tier.
func (c *Content) Blocks(tier int) uint64 {
	size := uint64(c.BlockSize)
	return (c.Tiers[tier].Open + size - 1) / size
}

// BlockLength returns the number of positions of a block. The last one may be shorter.
func (c *Content) BlockLength(tier int, block uint64) int {
	size := uint64(c.BlockSize)
	return int(min(size, c.Tiers[tier].Open-block*size))
}

// IsCompact reports whether some tier is compact.
func (c *Content) IsCompact() bool {
	return slices.ContainsFunc(c.Tiers, func(t Tier) bool { return t.Compact })
}

// Format returns the oldest version of the format that has what the content needs.
func (c *Content) Format() int {
	if c.Codec != "" || c.BlockSize != BlockSize || c.IsCompact() {
		return FormatVersion
	}
	return 1
}

// HasModel reports whether a tier has a model, and its blocks units.
func (c *Content) HasModel(tier int) bool {
	return c.Codec == UnitsCodec && c.Tiers[tier].Open >= leastModel
}

// StoredBlocks returns the number of blocks of a tier, with its model, which is stored like one more.
func (c *Content) StoredBlocks(tier int) uint64 {
	n := c.Blocks(tier)
	if c.HasModel(tier) {
		n++
	}
	return n
}

// readTogether returns how many positions of a tier a lookup reads.
func (c *Content) readTogether(tier int) int {
	if c.HasModel(tier) {
		return c.UnitSize
	}
	return c.BlockSize
}

// BlockBytes returns the number of bytes of the codes of a block.
func (c *Content) BlockBytes(tier int, block uint64) int {
	return c.BlockLength(tier, block) * c.Width()
}

// BlockRange is the blocks of a tier from First to Last, Last excluded.
type BlockRange struct {
	Tier        int
	First, Last uint64
}

// Ranges returns all blocks in ranges of at most n.
func (c *Content) Ranges(n uint64) []BlockRange { return c.ranges(n, c.Blocks) }

// StoredRanges is Ranges with the models.
func (c *Content) StoredRanges(n uint64) []BlockRange { return c.ranges(n, c.StoredBlocks) }

func (c *Content) ranges(n uint64, blocks func(tier int) uint64) []BlockRange {
	var list []BlockRange
	for i := range c.Tiers {
		end := blocks(i)
		for first := uint64(0); first < end; first += n {
			list = append(list, BlockRange{i, first, min(first+n, end)})
		}
	}
	return list
}

// Fits returns an error if the database is not one of the game, or numbers its positions
// differently. A database of results only fits a game with distances.
func (c *Content) Fits(u *games.Universe) error {
	switch {
	case c.Game != u.Name:
		return otherf("it is a database of %s", c.Game)
	case c.Order != u.Order.String() && !(c.Order == games.ByResult.String() && u.Order == games.ByDistance):
		return otherf("the database is ordered by %s, the game by %v", c.Order, u.Order)
	}
	if err := games.CheckRules(c.Game, c.Rules, u.Rules); err != nil {
		return otherError{err}
	}
	if err := c.FitsTiers(u.Tiers, u.Numbering); err != nil {
		return err
	}
	if c.Start != u.Start {
		return otherf("the start position has the number %d in the database, and %d in the game", c.Start, u.Start)
	}
	return nil
}

// FitsTiers returns an error if the tiers of a game, or the fingerprint of its numbering,
// differ from those of the database.
func (c *Content) FitsTiers(list []games.Tier, numbering string) error {
	if numbering != c.Numbering {
		return otherf("the moves of the game, their order, or its own numbering have changed since it was solved: delete the directory and solve it again")
	}
	if len(list) != len(c.Tiers) {
		return otherf("the database has %d tiers, the game %d: they number positions differently", len(c.Tiers), len(list))
	}
	for i, s := range list {
		if d := c.Tiers[i]; d.Start != s.Start || d.Size != s.Size || d.Open != s.Open {
			return otherf("tier %d of the database has %d positions from %d on (%d stored), that of the game %d from %d on (%d): they number positions differently",
				i, d.Size, d.Start, d.Open, s.Size, s.Start, s.Open)
		}
	}
	return nil
}

// Sum returns the logical checksum: the XXH64 of the content as JSON and the
// checksums of all blocks.
func (c *Content) Sum(blockSums [][]uint64) (string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	d := xxhash.New()
	d.Write(text)
	var word [8]byte
	for _, sums := range blockSums {
		for _, sum := range sums {
			binary.LittleEndian.PutUint64(word[:], sum)
			d.Write(word[:])
		}
	}
	return fmt.Sprintf("%016x", d.Sum64()), nil
}

// The manifest file is JSON followed by a line with its checksum.
const sumLine = "xxh64 %016x\n"

// Seal returns v as JSON with such a line.
func Seal(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	return fmt.Appendf(text, sumLine, xxhash.Sum64(text)), nil
}

// unseal returns the JSON, and whether the checksum is right.
func unseal(data []byte) (text []byte, ok bool) {
	length := len(fmt.Sprintf(sumLine, 0))
	if len(data) <= length {
		return nil, false
	}
	text = data[:len(data)-length]
	return text, bytes.Equal(data[len(text):], fmt.Appendf(nil, sumLine, xxhash.Sum64(text)))
}

// DecodeManifest reads a manifest from its file.
func DecodeManifest(data []byte) (*Manifest, error) {
	text, sumOK := unseal(data)
	if text == nil {
		return nil, fmt.Errorf("%w: the manifest has %d bytes", ErrCorrupt, len(data))
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &version); err == nil && version.Format > FormatVersion && sumOK {
		return nil, otherf("the database has format %d, this program reads formats 1 and %d: use a newer program", version.Format, FormatVersion)
	}
	if !sumOK {
		return nil, fmt.Errorf("%w: the checksum of the manifest does not match", ErrCorrupt)
	}
	if version.Format == 2 {
		return nil, otherf("the database has format 2, that of compact databases of earlier programs; this program reads formats 1 and %d: make it again with db compact", FormatVersion)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrCorrupt, err)
	}
	if m.Format != m.Content.Format() {
		return nil, otherf("the database has format %d and the content of format %d; this program reads formats 1 and %d", m.Format, m.Content.Format(), FormatVersion)
	}
	if n := m.Content.BlockSize; n < BlockSize || n > LargeBlock || n%BlockSize != 0 {
		return nil, otherf("the database has blocks of %d positions, this program reads blocks of %d to %d", n, BlockSize, LargeBlock)
	}
	if c := m.Content.Codec; c != "" && c != UnitsCodec {
		return nil, otherf("the database has the codec %s, this program reads zstd and %s", c, UnitsCodec)
	}
	if n := m.Content.UnitSize; (n != 0) != (m.Content.Codec == UnitsCodec) || n != 0 && (n < group || m.Content.BlockSize%n != 0) {
		return nil, otherf("the database has units of %d positions in blocks of %d", n, m.Content.BlockSize)
	}
	if p := m.Content.Positions; p != "reachable" && p != "all" {
		return nil, fmt.Errorf("%w: the manifest says that the database holds %q positions, want reachable or all", ErrCorrupt, p)
	}
	if err := games.CheckDigest(m.Content.Rules, m.Content.RulesDigest); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return &m, m.checkNames()
}

// checkNames returns an error if a name could mean a file elsewhere, or disturb a terminal.
func (m *Manifest) checkNames() error {
	for _, f := range m.Files {
		if f.Name == "" || f.Name == "." || f.Name == ".." || strings.ContainsAny(f.Name, `/\:`) {
			return fmt.Errorf("%w: the manifest names the file %q, want one of the directory %s", ErrCorrupt, f.Name, StoreName)
		}
	}
	names := []string{m.Content.Game, m.Content.Order, m.Checksum, m.Built.By}
	for _, t := range m.Content.Tiers {
		names = append(names, t.Name)
	}
	names = append(names, strings.Split(m.Content.Rules, "\n")...)
	for _, f := range m.Files {
		names = append(names, f.Name, f.Sum)
	}
	for _, name := range names {
		if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("%w: the manifest has the name %q, want printable characters", ErrCorrupt, name)
		}
	}
	return nil
}

var (
	// ErrNoDatabase is returned for a directory without a database.
	ErrNoDatabase = errors.New("no database")
	// ErrOther is returned for a database of another game, or of a program that numbers
	// positions or writes databases differently.
	ErrOther = errors.New("another database")
)

// otherError is an ErrOther that says what differs.
type otherError struct{ error }

func (otherError) Is(target error) bool { return target == ErrOther }

func otherf(format string, args ...any) error { return otherError{fmt.Errorf(format, args...)} }

// CheckSum returns an error unless sum is the logical checksum.
func (m *Manifest) CheckSum(sum string) error {
	if sum != m.Checksum {
		return fmt.Errorf("the logical checksum is %s, the manifest says %s", sum, m.Checksum)
	}
	return nil
}

// Total returns the sum of all tiers, with counts sorted by value, best first.
func (c *Content) Total() Tier {
	var total Tier
	sums := map[games.Value]Count{}
	for _, s := range c.Tiers {
		total.Size += s.Size
		total.Open += s.Open
		total.Unfinished += s.Unfinished
		total.Moves += s.Moves
		for _, n := range s.Counts {
			sum := sums[n.Value]
			sums[n.Value] = Count{n.Value, sum.Positions + n.Positions, sum.Finished + n.Finished}
		}
	}
	total.Counts = slices.Collect(maps.Values(sums))
	SortCounts(total.Counts)
	return total
}

// SortCounts sorts counts by value, best first.
func SortCounts(counts []Count) {
	slices.SortFunc(counts, func(a, b Count) int { return int(b.Value) - int(a.Value) })
}
