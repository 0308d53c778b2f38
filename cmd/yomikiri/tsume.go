package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/tsume"
)

// errUnsolved says that limits left problems unsolved.
var errUnsolved = errors.New("not solved within the limits")

// tsumeCommand is the state of "yomikiri tsume".
type tsumeCommand struct {
	options                 tsume.Options
	limit                   time.Duration
	memory                  int64
	parallel                int
	asJSON, board, japanese bool
	out                     io.Writer
}

func newTsume() *cobra.Command {
	var c tsumeCommand
	cmd := &cobra.Command{
		Use:   "tsume SFEN|FILE|- ...",
		Short: "Solve shogi mate problems",
		Long: `Tsume solves mate problems of full shogi: the side to move gives check with every
move until the other side is mated, or cannot. An argument is a position in SFEN,
a file of problems (SFEN lines, perhaps with length and name behind tabs; KIF; CSA)
or - for the standard input.

For each problem it writes the outcome: "mate in N", with the line of play on the
next line; "no mate", which is proven as well; or "unknown" if a limit was reached.
Interpositions at the end that only delay the mate are not counted. The mate is not
necessarily the shortest unless --shortest asks for it.`,
		Example: "  yomikiri tsume '4k4/9/4P4/9/9/9/9/9/9 b G 1'\n" +
			"  yomikiri tsume --shortest --time 10s problems.sfen\n" +
			"  yomikiri tsume --json - < problem.kif",
		Args: arguments(cobra.MinimumNArgs(1)),
	}
	flags := cmd.Flags()
	flags.BoolVar(&c.options.Shortest, "shortest", false, "find the shortest mate against the longest defence")
	flags.BoolVar(&c.options.FirstMoves, "all-first-moves", false, "say of every first check whether it mates")
	flags.BoolVar(&c.options.CountFutile, "count-futile", false, "count futile interpositions in lengths")
	flags.Uint64Var(&c.options.Nodes, "nodes", 0, "positions to search for each problem (0: no limit)")
	flags.DurationVar(&c.limit, "time", 0, "time for each problem (0: no limit)")
	flags.Int64Var(&c.memory, "memory", 256, "size of the tables in MiB, all together")
	flags.IntVar(&c.options.Threads, "threads", 1, "threads for each problem")
	flags.IntVar(&c.parallel, "parallel", 0, "problems at a time (default: as many as there are processors for)")
	flags.BoolVar(&c.board, "board", false, "draw the position before the result")
	flags.BoolVar(&c.japanese, "japanese", false, "write moves in Japanese notation")
	flags.BoolVar(&c.asJSON, "json", false, "write a JSON record for each problem")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.out = cmd.OutOrStdout()
		if c.options.Threads < 1 || c.memory < 1 || c.limit < 0 || c.parallel < 0 {
			return usageError{errors.New("--threads and --memory must be positive, --time and --parallel not negative")}
		}
		entries, err := readProblems(cmd.InOrStdin(), args)
		if err != nil {
			return usageError{err}
		}
		return c.run(cmd.Context(), entries)
	}
	return cmd
}

// readProblems reads the problems of all arguments.
func readProblems(stdin io.Reader, args []string) ([]tsume.Entry, error) {
	var entries []tsume.Entry
	for _, arg := range args {
		var list []tsume.Entry
		var err error
		switch {
		case arg == "-":
			var data []byte
			if data, err = io.ReadAll(stdin); err == nil {
				list, err = tsume.Read("stdin", data)
			}
		case strings.Count(arg, "/") >= 8 && strings.Contains(arg, " "):
			list, err = tsume.Read("argument", []byte(arg))
		default:
			var data []byte
			if data, err = os.ReadFile(arg); err == nil {
				list, err = tsume.Read(arg, data)
			} else if errors.Is(err, os.ErrNotExist) {
				err = fmt.Errorf("%q is neither a file nor a position in SFEN: %w", arg, err)
			}
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, list...)
	}
	return entries, nil
}

