package match

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yomikiri/yomikiri/games"
)

// Config configures a match.
type Config[P, M comparable] struct {
	Rules[P]
	// Players make the players of a thread, again after they have failed.
	Players  [2]Maker[P, M]
	Patience Patience
	// Pairs is the number of pairs of games.
	Pairs int
	// Threads is the number of games that are played at the same time; 0 means 1.
	Threads int
	// Openings are the positions in which pairs begin, in turn. Without any, pairs begin after
	// RandomPlies random moves from the start position.
	Openings    []P
	RandomPlies int
	Seed        uint64
	// Stop ends the match before all pairs are played.
	Stop SPRT
	// File, if not empty, keeps the games, a JSON record a line. If it exists, the match goes on
	// where that ends. Settings names everything that the games depend on: a file with
	// other settings is refused.
	File     string
	Settings string
	// Notation, if not nil, is called with each game, in their order, those of the file too.
	Notation func(Record) error
	// Progress, if not nil, is called after each pair, by one goroutine at a time.
	Progress func(*Result)
}

// Result is the result of a match.
type Result struct {
	Tally Tally
	// Games by how they ended for the first player, and by ending.
	Won, Drawn, Lost int
	Endings          map[Ending]int
	// Forfeits are the games that each player has lost by time, a crash or an illegal move, by ending. They are among
	// those above.
	Forfeits [2]map[Ending]int
	// Left is the number of calls of players that have not returned, though they were asked to: their goroutines
	// still run.
	Left  int
	Plies int
	// Distinct is the number of different games. A pair of deterministic players may repeat
	// one that was played.
	Distinct int
	Ratio    float64 // of the likelihoods, its logarithm
	Verdict  Verdict
	seen     map[uint64]bool
}

// Games returns the number of games.
func (r *Result) Games() int { return r.Won + r.Drawn + r.Lost }

// Elo returns by how much the first player is stronger.
func (r *Result) Elo() Elo { return r.Tally.Elo() }

func (r *Result) add(stop SPRT, pair [2]Record) {
	for _, g := range pair {
		switch g.Points {
		case 1:
			r.Won++
		case 0:
			r.Lost++
		default:
			r.Drawn++
		}
		if r.Endings == nil {
			r.Endings, r.seen = map[Ending]int{}, map[uint64]bool{}
		}
		r.Endings[g.Ending]++
		if g.Forfeit > 0 {
			of := &r.Forfeits[g.Forfeit-1]
			if *of == nil {
				*of = map[Ending]int{}
			}
			(*of)[g.Ending]++
		}
		r.Plies += len(g.Moves)
		h := fnv.New64a()
		fmt.Fprint(h, g.From, " ", strings.Join(g.Moves, " "))
		if sum := h.Sum64(); !r.seen[sum] {
			r.seen[sum] = true
			r.Distinct++
		}
	}
	r.Tally[halfPoints(pair)]++
	r.Ratio, r.Verdict = stop.Test(r.Tally)
}

// halfPoints returns the half points of the first player in both games of a pair.
func halfPoints(pair [2]Record) int { return int(2*pair[0].Points + 2*pair[1].Points) }

