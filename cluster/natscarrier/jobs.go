package natscarrier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// format is the version of all messages except the handshake, which every version can read.
const format = 3

// The names on the server.
const (
	helloSubject  = "yomikiri.hello"  // worker to front end, which replies
	recallSubject = "yomikiri.recall" // to workers: jobs that are recalled; nothing if no jobs are left
	jobPrefix     = "yomikiri.job."   // to the stream of jobs
	resultPrefix  = "yomikiri.result."

	jobStream      = "yomikiri-jobs"
	workerConsumer = "workers"
	resultStream   = "yomikiri-results"
	frontConsumer  = "front"
	partBucket     = "yomikiri-parts" // of jobs and results that are too large for a message
)

// The headers of a message.
const (
	sessionHeader = "Yomikiri-Session" // of the front end
	jobHeader     = "Yomikiri-Job"
	workerHeader  = "Yomikiri-Worker"
	objectHeader  = "Yomikiri-Object" // that has the body
)

const (
	// maxResult is the size of the largest result. A worker that has found more is told so.
	maxResult = 256 << 20
	// maxResults limits the results that wait in the stream, and maxParts those in the bucket; who sends
	// more has to wait.
	maxResults = 256 << 20
	maxParts   = 1 << 30
	// manyDeliveries is after how many workers that have not answered a job the next ones say so.
	manyDeliveries = 10
	maxWorkers     = 4096
)

// hello asks to join, or only what the front end works on.
type hello struct {
	Format int           `json:"format"`
	Terms  cluster.Terms `json:"terms"`
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

// greet says hello to the front end, and fails unless the worker is welcome.
func greet(ctx context.Context, c *conn, h hello) (w welcome, err error) {
	h.Format = format
	data, err := json.Marshal(h)
	if err != nil {
		return w, err
	}
	m, err := c.nc.RequestWithContext(ctx, helloSubject, data)
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

// errTooLarge says that a result is too large.
var errTooLarge = errors.New("the result is too large")

// pack puts a body into a message, or into an object if that would be too large.
func pack(ctx context.Context, c *conn, m *nats.Msg, object string, body []byte) error {
	if int64(len(body)) <= c.nc.MaxPayload()/2 {
		m.Data = body
		return nil
	}
	if len(body) > maxResult {
		return fmt.Errorf("%w: it has %d bytes, and at most %d are taken", errTooLarge, len(body), maxResult)
	}
	m.Header.Set(objectHeader, object)
	return c.put(ctx, object, bytes.NewReader(body), int64(len(body)))
}

// unpack returns the body of a message. It fails with jetstream.ErrObjectNotFound if its object has
// been deleted.
func unpack(ctx context.Context, c *conn, m jetstream.Msg) (body []byte, err error) {
	object := m.Headers().Get(objectHeader)
	if object == "" {
		return m.Data(), nil
	}
	err = c.get(ctx, object, func(r io.Reader, size int64) error {
		if size > maxResult {
			return fmt.Errorf("%w: it has %d bytes", errTooLarge, size)
		}
		body = make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		_, err := r.Read(make([]byte, 1)) // the end, where the checksum is compared
		if err == io.EOF {
			err = nil
		}
		return err
	})
	return body, err
}
