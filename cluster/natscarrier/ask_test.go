package natscarrier_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// upper answers questions in capitals, but not all.
func upper(question []byte) ([]byte, error) {
	if len(question) == 0 {
		return nil, errors.New("nothing was asked")
	}
	return bytes.ToUpper(question), nil
}

// answering starts a worker with threads that answer questions, until ctx ends.
func answering(ctx context.Context, w natscarrier.Worker, threads int) chan error {
	var list []func([]byte) ([]byte, error)
	for range threads {
		list = append(list, upper)
	}
	done := make(chan error, 1)
	go func() { done <- natscarrier.Answer(ctx, w, list) }()
	return done
}

// TestAnswer asks threads here and there, that come and go, until there are no more questions.
func TestAnswer(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	_, err := f.Ask(ctx, []byte("anybody?"))
	require.Error(t, err)
	require.Zero(t, f.Answering())
	w := natscarrier.Worker{URL: f.URL(), Account: account, Terms: terms, Name: "one"}
	leaving, leave := context.WithCancel(ctx)
	one := answering(leaving, w, 2)
	w.Name = "two"
	two := answering(ctx, w, 3)
	require.Eventually(t, func() bool { return f.Answering() == 5 }, wait, short/10)
	for range 20 {
		answer, err := f.Ask(ctx, []byte("hello"))
		require.NoError(t, err)
		require.Equal(t, "HELLO", string(answer))
	}
	_, err = f.Ask(ctx, nil)
	require.EqualError(t, err, "nothing was asked")
	leave()
	require.ErrorIs(t, <-one, context.Canceled)
	require.Eventually(t, func() bool { return f.Answering() == 3 }, wait, short/10)
	_, err = f.Ask(ctx, []byte("still there?"))
	require.NoError(t, err)
	f.Finish()
	require.ErrorIs(t, <-two, cluster.ErrClosed)
}

// TestAnswerOther has a worker see another front end at the same address, which it must agree with before
// it answers.
func TestAnswerOther(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{Listen: returning()})
	listen := strings.TrimPrefix(f.URL(), "nats://")
	done := answering(t.Context(), natscarrier.Worker{URL: f.URL(), Account: account, Terms: terms}, 1)
	require.Eventually(t, func() bool { return f.Answering() == 1 }, wait, short/10)
	f.Leave()

	// The same work: it answers again.
	f = open(t, natscarrier.Config{Listen: listen})
	require.Eventually(t, func() bool {
		answer, err := f.Ask(t.Context(), []byte("hello"))
		return err == nil && string(answer) == "HELLO"
	}, wait, short/10)
	f.Leave()

	f, err := natscarrier.Open(t.Context(), natscarrier.Config{
		Terms: cluster.Terms{Version: "2", Game: terms.Game, Rules: terms.Rules}, Account: account, Listen: listen, Store: t.TempDir(),
	})
	require.NoError(t, err)
	defer f.Close()
	asking, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for asking.Err() == nil {
			f.Ask(asking, []byte("hello"))
		}
	}()
	require.ErrorIs(t, <-done, cluster.ErrRefused)
}
