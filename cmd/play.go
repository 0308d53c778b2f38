package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

func newPlay(l plugins) *cobra.Command {
	var dir string
	var files []string
	var second bool
	cmd := &cobra.Command{
		Use:   "play GAME [POSITION [moves MOVE ...]]",
		Short: "Play against the database of a game, or a proof",
		Long: `Play is a game between you and a database, which makes no mistakes. It says what each of
your moves costs. Type a move, or

  hint     show the best move
  moves    show all moves with their values, best first
  undo     take back your last move
  board    show the board again
  quit     end the game

The game begins in the start position unless another is given. When a position occurs
for the third time the game is a draw, and the points that are left are shared.

With --proof you play against proof files of the game, instead of a database. The program
has the side that the proofs are about; if they are about both sides, it moves second
unless --second is given. It looks its moves up, without a search; where no proof has the
position, the game ends with exit code 3. The game begins where the proof does, or, with
several proofs, in the start position, with the move that all of them share.`,
		Example: "  yomikiri play dobutsu --second\n" +
			"  yomikiri play awari 2,2,2,2,2,2,2,2,1,1,1,1\n" +
			"  yomikiri play gomoku --proof proofs/*.proof",
		Args:              arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: l.completeSolvable(),
	}
	cmd.Flags().StringVar(&dir, "db", "", "directory of the database (default ./GAME.db)")
	cmd.Flags().BoolVar(&second, "second", false, "let the database or the proof move first")
	addRuleFlags(cmd, l.infos()...)
	proofFlag(cmd.Flags(), &files)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(files) > 0 {
			if dir != "" {
				return usageError{errors.New("--db and --proof exclude each other")}
			}
			g, err := l.openArgument(cmd.Flags(), args[0])
			if err != nil {
				return err
			}
			return g.playProofs(cmd, files, args[1:], second)
		}
		g, dir, err := l.openSolved(cmd.Flags(), args[0], dir)
		if err != nil {
			return err
		}
		return g.play(cmd, dir, args[1:], second)
	}
	return cmd
}

