package export

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Boards packs boards into bytes, one for each square, then one for each kind of piece in the hand of side 1, those of side 2,
// and the side to move:
//
//	+------------------+------------------+------------------+------+
//	| squares          | hand of side 1   | hand of side 2   | turn |
//	+------------------+------------------+------------------+------+
//
// The squares are those of the layout that have a name. A square has 0 if it is empty, and otherwise the place of its kind
// among those of the layout, counted from 1; of side 2, 128 more. A pit has the number of its stones.
type Boards struct {
	layout  games.Layout
	at      func(index uint64) games.Board
	squares map[string]int // by name
	kinds   map[string]int // places, from 1
	hands   map[string]int // bytes of hands of side 1, by kind
	hand    []string       // kinds that can be in hand
}

// side2 is what the pieces of side 2 have more.
const side2 = 128

// NewBoards returns what packs the boards of a game. at returns the board of the position with an index.
func NewBoards(layout games.Layout, at func(index uint64) games.Board) *Boards {
	b := &Boards{layout: layout, at: at, squares: map[string]int{}, kinds: map[string]int{}, hands: map[string]int{}}
	for _, name := range layout.Squares {
		if name != "" {
			b.squares[name] = len(b.squares)
		}
	}
	for i, k := range layout.Kinds {
		b.kinds[k.Name] = i + 1
		if k.Hand {
			b.hands[k.Name] = len(b.squares) + len(b.hand)
			b.hand = append(b.hand, k.Name)
		}
	}
	return b
}

// Size returns the number of bytes of a board.
func (b *Boards) Size() int { return len(b.squares) + 2*len(b.hand) + 1 }

// append appends the board of the position with an index.
func (b *Boards) append(dst []byte, index uint64) []byte {
	begin := len(dst)
	dst = append(dst, make([]byte, b.Size())...)
	board := b.at(index)
	out := dst[begin:]
	for _, p := range board.Pieces {
		switch {
		case p.Square == "":
			out[b.hands[p.Kind]+(p.Side-1)*len(b.hand)] = byte(max(p.Count, 1))
		case b.layout.Style == games.Pits:
			out[b.squares[p.Square]] = byte(max(p.Count, 1))
		default:
			out[b.squares[p.Square]] = byte(b.kinds[p.Kind] + (p.Side-1)*side2)
		}
	}
	out[len(out)-1] = byte(board.Turn)
	return dst
}

// description returns what the bytes mean, as JSON.
func (b *Boards) description() (string, error) {
	var names []string
	for _, k := range b.layout.Kinds {
		names = append(names, k.Name)
	}
	if b.layout.Style == games.Pits {
		names = nil
	}
	text, err := json.Marshal(struct {
		Squares []string `json:"squares"`
		Kinds   []string `json:"kinds,omitempty"`
		Hands   []string `json:"hands,omitempty"`
	}{slices.DeleteFunc(slices.Clone(b.layout.Squares), func(name string) bool { return name == "" }), names, b.hand})
	if err != nil {
		return "", fmt.Errorf("layout: %w", err)
	}
	return string(text), nil
}
