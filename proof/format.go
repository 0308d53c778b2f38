package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/compression"
)

// Version is the version of the format.
const Version = 2

// A proof file is
//
//	+-----------+------------+---------+---------+-----+---------+
//	| "YKPROOF\n" | version, 32 | header | nodes | ... | end     |
//	+-----------+------------+---------+---------+-----+---------+
//
// where everything after the version is chunks:
//
//	+------+--------------+--------------+--------------+---------+
//	| type | size, 32     | stored, 32   | checksum, 64 | payload |
//	+------+--------------+--------------+--------------+---------+
//
// Numbers are little-endian. Stored is the size of the payload, which is one zstd frame; size
// is its size when decompressed. The checksum is the XXH64 of the type, the chunk's number as
// 64 bits, counted from 0, and the payload: so it also detects a chunk in another's place.
const (
	magic         = "YKPROOF\n"
	prefixSize    = len(magic) + 4
	chunkHeadSize = 1 + 4 + 4 + 8

	chunkHeader = 'H'
	chunkNodes  = 'N'
	chunkEnd    = 'E'

	// maxChunk is the largest size of a chunk when decompressed.
	maxChunk = 1 << 20
	// fullChunk is the size from which a writer begins a new chunk.
	fullChunk = 1 << 18
	// maxStored is the largest size of a payload: data that does not compress grows a little.
	maxStored = maxChunk + maxChunk>>8 + 64
)

// Errors that [NewReader], [Reader.Next] and [Check] return, wrapped in one that
// names the place.
var (
	// ErrNotProof says that a file is not a proof file.
	ErrNotProof = errors.New("it does not begin like a proof file")
	// ErrCorrupt says that a proof file is damaged.
	ErrCorrupt = errors.New("damaged proof file")
	// ErrVersion says that a file has another version of the format.
	ErrVersion = errors.New("another version of the proof format")
	// ErrRefused says that a file can be read but does not prove its claims.
	ErrRefused = errors.New("proof refused")
	// ErrLimit says that checking a file takes more work than is allowed for its size, so it
	// is not known whether the file proves its claims.
	ErrLimit = errors.New("too much work")
)

// Header says what a proof file is about.
type Header struct {
	// Game is the game with its rules, as [games.Rules.String] writes it. A file may have
	// another name of the same rules; see [Reader.Rename].
	Game string `json:"game"`
	// Root is the position that the claims are about, in the game's notation.
	Root string `json:"root"`
	// Claims are proven one after the other.
	Claims []Claim `json:"claims"`
	// By names the program that wrote the file.
	By string `json:"by,omitempty"`
	// Repeats says that claims to hold may rest on repeated positions: nodes may be [Ahead].
	Repeats bool `json:"repeats,omitempty"`
	// Database is the logical checksum of a database, 16 hexadecimal digits. Positions
	// that it has are like finished ones. It is empty if the proof needs none.
	Database string `json:"database,omitempty"`
	// Positions is the sum of [Node.Positions]: how many positions a checker may have to look at.
	Positions uint64 `json:"positions,omitempty"`
	// Monotone says that a move or reply may lead to a position that is no worse for the claimant than
	// the child that answers it; see [games.Monotone].
	Monotone bool `json:"monotone,omitempty"`
	// Rules are those of a game whose rules come from a file, see [games.Ruled]; else empty. The file also has their digest.
	Rules string `json:"rules,omitempty"`
}

// MarshalJSON adds the digest of the rules.
func (h Header) MarshalJSON() ([]byte, error) {
	type fields Header // without methods
	return json.Marshal(struct {
		fields
		Digest string `json:"rules_digest,omitempty"`
	}{fields(h), games.RulesDigest(h.Rules)})
}

func (h *Header) check() error {
	if h.Game == "" || h.Root == "" {
		return errors.New("no game or no root position")
	}
	if _, err := Value(h.Claims); err != nil {
		return err
	}
	if h.Repeats && h.Claims[0].Goal != Hold {
		return errors.New("a win cannot rest on positions that come again")
	}
	if h.Monotone && (h.Claims[0].Goal != Win || h.Database != "" || h.Positions > 0) {
		return errors.New("monotone is for a claim to win, without a database and searches")
	}
	if h.Database != "" && h.scores() {
		return errors.New("claims about points cannot rest on a database")
	}
	if h.Positions > 0 && (h.Repeats || h.Database != "") {
		return errors.New("searched nodes cannot rest on a database, or on positions that come again")
	}
	if h.Database != "" && !isChecksum.MatchString(h.Database) {
		return errNoChecksum(h.Database)
	}
	return nil
}

func errNoChecksum(text string) error {
	return fmt.Errorf("database %.60q: want its logical checksum, 16 hexadecimal digits", text)
}

var isChecksum = regexp.MustCompile(`^[0-9a-f]{16}$`)

// scores reports whether the claims are about points.
func (h *Header) scores() bool { return len(h.Claims) > 0 && h.Claims[0].Goal == AtLeast }

