package proof

import (
	"context"
	"fmt"
)

// Work counts the work of a check in steps of up to about 10 ns, so that no file takes longer
// than is allowed for its size. It also stops the check when its context is done. It belongs
// to one goroutine.
type Work struct {
	ctx         context.Context
	done, limit int64
	look        int64 // when to check the context next
}

// lookEvery is the number of steps between checks of the context.
const lookEvery = 1 << 18

// NewWork returns a count of work that may take up to limit steps.
func NewWork(ctx context.Context, limit int64) *Work { return &Work{ctx: ctx, limit: limit} }

// Steps returns how many steps were counted.
func (w *Work) Steps() int64 { return w.done }

// Context returns the context.
func (w *Work) Context() context.Context { return w.ctx }

// Spend counts steps. It fails when the limit is exceeded or the context is done.
func (w *Work) Spend(steps int) error {
	w.done += int64(steps)
	if w.done > w.limit {
		return fmt.Errorf("it takes more than %d steps", w.limit)
	}
	if w.done >= w.look {
		w.look = w.done + lookEvery
		return w.ctx.Err()
	}
	return nil
}

// nodeWork is the work for a node, in addition to the work for its bytes and for three
// positions: reading its own, seeing that the game is not over there, and generating its
// moves.
const nodeWork = 100

// Files of up to freeBytes bytes may take freeWork steps; each byte more allows for
// byteWork more.
const (
	freeBytes = 1 << 20
	freeWork  = 1 << 30
	byteWork  = 1 << 12
)

// allowedWork returns the number of steps that a file, or the part of it read so far, of the
// given size may take.
func allowedWork(bytes uint64) int64 {
	return freeWork + byteWork*max(int64(bytes)-freeBytes, 0)
}
