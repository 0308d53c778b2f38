package dfpn

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
)

// The entries of a table in a stream, with integers in big-endian order:
//
//	"yomikiri table 1\n" | guards (32) | entries | 0 (64) | checksum (64)
//	entry: key (64) | hand (32) | numbers (64) | meta (64)
//
// numbers and meta are words of a cluster. The checksum is CRC-64 (ECMA) of all before it.
const (
	tableMagic = "yomikiri table 1\n"
	entryBytes = 28
)

var tableSums = crc64.MakeTable(crc64.ECMA)

// ErrDamaged is the error of a stream that is not what [Table.Save] wrote.
var ErrDamaged = errors.New("the table in the file is damaged")

// Save writes the entries of the table, but not its seed. Searches may use the table meanwhile:
// each entry is correct, so that all of them together are as good as the table at some moment.
func (t *Table) Save(w io.Writer) error {
	sum := crc64.New(tableSums)
	b := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	b.WriteString(tableMagic)
	var buf [entryBytes]byte
	binary.BigEndian.PutUint32(buf[:], uint32(t.guards.Load()))
	b.Write(buf[:4])
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
			binary.BigEndian.PutUint64(buf[:], key)
			binary.BigEndian.PutUint32(buf[8:], uint32(e.hand))
			binary.BigEndian.PutUint64(buf[12:], e.numbers())
			binary.BigEndian.PutUint64(buf[20:], e.meta())
			if _, err := b.Write(buf[:]); err != nil {
				return err
			}
		}
	}
	b.Write(make([]byte, 8))
	if err := b.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.BigEndian.AppendUint64(nil, sum.Sum64()))
	return err
}

// Load fills an empty table of any size and the same seed with what [Table.Save] wrote. If that is damaged, the
// error is [ErrDamaged] and the table is empty. A table that is too small keeps the entries that
// took most search.
func (t *Table) Load(r io.Reader) (err error) {
	defer func() {
		if err != nil {
			t.Clear()
		}
	}()
	sum := crc64.New(tableSums)
	b := bufio.NewReaderSize(r, 1<<16)
	read := func(buf []byte) error {
		if _, err := io.ReadFull(b, buf); err == io.EOF || err == io.ErrUnexpectedEOF {
			return fmt.Errorf("%w: it is cut off", ErrDamaged)
		} else if err != nil {
			return err
		}
		sum.Write(buf)
		return nil
	}
	head := make([]byte, len(tableMagic)+4)
	if err := read(head); err != nil {
		return err
	}
	if string(head[:len(tableMagic)]) != tableMagic {
		return fmt.Errorf("%w: it does not begin with %q", ErrDamaged, tableMagic)
	}
	if !t.adopt(Hand(binary.BigEndian.Uint32(head[len(tableMagic):]))) {
		return errHands
	}
	var buf [entryBytes]byte
	for {
		if err := read(buf[:8]); err != nil {
			return err
		}
		key := binary.BigEndian.Uint64(buf[:])
		if key == 0 {
			break
		}
		if err := read(buf[8:]); err != nil {
			return err
		}
		e := unpack(Hand(binary.BigEndian.Uint32(buf[8:])), binary.BigEndian.Uint64(buf[12:]), binary.BigEndian.Uint64(buf[20:]))
		t.store(position{key, e.hand}, &e)
	}
	want := sum.Sum64()
	if err := read(buf[:8]); err != nil {
		return err
	}
	if binary.BigEndian.Uint64(buf[:]) != want {
		return fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return nil
}
