package natscarrier

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/yomikiri/yomikiri/cluster"
)

const (
	questionSubject = "yomikiri.question" // front end to a queue of threads, one of which replies
	countSubject    = "yomikiri.count"    // front end to workers, which reply how many threads they have
	threads         = "threads"           // the queue
)

// Ask asks whoever answers questions by [Answer], and returns the answer. It fails if that takes longer than
// five seconds, if nobody is there, or if the thread cannot answer.
func (f *Front) Ask(ctx context.Context, question []byte) ([]byte, error) {
	ctx, cancel := f.conn.attempt(ctx, request)
	defer cancel()
	m := nats.NewMsg(questionSubject)
	m.Header.Set(sessionHeader, f.session)
	m.Data = question
	reply, err := f.conn.nc.RequestMsgWithContext(ctx, m)
	if err != nil {
		return nil, err
	}
	if reply.Header.Get(failedHeader) != "" {
		return nil, errors.New(reply.Header.Get(failedHeader))
	}
	return reply.Data, nil
}

// failedHeader has the reason why there is no answer.
const failedHeader = "Yomikiri-Failed"

// Answering returns how many threads answer questions, counted in the last second or two.
func (f *Front) Answering() int {
	f.counting.Do(func() { go f.countThreads() })
	return int(f.answering.Load())
}

// countThreads counts the threads each second until the connection is closed.
func (f *Front) countThreads() {
	inbox := f.conn.nc.NewInbox()
	replies := make(chan *nats.Msg, maxWorkers)
	if _, err := f.conn.nc.ChanSubscribe(inbox, replies); err != nil {
		return // the connection is closed
	}
	for tick := time.Tick(time.Second); ; {
		f.conn.nc.PublishRequest(countSubject, inbox, nil) // if it is lost, nobody is counted
		select {
		case <-tick:
		case <-f.conn.ctx.Done():
			return
		}
		counted := 0
		for range len(replies) {
			if n, err := strconv.Atoi(string((<-replies).Data)); err == nil {
				counted += n
			}
		}
		f.answering.Store(int64(counted))
	}
}

// Answer joins a front end as [Join] does, and answers its questions with one function for each
// thread, until ctx ends or there are no more.
func Answer(ctx context.Context, w Worker, answers []func(question []byte) ([]byte, error)) error {
	joined, err := Join(ctx, w)
	if err != nil {
		return err
	}
	b := joined.(*back)
	defer b.Close()
	for _, answer := range answers {
		_, err := b.conn.nc.QueueSubscribe(questionSubject, threads, func(m *nats.Msg) { b.answer(ctx, m, answer) })
		if err != nil {
			return b.conn.reason(err)
		}
	}
	count := strconv.Itoa(len(answers))
	if _, err = b.conn.nc.Subscribe(countSubject, func(m *nats.Msg) { m.Respond([]byte(count)) }); err != nil {
		return b.conn.reason(err)
	}
	for {
		select {
		case <-time.After(poll): // the front end may have gone, and another may have come
			err := b.conn.retry(ctx, func(ctx context.Context) error {
				b.mu.Lock()
				b.session = ""
				b.mu.Unlock()
				_, err := b.join(ctx, "")
				return err
			})
			if err != nil {
				return err
			}
		case <-b.conn.ctx.Done():
			return context.Cause(b.conn.ctx)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// answer answers a question, if the worker agrees with the front end that asks it.
func (b *back) answer(ctx context.Context, m *nats.Msg, answer func([]byte) ([]byte, error)) {
	ctx, cancel := b.conn.attempt(ctx, request)
	defer cancel()
	if _, err := b.join(ctx, m.Header.Get(sessionHeader)); err != nil {
		if errors.Is(err, cluster.ErrRefused) {
			b.conn.end(err)
		}
		return
	}
	data, err := answer(m.Data)
	if err != nil {
		m.RespondMsg(&nats.Msg{Header: nats.Header{failedHeader: {err.Error()}}})
		return
	}
	m.Respond(data) // if it is lost, the front end does without it
}
