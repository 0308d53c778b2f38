package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// Gomoku measures threat searches on one thread, each with an empty table: in positions
// of games that the program plays against itself after random openings, and in puzzles.
type Gomoku struct {
	Game *gomoku.Game
	// Positions is the number of middle-game positions to search.
	Positions int
	// Puzzles are searched for victories by continuous fours.
	Puzzles []GomokuPuzzle
	// Nodes is the limit of each search for continuous threats; 0 for none.
	Nodes uint64
	// Repeat is the number of times that each search is done; the fastest counts.
	Repeat int
	Seed   uint64
}

// GomokuPuzzle is a position with its known solution.
type GomokuPuzzle struct {
	ID       string
	Game     *gomoku.Game
	Position gomoku.Position
	// Moves is the number of the attacker's moves in the shortest victory by
	// continuous fours, or 0 if there is none.
	Moves int
}

// Latency summarizes the times of searches.
type Latency struct {
	Name      string  `json:"name"`
	Searches  int     `json:"searches"`
	Wins      int     `json:"wins"`
	Median    float64 `json:"median_seconds"`
	Ninety    float64 `json:"90_percent_seconds"`
	Longest   float64 `json:"longest_seconds"`
	PerMinute float64 `json:"per_minute"` // of the median length
}

// The middle of a game, in stones, and the number of random stones in its opening.
const (
	middleBegins  = 8
	middleEnds    = 60
	openingStones = 5
)

// tableBits is the size of a searcher's table, 64 KiB.
const tableBits = 12

// threatTable is the size of the table of a search for continuous threats, in
// bytes.
const threatTable = 4 << 20

// Run does all measurements and calls report with each. It fails if a puzzle's solution
// differs from the known one.
func (b Gomoku) Run(ctx context.Context, report func(Latency)) error {
	if len(b.Puzzles) > 0 {
		if err := b.puzzles(ctx, report); err != nil {
			return err
		}
	}
	if b.Positions == 0 {
		return nil
	}
	positions, err := b.middleGames(ctx)
	if err != nil {
		return err
	}
	s := threat.NewSearcher(b.Game, tableBits)
	threats, err := threat.NewVCT(b.Game, threat.VCTConfig{Nodes: b.Nodes, TableSize: threatTable})
	if err != nil {
		return err
	}
	board := b.Game.NewBoard(b.Game.Start())
	for _, kind := range []struct {
		name   string
		reset  func()
		search func(gomoku.Position) bool
	}{
		{"continuous fours", s.Reset, func(p gomoku.Position) bool {
			_, verdict := s.VCF(board, p.ToMove(), threat.AllMoves, 0)
			return verdict == threat.Proven
		}},
		{"threat space", s.Reset, func(p gomoku.Position) bool { return s.ThreatSpace(board, p.ToMove()) != nil }},
		{"continuous threats", threats.Reset, func(p gomoku.Position) bool {
			tree, _, _ := threats.Search(ctx, p) // if ctx ends, the next check of ctx fails
			return tree != nil
		}},
	} {
		times := make([]time.Duration, 0, len(positions))
		wins := 0
		for _, p := range positions {
			if err := ctx.Err(); err != nil {
				return err
			}
			board.Set(p)
			won := false
			times = append(times, b.fastest(kind.reset, func() { won = kind.search(p) }))
			if won {
				wins++
			}
		}
		report(latency(kind.name+", middle game", wins, times))
	}
	return nil
}

// fastest returns the shortest time that a search takes from an empty table.
func (b Gomoku) fastest(reset, search func()) time.Duration {
	best := time.Duration(0)
	for i := range max(b.Repeat, 1) {
		reset()
		begin := time.Now()
		search()
		if took := time.Since(begin); i == 0 || took < best {
			best = took
		}
	}
	return best
}

func latency(name string, wins int, times []time.Duration) Latency {
	slices.Sort(times)
	n := len(times)
	median := times[n/2].Seconds()
	return Latency{
		Name: name, Searches: n, Wins: wins, PerMinute: 60 / max(median, 1e-9),
		Median: median, Ninety: times[n*9/10].Seconds(), Longest: times[n-1].Seconds(),
	}
}

