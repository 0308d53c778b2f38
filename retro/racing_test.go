//go:build !race

package retro_test

import (
	"flag"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/retro"
)

var (
	racingMen      = flag.Int("racing.men", 3, "the most men of the endings of TestRacing: 4 takes minutes for each class, such as with -run TestRacing/KRvKN")
	racingDatabase = flag.String("racing", "", "a database of endings of Racing Kings for TestRacingDatabase")
	racingPlies    = flag.Int("racing.plies", 6, "how many plies TestRacingDatabase searches")
)

// racingKings solves an ending of Racing Kings by rules of its own: all placements of its men, without symmetries, level by level. What
// a new value may change is judged again by all its moves.
type racingKings struct {
	men     []byte         // the kings first; those of white are big letters
	values  []int8         // by the side to move and the squares: see racingWin
	smaller []*racingKings // without each man but the kings
	again   []uint64       // positions to judge at the next level
	due     map[int][]int  // by level: positions that a capture may decide
}

// A win in n plies is n+1, a loss is -(n+1).
const (
	racingDraw    int8 = 0
	racingInvalid int8 = 127
	racingUnknown int8 = 126
)

// racingPosition is where each man stands, and whether white is to move.
type racingPosition struct {
	at    [5]int
	white bool
}

var racingSteps = map[byte][][2]int{
	'R': {{0, 1}, {0, -1}, {1, 0}, {-1, 0}},
	'B': {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
	'N': {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}},
}

func init() {
	racingSteps['Q'] = slices.Concat(racingSteps['R'], racingSteps['B'])
	racingSteps['K'] = racingSteps['Q']
}

func (r *racingKings) isWhite(man int) bool { return r.men[man] < 'a' }
func (r *racingKings) kind(man int) byte    { return r.men[man] &^ ('a' - 'A') }

func (r *racingKings) number(p *racingPosition) (n int) {
	for i := range r.men {
		n = n*64 + p.at[i]
	}
	if p.white {
		n += 1 << (6 * len(r.men))
	}
	return n
}

func (r *racingKings) position(n int) (p racingPosition) {
	whites := 1 << (6 * len(r.men))
	p.white = n >= whites
	n %= whites
	for i := len(r.men) - 1; i >= 0; i-- {
		p.at[i], n = n%64, n/64
	}
	return p
}

// reach calls do for each square to which a man goes from another, if nothing but the occupied squares stops it.
func (r *racingKings) reach(man, from int, occupied uint64, do func(to int)) {
	kind := r.kind(man)
	for _, step := range racingSteps[kind] {
		for file, rank := from%8+step[0], from/8+step[1]; file >= 0 && file < 8 && rank >= 0 && rank < 8; file, rank = file+step[0], rank+step[1] {
			to := rank*8 + file
			do(to)
			if kind == 'K' || kind == 'N' || occupied>>to&1 != 0 {
				break
			}
		}
	}
}

// attacks reports whether a man on a square attacks another.
func (r *racingKings) attacks(man, from, to int, occupied uint64) bool {
	file, rank := to%8-from%8, to/8-from/8
	x, y := max(file, -file), max(rank, -rank)
	switch kind := r.kind(man); {
	case kind == 'N':
		return x*y == 2
	case kind == 'K':
		return max(x, y) == 1
	case x != y && x*y != 0, x == y && kind == 'R', x != y && kind == 'B':
		return false
	}
	step := (file / max(x, y)) + 8*(rank/max(x, y))
	for s := from + step; s != to; s += step {
		if occupied>>s&1 != 0 {
			return false
		}
	}
	return true
}

// quiet reports whether no king is attacked, without one of the men.
func (r *racingKings) quiet(p *racingPosition, gone int) bool {
	occupied := r.occupied(p, gone)
	for man := range r.men {
		king := 0
		if r.isWhite(man) {
			king = 1
		}
		if man != gone && r.attacks(man, p.at[man], p.at[king], occupied) {
			return false
		}
	}
	return true
}

func (r *racingKings) occupied(p *racingPosition, gone int) (all uint64) {
	for man := range r.men {
		if man != gone {
			all |= 1 << p.at[man]
		}
	}
	return all
}

