package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// proveOptions are what the user chose.
type proveOptions struct {
	cfg           solver.Config
	method        string
	memory        uint64 // MiB
	file          string
	attack        bool
	asJSON, quiet bool
}

func newProve(l plugins) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove GAME [POSITION [moves MOVE ...]]",
		Short: "Prove who wins a position, by proof-number search",
		Long: `Prove finds the value of one position, the start position if none is given, by
proof-number search: can the side to move force a win? If not, can the other
side? If neither can, it is a draw. With --proof it writes a file that shows it,
which yomikiri check checks without the search.

The search is best-first: it keeps a tree in memory and looks at each position once. With
--method df-pn it is depth-first and keeps a table of the given size, however long it
takes. Games in which positions come again, such as dobutsu, need it; a proof file
can show their wins, but not that a side holds by going round in circles.

With --attack it looks for a win of the side to move only, by threats and quiet moves
that threaten a win. This is for gomoku on large boards, where the full search would
not end; it never shows that there is no win.`,
		Example: "  yomikiri prove gomoku --size 7x7 --k 4\n  yomikiri prove gomoku:size=6x6 --proof draw.proof\n" +
			"  yomikiri prove gomoku startpos moves h8 a1 --attack --proof a1.proof\n  yomikiri prove tictactoe startpos moves b2 a2\n" +
			"  yomikiri prove dobutsu 'G1l/LGh/2e/E1C b -' --method df-pn",
		Args:              arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: l.complete,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.file, "proof", "", "file to write the proof to")
	if attackers := l.attackers(); attackers != "" {
		flags.BoolVar(&o.attack, "attack", false, "look only for a win of the side to move by threats and quiet moves ("+attackers+")")
	}
	flags.StringVar(&o.method, "method", solver.BestFirst.String(), "how to search: best-first or df-pn")
	flags.Uint64Var(&o.cfg.Nodes, "nodes", 0, "most positions to expand for each question; 0 for no limit")
	flags.DurationVar(&o.cfg.Time, "time", 0, "longest time for each question; 0 for no limit")
	flags.Uint64Var(&o.memory, "memory", 2048, "MiB that the search may use; df-pn takes all of it, and 256 if it is not given")
	flags.BoolVar(&o.asJSON, "json", false, "write progress and result as JSON records")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show nothing but errors")
	addRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := l.openArgument(flags, args[0])
		if err != nil {
			return err
		}
		if o.memory == 0 || o.memory > 1<<24 {
			return usageError{fmt.Errorf("%d MiB of memory: want 1 to %d", o.memory, 1<<24)}
		}
		if o.cfg.Time < 0 {
			return usageError{fmt.Errorf("a time of %v: want 0 or more", o.cfg.Time)}
		}
		if o.file != "" {
			if _, err := os.Stat(filepath.Dir(o.file)); err != nil {
				return err
			}
		}
		if o.cfg.Method, err = parseMethod(o.method); err != nil {
			return usageError{err}
		}
		o.cfg.Memory = o.memory << 20
		if o.cfg.Method == solver.DepthFirst {
			if !flags.Changed("memory") {
				o.cfg.Memory = 0
			}
		}
		if o.attack || o.cfg.Method == solver.DepthFirst {
			if err := checkMemory(o.cfg.Memory); err != nil {
				return usageError{err}
			}
		}
		if o.attack && flags.Changed("method") {
			return usageError{errors.New("--attack has a method of its own: leave out --method")}
		}
		return g.prove(cmd, args[1:], &o)
	}
	return cmd
}

// attackers returns the names of the games that prove --attack is for.
func (l plugins) attackers() string {
	var names []string
	for _, p := range l {
		if p.attacks {
			names = append(names, p.info.Name)
		}
	}
	return strings.Join(names, ", ")
}

// proveRoot returns the position to prove: the start position unless there is one.
func proveRoot[P, M comparable](g games.Game[P, M], args []string) (P, error) {
	if len(args) == 0 {
		return g.Start(), nil
	}
	p, err := parsePosition(g, args)
	if err != nil {
		err = usageError{err}
	}
	return p, err
}

