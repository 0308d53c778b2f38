package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// matchOptions are the flags of match.
type matchOptions struct {
	players     [2]playConfig
	games       int
	threads     int
	random      int
	openings    string
	seed        uint64
	plies       int
	repetitions int
	dir         string
	left        time.Duration
	increment   time.Duration
	byoyomi     time.Duration
	moveTime    time.Duration
	startTime   time.Duration
	crashes     int
	stop        match.SPRT
	sprt        string
	file        string
	notation    string
	ui.Printing
}

func (o *matchOptions) addFlags(flags *pflag.FlagSet) {
	ui.NumberFlag(flags, &o.games, "games", 200, 2, 10_000_000, "number of games at most; they come in pairs with sides swapped")
	ui.ThreadsFlag(flags, &o.threads, "1", "games to play at the same time")
	ui.NumberFlag(flags, &o.random, "random-plies", 6, 0, 1000, "random moves before each pair, without --openings")
	flags.StringVar(&o.openings, "openings", "", "`file` of positions in which pairs begin, one on each line")
	flags.Uint64Var(&o.seed, "seed", 1, "of random numbers; the same seed gives the same games where players have a limit of nodes or depth")
	ui.NumberFlag(flags, &o.plies, "plies", 512, 1, 100_000, "a game is a draw after this number of plies")
	ui.NumberFlag(flags, &o.repetitions, "repetitions", 3, 2, 100, "a game ends when a position occurs so often")
	flags.StringVar(&o.dir, "db", "", "directory of a database that ends games by its values, or its game")
	ui.TimeFlag(flags, &o.left, "clock", "0", "time of each player for a game; 0 for none")
	ui.TimeFlag(flags, &o.increment, "increment", "0", "time that each move adds")
	ui.TimeFlag(flags, &o.byoyomi, "byoyomi", "0", "time for each move once the clock has run down")
	ui.TimeFlag(flags, &o.moveTime, "move-time", "5m", "most time for a move without --clock; 0 for no limit. With time=T a player has 0.7 s more than T")
	ui.TimeFlag(flags, &o.startTime, "start-time", "2m", "most time for a player to start, and to be ready for a game; 0 for no limit")
	ui.NumberFlag(flags, &o.crashes, "crashes", 5, 1, 1_000_000, "end the match when a player has crashed in so many games in a row")
	flags.StringVar(&o.sprt, "sprt", "", "`E0,E1`: stop as soon as the first player is shown to be stronger by E1 Elo, or only by E0")
	ui.FileFlag(flags, &o.file, "file", true, "keep the games in a file; the match goes on where it ends")
	ui.FileFlag(flags, &o.notation, "notation", false, "write the games to a file as text, which analyze, query and train read")
	o.Printing.Flags(flags)
}

func newMatch(l plugins) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "match GAME PLAYER PLAYER",
		Short: "Play two players against each other and say which is stronger",
		Long: `Match plays games between two players, in pairs with the same opening and sides swapped,
and prints by how many Elo points the first is stronger, with an interval of 95 %.

A player that does not answer in its time, crashes or makes an illegal move forfeits the game.
Its program is killed, and started again for the next game. Forfeits are games lost, and counted
apart too. A player that cannot start, or crashes in --crashes games in a row, ends the match
with an error; with --file the same command goes on.

` + playerHelp,
		Example: "  yomikiri match dobutsu nodes=2000 nodes=1000 --games 400\n" +
			"  yomikiri match connect4 level=5 level=4 --sprt 0,50\n" +
			"  yomikiri match shogi time=100ms 'time=100ms@usi ./engine' --file games.jsonl",
		Args: ui.ExactArgs(3),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.read(args[1:]); err != nil {
			return err
		}
		clocked := o.clock() != play.Clock{}
		if err := ui.RefuseIdle(cmd.Flags(), ui.Idle{When: clocked, Why: "with a clock, which limits moves", Flags: []string{"move-time"}}); err != nil {
			return err
		}
		g, err := l.openJudged(cmd, args[0], &o.dir)
		if err != nil {
			return err
		}
		return o.run(cmd, g)
	}
	return cmd
}

// read reads what flags and arguments name.
func (o *matchOptions) read(players []string) error {
	if o.games%2 != 0 {
		return ui.Usage(fmt.Errorf("--games %d: want an even number, since games come in pairs", o.games))
	}
	if o.sprt != "" {
		low, high, _ := strings.Cut(o.sprt, ",")
		e0, err0 := strconv.ParseFloat(low, 64)
		e1, err1 := strconv.ParseFloat(high, 64)
		if err0 != nil || err1 != nil || !(-1000 <= e0 && e0 < e1 && e1 <= 1000) {
			return ui.Usage(fmt.Errorf("--sprt %q: want E0,E1 with E0 less than E1, such as 0,20", o.sprt))
		}
		o.stop.Elo0, o.stop.Elo1 = e0, e1
	}
	for i, text := range players {
		p, err := parsePlayer(text)
		if err != nil {
			return ui.Usage(err)
		}
		if o.players[i], err = p.read(); err != nil {
			return err
		}
	}
	return nil
}

