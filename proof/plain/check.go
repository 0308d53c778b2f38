package plain

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// What is wrong with a file, for [errors.Is]. Any other error of [Check] is that of the
// context, or of reading.
var (
	ErrUnsuited = errors.New("not for the plain checker") // no proof, another version, game or rules, or a database
	ErrRefused  = errors.New("the proof is refused")      // or the file is damaged
	ErrLimit    = errors.New("checking takes too much work")
)

// A Report says what a file claims, and counts what was checked so far.
type Report struct {
	Header
	Ranks []uint64 // of the root, for each claim

	Counts

	Replies   uint64 // moves made at AND nodes
	Immediate uint64 // of them, those that need no node
	Live      uint64 // the most nodes kept at a time
	Bytes     uint64 // read
}

// Header is the beginning of a file, as it has it.
type Header struct {
	Game, Root string
	Claims     []string
	By         string // the program that wrote it
	Repeats    bool   // there may be nodes ahead
	Database   string // its checksum, empty if the proof rests on none
	Positions  uint64 // to search
	Monotone   bool   // children may be worse than what they answer
	Rules      string // of a game from a file
}

// Counts are those at the end of the file.
type Counts struct{ Nodes, Or, And, Certified, References, Ahead, Searched uint64 }

// Options are options of [Check].
type Options struct {
	// Progress, if set, is called now and then.
	Progress func(Report)
	// Database, if set, opens the database of a game, with rules if the file has any, and a checksum; that is empty if the proof
	// rests on none. The function that it returns says whether the database has a position, and
	// if so who wins: the side to move if the result is above 0, the other side if it is below.
	// The values are trusted.
	Database func(game, rules, checksum string) (func(position string) (result int, ok bool, err error), error)
}

// Limits, since a few bytes may say much. A proof may be right without keeping to them.
const (
	maxSteps     = 1 << 24 // boards looked at, those of searches included,
	stepsPerByte = 1 << 12 // and for each byte
	maxNodes     = 1 << 17 // kept at a time, or one for nodeBytes bytes if that is more
	nodeBytes    = 8
	maxPlaces    = 1 << 18 // remembered at a time
)

type checker struct {
	Report
	ctx     context.Context
	file    io.Reader
	zstd    *zstd.Decoder
	options Options
	values  func(position string) (result int, ok bool, err error) // of the database, nil without one
	steps   uint64
	where   string // for errors

	points  Points // in claims about points
	search  uint64 // of Positions, those that no node has used
	chunks  uint64 // read
	records []byte // those of the chunk that are left
	game    *Game

	left  uint64           // positions that the search of a node may still look at
	holds bool             // the claim is to hold, not to win
	nodes map[uint64]*node // by number: those that have uses left
	next  uint64           // the number of the next node
}

// A node is one that was checked, or one ahead.
type node struct {
	canonical  Position
	toMove     bool   // the claimant is to move
	rank, uses uint64 // uses left
	ahead      bool
}

// Check reads a proof file. Its error is nil if the file proves what it claims.
func Check(ctx context.Context, file io.Reader, o Options) (report Report, err error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return report, err
	}
	defer decoder.Close()
	c := &checker{ctx: ctx, file: file, zstd: decoder, options: o, where: "header"}
	defer func() {
		if report = c.Report; err != nil {
			err = fmt.Errorf("%s: %w", c.where, err)
		}
	}()
	defer recovered(&err)
	c.header()
	for _, claim := range c.Claims {
		c.claim(claim)
	}
	c.where = "end"
	must(len(c.records) == 0, "a record after the last claim")
	c.end()
	return
}

// step counts work.
func (c *checker) step() {
	c.steps++
	demand(c.steps <= maxSteps+stepsPerByte*c.Bytes, ErrLimit, "more than %d steps", c.steps)
	if c.steps%1024 == 0 {
		demand(c.ctx.Err() == nil, c.ctx.Err(), "checking")
		if c.options.Progress != nil {
			c.options.Progress(c.Report)
		}
	}
}

