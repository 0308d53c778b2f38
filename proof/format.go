package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/yomikiri/yomikiri/internal/storage"
)

// Version is the version of the format that this package writes. It also reads
// files of version 1, whose certificates of wins it refuses: the rules for them
// let false ones pass.
const Version = 2

// A proof file is
//
//	+-----------+------------+---------+---------+-----+---------+
//	| "YKPROOF\n" | version, 32 | header | nodes | ... | end     |
//	+-----------+------------+---------+---------+-----+---------+
//
// where everything behind the version is chunks:
//
//	+------+--------------+--------------+--------------+---------+
//	| type | size, 32     | stored, 32   | checksum, 64 | payload |
//	+------+--------------+--------------+--------------+---------+
//
// Numbers are little-endian. Stored is the number of bytes that follow, one zstd
// frame; size is that of what it holds. The checksum is the XXH64 of the type, the
// chunk's number as 64 bits, counted from 0, and the payload: so it also tells a
// chunk that stands in another's place.
const (
	magic         = "YKPROOF\n"
	prefixSize    = len(magic) + 4
	chunkHeadSize = 1 + 4 + 4 + 8

	chunkHeader = 'H'
	chunkNodes  = 'N'
	chunkEnd    = 'E'

	// maxChunk is the largest size of what a chunk holds.
	maxChunk = 1 << 20
	// fullChunk is the size from which a writer begins a new chunk.
	fullChunk = 1 << 18
	// maxStored is the largest size of a stored chunk: what does not compress
	// grows a little.
	maxStored = maxChunk + maxChunk>>8 + 64
)

// Errors that [NewReader], [Reader.Next] and [Check] return, wrapped in one that
// names the place.
var (
	// ErrCorrupt says that a file is damaged, or is not what a proof file is.
	ErrCorrupt = errors.New("damaged proof file")
	// ErrVersion says that a file has another version of the format.
	ErrVersion = errors.New("unknown version of the proof format")
	// ErrRefused says that a file can be read but does not prove its claims.
	ErrRefused = errors.New("proof refused")
	// ErrLimit says that a file takes more work than a file of its size may: it is not
	// known whether it proves its claims.
	ErrLimit = errors.New("too much work")
)

// Header says what a proof file is about.
type Header struct {
	// Game is the game with its rules, as [games.Rules.String] writes it.
	Game string `json:"game"`
	// Root is the position that the claims are about, in the game's notation.
	Root string `json:"root"`
	// Claims are proven one after the other.
	Claims []Claim `json:"claims"`
	// By names the program that wrote the file.
	By string `json:"by,omitempty"`
}

func (h *Header) check() error {
	if h.Game == "" || h.Root == "" {
		return errors.New("no game or no root position")
	}
	_, err := Value(h.Claims)
	return err
}

func decodeHeader(text []byte) (h Header, err error) {
	var claims []string
	optional := map[string]any{"by": &h.By}
	if err := decodeObject(text, map[string]any{"game": &h.Game, "root": &h.Root, "claims": &claims}, optional); err != nil {
		return h, err
	}
	h.Claims = make([]Claim, len(claims))
	for i, claim := range claims {
		if err := h.Claims[i].UnmarshalText([]byte(claim)); err != nil {
			return h, err
		}
	}
	return h, h.check()
}

func decodeCounts(text []byte) (c Counts, err error) {
	return c, decodeObject(text, map[string]any{"nodes": &c.Nodes, "or": &c.Or, "and": &c.And, "certified": &c.Certified,
		"references": &c.References}, nil)
}

