package natscarrier

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// session is the period from when the front end creates the streams until they are lost.
// Its subjects and consumers have its name, so that a worker of an earlier one must join
// again before it gets or sends anything.
type session struct {
	link    *link
	id      string
	began   time.Time
	jobs    jetstream.Stream
	results jetstream.Stream
	workers jetstream.Consumer // of jobs
	front   jetstream.Consumer // of results
	beats   *nats.Subscription
}

// newSession deletes the streams, if any, and creates them again.
func newSession(ctx context.Context, l *link, lease time.Duration, beats nats.MsgHandler) (*session, error) {
	s := &session{link: l, id: rand.Text(), began: time.Now()}
	for _, part := range []struct {
		stream   string
		subjects []string
		consumer string
		made     *jetstream.Stream
		consumed *jetstream.Consumer
	}{
		{jobStream, []string{"job"}, "workers", &s.jobs, &s.workers},
		{resultStream, []string{"result", "part"}, "front", &s.results, &s.front},
	} {
		if err := l.js.DeleteStream(ctx, part.stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return nil, err
		}
		config := jetstream.StreamConfig{
			Name:      part.stream,
			Retention: jetstream.WorkQueuePolicy,
			Storage:   jetstream.MemoryStorage,
			Discard:   jetstream.DiscardNew,
			MaxBytes:  maxMemory / 2,
			// The IDs of messages are kept for this time. It is longer than all attempts to
			// resend a message.
			Duplicates: time.Minute,
		}
		for _, name := range part.subjects {
			config.Subjects = append(config.Subjects, subject(s.id, name))
		}
		var err error
		if *part.made, err = l.js.CreateStream(ctx, config); err != nil {
			return nil, err
		}
		*part.consumed, err = (*part.made).CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable:       part.consumer + "-" + s.id,
			AckPolicy:     jetstream.AckExplicitPolicy,
			AckWait:       lease,
			MaxDeliver:    -1,
			MaxAckPending: -1,
			MaxWaiting:    1 << 14, // workers that wait for a job
		})
		if err != nil {
			return nil, err
		}
	}
	var err error
	s.beats, err = l.nc.Subscribe(subject(s.id, "beat"), beats)
	return s, err
}

// lost reports whether the streams or their consumers are gone.
func (s *session) lost(ctx context.Context) bool {
	for _, c := range []jetstream.Consumer{s.workers, s.front} {
		_, err := c.Info(ctx)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			return true
		}
	}
	return false
}

// send puts a job in the stream and returns its sequence number. attempt is a different
// number each time that the job is offered.
func (s *session) send(ctx context.Context, j cluster.Job, attempt uint64) (uint64, error) {
	ack, err := s.link.js.PublishMsg(ctx, &nats.Msg{
		Subject: subject(s.id, "job"),
		Header: nats.Header{
			jobHeader:             {j.ID.String()},
			jetstream.MsgIDHeader: {fmt.Sprint(j.ID, ".", attempt)},
		},
		Data: j.Body,
	}, jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// remove takes a job out of the stream, if it is there.
func (s *session) remove(ctx context.Context, sequence uint64) error {
	err := s.jobs.DeleteMsg(ctx, sequence)
	if _, ok := errors.AsType[jetstream.JetStreamError](err); ok {
		return nil // it has no such message
	}
	return err
}

// tell sends a control message to all workers.
func (s *session) tell(c control) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.link.nc.Publish(subject(s.id, "control"), data)
}
