//go:build js

package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall/js"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/yomikiri/yomikiri/server/lookup"
)

// file describes a packed database on a web host.
type file struct {
	Name  string   `json:"name"`
	Size  int64    `json:"size"`
	Part  int64    `json:"part"`  // size of each part but the last
	Parts []string `json:"parts"` // their addresses
}

// cachedParts is how many whole parts are kept, where the host serves no ranges.
const cachedParts = 8

// errNoRanges is what a page says of a host that does not serve parts of a file, which is not cut into parts.
var errNoRanges = errors.New("this web host does not serve parts of files (HTTP ranges), which the page needs: publish the site again with --part 1MiB, or put it on another host")

// ranges reads a file by ranges, or by whole parts where the host serves only those. Those who ask for the same range at
// the same time share what arrives.
type ranges struct {
	file file

	mu      sync.Mutex
	running map[[3]int64]*fetching
	whole   *lru.Cache[int, []byte]
}

// fetching is a range that is on its way.
type fetching struct {
	done chan struct{}
	data []byte
	err  error
}

func newRanges(f file) *ranges {
	r := &ranges{file: f, running: map[[3]int64]*fetching{}}
	r.whole, _ = lru.New[int, []byte](cachedParts) // fails for sizes below 1 only
	return r
}

// ReadAt implements [io.ReaderAt].
func (r *ranges) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		if off >= r.file.Size {
			return n, io.EOF
		}
		part := off / r.file.Part
		begin := off - part*r.file.Part
		length := min(int64(len(p)-n), r.file.Part-begin, r.file.Size-off)
		data, err := r.fetch(int(part), begin, length)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data)
		off += length
	}
	return n, nil
}

// fetch returns a range of a part.
func (r *ranges) fetch(part int, begin, length int64) ([]byte, error) {
	key := [3]int64{int64(part), begin, length}
	r.mu.Lock()
	if data, ok := r.whole.Get(part); ok {
		r.mu.Unlock()
		return data[begin:][:length], nil
	}
	f := r.running[key]
	if f != nil {
		r.mu.Unlock()
		<-f.done
		return f.data, f.err
	}
	f = &fetching{done: make(chan struct{})}
	r.running[key] = f
	r.mu.Unlock()
	f.data, f.err = r.get(part, begin, length)
	r.mu.Lock()
	delete(r.running, key)
	r.mu.Unlock()
	close(f.done)
	return f.data, f.err
}

// get asks the host for a range of a part.
func (r *ranges) get(part int, begin, length int64) ([]byte, error) {
	headers := map[string]any{"Range": fmt.Sprintf("bytes=%d-%d", begin, begin+length-1)}
	abort := js.Global().Get("AbortController").New()
	response, err := await(js.Global().Call("fetch", r.file.Parts[part], map[string]any{"headers": headers, "signal": abort.Get("signal")}))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be fetched: %w: %v", r.file.Name, lookup.ErrNotLoaded, err)
	}
	status := response.Get("status").Int()
	size := min(r.file.Part, r.file.Size-int64(part)*r.file.Part)
	switch {
	case status == 200 && len(r.file.Parts) == 1 && length < size:
		abort.Call("abort")
		return nil, errNoRanges
	case status != 200 && status != 206:
		abort.Call("abort")
		return nil, fmt.Errorf("%s cannot be fetched: the web host answers with status %d", r.file.Name, status)
	}
	buffer, err := await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be fetched: %w: %v", r.file.Name, lookup.ErrNotLoaded, err)
	}
	data := make([]byte, buffer.Get("byteLength").Int())
	js.CopyBytesToGo(data, js.Global().Get("Uint8Array").New(buffer))
	switch {
	case status == 206 && int64(len(data)) == length:
		return data, nil
	case status == 200 && int64(len(data)) == size:
		r.mu.Lock()
		r.whole.Add(part, data)
		r.mu.Unlock()
		return data[begin:][:length], nil
	}
	return nil, fmt.Errorf("%s: the web host sends %d bytes, want %d of %d: it has another version of the file", r.file.Name, len(data), length, size)
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	resolved := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{value: args[0]}
		return nil
	})
	defer resolved.Release()
	rejected := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer rejected.Release()
	promise.Call("then", resolved, rejected)
	s := <-done
	return s.value, s.err
}
