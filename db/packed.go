package db

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cespare/xxhash/v2"
	lru "github.com/hashicorp/golang-lru/v2"
)

// A packed database is one file:
//
//	+--------------------+-------+-----+----------+------+-----+------+--------+
//	| "yomikiri packed\n" | block | ... | manifest | page | ... | root | footer |
//	+--------------------+-------+-----+----------+------+-----+------+--------+
//
// Blocks are stored as in a store, in the order of tiers and numbers. The manifest is a whole file as in a directory,
// without files of a store. A page has the lengths of up to 1,024 blocks, as varints. The root has an entry for each
// page:
//
//	+--------------------------+--------------------+-------------------+
//	| place of its first block | place of the page  | XXH64 of the page |   64 bits each, little-endian
//	+--------------------------+--------------------+-------------------+
//
// and the footer is, all little-endian,
//
//	+-------------+----------------------+---------------------+---------------------+
//	| version, 32 | blocks of a page, 32 | place of the        | its length, 64      |
//	|             |                      | manifest, 64        |                     |
//	+-------------+----------------------+---------------------+---------------------+
//	| place of    | its length, 64       | size of the file,   | XXH64 of the root,  |
//	| the root, 64|                      | 64                  | 64                  |
//	+-------------+----------------------+---------------------+---------------------+
//	| XXH64 of the footer so far, 64     | "yk.packd"          |
//	+------------------------------------+---------------------+
//
// A lookup reads the end of the file once, a page once, and then one range for each block. Pages make the index of
// millions of blocks small: two bytes for a block, of which a reader needs those of the pages that it uses.
const (
	// PackedMagic is how a packed database begins.
	PackedMagic = "yomikiri packed\n"

	packedVersion = 1
	packedEnd     = "yk.packd"
	packedFooter  = 4 + 4 + 7*8 + 8
	pageBlocks    = 1024
	rootEntry     = 3 * 8
	// packedTail is how much of the end of a file is read at once: most often the whole root and the manifest too.
	packedTail = 64 << 10
	// mostStored is more than the stored form of any block or model takes.
	mostStored = 2 * contexts << mostTable
	// cachedPages is how many pages are kept, of 8 KiB each.
	cachedPages = 1024
)

// Packed is the blocks of a packed database. It is safe for concurrent use if the file is.
type Packed struct {
	file     io.ReaderAt
	manifest *Manifest
	hashed   HashedFile
	first    []uint64 // number of the first block of each tier, counted over all, and of all blocks
	root     []byte
	end      uint64 // of the blocks
	rootAt   uint64
	pages    *lru.Cache[int, []uint64] // places of blocks, and the end of the last
}

