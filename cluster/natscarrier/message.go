package natscarrier

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
)

// format is the version of all messages except the handshake, which every version can read.
const format = 1

// partSize is the maximum number of bytes of a result in a message. NATS allows 1 MiB by
// default; parts of half that size let other messages through on slow lines.
const partSize = 512 << 10

const (
	joinSubject   = "yomikiri.join"
	jobStream     = "yomikiri-jobs"
	resultStream  = "yomikiri-results"
	jobHeader     = "Yomikiri-Job"
	workerHeader  = "Yomikiri-Worker"
	partHeader    = "Yomikiri-Part" // "2/3" is the second of three parts
	uploadHeader  = "Yomikiri-Upload"
	subjectPrefix = "yomikiri."
)

// subject returns the name of a subject of a session.
func subject(session, name string) string { return subjectPrefix + session + "." + name }

// hello asks to join, or only what the front end works on.
type hello struct {
	Format int           `json:"format"`
	Terms  cluster.Terms `json:"terms"`
	Name   string        `json:"name,omitempty"`
	Ask    bool          `json:"ask,omitempty"`
}

// welcome answers a [hello].
type welcome struct {
	Format  int           `json:"format"`
	Refused string        `json:"refused,omitempty"` // why
	Session string        `json:"session,omitempty"`
	Lease   time.Duration `json:"lease,omitempty"`
	About   string        `json:"about,omitempty"` // if it was asked for
	Ended   bool          `json:"ended,omitempty"` // there are no more jobs
}

// hail says hello to the front end, and fails unless the worker is welcome.
func hail(ctx context.Context, l *link, h hello) (w welcome, err error) {
	h.Format = format
	data, err := json.Marshal(h)
	if err != nil {
		return w, err
	}
	m, err := l.nc.RequestWithContext(ctx, joinSubject, data)
	if err != nil {
		return w, err
	}
	switch err = json.Unmarshal(m.Data, &w); {
	case err != nil:
		return w, fmt.Errorf("answer of the front end: %w", err)
	case w.Format != format:
		return w, otherFormat(format, w.Format)
	case w.Refused != "":
		return w, cluster.Refusal(w.Refused)
	case w.Ended:
		return w, cluster.ErrClosed
	}
	return w, nil
}

// otherFormat refuses a worker that speaks another format.
func otherFormat(worker, front int) error {
	return fmt.Errorf("%w: messages have format %d, and format %d is wanted: use the same program",
		cluster.ErrRefused, worker, front)
}

// beat says that a worker has a job, and in which session it got it.
type beat struct {
	Job     string `json:"job"`
	Session string `json:"session"`
}

// pulse answers a [beat].
type pulse struct {
	Gone bool `json:"gone"`
}

// control is a message to all workers of a session.
type control struct {
	Recalled []uint64 `json:"recalled,omitempty"` // sequence numbers of jobs
	Closed   bool     `json:"closed,omitempty"`   // the front end ends
}

// jobID returns the ID of the job that a message is about.
func jobID(h nats.Header) (id cluster.ID, err error) { return parseID(h.Get(jobHeader)) }

func parseID(text string) (id cluster.ID, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(id) {
		return id, errors.New("no job ID")
	}
	return cluster.ID(b), nil
}