// moves calls do with the position after each legal move, the man that has moved and the one that was captured, or -1.
func (r *racingKings) moves(p *racingPosition, do func(next *racingPosition, man, captured int)) {
	occupied := r.occupied(p, -1)
	for man := range r.men {
		if r.isWhite(man) != p.white {
			continue
		}
		r.reach(man, p.at[man], occupied, func(to int) {
			captured := -1
			for other := range r.men {
				if p.at[other] == to {
					captured = other
				}
			}
			if captured >= 0 && (captured < 2 || r.isWhite(captured) == p.white) {
				return
			}
			next := *p
			next.at[man], next.white = to, !p.white
			if r.quiet(&next, captured) {
				do(&next, man, captured)
			}
		})
	}
}

// finished returns the value of a position in which the game is over by a king on the eighth rank. Black cannot be to move with its
// own there in a game.
func (r *racingKings) finished(p *racingPosition) (int8, bool) {
	white, black := p.at[0] >= 56, p.at[1] >= 56
	switch {
	case !white && !black:
		return racingUnknown, false
	case p.white && white && black:
		return racingDraw, true
	case p.white && white, !p.white && black:
		return 1, true
	case p.white:
		return -1, true
	}
	follows := false
	r.moves(p, func(next *racingPosition, man, _ int) { follows = follows || man == 1 && next.at[1] >= 56 })
	return -1, !follows
}

// after returns the value of a position after a move.
func (r *racingKings) after(next *racingPosition, captured int) int8 {
	s, q := r.without(next, captured)
	return s.values[s.number(&q)]
}

// without returns a position without a man that was captured, -1 for none, and the ending that it belongs to.
func (r *racingKings) without(p *racingPosition, captured int) (*racingKings, racingPosition) {
	if captured < 0 {
		return r, *p
	}
	q := racingPosition{white: p.white}
	copy(q.at[copy(q.at[:], p.at[:captured]):], p.at[captured+1:])
	return r.smaller[captured], q
}

// judge settles a position at a level if its moves do.
func (r *racingKings) judge(n, level int) {
	p := r.position(n)
	best, longest, all := false, 0, true
	r.moves(&p, func(next *racingPosition, _, captured int) {
		switch v := r.after(next, captured); {
		case v == racingUnknown || v == racingDraw:
			all = false
		case v < 0:
			all, best = false, best || int(-v) <= level
		default:
			longest = max(longest, int(v))
		}
	})
	switch {
	case best:
		r.settle(&p, n, int8(level+1))
	case all && longest <= level:
		r.settle(&p, n, -int8(level+1))
	}
}

// settle gives a position its value, and has all positions judged again from which a man may have come.
func (r *racingKings) settle(p *racingPosition, n int, v int8) {
	r.values[n] = v
	occupied := r.occupied(p, -1)
	for man := range r.men {
		if r.isWhite(man) == p.white {
			continue
		}
		r.reach(man, p.at[man], occupied, func(from int) {
			before := *p
			before.at[man], before.white = from, !p.white
			b := r.number(&before)
			r.again[b/64] |= 1 << (b % 64)
		})
	}
}

// newRacing returns an ending, with all that captures lead to, none of it solved. Its name is that of a class, such as KRvKQ.
func newRacing(class string, known map[string]*racingKings) *racingKings {
	white, black, _ := strings.Cut(class, "v")
	return racingOf("Kk"+white[1:]+strings.ToLower(black[1:]), known)
}

func racingOf(men string, known map[string]*racingKings) *racingKings {
	r := known[men]
	if r == nil {
		r = &racingKings{men: []byte(men), smaller: make([]*racingKings, len(men))}
		known[men] = r
		for i := 2; i < len(men); i++ {
			r.smaller[i] = racingOf(men[:i]+men[i+1:], known)
		}
	}
	return r
}

