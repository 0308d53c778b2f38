package book

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
)

// Config says how a book is made.
type Config[P, M comparable] struct {
	// Games to learn from. Without games a book grows from the start position, by what the search and the database say.
	Games []learn.Game[P, M]
	// Plies is how many moves of a game count, or how far from the start position a book grows.
	Plies int
	// Least is in how many games a move must have been played.
	Least int
	// Most is the largest number of positions.
	Most int

	// Search judges moves, unless it is nil, by Nodes positions for each.
	Search play.Engine[P, M]
	Nodes  uint64
	// Margin is by how much the estimate of a move may be below the best.
	Margin play.Score
	// Database, if not nil, has exact values.
	Database play.Database[P]

	// File keeps what is done, so that the same call goes on after an interrupt. Settings names what the search and the
	// database are.
	File     string
	Settings string
	// Made is for the [Origin].
	Made     string
	Progress games.Progress
}

// ErrState is returned for a state that does not belong to a call.
var ErrState = errors.New("bad state of an opening book")

// ErrEmpty is returned if no position has a move that is good enough.
var ErrEmpty = errors.New("the book would have no position")

// Build makes a book. It depends on nothing but the game and the configuration. If ctx ends, Build keeps what is done and
// returns the error of ctx.
func Build[P, M comparable](ctx context.Context, g games.Game[P, M], c Config[P, M]) (*Book, error) {
	b := &builder[P, M]{Config: c, rules: newRules(g), order: games.OrderOf(g), saved: time.Now()}
	if c.Progress == nil {
		b.Progress = func(string, uint64, uint64) {}
	}
	positions := b.played()
	if err := b.open(positions); err != nil {
		return nil, err
	}
	work := b.grow
	if len(c.Games) > 0 {
		work = func(ctx context.Context) error { return b.judge(ctx, positions) }
	}
	if err := work(ctx); err != nil {
		if ctx.Err() != nil {
			err = errors.Join(ctx.Err(), b.save())
		}
		return nil, err
	}
	book := &Book{Origin: Origin{g.Name(), games.RulesDigest(games.RulesTextOf(g)), c.Made}}
	for _, x := range b.done {
		if len(x.Moves) > 0 {
			book.Positions = append(book.Positions, x)
		}
	}
	if len(book.Positions) == 0 {
		return nil, ErrEmpty
	}
	if c.File != "" {
		if err := os.Remove(c.File); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return book, nil
}

// builder makes a book.
type builder[P, M comparable] struct {
	Config[P, M]
	rules[P, M]
	order games.Order
	state state
	kept  []Position // by an earlier call, in the order in which they are asked for
	done  []Position
	saved time.Time
}

// state is what a file of what is done belongs to.
type state struct {
	Game, Rules, Settings string
	Signature             uint32 // of the rest
}

// open reads what an earlier call has kept, if it has.
func (b *builder[P, M]) open(positions []*played[P]) error {
	h := crc32.NewIEEE()
	fmt.Fprintln(h, b.Plies, b.Least, b.Most, b.Nodes, b.Margin, b.Search != nil, b.Database != nil)
	for _, x := range positions {
		fmt.Fprintln(h, x.text, x.games)
		for _, to := range x.order {
			fmt.Fprintln(h, *x.moves[to])
		}
	}
	b.state = state{b.game.Name(), games.RulesDigest(games.RulesTextOf(b.game)), b.Settings, h.Sum32()}
	if b.File == "" {
		return nil
	}
	var of state
	err := readLines(vfs.Default, b.File, stateKind, &of, &b.kept)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, sealed.ErrDamaged) || errors.Is(err, sealed.ErrKind):
		return fmt.Errorf("%w: %w; remove it to begin again", ErrState, err)
	case err == nil && of != b.state:
		return fmt.Errorf("%s: %w: it is of a book of other games or with other settings; remove it to begin again", b.File, ErrState)
	}
	return err
}

// save keeps what is done.
func (b *builder[P, M]) save() error {
	if b.File == "" || len(b.done) <= len(b.kept) { // that is kept already
		return nil
	}
	b.saved = time.Now()
	return writeLines(vfs.Default, b.File, stateKind, b.state, b.done)
}

// next judges the next position, unless an earlier call has.
func (b *builder[P, M]) next(ctx context.Context, text string, x *played[P]) (*Position, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := len(b.done)
	if n < len(b.kept) && b.kept[n].Position == text {
		b.done = append(b.done, b.kept[n])
		return &b.done[n], nil
	}
	b.kept = b.kept[:min(n, len(b.kept))]
	p, err := b.game.ParsePosition(text)
	if err != nil {
		return nil, err
	}
	moves, err := b.study(ctx, p, x)
	if err = cmp.Or(ctx.Err(), err); err != nil { // a search that has ended early may say something else
		return nil, err
	}
	b.done = append(b.done, Position{text, moves})
	const often = 10 * time.Second
	if time.Since(b.saved) > often {
		err = b.save()
	}
	return &b.done[n], err
}

