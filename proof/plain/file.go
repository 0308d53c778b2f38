package plain

import (
	"bytes"
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
	demand(version >= 2 && version <= 4, ErrUnsuited, "version %d of the format; want 2 to 4", version)
	kind, data := c.chunk()
	must(kind == 'H', "the first chunk is no header")
	var by string
	var database *string
	var monotone bool
	fields := map[string]any{"game": &c.Game, "root": &c.Root, "claims": &c.Claims, "by": &by}
	if version >= 3 {
		fields["repeats"], fields["database"] = &c.repeats, &database
	}
	if version == 4 {
		fields["positions"], fields["monotone"], c.searches = &c.search, &monotone, true
	}
	object(data, fields)
	must(c.Game != "" && c.Root != "", "no game or no root")
	switch fmt.Sprintf("%q", c.Claims) {
	case `["mover wins"]`, `["other wins"]`, `["mover holds"]`, `["other holds"]`,
		`["mover holds" "other holds"]`, `["other holds" "mover holds"]`:
	default:
		must(version == 4, "the claims are %q", c.Claims)
		demand(false, ErrUnsuited, "the claims are %q", c.Claims)
	}
	if database != nil {
		must(len(*database) == 16 && strings.Trim(*database, "0123456789abcdef") == "", "database %q", *database)
		demand(false, ErrUnsuited, "the proof rests on the database %s", *database)
	}
	must(!monotone || strings.HasSuffix(c.Claims[0], "wins") && c.search == 0 && !c.repeats, "monotone, and no plain claim to win")
	demand(!monotone, ErrUnsuited, "the file is monotone")
	must(version != 3 || c.repeats, "version 3 without nodes ahead and database")
	must(!c.searches || !c.repeats && c.search > 0, "version 4 with nodes ahead, or without searches")
	must(!c.repeats || strings.HasSuffix(c.Claims[0], "holds"), "nodes ahead in a proof of a win")
	c.game = newGame(c.Game)
}

// end compares the counts at the end of the file with those of the nodes.
func (c *checker) end() {
	kind, data := c.chunk()
	must(kind == 'E', "a chunk of type %q after the last claim", kind)
	var said Counts
	fields := map[string]any{"nodes": &said.Nodes, "or": &said.Or, "and": &said.And, "certified": &said.Certified, "references": &said.References}
	if c.repeats {
		fields["ahead"] = &said.Ahead
	}
	if c.searches {
		fields["searched"] = &said.Searched
	}
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
