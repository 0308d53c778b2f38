//go:build !race

package retro_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/retro"
)

var (
	breakthroughLarge    = flag.Bool("breakthrough.large", false, "have TestBreakthroughSlabs solve 4×5, and endings of 4×6")
	breakthroughDatabase = flag.String("breakthrough", "", "a database of Breakthrough 5×5 for TestBreakthroughDatabase")
	breakthroughPlies    = flag.Int("breakthrough.plies", 8, "how many plies TestBreakthroughDatabase searches")
)

// breakthroughSection is the section of a board, as docs/breakthrough.md has it.
func breakthroughSection(files, ranks int) string {
	row := func(c string) string { return strings.Repeat(c, files) }
	white, black := "", ""
	for r := 1; r < ranks; r++ {
		white += fmt.Sprintf(" *%d", r+1)
		black += fmt.Sprintf(" *%d", ranks-r)
	}
	middle := strings.Repeat(fmt.Sprintf("%d/", files), ranks-4)
	return fmt.Sprintf(`[breakthrough%[1]dx%[2]d:breakthrough]
customPiece1 = h:fmWfF
maxRank = %[2]d
maxFile = %[1]d
startFen = %[3]s/%[4]s/%[5]s%[6]s/%[7]s w - - 0 1
promotionPawnTypes = h
promotionPieceTypes = p
promotionRegionWhite =%[8]s
promotionRegionBlack =%[9]s
flagRegionWhite = *%[2]d
flagRegionBlack = *1
`, files, ranks, row("h"), row("p"), middle, row("P"), row("H"), white, black)
}

func openBreakthrough(t *testing.T, files, ranks int, pieces string) games.Game[variant.Position, variant.Move] {
	f, err := variant.Read("breakthrough.ini", strings.NewReader(breakthroughSection(files, ranks)), variant.BuiltIn())
	require.NoError(t, err)
	name := fmt.Sprintf("breakthrough%dx%d", files, ranks)
	g, err := f.Family(name, name).Open(fmt.Sprintf("%s:pieces=%s,goal=reachable", name, pieces))
	require.NoError(t, err)
	return g
}

// breakthroughRows returns the rows of a position from the top, with p and P for all men. White is to move in all of them.
func breakthroughRows(t *testing.T, text string) string {
	placement, rest, _ := strings.Cut(text, " ")
	require.Equal(t, byte('w'), rest[0], text)
	var b strings.Builder
	for _, c := range []byte(placement) {
		switch c {
		case 'h', 'p':
			b.WriteByte('p')
		case 'H', 'P':
			b.WriteByte('P')
		case '/':
			b.WriteByte('/')
		default:
			b.WriteString(strings.Repeat(".", int(c-'0')))
		}
	}
	return b.String()
}

// solvedBreakthrough solves a game, and calls visit with the rows and the value of each position.
func solvedBreakthrough(t *testing.T, g games.Game[variant.Position, variant.Move], visit func(rows string, v games.Value)) {
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	s, err := retro.Analyze(t.Context(), u, retro.Config{Positions: retro.All})
	require.NoError(t, err)
	x := g.(games.Indexer[variant.Position])
	var text []byte
	for i := range u.Size() {
		p, ok := x.Position(i)
		if !ok {
			continue
		}
		v, finished := g.Outcome(p)
		if !finished {
			v, ok = s.Value(i)
			require.True(t, ok)
		}
		text = g.AppendPosition(text[:0], p)
		visit(breakthroughRows(t, string(text)), v)
	}
}

// TestBreakthroughWritten compares the values of all positions of small boards with those of rules written for the test.
func TestBreakthroughWritten(t *testing.T) {
	for _, c := range []struct {
		files, ranks int
		short        bool
	}{{3, 4, true}, {3, 5, false}, {4, 4, false}} {
		t.Run(fmt.Sprintf("%dx%d", c.files, c.ranks), func(t *testing.T) {
			if testing.Short() && !c.short {
				t.Skip()
			}
			value := pawns(true)(t)
			n := 0
			solvedBreakthrough(t, openBreakthrough(t, c.files, c.ranks, "start"), func(rows string, v games.Value) {
				if n++; v != value(rows+" w") {
					t.Fatalf("%s is worth %v, not %v", rows, v, value(rows+" w"))
				}
			})
			t.Logf("%d positions", n)
		})
	}
}

// breakthroughSlabs are tables of a bit for each position, in the order of those that jh85 has published: a slab for the numbers of
// men of both sides and the sum of the ranks by which they have advanced. A position is a string of bits, two for each square from
// a1 on: a man of the first side, and one of the other. Slabs have these strings in ascending order, each with either side to move, and
// the bit is set where it wins.
type breakthroughSlabs struct {
	files, ranks int
	// ways has in how many ways men can be placed from a square on: by the square, the men of both sides, and the sum.
	ways  [][maxBreakthroughMen + 1][maxBreakthroughMen + 1][maxBreakthroughSum + 1]uint64
	slabs map[[3]int][]byte
}