func (o *matchOptions) clock() play.Clock {
	if o.left == 0 && o.increment == 0 && o.byoyomi == 0 {
		return play.Clock{}
	}
	const margin = 10 * time.Millisecond
	return play.Clock{Left: o.left, Increment: o.increment, Byoyomi: o.byoyomi, Margin: margin}
}

// slack is how much longer a player with a time for each move may take than that.
const slack = 700 * time.Millisecond

// patience returns how long to wait for the players.
func (o *matchOptions) patience() match.Patience {
	p := match.Patience{Start: o.startTime, Move: [2]time.Duration{o.moveTime, o.moveTime}, Crashes: o.crashes}
	for i := range p.Move {
		if t := o.players[i].settings.Time; t > 0 {
			p.Move[i] = t + slack
		}
	}
	return p
}

// settings names everything that the games depend on.
func (o *matchOptions) settings() string {
	s := fmt.Sprintf("%s | %s | random %d, openings %q, seed %d, plies %d, repetitions %d, db %q, clock %v %v %v",
		o.players[0].text, o.players[1].text, o.random, o.openings, o.seed, o.plies, o.repetitions, o.dir, o.left, o.increment, o.byoyomi)
	return s
}

func (o *matchOptions) run(c *cobra.Command, part *app.Game) (err error) {
	ctx := c.Context()
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	var players [2]playerMaker
	for i := range players {
		if players[i], err = playerOf(g, o.players[i]); err != nil {
			return err
		}
	}
	cfg := match.Config[app.Position, app.Move]{
		Rules:    match.Rules[app.Position]{Plies: o.plies, Repetitions: o.repetitions, Clock: o.clock(), Database: d},
		Players:  players,
		Patience: o.patience(),
		Pairs:    o.games / 2, Threads: o.threads, RandomPlies: o.random, Seed: o.seed, Stop: o.stop,
		File: o.file, Settings: o.settings(),
	}
	if o.openings != "" {
		if cfg.Openings, err = readOpenings(g.Board, o.openings); err != nil {
			return err
		}
	}
	if o.notation != "" {
		var f *os.File // not before there is a game, so that a match that is refused leaves an old file as it was
		var out *bufio.Writer
		cfg.Notation = func(r match.Record) (err error) {
			if f == nil {
				if f, err = os.Create(o.notation); err != nil {
					return err
				}
				out = bufio.NewWriter(f)
			}
			return match.WriteRecord(out, g.Board, r, o.players[0].text, o.players[1].text)
		}
		defer func() {
			if f != nil {
				err = errors.Join(err, out.Flush(), f.Close())
			}
		}()
	}
	shown, begin := o.Progress(c), time.Now()
	cfg.Progress = func(r *match.Result) {
		shown.Show(func() string { return matchStatus(r, 2*cfg.Pairs, begin) }, matchRecord(r))
	}
	verification, database, err := judgedBy(o.dir)
	if err != nil {
		return err
	}
	r, err := match.Play(ctx, g.Board, cfg)
	shown.Done()
	if errors.Is(err, match.ErrFile) || errors.Is(err, match.ErrOpening) {
		return ui.Usage(err)
	}
	if r == nil || r.Games() == 0 {
		return ended(ctx, err)
	}
	j := matchRecord(r)
	j.Verification = verification
	if e := o.Result(c, j, matchText(r, o)+database); e != nil {
		return e
	}
	if err != nil && ctx.Err() != nil && o.file != "" {
		return ui.Interrupted("interrupted; the same command goes on")
	}
	if _, ok := errors.AsType[*match.PlayerError](err); ok && ctx.Err() == nil && o.file != "" {
		err = fmt.Errorf("%w; the same command goes on after the games in %s", err, o.file)
	}
	return ended(ctx, err)
}

// finite returns a number for a record, nil if it is not finite.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// ended returns the error of work that ctx has ended, or err.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ui.Interrupted("interrupted")
	}
	return err
}