// solve solves an ending and all that captures lead to.
func (r *racingKings) solve() {
	if r.values != nil {
		return
	}
	for _, s := range r.smaller[2:] {
		s.solve()
	}
	r.values = make([]int8, 2<<(6*len(r.men)))
	r.again = make([]uint64, (len(r.values)+63)/64)
	r.due = map[int][]int{}
	for n := range r.values {
		p := r.position(n)
		r.values[n] = racingInvalid
		if bits.OnesCount64(r.occupied(&p, -1)) < len(r.men) || !r.quiet(&p, -1) {
			continue
		}
		var over bool
		if r.values[n], over = r.finished(&p); over {
			continue
		}
		r.values[n] = racingUnknown
		some := false
		r.moves(&p, func(next *racingPosition, _, captured int) {
			some = true
			if captured >= 0 {
				if v := int(r.after(next, captured)); v != 0 {
					r.due[max(v, -v)] = append(r.due[max(v, -v)], n)
				}
			}
		})
		if !some {
			r.values[n] = racingDraw
		}
	}
	for n, v := range r.values { // what is finished is known from the first level on
		if v == 1 || v == -1 {
			p := r.position(n)
			r.settle(&p, n, v)
		}
	}
	for level, quiet := 1, 0; quiet < 2 || len(r.due) > 0; level++ {
		list := r.due[level]
		delete(r.due, level)
		for i, some := range r.again {
			for ; some != 0; some &= some - 1 {
				list = append(list, i*64+bits.TrailingZeros64(some))
			}
			r.again[i] = 0
		}
		quiet++
		for _, n := range list {
			if r.values[n] == racingUnknown {
				if r.judge(n, level); r.values[n] != racingUnknown {
					quiet = 0
				}
			}
		}
	}
	for n, v := range r.values {
		if v == racingUnknown {
			r.values[n] = racingDraw
		}
	}
}

// racingSearch finds values by plain search. It has the answers so far.
type racingSearch map[racingQuestion]bool

// racingQuestion asks whether the side to move wins, or loses, within some plies.
type racingQuestion struct {
	ending   *racingKings
	position int
	plies    int
	win      bool
}

// value returns the value of a position if it is decided within some plies, else racingUnknown.
func (s racingSearch) value(r *racingKings, p racingPosition, most int) int8 {
	for plies := range most + 1 {
		switch {
		case s.answer(r, p, plies, true):
			return int8(plies + 1)
		case s.answer(r, p, plies, false):
			return -int8(plies + 1)
		}
	}
	return racingUnknown
}

func (s racingSearch) answer(r *racingKings, p racingPosition, plies int, win bool) bool {
	if v, over := r.finished(&p); over || plies == 0 {
		return over && v != racingDraw && win == (v > 0)
	}
	q := racingQuestion{r, r.number(&p), plies, win}
	yes, known := s[q]
	if known {
		return yes
	}
	some, found := false, false // a move, one that the other side does not survive, or one with which this side survives
	r.moves(&p, func(next *racingPosition, _, captured int) {
		if some = true; !found {
			smaller, after := r.without(next, captured)
			found = s.answer(smaller, after, plies-1, !win) == win
		}
	})
	s[q] = some && found == win
	return s[q]
}

// read returns a position in the notation of Forsyth.
func (r *racingKings) read(t *testing.T, fen string) racingPosition {
	fields := strings.Fields(fen)
	p := racingPosition{white: fields[1] == "w"}
	placed := make([]bool, len(r.men))
	for down, rank := range strings.Split(fields[0], "/") {
		file := 0
		for _, c := range []byte(rank) {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			man := 0
			for man < len(r.men) && (placed[man] || r.men[man] != c) {
				man++
			}
			require.Less(t, man, len(r.men), fen)
			placed[man], p.at[man] = true, (7-down)*8+file
			file++
		}
	}
	return p
}

