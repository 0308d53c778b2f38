package plain

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// header reads the beginning of the file, and opens the game that it is about.
func (c *checker) header() {
	demand(string(c.read(8)) == "YKPROOF\n", ErrUnsuited, "this is no proof file")
	c.version = binary.LittleEndian.Uint32(c.read(4))
	demand(c.version == 2 || c.version == 3, ErrUnsuited, "version %d of the format; want 2 or 3", c.version)
	kind, data := c.chunk()
	must(kind == 'H', "the first chunk is no header")
	h := object(data)
	c.Game, c.Root = field(h, "game", ""), field(h, "root", "")
	must(c.Game != "" && c.Root != "", "no game or no root")
	claims := field(h, "claims", []any{})
	switch fmt.Sprintf("%q", claims) {
	case `["mover wins"]`, `["other wins"]`, `["mover holds"]`, `["other holds"]`,
		`["mover holds" "other holds"]`, `["other holds" "mover holds"]`:
	default:
		must(false, "the claims are %q", claims)
	}
	for _, claim := range claims {
		c.Claims = append(c.Claims, claim.(string))
	}
	field(h, "by", "")
	if c.version == 3 {
		c.repeats = field(h, "repeats", false)
		if database, there := h["database"]; there {
			sum := field(h, "database", "")
			must(len(sum) == 16 && strings.Trim(sum, "0123456789abcdef") == "", "database %v", database)
			demand(false, ErrUnsuited, "the proof rests on the database %s", sum)
		}
		must(c.repeats, "version 3 without nodes ahead and database")
	}
	must(len(h) == 0, "further fields in the header: %v", h)
	must(!c.repeats || strings.HasSuffix(c.Claims[0], "holds"), "nodes ahead in a proof of a win")
	c.game = newGame(c.Game)
}

// end compares the counts at the end of the file with those of the nodes.
func (c *checker) end() {
	kind, data := c.chunk()
	must(kind == 'E', "a chunk of type %q after the last claim", kind)
	e := object(data)
	compare := func(name string, n uint64, missing json.Number) {
		got := field(e, name, missing)
		must(string(got) == strconv.FormatUint(n, 10), "%s: the end says %q, and there are %d", name, got, n)
	}
	compare("nodes", c.Nodes, "")
	compare("or", c.Or, "")
	compare("and", c.And, "")
	compare("certified", c.Certified, "")
	compare("references", c.References, "")
	if c.version == 3 {
		compare("ahead", c.Ahead, "0")
	}
	must(len(e) == 0, "further fields in the end: %v", e)
	_, err := io.ReadFull(c.file, make([]byte, 1))
	must(err != nil, "data after the end")
	demand(err == io.EOF, err, "reading the file")
}

// object returns the fields of a JSON object.
func object(data []byte) map[string]any {
	must(utf8.Valid(data) && json.Valid(data), "%.200q is not JSON", data)
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	begin, _ := d.Token()
	must(begin == json.Delim('{'), "%.200q is no JSON object", data)
	fields := map[string]any{}
	for d.More() {
		name, _ := d.Token()
		_, twice := fields[name.(string)]
		var value any
		must(d.Decode(&value) == nil && !twice, "field %q is damaged or there twice", name)
		fields[name.(string)] = value
	}
	return fields
}

// field takes a field out of an object, and returns missing if it is not there.
func field[T any](fields map[string]any, name string, missing T) T {
	value, there := fields[name]
	if !there {
		return missing
	}
	delete(fields, name)
	typed, ok := value.(T)
	must(ok, "field %q is %v", name, value)
	return typed
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
