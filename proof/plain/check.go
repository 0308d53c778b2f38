package plain

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
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
	Game, Root string   // as the file has them
	Claims     []string // as the file has them
	Ranks      []uint64 // of the root, for each claim

	Counts

	Replies   uint64 // moves made at AND nodes
	Immediate uint64 // of them, those that need no node
	Live      uint64 // the most nodes kept at a time
	Bytes     uint64 // read
}

// Counts are those at the end of the file.
type Counts struct{ Nodes, Or, And, Certified, References, Ahead, Searched uint64 }

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
	ctx      context.Context
	file     io.Reader
	zstd     *zstd.Decoder
	progress func(Report)
	steps    uint64
	where    string // for errors

	repeats  bool   // there may be nodes ahead
	searches bool   // there may be nodes to search: version 4
	search   uint64 // positions to search that the header says and no node has used
	chunks   uint64 // read
	records  []byte // those of the chunk that are left
	game     *game

	left     uint64 // positions that the search of a node may still look at
	claimant byte
	holds    bool             // the claim is to hold, not to win
	nodes    map[uint64]*node // by number: those that have uses left
	next     uint64           // the number of the next node
}

// A node is one that was checked, or one ahead.
type node struct {
	canonical  string // of its position
	rank, uses uint64 // uses left
	ahead      bool
}

// failure is the panic that ends a check.
type failure struct{ error }

// Check reads a proof file. Its error is nil if the file proves what it claims. It calls
// progress, which may be nil, now and then.
func Check(ctx context.Context, file io.Reader, progress func(Report)) (report Report, err error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return report, err
	}
	defer decoder.Close()
	c := &checker{ctx: ctx, file: file, zstd: decoder, progress: progress, where: "header"}
	defer func() {
		report = c.Report
		if e := recover(); e != nil {
			f, ok := e.(failure)
			if !ok {
				panic(e)
			}
			err = fmt.Errorf("%s: %w", c.where, f.error)
		}
	}()
	c.header()
	for _, claim := range c.Claims {
		c.claim(claim)
	}
	c.where = "end"
	must(len(c.records) == 0, "a record after the last claim")
	c.end()
	return
}

// must ends the check unless ok: the proof is refused.
func must(ok bool, format string, args ...any) { demand(ok, ErrRefused, format, args...) }

// demand ends the check with err unless ok.
func demand(ok bool, err error, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf("%w: %s", err, fmt.Sprintf(format, args...))})
	}
}

// step counts work.
func (c *checker) step() {
	c.steps++
	demand(c.steps <= maxSteps+stepsPerByte*c.Bytes, ErrLimit, "more than %d steps", c.steps)
	if c.steps%1024 == 0 {
		demand(c.ctx.Err() == nil, c.ctx.Err(), "checking")
		if c.progress != nil {
			c.progress(c.Report)
		}
	}
}

// claim checks a claim.
func (c *checker) claim(claim string) {
	c.where = claim
	root := c.game.parse(c.Root)
	side, what, _ := strings.Cut(claim, " ")
	c.claimant, c.holds = root.mover, what == "holds"
	if side == "other" {
		c.claimant = other(root.mover)
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
		case kind >= 1 && kind <= 4, c.repeats && (kind == 6 || kind == 7), c.searches && (kind == 9 || kind == 10):
			c.node(kind)
		case c.repeats && kind == 8:
			back, less := c.number(), c.number()
			must(less < back, "the node that keeps is before the one ahead")
			ahead, keeper := c.refer(c.next, back, true), c.refer(c.next, less, false)
			must(ahead.ahead && ahead.uses == 0, "the node kept is not ahead, or has more uses")
			must(!keeper.ahead && keeper.canonical == ahead.canonical, "the node that keeps is ahead, or has another position")
			c.References += 2
		case kind == 5:
			c.Ranks = append(c.Ranks, c.proven(root, c.number()))
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
func (c *checker) proven(p position, distance uint64) uint64 {
	if distance == 0 {
		must(c.ended(p), "no node, and the game is not finished as claimed")
		return 0
	}
	n := c.refer(c.next, distance, false)
	_, over := c.game.finished(p)
	must(!over && n.canonical == c.game.canonical(p), "a node for another position")
	return n.rank
}

// ended returns whether a position is finished as claimed.
func (c *checker) ended(p position) bool {
	winner, over := c.game.finished(p)
	return over && (winner == c.claimant || winner == 0 && c.holds)
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
	p := c.game.parse(text)
	n.canonical = c.game.canonical(p)
	_, over := c.game.finished(p)
	must(!over, "the position is finished")
	must((p.mover == c.claimant) == (kind == 1 || kind == 3 || kind == 6 || kind == 9), "the wrong side to move in a node of kind %d", kind)
	switch kind {
	case 1:
		c.or(p, n.rank)
		c.Or++
	case 2:
		c.and(p, n.rank)
		c.And++
	case 3, 4:
		c.certificate(p, c.text())
		c.Certified++
	case 9, 10:
		c.left = c.number()
		must(c.left >= 1 && c.left <= c.search, "%d positions to search, and the header leaves %d", c.left, c.search)
		c.search -= c.left
		must(c.settles(p), "the search finds that the claim does not hold")
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
func (c *checker) or(p position, rank uint64) {
	move, distance := c.text(), c.number()
	free := c.game.free(p)
	i := slices.IndexFunc(free, func(s int) bool { return c.game.moves[s] == move })
	must(i >= 0, "%q is no move", move)
	must(c.proven(play(p, free[i]), distance) < rank, "rank %d is too small", rank)
	if distance > 0 {
		c.References++
	}
}

// and checks a node with all replies of the opponent's.
func (c *checker) and(p position, rank uint64) {
	reached := map[string]bool{} // for the position of each child whether a reply leads there
	number := c.next
	for range c.number() {
		distance := c.number()
		n := c.refer(number, distance, false)
		number -= distance
		_, twice := reached[n.canonical]
		must(!twice && n.rank < rank, "child %d has a rank of %d, or is an image of another", number, n.rank)
		reached[n.canonical] = false
		c.References++
	}
	for _, s := range c.game.free(p) {
		c.step()
		c.Replies++
		after := play(p, s)
		canonical := c.game.canonical(after)
		if _, ok := reached[canonical]; ok {
			reached[canonical] = true
			continue
		}
		c.Immediate++
		_, over := c.game.finished(after)
		ends := !over && rank >= 2 && slices.ContainsFunc(c.game.free(after), func(s int) bool { return c.ended(play(after, s)) })
		must(ends || c.ended(after), "no proof after the reply %s", c.game.moves[s])
	}
	for child, ok := range reached {
		must(ok, "no reply leads to the child %s", child)
	}
}

// settles searches a position, and returns whether the claim holds.
func (c *checker) settles(p position) bool {
	type try struct {
		after   position
		replies int
		move    string
	}
	var tries []try
	for _, s := range c.game.free(p) {
		c.step()
		must(c.left > 0, "the search needs more positions")
		c.left--
		t := try{play(p, s), 0, c.game.moves[s]}
		if _, over := c.game.finished(t.after); !over {
			t.replies = len(c.game.free(t.after))
		}
		tries = append(tries, t)
	}
	slices.SortFunc(tries, func(a, b try) int { return cmp.Or(a.replies-b.replies, strings.Compare(a.move, b.move)) })
	for _, t := range tries {
		if holds := c.ended(t.after) || t.replies > 0 && c.settles(t.after); holds == (p.mover == c.claimant) {
			return holds
		}
	}
	return p.mover != c.claimant
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