// claim checks a claim.
func (c *checker) claim(claim string) {
	c.where = claim
	side, what, _ := strings.Cut(claim, " ")
	toMove := side == "mover"
	c.holds = what == "holds"
	root := c.game.parse(c.Root)
	if points, ok := strings.CutPrefix(what, "at least "); ok {
		root.need, _ = strconv.Atoi(points)
		if !toMove {
			root.need = 1 - root.need
		}
	}
	c.nodes, c.next = map[uint64]*node{}, 1
	for {
		for len(c.records) == 0 {
			kind, data := c.chunk()
			must(kind == 'N', "the end of the claim is missing")
			c.records = data
		}
		c.where = fmt.Sprintf("%s, after node %d", claim, c.next-1)
		c.step()
		switch kind := c.take(1)[0]; {
		case kind >= 1 && kind <= 4, c.Repeats && (kind == 6 || kind == 7), c.Positions > 0 && (kind == 9 || kind == 10):
			c.node(kind)
		case c.Repeats && kind == 8:
			back, less := c.number(), c.number()
			must(less < back, "the node that keeps is before the one ahead")
			ahead, keeper := c.refer(c.next, back, true), c.refer(c.next, less, false)
			must(ahead.ahead && ahead.uses == 0, "the node kept is not ahead, or has more uses")
			must(!keeper.ahead && keeper.canonical == ahead.canonical && keeper.toMove == ahead.toMove, "the node that keeps is ahead, or has another position")
			c.References += 2
		case kind == 5:
			c.Ranks = append(c.Ranks, c.proven(root, toMove, c.number()))
			must(len(c.nodes) == 0, "%d nodes have fewer uses than they say", len(c.nodes))
			return
		default:
			must(false, "a record of kind %d", kind)
		}
	}
}

// refer uses the node at a distance before a number. The last use of a node ahead is the one
// that keeps it.
func (c *checker) refer(from, distance uint64, keep bool) *node {
	n := c.nodes[from-distance]
	must(distance >= 1 && n != nil, "no node at a distance of %d, or no use of it left", distance)
	n.uses--
	if n.uses == 0 {
		must(keep || !n.ahead, "node %d is ahead and not kept", from-distance)
		delete(c.nodes, from-distance)
	}
	return n
}

// proven checks that the node at a distance is that of a position, or if the distance is 0
// that the position is finished as claimed. It returns the rank.
func (c *checker) proven(p Position, toMove bool, distance uint64) uint64 {
	over, won := c.ended(p, toMove)
	if distance == 0 {
		must(won, "no node, and the game is not finished as claimed")
		return 0
	}
	n := c.refer(c.next, distance, false)
	must(!over && n.toMove == toMove && c.answers(n, p, toMove), "a node for another position")
	return n.rank
}

// answers returns whether a node is that of a position or, in a file that is monotone, the
// position is no worse for the claimant.
func (c *checker) answers(n *node, p Position, toMove bool) bool {
	if !c.Monotone {
		return n.canonical == c.canonical(p)
	}
	ok, claimant := n.canonical.mover == p.mover, p.mover
	if !toMove {
		claimant = other(p.mover)
	}
	for s := range len(p.board) {
		here, there := p.board[s], n.canonical.board[s]
		ok = ok && (there != claimant || here == claimant) && (here != other(claimant) || there == here)
	}
	return ok
}

// canonical returns what a position and its images share. In a file that is monotone images do
// not count.
func (c *checker) canonical(p Position) Position {
	if c.Monotone {
		return p
	}
	return c.game.Canonical(p)
}

// ended returns whether a position is finished, and whether it is as claimed.
func (c *checker) ended(p Position, toMove bool) (over, won bool) {
	result, over := c.game.Result(p)
	switch {
	case c.points != nil:
		left := c.points.Left(p)
		if over {
			left = 0
			p.need -= result
		}
		if over = over || p.need > left || p.need <= -left; p.need > left {
			result = -1
		} else {
			result = 1
		}
	case !over && c.values != nil:
		var err error
		result, over, err = c.values(c.game.Format(p))
		if err != nil {
			panic(failure{err})
		}
	}
	if !toMove {
		result = -result
	}
	return over, over && (result > 0 || result == 0 && c.holds)
}

// play returns the position after a move.
func (c *checker) play(p Position, m Move) Position {
	after := c.game.Play(p, m)
	if c.points != nil {
		after.need = 1 - (p.need - c.points.Gain(p, m))
	}
	return after
}

// position returns the position of a node's text.
func (c *checker) position(text string) Position {
	if c.points == nil {
		return c.game.parse(text)
	}
	at := max(0, strings.LastIndex(text, " >="))
	p, need := c.game.parse(text[:at]), strings.TrimPrefix(text[at:], " >=")
	p.need = points(need)
	return p
}

// points returns a number of points.
func points(text string) int {
	n, err := strconv.Atoi(text)
	must(err == nil && strconv.Itoa(n) == text && max(n, -n) <= 16000, "%.100q is no number of points", text)
	return n
}