// decodeObject reads a JSON object with the given fields, and perhaps others, each once
// and spelled like this, so that no two readers can read it differently.
func decodeObject(text []byte, fields, optional map[string]any) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return errors.New("want a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		to := fields[name]
		if to == nil {
			to = optional[name]
		}
		if to == nil {
			return fmt.Errorf("unknown field %.60q", name)
		}
		if seen[name] {
			return fmt.Errorf("field %q is there twice", name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := json.Unmarshal(value, to); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
		if string(value) == "null" {
			return fmt.Errorf("field %q is null", name)
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something after the JSON object")
	}
	for name := range fields {
		if !seen[name] {
			return fmt.Errorf("no field %q", name)
		}
	}
	return nil
}

// checkFrame checks that data is one zstd frame that says that it holds size bytes,
// without a dictionary or a checksum.
func checkFrame(data []byte, size uint32) error {
	var h zstd.Header
	if err := h.Decode(data); err != nil {
		return err
	}
	if h.Skippable || h.DictionaryID != 0 || h.HasCheckSum || !h.HasFCS || h.FrameContentSize != uint64(size) {
		return fmt.Errorf("want a zstd frame with its size, %d, and without dictionary or checksum", size)
	}
	// Each block has a head of three bytes: whether it is the last, its type, its size.
	for at, last := h.HeaderSize, false; ; {
		if last && at == len(data) {
			return nil
		}
		if last || at+3 > len(data) {
			return errors.New("want one zstd frame and nothing else")
		}
		head := uint32(data[at]) | uint32(data[at+1])<<8 | uint32(data[at+2])<<16
		stored := int(head >> 3)
		if head>>1&3 == 1 { // a byte, repeated
			stored = 1
		}
		at, last = at+3+stored, head&1 != 0
	}
}

// Counts says what a proof file holds.
type Counts struct {
	Nodes      uint64 `json:"nodes"`
	Or         uint64 `json:"or"`         // nodes with one move of the claimant's
	And        uint64 `json:"and"`        // nodes with all replies of the opponent's
	Certified  uint64 `json:"certified"`  // nodes with a certificate
	References uint64 `json:"references"` // from a node to another
}

func (c *Counts) add(n *Node) {
	c.Nodes++
	switch n.Kind {
	case Or:
		c.Or++
	case And:
		c.And++
	default:
		c.Certified++
	}
	c.References += uint64(len(n.Children))
}

// Kind is what a node is.
type Kind uint8

const (
	// Or is a node with the claimant to move. It has a move, and the node that
	// the move leads to unless the game is over then.
	Or Kind = 1
	// And is a node with the opponent to move. It has the nodes that replies
	// lead to.
	And Kind = 2
	// Certified is a node with a certificate, the claimant to move.
	Certified Kind = 3
	// CertifiedReply is a node with a certificate, the opponent to move.
	CertifiedReply Kind = 4

	// endOfClaim is a record behind the last node of a claim.
	endOfClaim Kind = 5
)

// claimantToMove reports whose turn it is at a node.
func (k Kind) claimantToMove() bool { return k == Or || k == Certified }

// Node is a node of a proof. Nodes of a claim are numbered from 1.
type Node struct {
	Kind Kind
	// Uses is how many references to the node will come: from nodes, and one
	// from the claim if it is the root.
	Uses uint64
	// Rank is larger than the ranks of the children; at least 1, and at least 2
	// at a node with all replies. The rank of a finished position is 0.
	Rank uint64
	// Position is the text of the position or of a mirror image.
	Position []byte
	// Move is the text of the claimant's move in Position, at an [Or] node.
	Move []byte
	// Children are the numbers of the nodes referred to, each below that of the
	// node itself: at most one at an [Or] node; at an [And] node one for each
	// reply that needs it, in ascending order.
	Children []uint64
	// Certificate belongs to the game.
	Certificate []byte
}

// maxRank is the largest rank.
const maxRank = 1 << 32

func chunkSum(kind byte, number uint64, payload []byte) uint64 {
	var head [9]byte
	head[0] = kind
	for i := range 8 {
		head[1+i] = byte(number >> (8 * i))
	}
	var d xxhash.Digest
	d.ResetWithSeed(0)
	d.Write(head[:])
	d.Write(payload)
	return d.Sum64()
}

var codec = storage.NewCodec(maxChunk, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
