package games

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Hasher computes 64-bit hashes of positions, the same in every run: of their bytes in memory
// if these determine the position, otherwise of their text. It belongs to one goroutine.
type Hasher[P comparable] struct {
	spans  spans
	append func(dst []byte, p P) []byte
	text   []byte
}

// NewHasher returns a hasher for the positions of g.
func NewHasher[P, M comparable](g Game[P, M]) *Hasher[P] {
	return &Hasher[P]{spans: spansOf[P](), append: g.AppendPosition}
}

// Hash returns the hash of a position.
func (h *Hasher[P]) Hash(p *P) uint64 {
	if len(h.spans) == 0 {
		h.text = h.append(h.text[:0], *p)
		return xxhash.Sum64(h.text)
	}
	return h.spans.hash(unsafe.Pointer(p))
}

// HashBytes returns a function that computes 64-bit hashes of small values, such as moves, the
// same in every run. The hash is 0 if the bytes of a value in memory do not determine it.
func HashBytes[T comparable]() func(*T) uint64 {
	s := spansOf[T]()
	if len(s) == 1 && s[0].size == 2 && s[0].offset == 0 { // much faster, and rankings of moves depend on it
		return func(t *T) uint64 {
			x := uint64(binary.LittleEndian.Uint16(unsafe.Slice((*byte)(unsafe.Pointer(t)), 2))) * 0x9e3779b97f4a7c15
			return x ^ x>>32
		}
	}
	return func(t *T) uint64 { return s.hash(unsafe.Pointer(t)) }
}

// spans are the byte ranges of a type whose bytes determine its values. Other types have none.
type spans []span

// span is a range of bytes without a gap.
type span struct{ offset, size uintptr }

// of returns the bytes of a span of the value at p.
func (s span) of(p unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p, s.offset)), s.size)
}

func spansOf[T comparable]() spans {
	s, _ := appendSpans(nil, reflect.TypeFor[T](), 0)
	return s
}

// appendSpans appends the byte ranges of a type's fields, without padding and blank fields,
// which may differ between equal values. It reports false for pointers and other types
// whose equal values may differ in their bytes.
func appendSpans(dst spans, t reflect.Type, offset uintptr) (_ spans, ok bool) {
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

func (s spans) hash(p unsafe.Pointer) (hash uint64) {
	for _, s := range s {
		hash = (hash<<29|hash>>35)*0x9e3779b97f4a7c15 ^ xxhash.Sum64(s.of(p))
	}
	return hash
}
