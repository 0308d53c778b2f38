package plain

// OpenVariant opens a game by the rules that a header has. There are none yet.
func OpenVariant(name, rules string) (*Game, error) { return Open(name) }
