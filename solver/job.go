package solver

import (
	"context"
	"encoding/json"
	"fmt"
)

// Outcome is the answer to the question whether the attacker can force a win.
type Outcome uint8

// The outcomes. Proven and Disproven are final: there is a proof. Failed says that a back end
// has given up, because it does not search all moves of the attacker: it proves nothing, and
// the proof is sought elsewhere, in this run. Unverified is for games in which positions can repeat: a back
// end says that the defender holds, and there is no proof of it. Nothing else is searched
// there, but a proof that the attacker wins refutes it.
const (
	Unknown Outcome = iota
	Proven
	Disproven
	Failed
	Unverified
)

var outcomeTexts = [...]string{Unknown: "unknown", Proven: "proven", Disproven: "disproven", Failed: "failed", Unverified: "disproven, not verified"}

// String returns "unknown", "proven", "disproven", "failed" or "disproven, not verified".
func (o Outcome) String() string {
	if int(o) >= len(outcomeTexts) {
		return fmt.Sprintf("Outcome(%d)", o)
	}
	return outcomeTexts[o]
}

// MarshalText implements [encoding.TextMarshaler].
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *Outcome) UnmarshalText(text []byte) error {
	for i, s := range outcomeTexts {
		if s == string(text) {
			*o = Outcome(i)
			return nil
		}
	}
	return fmt.Errorf("outcome %q: there is none", text)
}

// Settled reports whether the outcome is final.
func (o Outcome) Settled() bool { return o == Proven || o == Disproven }

// Question asks whether a side, the attacker, can force a win from a position.
type Question struct {
	// Position is the name of an unfinished position, see package manager.
	Position string `json:"position"`
	// Attacker says that the attacker is to move.
	Attacker bool `json:"attacker"`
}

// Job is a question for a back end.
type Job struct {
	Question
	// Budget is about how many positions may be expanded.
	Budget uint64 `json:"budget"`
	// Proof and Disproof, if not 0, are limits of the numbers: when one of them exceeds its
	// limit, another position is more worth searching.
	Proof    uint32 `json:"proof,omitempty"`
	Disproof uint32 `json:"disproof,omitempty"`
	// Expand says that the position, if it stays open, may be expanded by the moves of the
	// answer. For other jobs the back end need not list moves or write their proofs.
	Expand bool `json:"expand,omitempty"`
	// Close, if not [Unknown], is the answer, which follows from the outcomes of the
	// positions in Known. The job asks only for the proof, including the moves that a
	// back end left out before because it knows them to be irrelevant.
	Close Outcome `json:"close,omitempty"`
	// Known are positions whose outcome is Close and whose proofs the front end has.
	Known []string `json:"known,omitempty"`
	// Whole says that the fragment must not rest on what the back end has written before: the
	// front end does not have all of that.
	Whole bool `json:"whole,omitempty"`
}

// Answer is the answer of a back end to a job.
type Answer struct {
	Question
	Outcome Outcome `json:"outcome"`
	// Fragment is a proof file of the outcome if it is final, see [Known]. Positions
	// marked as known are in Known of the job, or proven by fragments of the same worker's
	// earlier answers. Where the other side holds by repetition, which a fragment cannot show,
	// the outcome is [Unverified].
	Fragment []byte `json:"fragment,omitempty"`
	// Proof and Disproof are the numbers of the position if it is open.
	Proof    uint32 `json:"proof,omitempty"`
	Disproof uint32 `json:"disproof,omitempty"`
	// Score is a heuristic value of the position if it is open: above 0 the attacker seems
	// to win, below 0 not, see package manager.
	Score int32 `json:"score,omitempty"`
	// Moves, if the job asks for them, are the moves by which the front end may expand
	// the position if it is open. A move that is not listed either ends the game without
	// deciding the question, or is left out because the back end knows its outcome; a
	// closing job asks for it later.
	Moves []AnswerMove `json:"moves,omitempty"`
	// Incomplete says that moves of the attacker which may win are not listed. In the answer to
	// a closing job it says that the outcome does not follow: a move that was left out before
	// matters.
	Incomplete bool `json:"incomplete,omitempty"`
	// Nodes is the number of positions that were expanded by the search, Written those that
	// were expanded to write fragments.
	Nodes   uint64 `json:"nodes"`
	Written uint64 `json:"written"`
	// Nanoseconds is how long that took.
	Nanoseconds int64 `json:"nanoseconds"`
	// Memory names the memory in which the back end keeps its results. Back ends that
	// share a memory give the same name.
	Memory string `json:"memory,omitempty"`
}

// AnswerMove is a move and what was found about the position after it, as in [Answer].
type AnswerMove struct {
	Move     string  `json:"move"`
	Outcome  Outcome `json:"outcome,omitempty"`
	Fragment []byte  `json:"fragment,omitempty"`
	Proof    uint32  `json:"proof,omitempty"`
	Disproof uint32  `json:"disproof,omitempty"`
	Score    int32   `json:"score,omitempty"`
}

// Backend answers jobs. It keeps its results for later jobs. It belongs to one
// goroutine.
type Backend interface {
	// Search returns the answer to a job. It returns an error if ctx ends, or if it
	// cannot continue.
	Search(ctx context.Context, j *Job) (*Answer, error)
}

// MarshalBinary encodes a job for a worker in another process.
func (j *Job) MarshalBinary() ([]byte, error) { return json.Marshal(j) }

// MarshalBinary encodes an answer for a front end in another process.
func (a *Answer) MarshalBinary() ([]byte, error) { return json.Marshal(a) }
