//go:build js

// Reader is the program of a static site that yomikiri publish writes: it answers what the page asks, in the browser, from a
// packed database on the same web host, of which it fetches ranges.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"syscall/js"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// cacheSize is that of decoded blocks, in bytes.
const cacheSize = 64 << 20

// main gives the script the function yomikiriOpen, which takes a description of the file as JSON and returns a promise of a
// function; that takes the method, the path, the query and the body of a request, and returns a promise of [status, answer].
func main() {
	js.Global().Set("yomikiriOpen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		return promise(func() (any, error) {
			h, err := openFile(text)
			if err != nil {
				return nil, err
			}
			return js.FuncOf(func(_ js.Value, args []js.Value) any {
				r := lookup.Request{Method: args[0].String(), Path: args[1].String(), Query: args[2].String(), Body: []byte(args[3].String())}
				return promise(func() (any, error) {
					status, answer := h.Serve(context.Background(), r)
					return []any{status, string(answer)}, nil
				})
			}), nil
		})
	}))
	select {}
}

func openFile(text string) (*lookup.Handler, error) {
	var f file
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return nil, err
	}
	r := newRanges(f)
	p, err := db.OpenPacked(r, f.Size)
	if err != nil {
		return nil, err
	}
	return open(context.Background(), db.New(f.Name, p.Manifest(), p, cacheSize))
}

// promise returns a promise of what do returns, in a goroutine of its own: it may wait for the network. An error has as its reason the
// code of an answer, if there is one.
func promise(do func() (any, error)) js.Value {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			defer executor.Release()
			x, err := do()
			if err != nil {
				e := js.Global().Get("Error").New(err.Error())
				if errors.Is(err, lookup.ErrNotLoaded) {
					e.Set("reason", lookup.CodeNotLoaded)
				}
				reject.Invoke(e)
				return
			}
			resolve.Invoke(x)
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}