// run solves the problems, several at a time, and writes results in their order.
func (c *tsumeCommand) run(ctx context.Context, entries []tsume.Entry) error {
	parallel := c.parallel
	if parallel == 0 {
		parallel = max(1, runtime.GOMAXPROCS(0)/c.options.Threads)
	}
	parallel = min(parallel, len(entries))
	tables := make(chan *dfpn.Table, parallel)
	for range parallel {
		table, err := dfpn.NewTable(c.memory << 20 / int64(parallel))
		if err != nil {
			return err
		}
		tables <- table
	}
	solutions := make([]chan tsume.Solution, len(entries))
	for i := range solutions {
		solutions[i] = make(chan tsume.Solution, 1)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel + 1)
	unsolved := 0
	group.Go(func() error {
		for i := range entries {
			select {
			case s := <-solutions[i]:
				if s.Outcome == dfpn.Unknown {
					unsolved++
				}
				if err := c.write(&entries[i], &s); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for i := range entries {
		group.Go(func() error {
			table := <-tables
			defer func() { tables <- table }()
			s, err := c.solve(ctx, entries[i].Problem, table)
			solutions[i] <- s
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if unsolved > 0 {
		return fmt.Errorf("%d of %d problems: %w", unsolved, len(entries), errUnsolved)
	}
	return nil
}

// solve solves one problem within the limit of time.
func (c *tsumeCommand) solve(ctx context.Context, p tsume.Problem, table *dfpn.Table) (tsume.Solution, error) {
	table.Clear()
	limited := ctx
	if c.limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, c.limit)
		defer cancel()
	}
	s, err := tsume.Solve(limited, p, table, c.options)
	return s, errors.Join(err, ctx.Err())
}

// tsumeRecord is a result as JSON has it.
type tsumeRecord struct {
	Name       string            `json:"name"`
	Position   string            `json:"sfen"`
	Outcome    string            `json:"outcome"`
	Length     int               `json:"length,omitempty"`
	Shortest   bool              `json:"shortest,omitempty"`
	Declared   int               `json:"declared,omitempty"`
	Line       []string          `json:"line,omitempty"`
	Tail       []string          `json:"tail,omitempty"`
	FirstMoves []firstMoveRecord `json:"first_moves,omitempty"`
	Nodes      uint64            `json:"nodes"`
	Seconds    float64           `json:"seconds"`
}

type firstMoveRecord struct {
	Move    string `json:"move"`
	Outcome string `json:"outcome"`
	Length  int    `json:"length,omitempty"`
}

// outcomeNames are the outcomes in the words of the game.
var outcomeNames = map[dfpn.Outcome]string{dfpn.Proven: "mate", dfpn.Disproven: "no mate", dfpn.Unknown: "unknown"}

func (c *tsumeCommand) record(e *tsume.Entry, s *tsume.Solution) tsumeRecord {
	b := shogi.NewBoard(e.Position)
	r := tsumeRecord{
		Name: e.Name, Position: e.Position.SFEN(), Outcome: outcomeNames[s.Outcome], Length: s.Length,
		Shortest: s.Shortest, Declared: e.Declared, Nodes: s.Nodes, Seconds: s.Time.Seconds(),
	}
	for _, m := range s.FirstMoves {
		r.FirstMoves = append(r.FirstMoves, firstMoveRecord{c.move(b, m.Move), outcomeNames[m.Outcome], m.Length})
	}
	for _, m := range s.Line {
		r.Line = append(r.Line, c.move(b, m))
		b.Do(m)
	}
	for _, m := range s.Tail {
		r.Tail = append(r.Tail, c.move(b, m))
		b.Do(m)
	}
	return r
}

// move writes a move that can be made on the board.
func (c *tsumeCommand) move(b *shogi.Board, m shogi.Move) string {
	if c.japanese {
		return string(b.AppendJapanese(nil, m))
	}
	return m.String()
}

// write writes a result.
func (c *tsumeCommand) write(e *tsume.Entry, s *tsume.Solution) error {
	r := c.record(e, s)
	if c.asJSON {
		return record(c.out, r)
	}
	var text []byte
	if c.board {
		text = e.Position.AppendBoard(text)
	}
	outcome := r.Outcome
	if s.Outcome == dfpn.Proven {
		outcome = fmt.Sprintf("mate in %d", s.Length)
		if s.Shortest {
			outcome += " (shortest)"
		} else if len(s.Line) > 0 && len(s.Line) < s.Length {
			outcome += fmt.Sprintf(" (at most; the line has %d)", len(s.Line))
		}
	}
	text = fmt.Appendf(text, "%s  %s  %s nodes  %.2f s\n", r.Name, outcome, grouped(r.Nodes), r.Seconds)
	if len(r.Line) > 0 {
		text = fmt.Appendf(text, "  %s\n", strings.Join(r.Line, " "))
	}
	for _, m := range r.FirstMoves {
		text = fmt.Appendf(text, "  first %-6s %s", m.Move, m.Outcome)
		if m.Length > 0 {
			text = fmt.Appendf(text, " in %d", m.Length)
		}
		text = append(text, '\n')
	}
	_, err := c.out.Write(text)
	return err
}
