package uci

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// Protocol is one of the two protocols.
type Protocol struct {
	name     string // the first word of a session, before ok for the answer and newgame
	position string // before a position
	second   string // the second field of a position in which the second side is to move
	plies    bool   // mates are counted in plies rather than in moves
}

// The protocols. In both a game has two sides, of which the first is black in shogi and white in chess.
var (
	USI = &Protocol{"usi", "sfen", "w", true}
	UCI = &Protocol{"uci", "fen", "b", false}
)

// Client is a player of another program that speaks one of the protocols: positions and moves are those of the game's
// notation.
type Client struct {
	*Protocol
	game    app.Board
	process *match.Process
	limits  play.Limits
}

// StartClient starts a program, which is killed when ctx ends. Each option is NAME=VALUE. Of the limits, what the
// protocol knows is sent with each go.
func (p *Protocol) StartClient(ctx context.Context, g app.Board, command string, options []string, limits play.Limits) (*Client, error) {
	process, err := match.Start(ctx, command)
	if err != nil {
		return nil, err
	}
	u := &Client{p, g, process, limits}
	if err := u.prepare(ctx, options); err != nil {
		_ = u.Close()
		return nil, err
	}
	return u, nil
}

func (u *Client) prepare(ctx context.Context, options []string) error {
	if err := u.process.Say("%s", u.name); err != nil {
		return err
	}
	variants := ""
	done := u.name + "ok"
	if _, err := u.process.Hear(ctx, done, func(line string) bool {
		if strings.HasPrefix(line, "option name "+optionVariant+" ") {
			variants = line + " "
		}
		return line == done
	}); err != nil {
		return err
	}
	if u.Protocol == UCI {
		more, err := u.variant(variants, options)
		if err != nil {
			return err
		}
		options = append(more, options...)
	}
	for _, o := range options {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return fmt.Errorf("option %q of %s: want NAME=VALUE", o, u.process.Name)
		}
		if err := u.process.Say("setoption name %s value %s", name, value); err != nil {
			return err
		}
	}
	return u.ready(ctx)
}

// variant returns the options that tell an engine what the game is. declared is how it declares which it plays; engines that
// play chess alone do not.
func (u *Client) variant(declared string, options []string) ([]string, error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(u.game.Name(), games.VariantPrefix), ":")
	given := slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, optionVariant+"=") })
	switch {
	case given || name == chess && declared == "":
		return nil, nil
	case name == chess960:
		return []string{optionChess960 + "=true"}, nil
	case !strings.Contains(declared, " var "+name+" "):
		return nil, fmt.Errorf("%s does not play %s: its option %s has no such value", u.process.Name, name, optionVariant)
	}
	return []string{optionVariant + "=" + name}, nil
}

func is(word string) func(string) bool {
	return func(line string) bool { return line == word }
}

func (u *Client) ready(ctx context.Context) error {
	if err := u.process.Say("isready"); err != nil {
		return err
	}
	_, err := u.process.Hear(ctx, "readyok", is("readyok"))
	return err
}

// Begin implements [match.Player].
func (u *Client) Begin(ctx context.Context, _ uint64) error {
	if err := u.ready(ctx); err != nil {
		return err
	}
	return u.process.Say("%snewgame", u.name)
}

// Move implements [match.Player].
func (u *Client) Move(ctx context.Context, s match.State[app.Position, app.Move]) (d match.Decision[app.Move], err error) {
	text := u.game.AppendPosition([]byte("position "+u.position+" "), s.From)
	second := len(s.Moves)%2 == 1
	if fields := strings.Fields(string(text)); len(fields) >= 5 && (fields[3] == "b" || fields[3] == "w") {
		second = second != (fields[3] == u.second)
		if len(fields) == 5 {
			text = append(text, " 1"...) // an SFEN ends with the number of the next move
		}
	}
	clocks := s.Clocks
	if second {
		clocks[0], clocks[1] = clocks[1], clocks[0]
	}
	p := s.From
	for i, m := range s.Moves {
		if i == 0 {
			text = append(text, " moves"...)
		}
		text = u.game.AppendMove(append(text, ' '), p, m)
		p = u.game.Play(p, m)
	}
	if err := u.process.Say("%s", text); err != nil {
		return d, err
	}
	begin := time.Now()
	if err := u.process.Say("go%s", u.limit(clocks[0], clocks[1])); err != nil {
		return d, err
	}
	line, err := u.process.Hear(ctx, "bestmove", func(line string) bool {
		u.note(&d, line)
		return strings.HasPrefix(line, "bestmove")
	})
	if err != nil {
		return d, err
	}
	d.Time = time.Since(begin)
	words := strings.Fields(line)
	if len(words) < 2 {
		return d, &match.IllegalError{Move: line, Why: "want a move"}
	}
	switch words[1] {
	case "resign":
		d.Resign = true
		return d, nil
	case "win":
		d.Declare = true
		return d, nil
	}
	if d.Move, err = games.ParseMove(u.game, s.Position, words[1]); err != nil {
		return d, &match.IllegalError{Move: words[1], Why: err.Error()}
	}
	return d, nil
}

// limit writes the limits of a go. The clocks are those of the two sides.
func (u *Client) limit(first, second play.Clock) string {
	switch {
	case u.limits.Nodes > 0:
		return fmt.Sprintf(" nodes %d", u.limits.Nodes)
	case u.limits.Depth > 0:
		return fmt.Sprintf(" depth %d", u.limits.Depth)
	case u.limits.Time > 0:
		return fmt.Sprintf(" movetime %d", u.limits.Time.Milliseconds())
	}
	// The protocol wants what is left without what this move adds, and our clocks have that already.
	left := func(c play.Clock) int64 { return max(c.Left-c.Increment, 0).Milliseconds() }
	if u.Protocol == UCI {
		if first.Left <= 0 && first.Byoyomi > 0 { // it does not know byoyomi
			return fmt.Sprintf(" movetime %d", first.Byoyomi.Milliseconds())
		}
		return fmt.Sprintf(" wtime %d btime %d winc %d binc %d", left(first), left(second), first.Increment.Milliseconds(), second.Increment.Milliseconds())
	}
	text := fmt.Sprintf(" btime %d wtime %d", left(first), left(second))
	if first.Increment > 0 {
		return text + fmt.Sprintf(" binc %d winc %d", first.Increment.Milliseconds(), second.Increment.Milliseconds())
	}
	return text + fmt.Sprintf(" byoyomi %d", first.Byoyomi.Milliseconds())
}

// note takes the score, the depth and the nodes from a line of information.
func (u *Client) note(d *match.Decision[app.Move], line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	number := func(i int) int {
		if i >= len(words) {
			return 0
		}
		n, _ := strconv.Atoi(words[i])
		return n
	}
	for i, word := range words {
		switch word {
		case "string":
			return
		case "depth":
			d.Depth = number(i + 1)
		case "nodes":
			d.Nodes = uint64(max(number(i+1), 0))
		case "cp":
			d.Score, d.Judged = play.Score(number(i+1)), true
		case "mate":
			n := number(i + 1)
			if !u.plies {
				n = inPlies(n)
			}
			d.Score, d.Judged = play.ScoreOf(games.Win(min(max(n, 0), games.MaxPlies))), true
			if n < 0 || i+1 < len(words) && strings.HasPrefix(words[i+1], "-") {
				d.Score = play.ScoreOf(games.Loss(min(-n, games.MaxPlies)))
			}
		}
	}
}

// Close implements [match.Player].
func (u *Client) Close() error { return u.process.Close("quit") }
