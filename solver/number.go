package solver

import (
	"encoding/json"
	"strconv"
)

// Number is a proof or disproof number as reports have it. From Unproven-1 on, where sums are
// cut off, it is infinite: null in JSON.
type Number uint32

// Infinite reports whether a number is infinite.
func (n Number) Infinite() bool { return n >= Unproven-1 }

// String returns the number in decimal digits, or "infinite".
func (n Number) String() string {
	if n.Infinite() {
		return "infinite"
	}
	return strconv.FormatUint(uint64(n), 10)
}

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if n.Infinite() {
		return []byte("null"), nil
	}
	return []byte(n.String()), nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Unproven
		return nil
	}
	return json.Unmarshal(text, (*uint32)(n))
}