func (b Gomoku) puzzles(ctx context.Context, report func(Latency)) error {
	var times []time.Duration
	wins := 0
	searchers := map[*gomoku.Game]*threat.Searcher{}
	for _, p := range b.Puzzles {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := searchers[p.Game]
		if s == nil {
			s = threat.NewSearcher(p.Game, tableBits)
			searchers[p.Game] = s
		}
		board := p.Game.NewBoard(p.Position)
		var tree *threat.Tree
		times = append(times, b.fastest(s.Reset, func() { tree, _ = s.VCF(board, p.Position.ToMove(), threat.AllMoves, 0) }))
		moves := 0
		if tree != nil {
			wins++
			moves = tree.Moves()
		}
		if moves != p.Moves {
			return fmt.Errorf("puzzle %s: a victory by continuous fours in %d moves, want %d (0: none)", p.ID, moves, p.Moves)
		}
	}
	report(latency("continuous fours, puzzles", wins, times))
	return nil
}

// middleGames plays games until there are enough positions.
func (b Gomoku) middleGames(ctx context.Context) ([]gomoku.Position, error) {
	rng := rand.New(rand.NewPCG(b.Seed, 0))
	g := b.Game
	player := threat.NewPlayer(threat.NewSearcher(g, tableBits), nil)
	var list []gomoku.Position
	for tries := 0; len(list) < b.Positions; tries++ {
		if tries > 100*b.Positions {
			return nil, fmt.Errorf("%s games end too early to sample middle-game positions", g.Name())
		}
		p := b.opening(rng)
		for stones := openingStones; stones < middleEnds && len(list) < b.Positions; stones++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if _, finished := g.Outcome(p); finished {
				break
			}
			if stones >= middleBegins {
				list = append(list, p)
			}
			move, win := player.Choose(ctx, p)
			if win != nil && stones >= middleBegins {
				break // the rest is forced
			}
			p = g.Play(p, move)
		}
	}
	return list, nil
}

func (b Gomoku) opening(rng *rand.Rand) gomoku.Position {
	const reach = 3
	r := b.Game.Rules()
	p := b.Game.Start()
	for n := 0; n < openingStones; {
		if _, finished := b.Game.Outcome(p); finished {
			return p
		}
		row, column := r.Rows/2+rng.IntN(2*reach+1)-reach, r.Columns/2+rng.IntN(2*reach+1)-reach
		if row < 0 || row >= r.Rows || column < 0 || column >= r.Columns {
			continue
		}
		if _, taken := p.At(gomoku.SquareAt(row, column)); !taken {
			p = b.Game.Play(p, gomoku.SquareAt(row, column))
			n++
		}
	}
	return p
}

// ReadGomokuPuzzles reads puzzles, one on each line after a header, in fields separated
// by tabs: id, rule (freestyle or exact5), size, side to move (b or w), squares from the
// top row, claim ("no VCF" or "win by VCF, minimal"), number of the attacker's moves.
// Errors name the line.
func ReadGomokuPuzzles(r io.Reader) ([]GomokuPuzzle, error) {
	var list []GomokuPuzzle
	opened := map[string]*gomoku.Game{}
	lines := bufio.NewScanner(r)
	number := 1
	for ; lines.Scan(); number++ {
		if number == 1 && strings.HasPrefix(lines.Text(), "id\t") || lines.Text() == "" {
			continue
		}
		p, err := readPuzzle(strings.Split(lines.Text(), "\t"), opened)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, p)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d KiB", number, bufio.MaxScanTokenSize>>10)
	}
	return list, lines.Err()
}

func readPuzzle(fields []string, opened map[string]*gomoku.Game) (p GomokuPuzzle, err error) {
	if len(fields) < 7 {
		return p, fmt.Errorf("want at least 7 fields separated by tabs, got %d: id, rule, size, side to move, stones, claim, moves", len(fields))
	}
	rule, ok := map[string]string{"freestyle": "free", "exact5": "exact"}[fields[1]]
	if !ok {
		return p, fmt.Errorf("rule %q, want freestyle or exact5", fields[1])
	}
	spec := fmt.Sprintf("gomoku:size=%sx%s,rule=%s", fields[2], fields[2], rule)
	if p.Game = opened[spec]; p.Game == nil {
		if p.Game, err = gomoku.Family.Open(spec); err != nil {
			return p, err
		}
		opened[spec] = p.Game
	}
	p.ID = fields[0]
	if p.Position, err = p.Game.ParsePosition(fields[4] + " " + fields[3]); err != nil {
		return p, err
	}
	switch fields[5] {
	case "no VCF":
	case "win by VCF, minimal":
		if p.Moves, err = strconv.Atoi(fields[6]); err != nil || p.Moves < 1 {
			return p, fmt.Errorf("%q moves, want a number", fields[6])
		}
	default:
		return p, fmt.Errorf("claim %q, want \"no VCF\" or \"win by VCF, minimal\"", fields[5])
	}
	return p, nil
}