// OpenPacked opens the blocks of a packed database in a file of some size. It reads only the end of the file, and closes
// the file with the blocks if that is an [io.Closer].
func OpenPacked(file io.ReaderAt, size int64) (*Packed, error) {
	damaged := func(what string) error {
		return fmt.Errorf("%w: %s: the file is cut off or has changed", ErrCorrupt, what)
	}
	if size < int64(len(PackedMagic)+packedFooter) {
		return nil, damaged(fmt.Sprintf("a packed database of %d bytes", size))
	}
	tail := make([]byte, min(size, packedTail))
	tailAt := uint64(size) - uint64(len(tail))
	if err := readFull(file, tail, tailAt); err != nil {
		return nil, err
	}
	footer := tail[len(tail)-packedFooter:]
	if string(footer[packedFooter-8:]) != packedEnd {
		return nil, damaged("the footer is missing")
	}
	if binary.LittleEndian.Uint64(footer[packedFooter-16:]) != xxhash.Sum64(footer[:packedFooter-16]) {
		return nil, damaged("the checksum of the footer does not match")
	}
	if version := binary.LittleEndian.Uint32(footer); version != packedVersion {
		return nil, otherf("the packed database has version %d, this program reads version %d: use a newer program", version, packedVersion)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(footer[8+8*i:]) }
	manifestAt, manifestLen, rootAt, rootLen := word(0), word(1), word(2), word(3)
	end := uint64(size) - packedFooter
	if word(4) != uint64(size) || rootAt > end || rootLen != end-rootAt || manifestAt < uint64(len(PackedMagic)) || manifestAt > rootAt || manifestLen > rootAt-manifestAt ||
		binary.LittleEndian.Uint32(footer[4:]) != pageBlocks {
		return nil, damaged("the footer contradicts itself")
	}
	section := func(at, length uint64) ([]byte, error) {
		if at >= tailAt {
			return tail[at-tailAt:][:length], nil
		}
		data := make([]byte, length)
		return data, readFull(file, data, at)
	}
	p := &Packed{file: file, end: manifestAt, rootAt: rootAt}
	var err error
	if p.root, err = section(rootAt, rootLen); err != nil {
		return nil, err
	}
	if xxhash.Sum64(p.root) != word(5) {
		return nil, damaged("the checksum of the root does not match")
	}
	data, err := section(manifestAt, manifestLen)
	if err != nil {
		return nil, err
	}
	if p.manifest, err = DecodeManifest(data); err != nil {
		return nil, err
	}
	if len(p.manifest.Files) > 0 {
		return nil, fmt.Errorf("%w: the manifest of a packed database names files", ErrCorrupt)
	}
	p.hashed = HashOf(ManifestName, data)
	p.manifest.Files = []File{{Name: "packed", Size: size}}
	p.first = []uint64{0}
	for i := range p.manifest.Content.Tiers {
		blocks := p.manifest.Content.StoredBlocks(i)
		n := p.first[i] + blocks
		if n < blocks || n > manifestAt { // each has some bytes
			return nil, damaged("the manifest has more blocks than the file")
		}
		p.first = append(p.first, n)
	}
	if pages := (p.first[len(p.first)-1] + pageBlocks - 1) / pageBlocks; rootLen != pages*rootEntry {
		return nil, damaged("the root has not one entry for each page")
	}
	if at := p.entry(0, 1); at != manifestAt+manifestLen {
		return nil, damaged("the pages do not follow the manifest")
	}
	if at := p.entry(0, 0); at != uint64(len(PackedMagic)) {
		return nil, damaged("the blocks do not follow the beginning")
	}
	p.pages, _ = lru.New[int, []uint64](cachedPages) // fails for sizes below 1 only
	return p, nil
}

// readFull reads a range of a file.
func readFull(file io.ReaderAt, to []byte, at uint64) error {
	n, err := file.ReadAt(to, int64(at))
	if n == len(to) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends before byte %d", ErrCorrupt, at+uint64(len(to)))
	}
	return err
}

// Manifest returns the description of the database. It must not be changed.
func (p *Packed) Manifest() *Manifest { return p.manifest }

// ManifestFile returns the manifest, hashed.
func (p *Packed) ManifestFile() HashedFile { return p.hashed }

// entry returns a word of the entry of a page; for the one after the last, where its blocks and the page would begin.
func (p *Packed) entry(page, word int) uint64 {
	switch {
	case page*rootEntry < len(p.root):
		return binary.LittleEndian.Uint64(p.root[page*rootEntry+8*word:])
	case word == 0:
		return p.end
	}
	return p.rootAt
}

// page returns the places of the blocks of a page, and the end of the last.
func (p *Packed) page(page int) ([]uint64, error) {
	if places, ok := p.pages.Get(page); ok {
		return places, nil
	}
	damaged := fmt.Errorf("%w: page %d of the index", ErrCorrupt, page)
	blocks := int(min(pageBlocks, p.first[len(p.first)-1]-uint64(page)*pageBlocks))
	at, end := p.entry(page, 1), p.entry(page+1, 1)
	if at > end || end > p.rootAt || end-at > uint64(blocks*binary.MaxVarintLen32) {
		return nil, damaged
	}
	data := make([]byte, end-at)
	if err := readFull(p.file, data, at); err != nil {
		return nil, err
	}
	if xxhash.Sum64(data) != p.entry(page, 2) {
		return nil, damaged
	}
	places := make([]uint64, 1, blocks+1)
	places[0] = p.entry(page, 0)
	for range blocks {
		length, n := binary.Uvarint(data)
		if n <= 0 || length > mostStored {
			return nil, damaged
		}
		data = data[n:]
		places = append(places, places[len(places)-1]+length)
	}
	if len(data) > 0 || places[blocks] != p.entry(page+1, 0) || places[blocks] > p.end {
		return nil, damaged
	}
	p.pages.Add(page, places)
	return places, nil
}

