package match

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Maker makes a player. When ctx ends, while the player is made or later, it gives up at once: a program is killed.
type Maker[P, M comparable] func(ctx context.Context) (Player[P, M], error)

// Patience says how long a match waits for players. One that does not keep to that, crashes or makes an illegal move
// has lost the game, and another is made for the next. With the zero value a match waits forever, and the first crash
// ends it.
type Patience struct {
	// Start is how long a player may take to start, and to be ready for a game.
	Start time.Duration
	// Move is how long each player may take for a move without a clock.
	Move [2]time.Duration
	// Crashes ends the match when a player has crashed in so many games in a row; 0 means 1.
	Crashes int
}

// grace is how long a call may take to return when it should give up.
const grace = 400 * time.Millisecond

// errLate ends a call that takes too long.
var errLate = errors.New("no answer in time")

// panicked is the error of a call that has panicked.
type panicked struct {
	value any
	stack []byte
}

func (e *panicked) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// guard calls f on a goroutine of its own. After a limit, if that is not 0, it fails with errLate, and with the error
// of ctx if that ends; before that it calls giveUp. If f does not return even then, left is closed when it does, and
// nothing that f writes may be read.
func guard(ctx context.Context, limit time.Duration, giveUp func(), f func(context.Context) error) (left <-chan struct{}, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errLate)
		defer cancel()
	}
	done := make(chan struct{})
	var result error
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				result = &panicked{v, debug.Stack()}
			}
		}()
		result = f(ctx)
	}()
	select {
	case <-done:
		if ctx.Err() == nil {
			return nil, result
		}
	case <-ctx.Done():
	}
	giveUp()
	select {
	case <-done:
		return nil, context.Cause(ctx)
	case <-time.After(grace):
		return done, context.Cause(ctx)
	}
}

// seat is where a player sits, in all games of a thread.
type seat[P, M comparable] struct {
	make   Maker[P, M]
	start  time.Duration
	move   time.Duration
	most   int           // crashes in a row, before the match ends
	left   *atomic.Int64 // calls that have not returned
	number int           // of the player

	player  Player[P, M] // nil until the next game needs one
	giveUp  context.CancelFunc
	made    bool // a player, at least once
	crashes int  // in a row
}

func newSeats[P, M comparable](makers [2]Maker[P, M], p Patience, left *atomic.Int64) (list [2]*seat[P, M]) {
	for i, m := range makers {
		list[i] = &seat[P, M]{make: m, start: p.Start, move: p.Move[i], most: max(p.Crashes, 1), left: left, number: i + 1}
	}
	return list
}

// PlayerError ends a match since a player could not be made, or has crashed in too many games in a row.
type PlayerError struct {
	Player int // 1 or 2
	Games  int // in a row; 0 if the player was not there for the first
	Err    error
}

func (e *PlayerError) Error() string {
	if e.Games == 0 {
		return fmt.Sprintf("player %d: %v", e.Player, e.Err)
	}
	return fmt.Sprintf("player %d crashed in %d games in a row: %v", e.Player, e.Games, e.Err)
}

// Unwrap returns what the player failed with.
func (e *PlayerError) Unwrap() error { return e.Err }

// fatalError ends a match, since nobody has lost a game by it.
type fatalError struct{ error }

func (e fatalError) Unwrap() error { return e.error }

// begin makes a player if there is none, and gets it ready for a game. That no player can be made for the first game
// is a fatalError.
func (s *seat[P, M]) begin(ctx context.Context, seed uint64) error {
	if s.player == nil {
		own, giveUp := context.WithCancel(ctx)
		type result struct{ player Player[P, M] }
		r := &result{}
		left, err := guard(own, s.start, giveUp, func(context.Context) error {
			p, err := s.make(own)
			if err == nil {
				r.player = p
			}
			return err
		})
		switch {
		case left != nil:
			s.leave(left, func() Player[P, M] { return r.player })
		case err != nil && r.player != nil:
			_ = r.player.Close() // it was late, and has given up
		}
		if err != nil {
			giveUp()
			if err = s.late(err); !s.made {
				err = fatalError{&PlayerError{s.number, 0, err}}
			}
			return err
		}
		s.player, s.giveUp, s.made = r.player, giveUp, true
	}
	return s.late(s.call(ctx, s.start, func(ctx context.Context, p Player[P, M]) error { return p.Begin(ctx, seed) }))
}

// late says how long a player had that was not ready.
func (s *seat[P, M]) late(err error) error {
	if errors.Is(err, errLate) {
		return fmt.Errorf("not ready for a game within %v", s.start)
	}
	return err
}

// call calls the player, and leaves it behind if it does not return.
func (s *seat[P, M]) call(ctx context.Context, limit time.Duration, f func(context.Context, Player[P, M]) error) error {
	p := s.player
	left, err := guard(ctx, limit, s.giveUp, func(ctx context.Context) error { return f(ctx, p) })
	if left != nil {
		s.leave(left, func() Player[P, M] { return p })
		s.player = nil
	}
	return err
}

// leave leaves a call behind. Its player, if there is one, is closed if it returns.
func (s *seat[P, M]) leave(left <-chan struct{}, player func() Player[P, M]) {
	s.left.Add(1)
	go func() {
		<-left
		s.left.Add(-1)
		if p := player(); p != nil {
			_ = p.Close()
		}
	}()
}

// crashed counts a game that the player has lost by a crash, and fails if these are too many in a row.
func (s *seat[P, M]) crashed(err error) error {
	p, panics := errors.AsType[*panicked](err)
	s.crashes++
	switch {
	case s.crashes < s.most:
		return nil
	case s.most == 1 && panics:
		panic(fmt.Sprintf("%v\n\n%s", p.value, p.stack))
	case s.most == 1:
		return err
	}
	return &PlayerError{s.number, s.crashes, err}
}

// end ends the player, at once if it has failed or ctx has ended.
func (s *seat[P, M]) end(ctx context.Context, failed bool) error {
	p := s.player
	if p == nil {
		return nil
	}
	s.player = nil
	limit := 2 * farewell
	if failed || ctx.Err() != nil {
		s.giveUp()
		limit = grace
	}
	left, err := guard(context.WithoutCancel(ctx), limit, s.giveUp, func(context.Context) error { return p.Close() })
	s.giveUp()
	if left != nil {
		s.leave(left, func() Player[P, M] { return nil })
	}
	if errors.Is(err, errLate) {
		return nil
	}
	return err
}