func decodeHeader(text []byte) (h Header, err error) {
	var claims []string
	var database, digest *string
	optional := map[string]any{"by": &h.By, "repeats": &h.Repeats, "database": &database, "positions": &h.Positions, "monotone": &h.Monotone,
		"rules": &h.Rules, "rules_digest": &digest}
	if err := decodeObject(text, map[string]any{"game": &h.Game, "root": &h.Root, "claims": &claims}, optional); err != nil {
		return h, err
	}
	if database != nil {
		if h.Database = *database; h.Database == "" {
			return h, errNoChecksum("")
		}
	}
	if (h.Rules != "") != (digest != nil) {
		return h, errors.New("rules and their digest come together")
	}
	if digest != nil {
		if err := games.CheckDigest(h.Rules, *digest); err != nil {
			return h, err
		}
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
		"references": &c.References}, map[string]any{"ahead": &c.Ahead, "searched": &c.Searched})
}

// decodeObject reads a JSON object that has all of fields, may have some of optional, and has
// no others. Each name must occur once at most and be spelled exactly so, so that no two
// readers can read the object differently.
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

// checkFrame checks that data is one zstd frame, without a dictionary or a checksum, whose
// header gives size as the size of its content.
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
	Or         uint64 `json:"or"`         // nodes with one move of the claimant
	And        uint64 `json:"and"`        // nodes with all replies of the opponent
	Certified  uint64 `json:"certified"`  // nodes with a certificate
	References uint64 `json:"references"` // from a node to another
	Ahead      uint64 `json:"ahead,omitempty"`
	Searched   uint64 `json:"searched,omitempty"` // nodes that the checker searches
}

func (c *Counts) add(n *Node) {
	c.References += uint64(len(n.Children))
	if n.Kind == Keeps {
		return
	}
	c.Nodes++
	switch n.Kind {
	case Or:
		c.Or++
	case And:
		c.And++
	case Certified, CertifiedReply:
		c.Certified++
	case Searched, SearchedReply:
		c.Searched++
	default:
		c.Ahead++
	}
}

// Kind is the kind of a node.
type Kind uint8

const (
	// Or is a node with the claimant to move. It has a move and, unless the move decides the
	// game, the node that it leads to.
	Or Kind = 1
	// And is a node with the opponent to move. It has the nodes that replies
	// lead to.
	And Kind = 2
	// Certified is a node with a certificate and the claimant to move.
	Certified Kind = 3
	// CertifiedReply is a node with a certificate and the opponent to move.
	CertifiedReply Kind = 4

	// endOfClaim is a record after the last node of a claim.
	endOfClaim Kind = 5

	// Ahead stands for a position, with the claimant to move, that a later node proves. That
	// proof may depend on nodes that refer to the Ahead node, since a side also holds if
	// positions repeat forever.
	Ahead Kind = 6
	// AheadReply is the same with the opponent to move.
	AheadReply Kind = 7
	// Keeps says that a node proves the position of an earlier [Ahead] or [AheadReply].
	// It is the last reference to that node. It is not a node itself and has nothing but its
	// two children: the node ahead and the node that proves it.
	Keeps Kind = 8

	// Searched is a node that the checker proves by a search, with the claimant to move.
	Searched Kind = 9
	// SearchedReply is the same with the opponent to move.
	SearchedReply Kind = 10
)

// claimantToMove reports whose turn it is at a node.
func (k Kind) claimantToMove() bool { return k == Or || k == Certified || k == Ahead || k == Searched }

// searched reports whether a node is left to the checker.
func (k Kind) searched() bool { return k == Searched || k == SearchedReply }

// wrongIn says why a file with some header has no node of the kind. It is empty if there may be one.
func (k Kind) wrongIn(h *Header) string {
	switch {
	case k < Or || k > SearchedReply || k == endOfClaim:
		return "there is none"
	case h.Monotone && k != Or && k != And:
		return "there is none in a file that is monotone"
	case (k.ahead() || k == Keeps) && !h.Repeats:
		return "there is none in a file without repeats"
	case k.searched() && h.Positions == 0:
		return "there is none in a file without positions to search"
	}
	return ""
}

// ahead reports whether a node stands for a later one.
func (k Kind) ahead() bool { return k == Ahead || k == AheadReply }

// Node is a node of a proof. Nodes of a claim are numbered from 1.
type Node struct {
	Kind Kind
	// Uses is the number of references to the node that will follow: from later nodes and
	// [Keeps] records, and one from the claim if it is the root.
	Uses uint64
	// Rank is at least 1 and larger than the ranks of the children. At an [And] node it is at
	// least 2 if the claimant answers a reply by a move that ends the game. Finished
	// positions and nodes ahead have rank 0.
	Rank uint64
	// Position is the text of the position or of a mirror image.
	Position []byte
	// Move is the text of the claimant's move in Position, at an [Or] node.
	Move []byte
	// Children are the numbers of the nodes referred to, each below that of the
	// node itself: at most one at an [Or] node; at an [And] node one for each
	// reply that needs it, in ascending order.
	Children []uint64
	// Certificate is in a form that the game defines.
	Certificate []byte
	// Positions is the largest number of positions that the search of a [Searched] node looks at.
	Positions uint64
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

var codec = compression.NewCodec(maxChunk, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