// node checks a node and keeps it.
func (c *checker) node(kind byte) {
	n := &node{uses: c.number(), ahead: kind == 6 || kind == 7}
	must(n.uses >= 1, "a node without uses")
	if !n.ahead {
		n.rank = c.number()
		must(n.rank >= 1 && n.rank <= 1<<32, "rank %d", n.rank)
	}
	text := c.text()
	c.where = fmt.Sprintf("%s: %.1000q", c.where, text)
	p := c.position(text)
	n.canonical = c.canonical(p)
	n.toMove = kind == 1 || kind == 3 || kind == 6 || kind == 9
	over, _ := c.ended(p, n.toMove)
	must(!over, "the position is finished")
	switch kind {
	case 1:
		c.or(p, n.rank)
		c.Or++
	case 2:
		c.and(p, n.rank)
		c.And++
	case 3, 4:
		c.certificate(p, n.toMove, c.text())
		c.Certified++
	case 9, 10:
		c.left = c.number()
		must(c.left >= 1 && c.left <= c.search, "%d positions to search, and the header leaves %d", c.left, c.search)
		c.search -= c.left
		must(c.settles(p, n.toMove, 1), "the search finds that the claim does not hold")
		c.Searched++
	default:
		c.Ahead++
	}
	c.nodes[c.next] = n
	c.next++
	c.Nodes++
	c.Live = max(c.Live, uint64(len(c.nodes)))
	demand(c.Live <= max(maxNodes, c.Bytes/nodeBytes), ErrLimit, "%d nodes at a time", c.Live)
}

// or checks a node with a move of the claimant's.
func (c *checker) or(p Position, rank uint64) {
	move, distance := c.text(), c.number()
	moves := c.game.Moves(p)
	i := slices.IndexFunc(moves, func(m Move) bool { return c.game.Text(p, m) == move })
	must(i >= 0, "%q is no move", move)
	must(c.proven(c.play(p, moves[i]), false, distance) < rank, "rank %d is too small", rank)
	if distance > 0 {
		c.References++
	}
}

// and checks a node with all replies of the opponent's.
func (c *checker) and(p Position, rank uint64) {
	var children []*node
	number := c.next
	reached := map[Position]bool{} // for the position of each child whether a reply leads there
	for range c.number() {
		distance := c.number()
		n := c.refer(number, distance, false)
		number -= distance
		_, twice := reached[n.canonical]
		must(!twice && n.rank < rank && n.toMove, "child %d has a rank of %d, or the wrong side to move, or is an image of another", number, n.rank)
		reached[n.canonical] = false
		children = append(children, n)
		c.References++
	}
	for _, m := range c.game.Moves(p) {
		c.step()
		c.Replies++
		after := c.play(p, m)
		over, won := c.ended(after, true)
		if !over {
			over = !c.answered(after, children, reached)
			won = !over || rank >= 2 && c.finishes(after)
		}
		must(won, "no proof after the reply %s", c.game.Text(p, m))
		if over {
			c.Immediate++
		}
	}
	for child, ok := range reached {
		must(ok, "no reply leads to the child %q", c.game.Format(child))
	}
}

// answered returns whether a reply leads to a child, and notes to which.
func (c *checker) answered(after Position, children []*node, reached map[Position]bool) (ok bool) {
	if !c.Monotone {
		canonical := c.canonical(after)
		if _, ok = reached[canonical]; ok {
			reached[canonical] = true
		}
		return ok
	}
	for _, n := range children {
		if c.answers(n, after, true) {
			reached[n.canonical], ok = true, true
		}
	}
	return ok
}

// finishes returns whether the claimant, to move, has a move that ends the game as claimed.
func (c *checker) finishes(p Position) bool {
	return slices.ContainsFunc(c.game.Moves(p), func(m Move) bool {
		_, won := c.ended(c.play(p, m), false)
		return won
	})
}

// settles searches a position, and returns whether the claim holds.
func (c *checker) settles(p Position, toMove bool, depth int) bool {
	must(depth <= 1000, "the search needs more than 1000 moves in a row")
	type try struct {
		after       Position
		over, holds bool
		replies     int
		text        string
	}
	var tries []try
	for _, m := range c.game.Moves(p) {
		c.step()
		must(c.left > 0, "the search needs more positions")
		c.left--
		t := try{after: c.play(p, m), text: c.game.Text(p, m)}
		if t.over, t.holds = c.ended(t.after, !toMove); !t.over {
			t.replies = len(c.game.Moves(t.after))
		}
		tries = append(tries, t)
	}
	slices.SortFunc(tries, func(a, b try) int { return cmp.Or(a.replies-b.replies, strings.Compare(a.text, b.text)) })
	for _, t := range tries {
		if !t.over {
			t.holds = c.settles(t.after, !toMove, depth+1)
		}
		if t.holds == toMove {
			return t.holds
		}
	}
	return !toMove
}

// take takes n bytes of the records.
func (c *checker) take(n uint64) []byte {
	must(n <= uint64(len(c.records)), "a record does not end in its chunk")
	b := c.records[:n]
	c.records = c.records[n:]
	return b
}

// number takes a number of the records.
func (c *checker) number() uint64 {
	v, n := binary.Uvarint(c.records)
	must(n == 1 || n > 1 && c.records[n-1] != 0, "a number is too large, too long or cut off")
	c.take(uint64(n))
	return v
}

// text takes a text of the records.
func (c *checker) text() string { return string(c.take(c.number())) }
