package plain

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// header reads the beginning of the file, and opens the game that it is about.
func (c *checker) header() {
	demand(string(c.read(8)) == "YKPROOF\n", ErrUnsuited, "this is no proof file")
	version := binary.LittleEndian.Uint32(c.read(4))
	demand(version == 2, ErrUnsuited, "the file has version %d of the format, and this program reads version 2: have the proof written again", version)
	kind, data := c.chunk()
	must(kind == 'H', "the first chunk is no header")
	var database *string
	var digest string
	fields := map[string]any{"game": &c.Game, "root": &c.Root, "claims": &c.Claims, "by": &c.By,
		"repeats": &c.Repeats, "database": &database, "positions": &c.Positions, "monotone": &c.Monotone, "rules": &c.Rules, "rules_digest": &digest}
	object(data, fields)
	must(c.Game != "" && c.Root != "", "no game or no root")
	scores := c.checkClaims()
	if database != nil {
		must(len(*database) == 16 && strings.Trim(*database, "0123456789abcdef") == "", "database %q", *database)
		c.Database = *database
	}
	must(!c.Monotone || strings.HasSuffix(c.Claims[0], "wins") && c.Positions == 0 && !c.Repeats && database == nil, "monotone, and no plain claim to win")
	must(!scores || database == nil, "claims about points that rest on a database")
	must(c.Positions == 0 || !c.Repeats && database == nil, "searches that rest on a database, or on positions that come again")
	must(!c.Repeats || strings.HasSuffix(c.Claims[0], "holds"), "nodes ahead in a proof that is not of claims to hold")
	c.search = c.Positions

	var err error
	if c.Rules == "" {
		must(digest == "", "a digest of no rules")
		c.game, err = Open(c.Game)
	} else {
		sum := sha256.Sum256([]byte(c.Rules))
		must(digest == fmt.Sprintf("%x", sum[:8]), "the digest of the rules is %.100q", digest)
		c.game, err = OpenVariant(c.Game, c.Rules)
	}
	if err != nil {
		panic(failure{err})
	}
	var scored bool
	c.points, scored = c.game.Rules.(Points)
	must(scored == scores, "claims about points in a game without scores, or others in one with scores")
	must(!c.Monotone || c.game.Monotone, "it is monotone, and the rules are not")
	must(!c.Repeats || !c.game.Unending, "in this game play without end is not always a draw")
	if c.options.Database != nil {
		if c.values, err = c.options.Database(c.Game, c.Rules, c.Database); err != nil {
			panic(failure{err})
		}
	}
	demand(c.Database == "" || c.values != nil, ErrUnsuited, "the proof rests on the database %s", c.Database)
}

// checkClaims checks that the claims fit each other, and returns whether they are about points.
func (c *checker) checkClaims() (scores bool) {
	var sides []string
	bounds := map[string]int{}
	for _, claim := range c.Claims {
		side, what, _ := strings.Cut(claim, " ")
		number, ok := strings.CutPrefix(what, "at least ")
		if ok {
			bounds[side] = points(number)
		}
		must((side == "mover" || side == "other") && (ok || what == "wins" || what == "holds"), "claim %q", claim)
		sides = append(sides, side)
	}
	one, two := len(sides) == 1, len(sides) == 2 && sides[0] != sides[1]
	both := two && strings.HasSuffix(c.Claims[0], "holds") && strings.HasSuffix(c.Claims[1], "holds")
	must(one || both || two && len(bounds) == 2, "the claims are %q", c.Claims)
	must(len(bounds) < 2 || bounds["mover"] <= -bounds["other"], "the claims are %q", c.Claims)
	return len(bounds) > 0
}

// end compares the counts at the end of the file with those of the nodes.
func (c *checker) end() {
	kind, data := c.chunk()
	must(kind == 'E', "a chunk of type %q after the last claim", kind)
	var said Counts
	fields := map[string]any{"nodes": &said.Nodes, "or": &said.Or, "and": &said.And, "certified": &said.Certified,
		"references": &said.References, "ahead": &said.Ahead, "searched": &said.Searched}
	must(c.search == 0, "nodes leave %d positions to search fewer than the header says", c.search)
	object(data, fields)
	delete(fields, "ahead")    // optional
	delete(fields, "searched") // optional
	must(len(fields) == 0 && said == c.Counts, "the end says %+v, and there are %+v", said, c.Counts)
	_, err := io.ReadFull(c.file, make([]byte, 1))
	must(err != nil, "data after the end")
	demand(err == io.EOF, err, "reading the file")
}

// object reads a JSON object. The value of each field goes where fields says, and the field is
// taken out of it: none may be there twice.
func object(data []byte, fields map[string]any) {
	must(utf8.Valid(data) && json.Valid(data), "%.200q is not JSON", data)
	d := json.NewDecoder(bytes.NewReader(data))
	begin, _ := d.Token()
	must(begin == json.Delim('{'), "%.200q is no JSON object", data)
	for d.More() {
		name, _ := d.Token()
		to, known := fields[name.(string)]
		delete(fields, name.(string))
		var value json.RawMessage
		must(known && d.Decode(&value) == nil && string(value) != "null" && json.Unmarshal(value, to) == nil,
			"field %q is not known, damaged or there twice", name)
	}
}

// chunk reads a chunk.
func (c *checker) chunk() (kind byte, data []byte) {
	head := c.read(17)
	kind = head[0]
	size, stored := binary.LittleEndian.Uint32(head[1:]), binary.LittleEndian.Uint32(head[5:])
	must(kind == 'H' || kind == 'N' || kind == 'E', "chunk %d has type %q", c.chunks, kind)
	must(size > 0 && size <= 1<<20 && stored <= 1<<20+1<<12+64, "chunk %d has %d bytes in %d", c.chunks, size, stored)
	frame := c.read(int(stored))
	sum := xxhash.New()
	sum.Write(head[:1])
	sum.Write(binary.LittleEndian.AppendUint64(nil, c.chunks))
	sum.Write(frame)
	must(sum.Sum64() == binary.LittleEndian.Uint64(head[9:]), "chunk %d is damaged", c.chunks)

	var h zstd.Header
	must(h.Decode(frame) == nil && !h.Skippable && h.HasFCS && h.FrameContentSize == uint64(size) &&
		!h.HasCheckSum && h.DictionaryID == 0, "chunk %d has a frame of another kind", c.chunks)
	// Each block has three bytes before it: whether it is the last one, its type and its size.
	for last, at := false, h.HeaderSize; !last || at != len(frame); {
		must(!last && at+3 <= len(frame), "the frame of chunk %d is not all there, or not all", c.chunks)
		block := int(frame[at]) | int(frame[at+1])<<8 | int(frame[at+2])<<16
		last, at = block&1 == 1, at+3+block>>3
		if block>>1&3 == 1 { // one byte, repeated
			at += 1 - block>>3
		}
	}
	data, err := c.zstd.DecodeAll(frame, nil)
	must(err == nil && len(data) == int(size), "chunk %d cannot be decompressed", c.chunks)
	c.chunks++
	return kind, data
}

// read reads n bytes of the file.
func (c *checker) read(n int) []byte {
	b := make([]byte, n)
	m, err := io.ReadFull(c.file, b)
	c.Bytes += uint64(m)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		demand(c.Bytes >= 8, ErrUnsuited, "this is no proof file")
		must(false, "the file is cut off")
	}
	demand(err == nil, err, "reading the file")
	return b
}
