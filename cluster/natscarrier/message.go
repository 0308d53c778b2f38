package natscarrier

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
)

// format is the version of all messages except the handshake, which every version can read.
const format = 2

// chunkSize is the maximum number of bytes of a job or a result in a message. NATS allows 1 MiB
// by default; chunks of half that size let other messages through on slow lines.
const chunkSize = 512 << 10

const (
	subjectPrefix = "yomikiri."
	joinSubject   = subjectPrefix + "join"
)

// requestSubject returns the subject of the requests in a session, and pushSubject that of
// what the front end tells a worker unasked.
func requestSubject(session string) string { return subjectPrefix + "jobs." + session }

func pushSubject(session string, worker uint64) string {
	return fmt.Sprint(requestSubject(session), ".", worker)
}

// hello asks to join, or only what the front end works on.
type hello struct {
	Format int           `json:"format"`
	Terms  cluster.Terms `json:"terms"`
	Name   string        `json:"name,omitempty"`
	Key    []byte        `json:"key,omitempty"` // of X25519, public
	Ask    bool          `json:"ask,omitempty"`
}

// welcome answers a [hello].
type welcome struct {
	Format  int           `json:"format"`
	Refused string        `json:"refused,omitempty"` // why
	Session string        `json:"session,omitempty"`
	Worker  uint64        `json:"worker,omitempty"` // its number
	Name    string        `json:"name,omitempty"`   // by which the front end knows it
	Key     []byte        `json:"key,omitempty"`
	Lease   time.Duration `json:"lease,omitempty"`
	About   string        `json:"about,omitempty"` // if it was asked for
	Ended   bool          `json:"ended,omitempty"` // there are no more jobs
}

// greet says hello to the front end, and fails unless the worker is welcome.
func greet(ctx context.Context, l *link, h hello) (w welcome, err error) {
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

// The kinds of a message.
const (
	// Requests.
	takeJob   = iota // waits for a job, up to Size nanoseconds
	moreOfJob        // wants the job from Offset on
	claimJob         // has had the job in another session
	renew            // renews the lease
	result           // has a chunk of the result, from Offset on; all of it has Size bytes
	giveBack         // returns the job
	goodbye          // leaves
	// Replies. The last two are sent without a request too.
	done     // of a result, Offset bytes have arrived
	later    // not now
	tooLarge // the result has more than Size bytes
	gone     // the lease has ended
	closed   // there are no more jobs
)

// message is the fixed part of a request, a reply or a push. Data follows.
type message struct {
	Kind         uint8
	Lease        uint64
	Job          cluster.ID
	Offset, Size uint64
}

// The directions of messages.
const (
	toFront = iota
	toWorker
	pushed // to the worker, unasked
)

// newCipher returns the cipher for the messages between a front end and a worker.
func newCipher(own *ecdh.PrivateKey, other []byte, session string) (cipher.AEAD, error) {
	public, err := ecdh.X25519().NewPublicKey(other)
	if err != nil {
		return nil, err
	}
	secret, err := own.ECDH(public)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(append(secret, session...))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal appends an encrypted message to dst. For each direction a number is used once.
func seal(dst []byte, c cipher.AEAD, direction byte, number uint64, m message, data []byte) []byte {
	text, err := binary.Append(make([]byte, 0, messageSize+len(data)), binary.LittleEndian, m)
	if err != nil {
		panic(err) // it has a fixed size
	}
	return c.Seal(dst, nonce(direction, number), append(text, data...), nil)
}

var messageSize = binary.Size(message{})

// unseal decrypts a message. Whoever does not know the secret cannot have made it.
func unseal(c cipher.AEAD, direction byte, number uint64, sealed []byte) (m message, data []byte, err error) {
	text, err := c.Open(nil, nonce(direction, number), sealed, nil)
	if err != nil {
		return m, nil, err
	}
	r := bytes.NewReader(text)
	if err := binary.Read(r, binary.LittleEndian, &m); err != nil {
		return m, nil, errors.New("the message is too short")
	}
	return m, text[len(text)-r.Len():], nil
}

func nonce(direction byte, number uint64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{direction, 0, 0, 0}, number)
}
