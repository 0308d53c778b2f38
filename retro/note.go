package retro

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Members of a solve exchange records: batches, and notes from or to the coordinator. A
// batch, little-endian:
//
//	+--------------+---------------+------------+-----------------------+
//	| kind, 8 bits | phase, 32 bit | to, 32 bit | messages, 32 bit each |
//	+--------------+---------------+------------+-----------------------+
//
// If all messages of a batch have slots below 2^22 and outcomes below 4, as is usual, each
// takes 24 bits, with the outcome in the upper ones. A zero byte follows them, and 64 is
// added to the kind.
//
// In a batch of kindAnswer, the ticket and the number of bytes per code precede the codes:
//
//	+--------------+---------------+------------+-----------------+----------------+-------+
//	| kind, 8 bits | phase, 32 bit | to, 32 bit | ticket, 32 bits | width, 8 bits  | codes |
//	+--------------+---------------+------------+-----------------+----------------+-------+
//
// A note is a byte 255 followed by JSON. The data of a reply follow the JSON, separated by
// a zero byte.
const (
	batchHeader = 9
	noteRecord  = 255

	packed    = 64 // in the first byte
	packedLow = 22 // bits of the slot
)

// appendBatch appends the record of a batch.
func appendBatch(dst []byte, phase uint32, b *batch) []byte {
	first := len(dst)
	dst = binary.LittleEndian.AppendUint32(append(dst, byte(b.kind)), phase)
	dst = binary.LittleEndian.AppendUint32(dst, b.to)
	if b.kind != kindAnswer {
		all := uint32(0)
		for _, m := range b.messages {
			all |= m
		}
		if all&(1<<slotBits-1)>>packedLow == 0 && all>>slotBits>>(24-packedLow) == 0 {
			dst[first] |= packed
			at := len(dst)
			dst = append(dst, make([]byte, 3*len(b.messages)+1)...)
			out, list := dst[at:], b.messages
			for ; len(list) > 1 && len(out) >= 8; out, list = out[6:], list[2:] {
				binary.LittleEndian.PutUint64(out, uint64(pack(list[0]))|uint64(pack(list[1]))<<24)
			}
			for i, m := range list {
				binary.LittleEndian.PutUint32(out[3*i:], pack(m))
			}
			return dst
		}
		at := len(dst)
		dst = append(dst, make([]byte, 4*len(b.messages))...)
		for _, m := range b.messages {
			binary.LittleEndian.PutUint32(dst[at:at+4:len(dst)], m)
			at += 4
		}
		return dst
	}
	n := len(b.messages) - 1
	dst = binary.LittleEndian.AppendUint32(dst, b.messages[n])
	all := uint32(0)
	for _, code := range b.messages[:n] {
		all |= code
	}
	if all < 256 {
		dst = append(dst, 1)
		for _, code := range b.messages[:n] {
			dst = append(dst, byte(code))
		}
		return dst
	}
	dst = append(dst, 2)
	for _, code := range b.messages[:n] {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(code))
	}
	return dst
}

// pack packs a message into 24 bits, and unpack unpacks the message in the low 24 bits.
func pack(m uint32) uint32 { return m&(1<<packedLow-1) | m>>slotBits<<packedLow }

func unpack(m uint32) uint32 {
	return m&(1<<packedLow-1) | m>>packedLow&(1<<(24-packedLow)-1)<<slotBits
}

// readBatch is the inverse of appendBatch: it fills in b and returns the phase.
func readBatch(record []byte, b *batch) (phase uint32) {
	b.kind, b.to = messageKind(record[0]&^packed), binary.LittleEndian.Uint32(record[5:])
	body := record[batchHeader:]
	room := func(n int) []uint32 {
		b.messages = slices.Grow(b.messages[:0], n)[:n]
		return b.messages
	}
	switch {
	case record[0]&packed != 0:
		list := room((len(body) - 1) / 3)
		for ; len(list) > 1 && len(body) >= 8; list, body = list[2:], body[6:] {
			two := binary.LittleEndian.Uint64(body)
			list[0], list[1] = unpack(uint32(two)), unpack(uint32(two>>24))
		}
		for i := range list {
			list[i] = unpack(binary.LittleEndian.Uint32(body[3*i:]))
		}
	case b.kind != kindAnswer:
		list := room(len(body) / 4)
		for i := range list {
			list[i] = binary.LittleEndian.Uint32(body[4*i:])
		}
	default:
		width := max(int(body[4]), 1)
		list := room((len(body)-5)/width + 1)
		codes := body[5:]
		for i := range list[:len(list)-1] {
			if width == 1 {
				list[i] = uint32(codes[i])
			} else {
				list[i] = uint32(binary.LittleEndian.Uint16(codes[2*i:]))
			}
		}
		list[len(list)-1] = binary.LittleEndian.Uint32(body)
	}
	return binary.LittleEndian.Uint32(record[1:])
}

