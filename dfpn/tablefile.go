package dfpn

import (
	"encoding/binary"
	"errors"
)

// The entries of a table in chunks of about 1 MiB, with integers in little-endian order:
//
//	chunk: guards (32) | entries
//	entry: key (64) | hand (32) | numbers (64) | meta (64)
//
// numbers and meta are words of a cluster.
const (
	guardsBytes  = 4
	entryBytes   = 28
	chunkEntries = 1 << 15
)

var errChunk = errors.New("dfpn: these are not the entries of one table")

// Save encodes the entries of the table, but not its seed, in chunks for [Table.Load], and passes
// them to write, which must not keep them. Searches may use the table meanwhile: each entry is
// correct, so that all of them together are as good as the table at some moment.
func (t *Table) Save(write func(chunk []byte) error) error {
	chunk := make([]byte, guardsBytes, guardsBytes+chunkEntries*entryBytes)
	binary.LittleEndian.PutUint32(chunk, uint32(t.guards.Load()))
	for i := range t.clusters {
		l := &t.clusters[i]
		if uint32(l[0].Load()>>32) != t.generation {
			continue
		}
		for slot := range 2 {
			key := l[1+slot].Load()
			if key == 0 {
				continue
			}
			e, ok := t.read(l, slot, key)
			if !ok {
				continue // just overwritten
			}
			chunk = binary.LittleEndian.AppendUint64(chunk, key)
			chunk = binary.LittleEndian.AppendUint32(chunk, uint32(e.hand))
			chunk = binary.LittleEndian.AppendUint64(chunk, e.numbers())
			chunk = binary.LittleEndian.AppendUint64(chunk, e.meta())
			if len(chunk) < cap(chunk) {
				continue
			}
			if err := write(chunk); err != nil {
				return err
			}
			chunk = chunk[:guardsBytes]
		}
	}
	if len(chunk) == guardsBytes {
		return nil
	}
	return write(chunk)
}

// Load adds the entries of a chunk of [Table.Save] to a table of the same seed. That may have another
// size: a table that is too small keeps the entries that took most search. Load checks the form of
// the chunk, not what the entries say. After an error some entries may be in the table.
func (t *Table) Load(chunk []byte) error {
	if len(chunk) < guardsBytes || (len(chunk)-guardsBytes)%entryBytes != 0 ||
		!t.adopt(Hand(binary.LittleEndian.Uint32(chunk))) {
		return errChunk
	}
	for chunk = chunk[guardsBytes:]; len(chunk) > 0; chunk = chunk[entryBytes:] {
		key := binary.LittleEndian.Uint64(chunk)
		e := unpack(Hand(binary.LittleEndian.Uint32(chunk[8:])), binary.LittleEndian.Uint64(chunk[12:]), binary.LittleEndian.Uint64(chunk[20:]))
		if key == 0 || e.kind == unknown {
			return errChunk
		}
		t.store(position{key, e.hand}, &e)
	}
	return nil
}
