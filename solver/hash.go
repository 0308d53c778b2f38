package solver

import (
	"reflect"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/yomikiri/yomikiri/games"
)

// hasher computes 64-bit hashes of positions, the same in every run: of their bytes in
// memory if these determine the position, otherwise of their text.
type hasher[P, M comparable] struct {
	game  games.Game[P, M]
	spans []span
	text  []byte
}

// span is a range of bytes without a gap.
type span struct{ offset, size uintptr }

func newHasher[P, M comparable](g games.Game[P, M]) *hasher[P, M] {
	h := &hasher[P, M]{game: g}
	h.spans, _ = appendSpans(nil, reflect.TypeFor[P](), 0)
	return h
}

// appendSpans appends the byte ranges of a type's fields, without padding and blank fields,
// which may differ between equal values. It reports false for pointers and other types
// whose equal values may differ in their bytes.
func appendSpans(dst []span, t reflect.Type, offset uintptr) (_ []span, ok bool) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if last := len(dst) - 1; last >= 0 && dst[last].offset+dst[last].size == offset {
			dst[last].size += t.Size()
			return dst, true
		}
		return append(dst, span{offset, t.Size()}), true
	case reflect.Array:
		ok = true
		for i := 0; i < t.Len() && ok; i++ {
			dst, ok = appendSpans(dst, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		ok = true
		for i := 0; i < t.NumField() && ok; i++ {
			if f := t.Field(i); f.Name != "_" {
				dst, ok = appendSpans(dst, f.Type, offset+f.Offset)
			}
		}
	}
	if !ok {
		return nil, false
	}
	return dst, true
}

// hash returns the hash of a position.
func (h *hasher[P, M]) hash(p *P) (hash uint64) {
	if len(h.spans) == 0 {
		h.text = h.game.AppendPosition(h.text[:0], *p)
		return xxhash.Sum64(h.text)
	}
	for _, s := range h.spans {
		bytes := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.offset)), s.size)
		hash = (hash<<29|hash>>35)*0x9e3779b97f4a7c15 ^ xxhash.Sum64(bytes)
	}
	return hash
}

// HashOf returns a function that computes 64-bit hashes of positions of g, the same in
// every run. The function belongs to one goroutine.
func HashOf[P, M comparable](g games.Game[P, M]) func(*P) uint64 { return newHasher(g).hash }
