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

// batches are batches for messages from peers.
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
	width := 3
	if b.kind == kindReply {
		width = 1
		for _, code := range b.messages {
			if code >= 1<<8 {
				width = 2
			}
		}
	}
	begin := len(dst)
	dst = binary.LittleEndian.AppendUint32(append(dst, byte(b.kind), byte(width)), b.to)
	dst = binary.LittleEndian.AppendUint32(dst, b.worker)
	dst = binary.LittleEndian.AppendUint32(dst, b.ticket)
	switch width {
	case 1:
		for _, code := range b.messages {
			dst = append(dst, byte(code))
		}
	case 2:
		for _, code := range b.messages {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(code))
		}
	default:
		packed, all := appendPacked(dst, b.messages)
		if all {
			return packed
		}
		dst[begin+1] = 4
		for _, m := range b.messages {
			dst = binary.LittleEndian.AppendUint32(dst, m)
		}
	}
	return dst
}

// both, times a mask, is the mask for two messages in a word.
const both = 1<<32 | 1

// appendPacked appends messages of 3 bytes, and reports whether that is enough for all.
func appendPacked(dst []byte, list []uint32) (_ []byte, all bool) {
	at, end := len(dst), len(dst)+3*len(list)
	dst = slices.Grow(dst, end-at+8)[:end+8] // so that a whole word can be written at the end
	out, bits := dst[at:], uint64(0)
	for ; len(list) >= 4 && len(out) >= 16; out, list = out[12:], list[4:] {
		a, b := uint64(list[0])|uint64(list[1])<<32, uint64(list[2])|uint64(list[3])<<32
		bits |= a | b
		binary.LittleEndian.PutUint64(out, pack(a))
		binary.LittleEndian.PutUint64(out[6:], pack(b))
	}
	for i, m := range list {
		bits |= uint64(m)
		binary.LittleEndian.PutUint32(out[3*i:], uint32(pack(uint64(m))))
	}
	return dst[:end], bits&(both*(1<<slotBits-1<<packedBits|(1<<32-1<<(2*slotBits-packedBits)))) == 0
}

// pack packs two messages into 48 bits, and unpack unpacks the message in the low 24 bits.
func pack(two uint64) uint64 {
	two = two&(both*(1<<packedBits-1)) | two>>(slotBits-packedBits)&(both*(1<<slotBits-1<<packedBits))
	return two&(1<<slotBits-1) | two>>32<<slotBits
}

func unpack(m uint32) uint32 {
	return m&(1<<packedBits-1) | m<<(32-24)>>(32-24+packedBits)<<slotBits
}

// decode is the inverse of Append. It does not look at what the batch says, but returns the largest
// slot, since check would take as long again to find it.
func (b *Batch) decode(data []byte) (most uint32, err error) {
	if len(data) < batchHeader {
		return 0, fmt.Errorf("a batch of %d bytes", len(data))
	}
	b.kind, b.to = messageKind(data[0]), binary.LittleEndian.Uint32(data[2:])
	b.worker, b.ticket = binary.LittleEndian.Uint32(data[6:]), binary.LittleEndian.Uint32(data[10:])
	width, body := int(data[1]), data[batchHeader:]
	if b.kind > kindReply || width < 1 || width > 4 || (width < 3) != (b.kind == kindReply) || len(body)%width != 0 {
		return 0, fmt.Errorf("a batch of kind %d, width %d and %d bytes", b.kind, width, len(body))
	}
	n := len(body) / width
	b.messages = slices.Grow(b.messages[:0], n)[:n]
	list, next := b.messages, uint32(0)
	const slot = 1<<slotBits - 1
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
		for ; len(body) >= 16; list, body = list[4:], body[12:] {
			two, more := binary.LittleEndian.Uint64(body), binary.LittleEndian.Uint64(body[6:])
			list[0], list[1] = unpack(uint32(two)), unpack(uint32(two>>24))
			list[2], list[3] = unpack(uint32(more)), unpack(uint32(more>>24))
			most, next = max(most, list[0]&slot, list[2]&slot), max(next, list[1]&slot, list[3]&slot)
		}
		for i := range list {
			list[i] = unpack(uint32(body[3*i]) | uint32(body[3*i+1])<<8 | uint32(body[3*i+2])<<16)
			most = max(most, list[i]&slot)
		}
	default:
		for i := range list {
			list[i] = binary.LittleEndian.Uint32(body[4*i:])
			most = max(most, list[i]&slot)
		}
	}
	return max(most, next), nil
}

// check returns an error if a batch from a peer, with the largest slot most, cannot belong to the current
// phase.
func (e *Engine) check(b *Batch, most uint32) error {
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
	if uint64(most) >= p.slots() {
		return fmt.Errorf("a message for slot %d of a partition of %d", most, p.slots())
	}
	return nil
}
