package variant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Canonical returns the rules of the game as text: all that its parents and its own section say, in one form, so that
// equal rules have equal texts whatever file they came from. Neither the name nor rules without effect are part of it;
// rules of history are.
func (g *core) Canonical() string {
	r := *g.rules
	r.name = ""
	var b strings.Builder
	fmt.Fprintf(&b, "board %dx%d\n", r.files, r.ranks)
	for _, k := range g.kinds {
		betza := slots[k.slot].betza
		if r.betza[k.slot] != "" {
			betza = r.betza[k.slot]
		}
		fmt.Fprintf(&b, "piece %c %s %s\n", k.letter, slots[k.slot].name, betza)
		for side := range 2 {
			if region := r.mobility[side][k.slot]; region != nil {
				fmt.Fprintf(&b, "mobility %d %v\n", side, *region)
			}
		}
	}
	history := make([]string, 0, len(r.history))
	for key, value := range r.history {
		history = append(history, key+" "+value)
	}
	slices.Sort(history)
	r.mobility, r.betza, r.letters, r.history = [2][64]*region{}, [64]string{}, [64]byte{}, nil
	fmt.Fprintf(&b, "rules %+v\n", r)
	for _, line := range history {
		fmt.Fprintf(&b, "history %s\n", line)
	}
	return b.String()
}

// digest returns a short digest of the rules.
func (g *core) digest() string {
	sum := sha256.Sum256([]byte(g.Canonical()))
	return hex.EncodeToString(sum[:8])
}
