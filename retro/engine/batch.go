package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// messageKind is the kind of the messages of a batch.
type messageKind uint8

const (
	// kindReach: a move leads to the position. Bits 24 to 31 of the message are
	// 0 if the position is unfinished, and otherwise the number of its outcome.
	kindReach messageKind = iota
	// kindWin: a move leads from the position to one lost for the opponent.
	kindWin
	// kindDecrement: one more move leads from the position to one won for the
	// opponent.
	kindDecrement
	// kindAsk: a worker of a peer wants the codes of positions of an earlier tier.
	kindAsk
	// kindReply: the codes, in the same order. The batch is for a worker, not for a partition.
	kindReply
)

// slotBits is the width of a slot in a message.
const slotBits = 24

// Batch holds messages to one partition.
type Batch struct {
	kind     messageKind
	to       uint32   // the partition or, of a reply, the worker
	messages []uint32 // each about the slot in bits 0 to 23; of a reply, codes

	// Of questions and replies.
	peer   int    // that the batch comes from
	worker uint32 // that asks
	ticket uint32 // names the question; see asking
}

// batches are batches for messages to and from peers.
var batches = sync.Pool{New: func() any { return &Batch{} }}

// Between processes a batch is, little-endian:
//
//	+------------+--------------+-----------+------------+----------------+----------------+----------+
//	| kind, 8 bit | width, 8 bit | to, 32 bit | worker, 32 bit | ticket, 32 bit | messages |
//	+------------+--------------+-----------+------------+----------------+----------------+----------+
//
// The width is the number of bytes of a message. Usually all slots are below 2^22 and all
// outcomes below 4: then a message takes 3 bytes, with the outcome in the upper two bits.
const (
	batchHeader = 14
	packedBits  = 22 // of the slot in 3 bytes
)

// Append appends the encoded batch to dst.
func (b *Batch) Append(dst []byte) []byte {
	all := uint32(0)
	for _, m := range b.messages {
		all |= m
	}
	width := 4
	switch {
	case b.kind == kindReply && all < 1<<8:
		width = 1
	case b.kind == kindReply:
		width = 2
	case all&(1<<slotBits-1)>>packedBits == 0 && all>>slotBits>>(24-packedBits) == 0:
		width = 3
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, byte(b.kind), byte(width)), b.to)
	dst = binary.LittleEndian.AppendUint32(dst, b.worker)
	dst = binary.LittleEndian.AppendUint32(dst, b.ticket)
	at := len(dst)
	dst = slices.Grow(dst, width*len(b.messages)+8)[:at+width*len(b.messages)]
	out := dst[at : len(dst)+8] // so that a whole word can be written at the end
	switch width {
	case 1:
		for i, m := range b.messages {
			out[i] = byte(m)
		}
	case 2:
		for i, m := range b.messages {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(m))
		}
	case 3:
		list := b.messages
		for ; len(list) > 1; out, list = out[6:], list[2:] {
			binary.LittleEndian.PutUint64(out, uint64(pack(list[0]))|uint64(pack(list[1]))<<24)
		}
		for _, m := range list {
			binary.LittleEndian.PutUint32(out, pack(m))
		}
	default:
		for i, m := range b.messages {
			binary.LittleEndian.PutUint32(out[4*i:], m)
		}
	}
	return dst
}

// pack packs a message into 24 bits, and unpack unpacks the message in the low 24 bits.
func pack(m uint32) uint32 { return m&(1<<packedBits-1) | m>>slotBits<<packedBits }

func unpack(m uint32) uint32 {
	return m&(1<<packedBits-1) | m>>packedBits&(1<<(24-packedBits)-1)<<slotBits
}

// decode is the inverse of Append. It does not look at what the batch says.
func (b *Batch) decode(data []byte) error {
	if len(data) < batchHeader {
		return fmt.Errorf("a batch of %d bytes", len(data))
	}
	b.kind, b.to = messageKind(data[0]), binary.LittleEndian.Uint32(data[2:])
	b.worker, b.ticket = binary.LittleEndian.Uint32(data[6:]), binary.LittleEndian.Uint32(data[10:])
	width, body := int(data[1]), data[batchHeader:]
	if b.kind > kindReply || width < 1 || width > 4 || (width < 3) != (b.kind == kindReply) || len(body)%width != 0 {
		return fmt.Errorf("a batch of kind %d, width %d and %d bytes", b.kind, width, len(body))
	}
	n := len(body) / width
	b.messages = slices.Grow(b.messages[:0], n)[:n]
	list := b.messages
	switch width {
	case 1:
		for i := range list {
			list[i] = uint32(body[i])
		}
	case 2:
		for i := range list {
			list[i] = uint32(binary.LittleEndian.Uint16(body[2*i:]))
		}
	case 3:
		for ; len(body) >= 8; list, body = list[2:], body[6:] {
			two := binary.LittleEndian.Uint64(body)
			list[0], list[1] = unpack(uint32(two)), unpack(uint32(two>>24))
		}
		for i := range list {
			list[i] = unpack(uint32(body[3*i]) | uint32(body[3*i+1])<<8 | uint32(body[3*i+2])<<16)
		}
	default:
		for i := range list {
			list[i] = binary.LittleEndian.Uint32(body[4*i:])
		}
	}
	return nil
}

// check returns an error if a batch from a peer cannot belong to the current phase.
func (e *Engine) check(b *Batch) error {
	if b.kind == kindReply {
		if b.to >= uint32(len(e.workers)) || e.kind != kindAsk {
			return errors.New("a reply to no question")
		}
		return nil // the worker knows the rest
	}
	if b.to >= uint32(len(e.partitions)) || e.partitions[b.to].remote || len(b.messages) == 0 {
		return fmt.Errorf("a batch of %d messages for partition %d", len(b.messages), b.to)
	}
	p := e.partitions[b.to]
	ok := b.kind == e.kind || b.kind == kindDecrement && e.kind == kindWin
	switch b.kind {
	case kindWin, kindDecrement:
		ok = ok && p.tier == e.tier && p.open
	case kindAsk:
		ok = ok && p.tier < e.tier && p.open
	}
	if !ok {
		return fmt.Errorf("a batch of kind %d for tier %d in a phase of kind %d of tier %d", b.kind, p.tier, e.kind, e.tier)
	}
	most := uint32(0)
	for _, m := range b.messages {
		most = max(most, m&(1<<slotBits-1))
	}
	if uint64(most) >= p.slots() {
		return fmt.Errorf("a message for slot %d of a partition of %d", most, p.slots())
	}
	return nil
}