// play plays from a position, or the start position if none is given.
func (t *typed[G, P, M]) play(cmd *cobra.Command, dir string, args []string, second bool) (err error) {
	position := t.Start()
	if len(args) > 0 {
		if position, err = t.parseHeld(args); err != nil {
			return err
		}
	}
	d, prober, err := t.openProber(cmd, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if _, err := prober.Probe(position); err != nil {
		return err
	}
	p := beginPlay(cmd, t.Game, "the database", position, second)
	p.prober = prober
	p.best = func(position P) (M, string, error) {
		m, _, err := prober.Best(p.ctx, position)
		return m.Move, m.Value.String(), err
	}
	if len(args) == 0 && !isWhole(t.rules()) {
		fmt.Fprintf(p.out, "%s is a part of the game: play begins in a position of it, not in the start position\n", t.Name())
	}
	return p.run()
}

// playProofs is play against proofs.
func (t *typed[G, P, M]) playProofs(cmd *cobra.Command, files, args []string, second bool) error {
	args = takeFiles(&files, args)
	byGame, err := openPlayProofs(cmd, files, func(game string) (proofPlayer, error) {
		if game != t.Name() {
			return nil, usageError{fmt.Errorf("the proof is about %s, not %s", game, t.Name())}
		}
		return t.proofPlayer()
	})
	if err != nil {
		return err
	}
	proofs := byGame[t.Name()]
	if len(args) == 0 && len(files) == 1 {
		args = []string{proofs.headers[0].Root}
	}
	position := t.Start()
	if len(args) > 0 {
		if position, err = parsePosition(t.Game, args); err != nil {
			return usageError{fmt.Errorf("neither a position nor files: %w", err)}
		}
	}
	best := func(position P) (m M, source string, err error) {
		text, source, err := proofs.reply(cmd.Context(), t.AppendPosition(nil, position))
		if err == nil {
			m, err = games.ParseMove(t.Game, position, text)
		}
		return m, source, err
	}
	if !second && !proofs.bothSides() {
		// A side that can end the game need not be the side that the proofs are for.
		switch _, source, err := best(position); {
		case err == nil:
			second = source != endsGame || len(files) == 1 && proofs.begins(string(t.AppendPosition(nil, position)))
		case !errors.Is(err, errNoProof):
			return err
		}
	}
	p := beginPlay(cmd, t.Game, "the proof", position, second)
	p.best = best
	return p.run()
}

// play is a game between a person and a database, or proofs.
type play[P, M comparable] struct {
	g      games.Game[P, M]
	who    string           // what the person plays against
	prober *db.Prober[P, M] // nil with proofs, which have no values
	// best returns the move that the person's opponent plays in a position where the game
	// is not over, and a remark about it.
	best   func(position P) (M, string, error)
	out    io.Writer
	ctx    context.Context
	in     *lines
	person int       // 0 if the person moves first, 1 if second
	turns  []turn[P] // so far; the last one is to be made
}

func beginPlay[P, M comparable](cmd *cobra.Command, g games.Game[P, M], who string, position P, second bool) *play[P, M] {
	p := &play[P, M]{g: g, who: who, out: cmd.OutOrStdout(), ctx: cmd.Context(), turns: []turn[P]{{position: position}}}
	p.in = newLines(cmd.InOrStdin(), p.out, "your move: ")
	if second {
		p.person = 1
	}
	return p
}

// turn is a position of the game and the points that the first and the second player
// have won before.
type turn[P comparable] struct {
	position P
	won      [2]int
}

func (p *play[P, M]) now() *turn[P] { return &p.turns[len(p.turns)-1] }

// mover returns whose turn it is: 0 for the player who moves first.
func (p *play[P, M]) mover() int { return (len(p.turns) - 1) % 2 }

// run plays until the game is over or the person quits.
func (p *play[P, M]) run() error {
	p.board()
	for {
		if p.over() {
			return nil
		}
		if p.mover() == p.person {
			if goOn, err := p.ask(); !goOn || err != nil {
				return err
			}
			continue
		}
		m, say, err := p.best(p.now().position)
		if err != nil {
			return err
		}
		if p.prober != nil {
			say += " for it"
		}
		fmt.Fprintf(p.out, "%s plays %s (%s)\n", p.who, p.name(m), say)
		p.make(m)
		p.board()
	}
}

func (p *play[P, M]) board() {
	t := p.now()
	dst := []byte{'\n'}
	if drawer, ok := p.g.(games.Drawer[P]); ok {
		dst = drawer.AppendBoard(dst, t.position)
	} else {
		dst = append(p.g.AppendPosition(dst, t.position), '\n')
	}
	if games.OrderOf(p.g) == games.ByScore {
		dst = fmt.Appendf(dst, "won: you %d, the database %d\n", t.won[p.person], t.won[1-p.person])
	}
	p.out.Write(dst)
}

func (p *play[P, M]) name(m M) string { return string(p.g.AppendMove(nil, p.now().position, m)) }

// make makes a move.
func (p *play[P, M]) make(m M) {
	t := *p.now()
	if scorer, ok := p.g.(games.Scorer[P, M]); ok {
		t.won[p.mover()] += scorer.Gain(t.position, m)
	}
	t.position = p.g.Play(t.position, m)
	p.turns = append(p.turns, t)
}

// over reports whether the game is over, and prints how it ended.
func (p *play[P, M]) over() bool {
	t := p.now()
	v, finished := p.g.Outcome(t.position)
	same := 0
	// The same side is to move in every second turn.
	for i := len(p.turns) - 1; i >= 0; i -= 2 {
		if p.turns[i].position == t.position {
			same++
		}
	}
	switch {
	case finished:
	case same >= 3:
		v = games.Draw
		fmt.Fprintln(p.out, "the position occurs for the third time")
	default:
		return false
	}
	mine, theirs := p.person, 1-p.person
	result := v.Result()
	if p.mover() != p.person {
		result = -result
	}
	if p.mover() == 1 {
		v = -v
	}
	if p.prober == nil {
		// Proofs are of games without scores.
	} else if end := p.prober.FinalScore(t.position, v, t.won); end != nil {
		result = games.Draw.Result()
		if end[mine] != end[theirs] {
			result = games.Score(int(2 * (end[mine] - end[theirs]))).Result()
		}
		fmt.Fprintf(p.out, "the score is %v for you, %v for the database\n", end[mine], end[theirs])
	}
	switch result {
	case games.Won:
		fmt.Fprintln(p.out, "you have won")
	case games.Lost:
		fmt.Fprintln(p.out, "you have lost")
	default:
		fmt.Fprintln(p.out, "the game is a draw")
	}
	return true
}

// ask reads a move or a command. It returns false when the person quits.
func (p *play[P, M]) ask() (bool, error) {
	line, err := p.in.read(p.ctx)
	if err != nil {
		fmt.Fprintln(p.out)
		if err == io.EOF {
			err = nil
		}
		return false, err
	}
	switch text := strings.TrimSpace(line); text {
	case "":
	case "quit", "exit":
		return false, nil
	case "board":
		p.board()
	case "help", "?":
		fmt.Fprintln(p.out, "type a move, hint, moves, undo, board or quit")
	case "hint":
		m, say, err := p.best(p.now().position)
		switch {
		case errors.Is(err, errNoProof):
			say = err.Error()
		case err != nil:
			return false, err
		case p.prober != nil:
			say = fmt.Sprintf("%s (%s for you)", p.name(m), say)
		default:
			say = fmt.Sprintf("%s (%s)", p.name(m), say)
		}
		fmt.Fprintln(p.out, say)
	case "moves":
		if p.prober == nil {
			fmt.Fprintln(p.out, "a proof has no values of moves")
			break
		}
		moves, err := p.prober.ProbeMoves(p.now().position)
		if err != nil {
			return false, err
		}
		for _, m := range moves {
			fmt.Fprintf(p.out, "  %-6s  %v%s\n", p.name(m.Move), m.Value, p.cost(moves[0].Value, m.Value))
		}
	case "undo":
		if len(p.turns) < 3 {
			fmt.Fprintln(p.out, "there is no move to take back")
			break
		}
		p.turns = p.turns[:len(p.turns)-2]
		p.board()
	default:
		return true, p.try(text)
	}
	return true, nil
}

// try makes the move that the person typed, if it is one.
func (p *play[P, M]) try(text string) error {
	m, err := games.ParseMove(p.g, p.now().position, text)
	if err != nil {
		fmt.Fprintf(p.out, "%s; or type help\n", brief(err.Error()))
		return nil
	}
	if p.prober == nil {
		p.make(m)
		return nil
	}
	moves, err := p.prober.ProbeMoves(p.now().position)
	if err != nil {
		return err
	}
	for _, known := range moves {
		if known.Move == m {
			fmt.Fprintf(p.out, "%s: %v for you%s\n", p.name(m), known.Value, p.cost(moves[0].Value, known.Value))
		}
	}
	p.make(m)
	return nil
}

// cost says how much worse a move is than the best one.
func (p *play[P, M]) cost(best, v games.Value) string {
	byScore := games.OrderOf(p.g) == games.ByScore
	switch {
	case best == v:
		return ", the best"
	case byScore:
		return fmt.Sprintf(", costs %d", int(best)-int(v))
	case best == games.Draw:
		return ", gives away a draw"
	case best.Result() != v.Result():
		return fmt.Sprintf(", gives away a %v", best)
	}
	before, _ := best.Plies()
	after, _ := v.Plies()
	if v.Result() == games.Won {
		return fmt.Sprintf(", wins %d plies later", after-before)
	}
	return fmt.Sprintf(", loses %d plies sooner", before-after)
}