// readOpenings reads positions, one on each line. Empty lines and those that begin with # are skipped.
func readOpenings(g app.Board, name string) (list []app.Position, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, ui.Usage(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, err := games.ReadPosition(g, line)
		if err != nil {
			return nil, ui.Usage(fmt.Errorf("%s, line %d: %w", name, i+1, err))
		}
		if v, finished := g.Outcome(p); finished {
			return nil, ui.Usage(fmt.Errorf("%s, line %d: the game is over (%v)", name, i+1, v))
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, ui.Usage(fmt.Errorf("%s has no position", name))
	}
	return list, nil
}

func matchStatus(r *match.Result, all int, begin time.Time) string {
	took := time.Since(begin)
	return fmt.Sprintf("%s  %d of %d games, +%d =%d -%d, Elo %v", ui.Seconds(took), r.Games(), all, r.Won, r.Drawn, r.Lost, r.Elo())
}

// matchJSON is the record of a match.
type matchJSON struct {
	Games    int                  `json:"games"`
	Won      int                  `json:"won"`
	Drawn    int                  `json:"drawn"`
	Lost     int                  `json:"lost"`
	Score    float64              `json:"score"`
	Error    float64              `json:"error"` // half of the interval of 95 %
	Elo      *float64             `json:"elo"`   // null if infinite, as the others
	EloLow   *float64             `json:"elo_low"`
	EloHigh  *float64             `json:"elo_high"`
	Pairs    match.Tally          `json:"pairs"`
	Distinct int                  `json:"distinct"`
	Plies    float64              `json:"plies"`
	Endings  map[match.Ending]int `json:"endings"`
	// Forfeits are those of each player; Left is how many calls have not returned.
	Forfeits *[2]map[match.Ending]int `json:"forfeits,omitempty"`
	Left     int                      `json:"left,omitempty"`
	Ratio    float64                  `json:"log_likelihood_ratio,omitempty"`
	Verdict  string                   `json:"verdict,omitempty"`

	Verification *db.Verification `json:"verification,omitempty"` // of --db
}

func matchRecord(r *match.Result) matchJSON {
	mean, half := r.Tally.Interval()
	e := r.Elo()
	j := matchJSON{
		Games: r.Games(), Won: r.Won, Drawn: r.Drawn, Lost: r.Lost, Score: mean, Error: half,
		Elo: finite(e.Elo), EloLow: finite(e.Low), EloHigh: finite(e.High),
		Pairs: r.Tally, Distinct: r.Distinct, Plies: float64(r.Plies) / float64(max(r.Games(), 1)),
		Endings: maps.Clone(r.Endings), Ratio: r.Ratio,
	}
	j.Left = r.Left
	if f := r.Forfeits; f[0] != nil || f[1] != nil {
		// JSON has an object for a player without forfeits too.
		j.Forfeits = &[2]map[match.Ending]int{{}, {}}
		for i := range f {
			maps.Copy(j.Forfeits[i], f[i])
		}
	}
	if r.Verdict != match.Open {
		j.Verdict = r.Verdict.String()
	}
	return j
}

func matchText(r *match.Result, o *matchOptions) string {
	var b strings.Builder
	mean, half := r.Tally.Interval()
	fmt.Fprintf(&b, "first     %s\nsecond    %s\n", o.players[0].text, o.players[1].text)
	fmt.Fprintf(&b, "games     %d: %d won, %d drawn, %d lost by the first; %d distinct\n", r.Games(), r.Won, r.Drawn, r.Lost, r.Distinct)
	fmt.Fprintf(&b, "score     %.3f ± %.3f\nElo       %v\n", mean, half, r.Elo())
	fmt.Fprintf(&b, "pairs     %d %d %d %d %d (0 to 2 points)\n", r.Tally[0], r.Tally[1], r.Tally[2], r.Tally[3], r.Tally[4])
	fmt.Fprintf(&b, "endings   %s\nlength    %.1f plies\n", endingsText(r.Endings), float64(r.Plies)/float64(r.Games()))
	for i, who := range []string{"first", "second"} {
		if r.Forfeits[i] != nil {
			fmt.Fprintf(&b, "forfeits  of the %s: %s\n", who, endingsText(r.Forfeits[i]))
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "left      %s of players never returned, and may still take processor time\n", ui.Counted(uint64(r.Left), "call"))
	}
	switch r.Verdict {
	case match.Stronger:
		fmt.Fprintf(&b, "verdict   stronger by %g Elo\n", o.stop.Elo1)
	case match.Weaker:
		fmt.Fprintf(&b, "verdict   not stronger by more than %g Elo\n", o.stop.Elo0)
	}
	return b.String()
}

// endingsText lists how games ended.
func endingsText(endings map[match.Ending]int) string {
	var list []string
	for _, e := range slices.Sorted(maps.Keys(endings)) {
		list = append(list, fmt.Sprintf("%s %d", e, endings[e]))
	}
	return strings.Join(list, ", ")
}