// Play plays a match. If ctx ends, it returns the result of the pairs that are complete and the
// error of ctx.
func Play[P, M comparable](ctx context.Context, g games.Game[P, M], c Config[P, M]) (*Result, error) {
	m := &match[P, M]{Config: c, game: g, result: &Result{}, waiting: map[int][2]Record{}}
	if err := m.open(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m.cancel = cancel
	var threads sync.WaitGroup
	for range max(c.Threads, 1) {
		threads.Go(func() {
			if err := m.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	threads.Wait()
	m.result.Left = int(m.left.Load())
	err := context.Cause(ctx)
	if errors.Is(err, errDecided) {
		err = nil
	}
	if m.file != nil {
		err = errors.Join(err, m.file.Close())
	}
	return m.result, err
}

// errDecided ends a match whose test has a verdict.
var errDecided = errors.New("decided")

// match is a match that is being played.
type match[P, M comparable] struct {
	Config[P, M]
	game   games.Game[P, M]
	cancel context.CancelCauseFunc
	left   atomic.Int64 // calls that have not returned

	mu     sync.Mutex
	next   int // the pair to begin next
	done   int // pairs before that are in result
	result *Result
	// waiting are pairs that are complete, but not all before them: results come in their
	// order, so that a test stops at the same pair whatever the number of threads.
	waiting map[int][2]Record
	file    *os.File
}

// header is the first line of a file.
type header struct {
	Game     string `json:"game"`
	Settings string `json:"settings"`
}

// FileBegin is how every file of a match begins, even one that was not written whole.
const FileBegin = `{"game":`

// open reads the games of the file and opens it to add more.
func (m *match[P, M]) open() error {
	if m.File == "" {
		return nil
	}
	f, err := os.OpenFile(m.File, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	good, err := m.read(f)
	if err == nil {
		err = f.Truncate(good) // a pair that was not written whole
	}
	if err == nil {
		_, err = f.Seek(good, io.SeekStart)
	}
	if err == nil && good == 0 {
		err = json.NewEncoder(f).Encode(header{m.game.Name(), m.Settings})
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", m.File, err), f.Close())
	}
	m.file = f
	return nil
}

// read reads the complete pairs at the begin of a file, and returns where they end.
func (m *match[P, M]) read(f io.Reader) (good int64, err error) {
	return readPairs(f, m.game.Name(), func(settings string) error {
		if settings != m.Settings {
			return fmt.Errorf("%w: it has a match with %q, not with %q", ErrFile, settings, m.Settings)
		}
		return nil
	}, func(pair [2]Record) error {
		m.next++
		return m.add(pair)
	})
}

// ErrFile is returned for a file that is not of a match, or of one of another game or with other settings.
var ErrFile = errors.New("bad file of a match")

// Read reads the games of a file that a match of a game has kept. An incomplete pair at its end is
// left out.
func Read(r io.Reader, game string) (list []Record, err error) {
	_, err = readPairs(r, game, func(string) error { return nil }, func(pair [2]Record) error {
		list = append(list, pair[:]...)
		return nil
	})
	return list, err
}

// readPairs reads a file of games, and returns where its last complete pair ends.
func readPairs(f io.Reader, game string, begin func(settings string) error, add func([2]Record) error) (good int64, err error) {
	r := bufio.NewReader(f)
	var pair [2]Record
	at := int64(0)
	for n := -1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			if begin := line[:min(len(line), len(FileBegin))]; n < 0 && string(begin) != FileBegin[:len(begin)] {
				return 0, fmt.Errorf("%w: it does not begin with the settings of a match", ErrFile)
			}
			return good, nil
		}
		if err != nil {
			return 0, err
		}
		at += int64(len(line))
		if n < 0 {
			var h header
			if err := json.Unmarshal(line, &h); err != nil || h.Game == "" {
				return 0, fmt.Errorf("%w: it does not begin with the settings of a match", ErrFile)
			}
			if h.Game != game {
				return 0, fmt.Errorf("%w: it has games of %s, not of %s", ErrFile, h.Game, game)
			}
			if err := begin(h.Settings); err != nil {
				return 0, err
			}
			good = at
			continue
		}
		if err := json.Unmarshal(line, &pair[n%2]); err != nil {
			return 0, fmt.Errorf("%w: game %d: %w", ErrFile, n+1, err)
		}
		if n%2 == 1 {
			if err := add(pair); err != nil {
				return 0, err
			}
			good, pair = at, [2]Record{}
		}
	}
}

// work plays pairs until all are played.
func (m *match[P, M]) work(ctx context.Context) (err error) {
	t, seats := newTable(m.game, m.Rules, m.Patience), newSeats(m.Players, m.Patience, &m.left)
	defer func() { err = errors.Join(err, leaveTable(ctx, seats)) }()
	for ctx.Err() == nil {
		m.mu.Lock()
		number := m.next
		m.next++
		over := number >= m.Pairs || m.result.Verdict != Open
		m.mu.Unlock()
		if over {
			return nil
		}
		pair, err := t.pair(ctx, openings[P]{m.Openings, m.RandomPlies, m.Seed}, seats, number)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := m.finish(number, pair); err != nil {
			return err
		}
	}
	return nil
}

// finish adds a pair to the result once all before it are there.
func (m *match[P, M]) finish(number int, pair [2]Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting[number] = pair
	for {
		pair, ok := m.waiting[m.done]
		if !ok || m.result.Verdict != Open {
			return nil
		}
		delete(m.waiting, m.done)
		if m.file != nil {
			var text []byte
			for _, r := range pair {
				line, err := json.Marshal(r)
				if err != nil {
					return err
				}
				text = append(append(text, line...), '\n')
			}
			if _, err := m.file.Write(text); err != nil {
				return err
			}
		}
		if err := m.add(pair); err != nil {
			return err
		}
		if m.result.Verdict != Open {
			m.cancel(errDecided)
		}
		if m.Progress != nil {
			m.Progress(m.result)
		}
	}
}

// add adds the next pair to the result.
func (m *match[P, M]) add(pair [2]Record) error {
	m.done++
	m.result.add(m.Stop, pair)
	for _, r := range pair {
		if m.Notation != nil {
			if err := m.Notation(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveTable ends both players at the same time.
func leaveTable[P, M comparable](ctx context.Context, seats [2]*seat[P, M]) error {
	var errs [2]error
	var both sync.WaitGroup
	for i, s := range seats {
		both.Go(func() { errs[i] = s.end(ctx, false) })
	}
	both.Wait()
	return errors.Join(errs[:]...)
}

// pair plays a pair of games. The players swap sides.
func (t *table[P, M]) pair(ctx context.Context, o openings[P], seats [2]*seat[P, M], number int) (pair [2]Record, err error) {
	from, err := t.opening(ctx, o, number)
	if err != nil {
		return pair, err
	}
	for second := range 2 {
		order := seats
		if second == 1 {
			order[0], order[1] = seats[1], seats[0]
		}
		r, err := t.play(ctx, from, order, o.seed+uint64(number)<<8)
		if err == nil {
			err = ctx.Err() // a search that ended early may have chosen another move
		}
		if err != nil {
			return pair, err
		}
		r.Pair = number
		if r.Second = second == 1; r.Second {
			r.Points = 1 - r.Points
			if r.Forfeit > 0 {
				r.Forfeit = 3 - r.Forfeit
			}
		}
		pair[second] = r
	}
	return pair, nil
}

// ErrOpening is returned if random moves end the game again and again.
var ErrOpening = errors.New("no game goes on after so many random moves")

// openings are those of a [Config].
type openings[P comparable] struct {
	list        []P
	randomPlies int
	seed        uint64
}

// opening returns the position in which a pair begins, unless the rules do not return.
func (t *table[P, M]) opening(ctx context.Context, o openings[P], number int) (p P, err error) {
	found := make(chan P, 1)
	if _, err = guard(ctx, t.limits.Start, func() {}, func(context.Context) error {
		p, err := opening(t.game, o, number)
		found <- p
		return err
	}); err != nil {
		if !errors.Is(err, ErrOpening) {
			err = fmt.Errorf("the rules of %s: %w", t.game.Name(), err)
		}
		return p, err
	}
	return <-found, nil
}

// opening returns the position in which a pair begins.
func opening[P, M comparable](g games.Game[P, M], o openings[P], number int) (P, error) {
	if len(o.list) > 0 {
		return o.list[number%len(o.list)], nil
	}
	rng := rand.New(rand.NewPCG(o.seed, uint64(number)))
	for range 1000 {
		p := g.Start()
		for range o.randomPlies {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if _, finished := g.Outcome(p); !finished {
			return p, nil
		}
	}
	return g.Start(), fmt.Errorf("%w: %d", ErrOpening, o.randomPlies)
}