const (
	maxBreakthroughMen = 8
	maxBreakthroughSum = 8 * 2 * 4
)

// breakthroughBoard are the squares of both sides.
type breakthroughBoard [2]uint64

func newBreakthroughSlabs(files, ranks int) *breakthroughSlabs {
	s := &breakthroughSlabs{files: files, ranks: ranks, slabs: map[[3]int][]byte{}}
	squares := files * ranks
	s.ways = make([][maxBreakthroughMen + 1][maxBreakthroughMen + 1][maxBreakthroughSum + 1]uint64, squares+1)
	s.ways[squares][0][0][0] = 1
	for square := squares - 1; square >= 0; square-- {
		rank := square / files
		for first := range maxBreakthroughMen + 1 {
			for second := range maxBreakthroughMen + 1 {
				for advanced := range maxBreakthroughSum + 1 {
					n := s.count(square+1, first, second, advanced)
					if rank > 0 {
						n += s.count(square+1, first, second-1, advanced-(ranks-1-rank))
					}
					if rank < ranks-1 {
						n += s.count(square+1, first-1, second, advanced-rank)
					}
					s.ways[square][first][second][advanced] = n
				}
			}
		}
	}
	return s
}

func (s *breakthroughSlabs) count(square, first, second, advanced int) uint64 {
	if first < 0 || second < 0 || advanced < 0 {
		return 0
	}
	return s.ways[square][first][second][advanced]
}

// set sets the bit of a position with a side to move.
func (s *breakthroughSlabs) set(b breakthroughBoard, turn uint64, won bool) {
	first, second, advanced := bits.OnesCount64(b[0]), bits.OnesCount64(b[1]), 0
	for m := b[0]; m != 0; m &= m - 1 {
		advanced += bits.TrailingZeros64(m) / s.files
	}
	for m := b[1]; m != 0; m &= m - 1 {
		advanced += s.ranks - 1 - bits.TrailingZeros64(m)/s.files
	}
	key := [3]int{first, second, advanced}
	if s.slabs[key] == nil {
		s.slabs[key] = make([]byte, (2*s.count(0, first, second, advanced)+7)/8)
	}
	n := uint64(0)
	for square := range s.files * s.ranks {
		rank := square / s.files
		one, other := b[0]>>square&1 != 0, b[1]>>square&1 != 0
		if one || other {
			n += s.count(square+1, first, second, advanced)
		}
		if one && rank > 0 {
			n += s.count(square+1, first, second-1, advanced-(s.ranks-1-rank))
		}
		switch {
		case one:
			first, advanced = first-1, advanced-rank
		case other:
			second, advanced = second-1, advanced-(s.ranks-1-rank)
		}
	}
	if n = 2*n + turn; won {
		s.slabs[key][n/8] |= 1 << (n % 8)
	}
}

// list returns what sha256sum prints of the files of all slabs, in the order of their names.
func (s *breakthroughSlabs) list() string {
	var b strings.Builder
	for first := 1; first <= 2*s.files; first++ {
		for second := 1; second <= 2*s.files; second++ {
			for advanced := range maxBreakthroughSum + 1 {
				slab := s.slabs[[3]int{first, second, advanced}]
				if slab == nil {
					continue
				}
				h := sha256.New()
				for _, word := range []uint64{0x42_54_53_4c_41_42_00_01, uint64(s.files<<8 | s.ranks), uint64(first)<<32 | uint64(second<<16|advanced),
					2 * s.count(0, first, second, advanced)} {
					h.Write(binary.LittleEndian.AppendUint64(nil, word))
				}
				h.Write(slab)
				fmt.Fprintf(&b, "%x  bt%dx%d_s%02d_%02d_%03d.bin\n", h.Sum(nil), s.files, s.ranks, first, second, advanced)
			}
		}
	}
	return b.String()
}