// TestRacing compares the values of endings of Racing Kings with those of a program written for the test: all of three men, and
// a hundred thousand random positions of each class of four.
func TestRacing(t *testing.T) {
	known := map[string]*racingKings{}
	var classes []string
	for i, a := range "QRBN" {
		classes = append(classes, "K"+string(a)+"vK", "KvK"+string(a))
		for j, b := range "QRBN" {
			if classes = append(classes, "K"+string(a)+"vK"+string(b)); i <= j {
				classes = append(classes, "K"+string(a)+string(b)+"vK", "KvK"+string(a)+string(b))
			}
		}
	}
	require.Len(t, classes, 44)
	for _, class := range classes {
		if len(class)-1 > *racingMen || testing.Short() && class != "KvKN" {
			continue
		}
		t.Run(class, func(t *testing.T) {
			g, err := variant.BuiltIn().Family("racingkings", "racingkings").Open("racingkings:pieces=" + class)
			require.NoError(t, err)
			u, err := games.UniverseOf(g)
			require.NoError(t, err)
			s, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.All})
			require.NoError(t, err)
			x := g.(games.Indexer[variant.Position])
			plain := newRacing(class, known)
			plain.solve()
			tier := x.Tiers()[len(x.Tiers())-1]
			require.Equal(t, class, tier.Name)
			rng := rand.New(rand.NewPCG(1, 1))
			compared := 0
			compare := func(i uint64) {
				p, ok := x.Position(i)
				if !ok {
					return
				}
				v, finished := g.Outcome(p)
				if !finished {
					v, ok = s.Value(i)
					require.True(t, ok)
				}
				want := games.Draw
				text := string(g.AppendPosition(nil, p))
				at := plain.read(t, text)
				switch n := plain.values[plain.number(&at)]; {
				case n == racingInvalid:
					require.Fail(t, "a position that is none", text)
				case n > 0:
					want = games.Win(int(n) - 1)
				case n < 0:
					want = games.Loss(int(-n) - 1)
				}
				if v != want {
					t.Fatalf("%s is worth %v, not %v", text, v, want)
				}
				compared++
			}
			if tier.Size < 1_000_000 {
				for i := range tier.Size {
					compare(tier.Start + i)
				}
				// Positions that mirror images do not make equal are as many in both.
				var all int
				for n, v := range plain.values {
					if p := plain.position(n); v != racingInvalid && p.at[0]%8 < 4 {
						all++
					}
				}
				require.Equal(t, all, compared)
			} else {
				for range 100_000 {
					compare(tier.Start + rng.Uint64N(tier.Size))
				}
			}
			t.Logf("%d positions", compared)
		})
	}
}

// TestRacingDatabase compares a thousand random positions of each class of a database of Racing Kings that are not finished with a
// plain search: what it decides has that value, and of the others none is decided as soon.
func TestRacingDatabase(t *testing.T) {
	if *racingDatabase == "" {
		t.Skip("needs a database: -racing DIRECTORY")
	}
	d, err := store.Open(*racingDatabase, nil)
	require.NoError(t, err)
	defer d.Close()
	g, err := variant.BuiltIn().Family("racingkings", "racingkings").Open(d.Manifest().Content.Game)
	require.NoError(t, err)
	x := g.(games.Indexer[variant.Position])
	known := map[string]*racingKings{}
	for _, tier := range x.Tiers() {
		t.Run(tier.Name, func(t *testing.T) {
			plain := newRacing(tier.Name, known)
			rng := rand.New(rand.NewPCG(1, 1))
			decided := 0
			for compared := 0; compared < 1000; {
				i := tier.Start + rng.Uint64N(tier.Size)
				p, ok := x.Position(i)
				if !ok {
					continue
				}
				if _, finished := g.Outcome(p); finished {
					continue
				}
				v, ok, err := d.Value(i)
				require.NoError(t, err)
				require.True(t, ok)
				text := string(g.AppendPosition(nil, p))
				switch n := (racingSearch{}).value(plain, plain.read(t, text), *racingPlies); {
				case n == racingUnknown:
					require.True(t, v == games.Draw || v.Size() > *racingPlies, "%s: %v", text, v)
				case n > 0:
					require.Equal(t, games.Win(int(n)-1), v, text)
					decided++
				default:
					require.Equal(t, games.Loss(int(-n)-1), v, text)
					decided++
				}
				compared++
			}
			t.Logf("%d of 1,000 are decided within %d plies", decided, *racingPlies)
		})
	}
}