// noteKind is what a note is about.
type noteKind string

const (
	// From a node to the coordinator.
	noteReady    noteKind = "ready"    // it has loaded its part
	noteReport   noteKind = "report"   // its workers are idle
	noteNumber   noteKind = "number"   // asks for the number of a value
	noteSaved    noteKind = "saved"    // its checkpoint of the epoch is on disk
	noteDone     noteKind = "done"     // all tiers are solved
	noteFailed   noteKind = "failed"   // it cannot go on
	noteProgress noteKind = "progress" // how far it has got
	noteReply    noteKind = "reply"    // to a query

	// From the coordinator to a node.
	noteGo        noteKind = "go"        // all are ready
	noteProbe     noteKind = "probe"     // report again
	noteEnd       noteKind = "end"       // of a phase
	notePause     noteKind = "pause"     // end the phase early, for a checkpoint
	noteNumbers   noteKind = "numbers"   // the numbers of values
	noteSave      noteKind = "save"      // write a checkpoint, when all tiers are solved
	noteCommitted noteKind = "committed" // the epoch is committed
	noteQuery     noteKind = "query"     // about values
	noteFinish    noteKind = "finish"    // the database is written
)

// note is a note. Which fields it has depends on its kind.
type note struct {
	Kind  noteKind
	Phase uint64 `json:",omitempty"`

	// Reports and ends.
	Wave           int         `json:",omitempty"`
	Quiet          bool        `json:",omitempty"` // no batches are sent in this phase
	Sent, Received uint64      `json:",omitempty"` // batches, in this phase
	Tallies        []nodeTally `json:",omitempty"`
	Paused         bool        `json:",omitempty"` // the phase is not over

	// Numbers of values, in notes that end a phase, ask for a number or give the numbers.
	Tier               int           `json:",omitempty"`
	List               numberedList  `json:",omitempty"`
	Value              games.Value   `json:",omitempty"`
	Outcomes, Deferred []games.Value `json:",omitempty"`

	// Checkpoints.
	Epoch     int           `json:",omitempty"`
	Leave     bool          `json:",omitempty"` // the solve is interrupted
	Now, Next *frontierSize `json:",omitempty"`
	State     *state        `json:",omitempty"`
	Seen      uint64        `json:",omitempty"` // hash of the state that all nodes have in common

	Error    string        `json:",omitempty"`
	Progress *nodeProgress `json:",omitempty"`
	Query    *query        `json:",omitempty"`
	data     []byte
}

// nodeTally is a tally of a node.
type nodeTally struct {
	Tier                   int         `json:",omitempty"`
	Finished               [][2]uint64 `json:",omitempty"` // number of the outcome, positions
	Open, Moves, Won, Lost uint64      `json:",omitempty"`
}

// numberedList is a list of values that all nodes number in the same way.
type numberedList int

const (
	numberOutcome numberedList = iota + 1
	numberDeferred
)

// record appends the record of the note.
func (n *note) record(dst []byte) []byte {
	text, err := json.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("retro: a note of kind %s: %v", n.Kind, err)) // all its fields fit into JSON
	}
	dst = append(append(dst, noteRecord), text...)
	if n.data != nil {
		dst = append(append(dst, 0), n.data...)
	}
	return dst
}

func readNote(record []byte) (*note, error) {
	n := &note{}
	text := record[1:]
	for i, c := range text {
		if c == 0 {
			n.data = append([]byte{}, text[i+1:]...)
			text = text[:i]
			break
		}
	}
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("a message of another member of the solve: %w", err)
	}
	return n, nil
}

// nodeTallies returns the tallies of all tiers, leaving out empty ones.
func nodeTallies(list []tally) []nodeTally {
	var out []nodeTally
	for tier := range list {
		t := &list[tier]
		if *t == (tally{}) {
			continue
		}
		n := nodeTally{Tier: tier, Open: t.open, Moves: t.moves, Won: t.won, Lost: t.lost}
		for number, count := range t.finished {
			if count > 0 {
				n.Finished = append(n.Finished, [2]uint64{uint64(number), count})
			}
		}
		out = append(out, n)
	}
	return out
}

// add adds a tally of a node.
func (t *tally) add(n *nodeTally) {
	t.open += n.Open
	t.moves += n.Moves
	t.won += n.Won
	t.lost += n.Lost
	for _, f := range n.Finished {
		t.finished[f[0]] += f[1]
	}
}