// TestBreakthroughSlabs compares the results of all positions of a board, or of those with few men, with published tables: the SHA-256
// of the list of their files, of which 4×6 has the lines with so few men.
func TestBreakthroughSlabs(t *testing.T) {
	for _, c := range []struct {
		files, ranks int
		pieces       string
		states       uint64
		digest       string
	}{
		{4, 4, "start", 3_267_310, "fe6e569f016377c29bf07d4ac4480aa9a885cefc18a2e739d901807a5971b115"},
		{4, 5, "start", 219_211_038, "8715a2fd323619826e1a3287b7d28af19ea28e75897a2a208991af14089a8c82"},
		{4, 6, "8", 107_524_938, "045ef4d85d7633eb92b451f5572e83f03c59c82a41d977fb23ca6ea9a9b00511"},
	} {
		t.Run(fmt.Sprintf("%dx%d %s", c.files, c.ranks, c.pieces), func(t *testing.T) {
			if testing.Short() || c.ranks > 4 && !*breakthroughLarge {
				t.Skip("takes seconds, or with more ranks minutes")
			}
			s := newBreakthroughSlabs(c.files, c.ranks)
			states := uint64(0)
			solvedBreakthrough(t, openBreakthrough(t, c.files, c.ranks, c.pieces), func(rows string, v games.Value) {
				var white, black, whiteMirrored, blackMirrored breakthroughBoard
				for down, row := range strings.Split(rows, "/") {
					for file, c := range []byte(row) {
						side := 0
						switch c {
						case '.':
							continue
						case 'p':
							side = 1
						}
						at := func(b *breakthroughBoard, side, rank, file int) { b[side] |= 1 << (rank*s.files + file) }
						rank := s.ranks - 1 - down
						at(&white, side, rank, file)
						at(&whiteMirrored, side, rank, s.files-1-file)
						at(&black, 1-side, down, file)
						at(&blackMirrored, 1-side, down, s.files-1-file)
					}
				}
				if white[0] == 0 || white[1] == 0 {
					return
				}
				won := v.Result() == games.Won
				s.set(white, 0, won)
				s.set(black, 1, won)
				if states += 2; white != whiteMirrored {
					s.set(whiteMirrored, 0, won)
					s.set(blackMirrored, 1, won)
					states += 2
				}
			})
			sum := sha256.Sum256([]byte(s.list()))
			t.Logf("%d states, %s", states, hex.EncodeToString(sum[:]))
			require.Equal(t, c.states, states)
			require.Equal(t, c.digest, hex.EncodeToString(sum[:]))
		})
	}
}

// breakthroughSearch finds values by plain search. It has the answers so far.
type breakthroughSearch struct {
	files, ranks int
	known        map[breakthroughQuestion]bool
}

// breakthroughQuestion asks whether the side to move, which goes up, wins within some plies, or loses.
type breakthroughQuestion struct {
	board breakthroughBoard
	plies int
	win   bool
}

// value returns the value of a position if it is decided within some plies.
func (s *breakthroughSearch) value(b breakthroughBoard, most int) (games.Value, bool) {
	for plies := range most + 1 {
		switch {
		case s.answer(b, plies, true):
			return games.Win(plies), true
		case s.answer(b, plies, false):
			return games.Loss(plies), true
		}
	}
	return games.Draw, false
}

func (s *breakthroughSearch) answer(b breakthroughBoard, plies int, win bool) bool {
	if b[1]&(1<<s.files-1) != 0 { // the other side has arrived
		return !win
	}
	q := breakthroughQuestion{b, plies, win}
	if yes, known := s.known[q]; known {
		return yes
	}
	some, found := false, false // a move, one that the other side does not survive, or one with which this side survives
	for men := b[0]; men != 0 && !found; men &= men - 1 {
		from := bits.TrailingZeros64(men)
		for aside := -1; aside <= 1 && !found; aside++ {
			file, to := from%s.files+aside, from+s.files+aside
			if file < 0 || file >= s.files || b[0]>>to&1 != 0 || b[1]>>to&1 != 0 && aside == 0 {
				continue
			}
			if some = true; plies == 0 {
				return false
			}
			found = s.answer(s.turned(breakthroughBoard{b[0]&^(1<<from) | 1<<to, b[1] &^ (1 << to)}), plies-1, !win) == win
		}
	}
	s.known[q] = !some && !win || some && found == win
	return s.known[q]
}

// turned returns a board from the other side.
func (s *breakthroughSearch) turned(b breakthroughBoard) (t breakthroughBoard) {
	for side, men := range b {
		t[1-side] = bits.Reverse64(men) >> (64 - s.files*s.ranks)
	}
	return t
}

// TestBreakthroughDatabase compares a thousand random positions of a database of Breakthrough 5×5 that are not finished with a plain
// search: what it decides has that value, and of the others none is decided as soon.
func TestBreakthroughDatabase(t *testing.T) {
	if *breakthroughDatabase == "" {
		t.Skip("needs a database: -breakthrough DIRECTORY")
	}
	d, err := store.Open(*breakthroughDatabase, nil)
	require.NoError(t, err)
	defer d.Close()
	g := openBreakthrough(t, 5, 5, "start")
	x := g.(games.Indexer[variant.Position])
	tiers := x.Tiers()
	last := tiers[len(tiers)-1]
	rng := rand.New(rand.NewPCG(1, 1))
	s := &breakthroughSearch{files: 5, ranks: 5}
	decided := 0
	for compared := 0; compared < 1000; {
		i := rng.Uint64N(last.Start + last.Size)
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
		rows := breakthroughRows(t, string(g.AppendPosition(nil, p)))
		var b breakthroughBoard
		for down, row := range strings.Split(rows, "/") {
			for file, c := range []byte(row) {
				if c != '.' {
					b[c>>5&1] |= 1 << ((4-down)*5 + file)
				}
			}
		}
		s.known = map[breakthroughQuestion]bool{}
		if want, found := s.value(b, *breakthroughPlies); found {
			require.Equal(t, want, v, rows)
			decided++
		} else {
			require.Greater(t, v.Size(), *breakthroughPlies, rows)
		}
		compared++
	}
	t.Logf("%d of 1,000 are decided within %d plies", decided, *breakthroughPlies)
}