// parseMethod returns the method of a name.
func parseMethod(name string) (solver.Method, error) {
	for _, m := range []solver.Method{solver.BestFirst, solver.DepthFirst} {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("--method %q: want %v or %v", name, solver.BestFirst, solver.DepthFirst)
}

// proveResult is what prove has found.
type proveResult struct {
	Game      string          `json:"game"`
	Position  string          `json:"position"`
	Value     string          `json:"value"` // for the side to move
	Questions []proveQuestion `json:"questions"`
	Proof     *proofFile      `json:"proof,omitempty"`
}

type proveQuestion struct {
	Attacker string  `json:"attacker"`
	Wins     string  `json:"wins"`
	Nodes    uint64  `json:"nodes"`
	Memory   uint64  `json:"memory"`
	Seconds  float64 `json:"seconds"`
}

type proofFile struct {
	File    string  `json:"file"`
	Bytes   uint64  `json:"bytes"`
	Seconds float64 `json:"seconds"`
	proof.Counts
}

// sideNames are the sides of a question for people.
var sideNames = [...]string{proof.Mover: "the side to move", proof.Other: "the other side"}

// prove proves a position, and moves after it.
func (t *typed[G, P, M]) prove(cmd *cobra.Command, position []string, o *proveOptions) error {
	if o.attack {
		if t.extra.attack == nil {
			return usageError{fmt.Errorf("--attack: %s has no search for attacks", t.Name())}
		}
		return t.extra.attack(cmd, t.own, position, o)
	}
	root, err := proveRoot(t.Game, position)
	if err != nil {
		return err
	}
	g := t.Game
	p := newProgress(cmd.ErrOrStderr(), o.asJSON, o.quiet)
	o.cfg.ProgressEvery = p.every()
	o.cfg.Progress = func(r solver.Progress) { p.show(func() string { return proveLine(r) }, proveRecord(r)) }
	s, err := solver.New(g, t.newBrancher(), root, o.cfg)
	if err != nil {
		if _, ends := g.(games.Layerer[P]); !ends && errors.Is(err, solver.ErrUnsuited) && o.cfg.Method == solver.BestFirst {
			err = fmt.Errorf("%w: use --method %v", err, solver.DepthFirst)
		}
		return usageError{err}
	}
	result, err := s.Solve(cmd.Context())
	p.done()
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted(err)
	case err != nil && !errors.Is(err, solver.ErrLimit):
		return err
	}
	out := proveResult{Game: g.Name(), Position: string(g.AppendPosition(nil, root)), Value: "unknown"}
	if len(result.Claims) > 0 {
		if out.Value, err = proof.Value(result.Claims); err != nil {
			return err
		}
	}
	for _, q := range result.Questions {
		out.Questions = append(out.Questions, proveQuestion{sideNames[q.Attacker], q.Answer.String(), q.Nodes, q.Memory, q.Time.Seconds()})
	}
	if o.file != "" && len(result.Claims) > 0 {
		out.Proof, err = writeProof(cmd.Context(), s, o.file)
		if errors.Is(err, solver.ErrRepetition) {
			out.Proof = nil
			return errors.Join(out.write(cmd.OutOrStdout(), o, result.Known), err)
		}
		if err != nil {
			return err
		}
	}
	return out.write(cmd.OutOrStdout(), o, result.Known)
}

func interrupted(err error) error {
	return fmt.Errorf("interrupted; a search is not kept and begins anew: %w", err)
}

// write writes the result as the user wants it, and fails if the value is not known.
func (r *proveResult) write(w io.Writer, o *proveOptions, known bool) (err error) {
	if !o.quiet {
		if o.asJSON {
			err = record(w, r)
		} else {
			err = r.text(w)
		}
	}
	if err == nil && !known {
		err = fmt.Errorf("%w: the value is not known; give it more with --nodes, --time or --memory", solver.ErrLimit)
	}
	return err
}

func writeProof[P, M comparable](ctx context.Context, s *solver.Solver[P, M], path string) (*proofFile, error) {
	return writeProofFile(path, s.Header(), func(w *proof.Writer) error { return s.WriteProof(ctx, w) })
}

// writeProofFile writes a proof file whose nodes write gives.
func writeProofFile(path string, header proof.Header, write func(w *proof.Writer) error) (*proofFile, error) {
	begin := time.Now()
	file := &proofFile{File: path}
	header.By = "yomikiri " + version()
	err := db.WriteFile(vfs.Default, filepath.Dir(path), filepath.Base(path), func(f io.Writer) error {
		w, err := proof.NewWriter(f, header)
		if err != nil {
			return err
		}
		if err := write(w); err != nil {
			return err
		}
		err = w.Close()
		file.Counts, file.Bytes, file.Seconds = w.Counts(), w.Bytes(), time.Since(begin).Seconds()
		return err
	})
	return file, err
}

// String says what was written for people.
func (f *proofFile) String() string {
	return fmt.Sprintf("%s: %s nodes in %s, %.1f s", f.File, grouped(f.Nodes), size(f.Bytes), f.Seconds)
}

func proveLine(r solver.Progress) string {
	return fmt.Sprintf("%s  can %s win? proof %s, disproof %s: %s positions, %s", seconds(r.Time), sideNames[r.Attacker],
		grouped(uint64(r.Proof)), grouped(uint64(r.Disproof)), grouped(r.Nodes), size(r.Memory))
}

// proveRecord is the progress of a proof as a record.
func proveRecord(r solver.Progress) any {
	return struct {
		Seconds  float64 `json:"seconds"`
		Attacker string  `json:"attacker"`
		Proof    uint32  `json:"proof"`
		Disproof uint32  `json:"disproof"`
		Nodes    uint64  `json:"nodes"`
		Memory   uint64  `json:"memory"`
	}{r.Time.Seconds(), sideNames[r.Attacker], r.Proof, r.Disproof, r.Nodes, r.Memory}
}

// text writes the result for people.
func (r *proveResult) text(w io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s "+format+"\n", append([]any{name}, args...)...)
	}
	line("game", "%s", r.Game)
	line("position", "%s", r.Position)
	line("value", "%s", r.Value)
	for _, q := range r.Questions {
		line("question", "can %s win? %s: %s positions, %s, %.1f s", q.Attacker, q.Wins, grouped(q.Nodes), size(q.Memory), q.Seconds)
	}
	if f := r.Proof; f != nil {
		line("proof", "%s", f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
