package retro

import (
	"encoding/binary"
	"fmt"
)

// Kind says what the messages of a batch are about.
type Kind uint8

// The kinds of messages. Each is about a position of the partition that the
// batch goes to.
const (
	// Reach: a move leads to the position. Bits 24 to 31 of the message are 0
	// if it is unfinished, and otherwise the number of its outcome.
	Reach Kind = iota
	// Win: a move leads from the position to one that the opponent has lost.
	Win
	// Decrement: one more move leads from the position to one that the
	// opponent has won.
	Decrement
	batchKinds
)

// Batch is what one owner tells another about positions of one partition.
type Batch struct {
	Kind     Kind
	To       uint32   // the partition
	Messages []uint32 // a slot of the partition each, in bits 0 to 23
}

// slotBits is the width of a slot in a message.
const slotBits = 24

// Batches travel between machines in a fixed-width form, little-endian:
//
//	0      1      2         4           8        12
//	+------+------+---------+-----------+--------+----------------+
//	| vers | kind | 0       | partition | number | messages ...   |
//	+------+------+---------+-----------+--------+----------------+
const (
	batchVersion    = 1
	batchHeaderSize = 12
)

// AppendBinary appends the form of b that travels to dst.
func (b *Batch) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, batchVersion, byte(b.Kind), 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, b.To)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b.Messages)))
	for _, m := range b.Messages {
		dst = binary.LittleEndian.AppendUint32(dst, m)
	}
	return dst, nil
}

// UnmarshalBinary reads what AppendBinary wrote. It keeps the memory of
// b.Messages but nothing of data.
func (b *Batch) UnmarshalBinary(data []byte) error {
	if len(data) < batchHeaderSize {
		return fmt.Errorf("retro: batch of %d bytes is shorter than its header", len(data))
	}
	if data[0] != batchVersion {
		return fmt.Errorf("retro: batch of version %d, want %d", data[0], batchVersion)
	}
	if data[1] >= byte(batchKinds) || data[2] != 0 || data[3] != 0 {
		return fmt.Errorf("retro: batch of unknown kind %x", data[1:4])
	}
	n := binary.LittleEndian.Uint32(data[8:])
	if uint64(len(data)) != batchHeaderSize+4*uint64(n) {
		return fmt.Errorf("retro: batch of %d messages has %d bytes", n, len(data))
	}
	b.Kind, b.To = Kind(data[1]), binary.LittleEndian.Uint32(data[4:])
	b.Messages = b.Messages[:0]
	for data = data[batchHeaderSize:]; len(data) > 0; data = data[4:] {
		b.Messages = append(b.Messages, binary.LittleEndian.Uint32(data))
	}
	return nil
}