// AppendStored implements [Blocks].
func (p *Packed) AppendStored(dst []byte, tier int, block uint64) ([]byte, error) {
	if tier < 0 || tier+1 >= len(p.first) || block >= p.first[tier+1]-p.first[tier] {
		return dst, fmt.Errorf("%w: the block is missing", ErrCorrupt)
	}
	n := p.first[tier] + block
	places, err := p.page(int(n / pageBlocks))
	if err != nil {
		return dst, err
	}
	at, end := places[n%pageBlocks], places[n%pageBlocks+1]
	begin, length := len(dst), int(end-at)
	dst = slices.Grow(dst, length)[:begin+length]
	if err := readFull(p.file, dst[begin:], at); err != nil {
		return dst[:begin], err
	}
	return dst, nil
}

// Close implements [Blocks].
func (p *Packed) Close() error {
	if c, ok := p.file.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Packer writes a packed database.
type Packer struct {
	out     io.Writer
	at      uint64
	lengths []uint64 // of the blocks of the page
	pages   []byte
	root    []byte // with places of pages from the first on
	first   uint64 // place of the first block of the page
}

// NewPacker returns a packer that writes to a file.
func NewPacker(out io.Writer) (*Packer, error) {
	p := &Packer{out: out}
	err := p.write([]byte(PackedMagic))
	p.first = p.at
	return p, err
}

func (p *Packer) write(data []byte) error {
	n, err := p.out.Write(data)
	p.at += uint64(n)
	return err
}

// Add writes the next block, in the order of tiers and numbers.
func (p *Packer) Add(stored []byte) error {
	p.lengths = append(p.lengths, uint64(len(stored)))
	err := p.write(stored)
	if len(p.lengths) == pageBlocks {
		p.endPage()
	}
	return err
}

func (p *Packer) endPage() {
	if len(p.lengths) == 0 {
		return
	}
	begin := len(p.pages)
	for _, length := range p.lengths {
		p.pages = binary.AppendUvarint(p.pages, length)
	}
	for _, word := range []uint64{p.first, uint64(begin), xxhash.Sum64(p.pages[begin:])} {
		p.root = binary.LittleEndian.AppendUint64(p.root, word)
	}
	p.lengths, p.first = p.lengths[:0], p.at
}

// Finish writes what follows the blocks. The files of the manifest are left out.
func (p *Packer) Finish(m *Manifest) error {
	p.endPage()
	copied := *m
	copied.Files = nil
	manifest, err := Seal(&copied)
	if err != nil {
		return err
	}
	manifestAt := p.at
	pagesAt := manifestAt + uint64(len(manifest))
	rootAt := pagesAt + uint64(len(p.pages))
	for i := 8; i < len(p.root); i += rootEntry {
		binary.LittleEndian.PutUint64(p.root[i:], pagesAt+binary.LittleEndian.Uint64(p.root[i:]))
	}
	footer := binary.LittleEndian.AppendUint32(nil, packedVersion)
	footer = binary.LittleEndian.AppendUint32(footer, pageBlocks)
	for _, word := range []uint64{manifestAt, uint64(len(manifest)), rootAt, uint64(len(p.root)), rootAt + uint64(len(p.root)) + packedFooter, xxhash.Sum64(p.root)} {
		footer = binary.LittleEndian.AppendUint64(footer, word)
	}
	footer = append(binary.LittleEndian.AppendUint64(footer, xxhash.Sum64(footer)), packedEnd...)
	for _, section := range [][]byte{manifest, p.pages, p.root, footer} {
		if err := p.write(section); err != nil {
			return err
		}
	}
	return nil
}