// played is a position of games.
type played[P comparable] struct {
	text  string
	games int
	moves map[after[P]]*Move // without their texts
	order []after[P]         // of the moves, as they were first played
}

// played returns the positions of the games, those first that occur in most. Each counts once in a game.
func (b *builder[P, M]) played() (list []*played[P]) {
	byText := map[string]*played[P]{}
	for i := range b.Games {
		g := &b.Games[i]
		p := g.From
		seen := map[string]bool{}
		for ply, m := range g.Moves[:min(len(g.Moves), b.Plies)] {
			text := b.text(p)
			x := byText[text]
			if x == nil {
				x = &played[P]{text: text, moves: map[after[P]]*Move{}}
				byText[text] = x
				list = append(list, x)
			}
			to := b.after(p, m)
			p = b.game.Play(p, m)
			if seen[text] {
				continue
			}
			seen[text] = true
			x.games++
			if x.moves[to] == nil {
				x.moves[to] = &Move{}
				x.order = append(x.order, to)
			}
			x.moves[to].count(g.Decided, g.Points, ply)
		}
	}
	list = slices.DeleteFunc(list, func(x *played[P]) bool { return x.games < b.Least })
	slices.SortStableFunc(list, func(x, y *played[P]) int { return cmp.Compare(y.games, x.games) })
	return list[:min(len(list), b.Most)]
}

// count counts a game in which the move was made at a ply. Points are those of the side that moved first.
func (m *Move) count(decided bool, points float64, ply int) {
	m.Played++
	if ply%2 == 1 {
		points = 1 - points
	}
	switch {
	case !decided:
	case points > 0.5:
		m.Won++
	case points < 0.5:
		m.Lost++
	default:
		m.Drawn++
	}
}

// points is a weight by results: a win counts two, and a draw or a game without a result one.
func (m *Move) points() int { return 2*m.Won + m.Played - m.Won - m.Lost }

// judge goes through the positions of games.
func (b *builder[P, M]) judge(ctx context.Context, positions []*played[P]) error {
	for i, x := range positions {
		if _, err := b.next(ctx, x.text, x); err != nil {
			return err
		}
		b.Progress("positions", uint64(i+1), uint64(len(positions)))
	}
	return nil
}

// grow adds the positions that are played most often if both sides choose by the book.
func (b *builder[P, M]) grow(ctx context.Context) error {
	start := b.game.Start()
	if _, finished := b.game.Outcome(start); finished {
		return nil
	}
	border := &border{{text: b.text(start), share: 1}}
	seen := map[string]bool{}
	for added := 1; border.Len() > 0 && len(seen) < b.Most; {
		at := heap.Pop(border).(place)
		if seen[at.text] {
			continue
		}
		seen[at.text] = true
		x, err := b.next(ctx, at.text, nil)
		if err != nil {
			return err
		}
		b.Progress("positions", uint64(len(seen)), uint64(b.Most))
		if at.ply+1 >= b.Plies {
			continue
		}
		p, err := b.game.ParsePosition(at.text)
		if err != nil {
			return err
		}
		all, ways := 0, b.ways(p)
		for _, m := range x.Moves {
			all += m.Weight
		}
		for _, m := range x.Moves {
			to, ok := ways[m.Move]
			if !ok {
				return fmt.Errorf("%s: %w: move %q of %q is not legal; remove it to begin again", b.File, ErrState, m.Move, at.text)
			}
			if _, finished := b.game.Outcome(to.p); finished {
				continue
			}
			heap.Push(border, place{b.text(to.p), at.share * float64(m.Weight) / float64(all), at.ply + 1, added})
			added++
		}
	}
	return nil
}

// place is a position that a book may grow by.
type place struct {
	text  string
	share float64 // of the games, on the most frequent way there
	ply   int
	added int
}

// border is a heap of places, the most frequent first, and of these the first that was added.
type border []place

func (b border) Len() int      { return len(b) }
func (b border) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func (b border) Less(i, j int) bool {
	if b[i].share != b[j].share {
		return b[i].share > b[j].share
	}
	return b[i].added < b[j].added
}
func (b *border) Push(x any) { *b = append(*b, x.(place)) }
func (b *border) Pop() any {
	last := len(*b) - 1
	x := (*b)[last]
	*b = (*b)[:last]
	return x
}
