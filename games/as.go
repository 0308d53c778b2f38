package games

// Wrapper is OPTIONAL: it is for a game made of another one, such as one whose positions stand for
// those of the other. It has the capabilities that the other has.
type Wrapper interface {
	// As stores a capability where target, a pointer to an interface such as *[Scorer], points to,
	// and reports whether there is one.
	As(target any) bool
}

// As returns the capability T of a game: the game itself, or what a [Wrapper] has instead.
func As[T any](g any) (capability T, ok bool) {
	if capability, ok = g.(T); ok {
		return capability, true
	}
	if w, wraps := g.(Wrapper); wraps {
		ok = w.As(&capability)
	}
	return capability, ok
}
