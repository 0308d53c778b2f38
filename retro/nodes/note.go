package nodes

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// Nodes and the coordinator exchange records: batches, and notes from or to the coordinator.
//
//	+--------+---------------+-------+
//	| 0      | phase, 32 bit | batch |   see engine.Batch
//	+--------+---------------+-------+
//	+--------+------+---+------------+
//	| 1      | JSON | 0 | data       |   a note; the zero byte and the data are optional
//	+--------+------+---+------------+
const (
	batchRecord = iota
	noteRecord
)

const batchHeader = 5

func appendBatch(dst []byte, phase uint64, b *engine.Batch) []byte {
	return b.Append(binary.LittleEndian.AppendUint32(append(dst, batchRecord), uint32(phase)))
}

// noteKind is what a note is about.
type noteKind string

const (
	// From a node to the coordinator.
	noteReady    noteKind = "ready"    // it has loaded its snapshot
	noteReport   noteKind = "report"   // its workers are idle
	noteAsk      noteKind = "ask"      // for the number of a value
	noteSaved    noteKind = "saved"    // its snapshot of the epoch is on disk
	noteDone     noteKind = "done"     // all tiers are solved
	noteFailed   noteKind = "failed"   // it cannot go on
	noteProgress noteKind = "progress" // how far it has got
	noteReply    noteKind = "reply"    // to a query

	// From the coordinator to a node.
	noteGo        noteKind = "go"        // all are ready
	noteProbe     noteKind = "probe"     // report again
	noteEnd       noteKind = "end"       // of a phase
	notePause     noteKind = "pause"     // end the phase early, for a snapshot
	noteNumbers   noteKind = "numbers"   // the numbers of values
	noteSave      noteKind = "save"      // write a snapshot, when all tiers are solved
	noteCommitted noteKind = "committed" // the epoch is committed
	noteQuery     noteKind = "query"     // about values
	noteFinish    noteKind = "finish"    // the database is written
)

// note is a note. Which fields it has depends on its kind.
type note struct {
	Kind   noteKind
	Phase  uint64         `json:",omitempty"`
	Wave   int            `json:",omitempty"`
	Report *engine.Report `json:",omitempty"`
	End    *engine.End    `json:",omitempty"`

	// Numbers of values.
	Tier   int           `json:",omitempty"`
	List   engine.List   `json:",omitempty"`
	Value  games.Value   `json:",omitempty"`
	Values []games.Value `json:",omitempty"`

	// Snapshots.
	Epoch int           `json:",omitempty"`
	Leave bool          `json:",omitempty"` // the solve is interrupted
	State *engine.State `json:",omitempty"`
	Seen  uint64        `json:",omitempty"` // hash of the state that all nodes have in common

	Error    string        `json:",omitempty"`
	Progress *nodeProgress `json:",omitempty"`
	Query    *query        `json:",omitempty"`
	data     []byte
}

// nodeProgress is the progress of a node.
type nodeProgress struct {
	engine.Progress
	Before uint64 // positions done in earlier runs: by this node, or in the pass "levels" by all
}

// query is a question to a node that has solved all tiers.
type query struct {
	ID     int
	Index  uint64        // for the value of a position that it has,
	First  bool          // the first unfinished position of a tier with a value,
	Value  games.Value   // this one,
	Tier   int           // in this tier,
	Run    *engine.Run   // or for those blocks of a run that the node has, encoded
	Values []games.Value // with the codes of these
	Found  bool          // in the reply
}

// record appends the record of the note.
func (n *note) record(dst []byte) []byte {
	text, err := json.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("nodes: a note of kind %s: %v", n.Kind, err)) // all its fields fit into JSON
	}
	dst = append(append(dst, noteRecord), text...)
	if n.data != nil {
		dst = append(append(dst, 0), n.data...)
	}
	return dst
}

// readNote reads a note after the byte that marks it, and checks that it has the fields of its
// kind.
func readNote(record []byte) (*note, error) {
	n := &note{}
	text, data, found := bytes.Cut(record, []byte{0})
	if found {
		n.data = bytes.Clone(data)
	}
	if err := json.Unmarshal(text, n); err != nil {
		return nil, fmt.Errorf("a note that cannot be read: %w", err)
	}
	missing := false
	switch n.Kind {
	case noteReady, noteDone:
		missing = n.State == nil
	case noteReport:
		missing = n.Report == nil
	case noteEnd:
		missing = n.End == nil
	case noteAsk, noteNumbers:
		missing = n.List != engine.Outcomes && n.List != engine.Deferred
	case noteProgress:
		missing = n.Progress == nil
	case noteReply, noteQuery:
		missing = n.Query == nil
	case noteSaved, noteFailed, noteGo, noteProbe, notePause, noteSave, noteCommitted, noteFinish:
	default:
		missing = true
	}
	if missing {
		return nil, fmt.Errorf("a note of kind %q without what belongs to it", n.Kind)
	}
	return n, nil
}

// readRecord reads a record: a note, or the phase and the batch.
func readRecord(record []byte) (n *note, phase uint64, batch []byte, err error) {
	switch {
	case len(record) >= batchHeader && record[0] == batchRecord:
		return nil, uint64(binary.LittleEndian.Uint32(record[1:])), record[batchHeader:], nil
	case len(record) > 0 && record[0] == noteRecord:
		n, err = readNote(record[1:])
		return n, 0, nil, err
	}
	return nil, 0, nil, errors.New("a record that is neither batch nor note")
}
