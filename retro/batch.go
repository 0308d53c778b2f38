package retro

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
	// kindAsk: a worker of another node wants the codes of positions of an earlier tier.
	// Three words follow the messages: see inquiry.
	kindAsk
	// kindAnswer: the codes that were asked for. The batch is for a worker, not for a
	// partition.
	kindAnswer
)

// batch holds messages to one partition.
type batch struct {
	kind     messageKind
	to       uint32   // the partition
	messages []uint32 // each about the slot in bits 0 to 23
}

// slotBits is the width of a slot in a message.
const slotBits = 24
