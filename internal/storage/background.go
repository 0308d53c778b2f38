package storage

// Background receives the first error of a store's background work: Pebble would retry that for
// ever, on a full disk for example, and block whoever writes.
type Background chan error

// NewBackground returns one that has no error.
func NewBackground() Background { return make(Background, 1) }

// Fail takes an error. It may be called by several goroutines.
func (b Background) Fail(err error) {
	select {
	case b <- err:
	default:
	}
}

// Guard makes a call to the store and returns its error, as [Catch] does, or the error of background
// work that fails meanwhile. After the latter the call may never end, and the store must not be used
// or closed.
func (b Background) Guard(call func() error) error {
	done := make(chan error, 1)
	go func() { done <- Catch(call) }()
	select {
	case err := <-done:
		return err
	case err := <-b:
		return err
	}
}
