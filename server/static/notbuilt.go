//go:build !reader

package static

// built returns nothing: the program was built without readers.
func built() Readers { return nil }
