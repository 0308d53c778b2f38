package variant

import (
	"bytes"
	_ "embed" // the variants
	"sync"
)

//go:embed builtin.ini
var builtinText []byte

// BuiltIn returns the variants that are built in.
var BuiltIn = sync.OnceValue(func() *File {
	f, err := Read("builtin.ini", bytes.NewReader(builtinText), nil)
	if err != nil {
		panic(err)
	}
	for _, broken := range f.broken {
		panic(broken)
	}
	return f
})
