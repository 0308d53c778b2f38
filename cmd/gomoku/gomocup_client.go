package gomoku

import (
	"context"
	"errors"
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

// Client is a player of another program that speaks the Gomocup protocol, for games on a square board in
// which a move puts one stone on a square.
type Client struct {
	game      app.Board
	describer games.Describer[app.Position, app.Move]
	layout    games.Layout
	process   *match.Process
	limits    play.Limits
}

// StartClient starts a program, which is killed when ctx ends. Each option is KEY=VALUE, which is sent as INFO. Of the limits the
// time is known to the protocol, and the number of positions to some programs.
func StartClient(ctx context.Context, g app.Board, command string, options []string, limits play.Limits) (*Client, error) {
	d, ok := games.As[games.Describer[app.Position, app.Move]](g)
	if !ok {
		return nil, fmt.Errorf("%s has no squares to name, as the protocol wants", g.Name())
	}
	c := &Client{game: g, describer: d, layout: d.Layout(), limits: limits}
	if n := len(c.layout.Columns); n == 0 || n != len(c.layout.Rows) {
		return nil, errors.New("the protocol is for square boards")
	}
	var err error
	if c.process, err = match.Start(ctx, command); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, options); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) prepare(ctx context.Context, options []string) error {
	if err := c.process.Say("START %d", len(c.layout.Columns)); err != nil {
		return err
	}
	line, err := c.process.Hear(ctx, "OK", answers)
	if err == nil && line != "OK" {
		err = fmt.Errorf("%s: START: %s", c.process.Name, line)
	}
	if err != nil {
		return err
	}
	if c.limits.Time > 0 {
		options = append(slices.Clone(options), fmt.Sprintf("timeout_turn=%d", c.limits.Time.Milliseconds()))
	}
	if c.limits.Nodes > 0 {
		options = append(slices.Clone(options), fmt.Sprintf("max_node=%d", c.limits.Nodes))
	}
	for _, o := range options {
		key, value, ok := strings.Cut(o, "=")
		if !ok {
			return fmt.Errorf("option %q of %s: want KEY=VALUE", o, c.process.Name)
		}
		if err := c.process.Say("INFO %s %s", key, value); err != nil {
			return err
		}
	}
	return nil
}

// answers accepts lines that are not remarks.
func answers(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return line != "" && word != "MESSAGE" && word != "DEBUG"
}

// Begin implements [match.Player].
func (c *Client) Begin(ctx context.Context, _ uint64) error {
	if err := c.process.Say("RESTART"); err != nil {
		return err
	}
	line, err := c.process.Hear(ctx, "OK", answers)
	if err == nil && line != "OK" {
		err = fmt.Errorf("%s: RESTART: %s", c.process.Name, line)
	}
	return err
}

// Move implements [match.Player]. It sends the whole board each time, which asks nothing of the
// program's memory.
func (c *Client) Move(ctx context.Context, s match.State[app.Position, app.Move]) (d match.Decision[app.Move], err error) {
	var b strings.Builder
	board := c.describer.Board(s.Position)
	for _, piece := range board.Pieces {
		at := slices.Index(c.layout.Squares, piece.Square)
		whose := 1
		if piece.Side != board.Turn {
			whose = 2
		}
		fmt.Fprintf(&b, "%d,%d,%d\n", at%len(c.layout.Columns), at/len(c.layout.Columns), whose)
	}
	begin := time.Now()
	if clock := s.Clocks[0]; clock != (play.Clock{}) {
		if err := c.process.Say("INFO time_left %d", clock.Left.Milliseconds()); err != nil {
			return d, err
		}
	}
	if err := c.process.Say("BOARD\n%sDONE", b.String()); err != nil {
		return d, err
	}
	line, err := c.process.Hear(ctx, "a move", answers)
	if err != nil {
		return d, err
	}
	d.Time = time.Since(begin)
	left, right, _ := strings.Cut(line, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(left))
	y, errY := strconv.Atoi(strings.TrimSpace(right))
	columns, rows := len(c.layout.Columns), len(c.layout.Rows)
	if errX != nil || errY != nil || x < 0 || x >= columns || y < 0 || y >= rows {
		return d, &match.IllegalError{Move: line, Why: "want a square of the board"}
	}
	for _, m := range c.game.AppendMoves(nil, s.Position) {
		if squares := c.describer.Trace(s.Position, m).Squares; len(squares) > 0 && squares[0] == c.layout.Squares[y*columns+x] {
			d.Move = m
			return d, nil
		}
	}
	return d, &match.IllegalError{Move: line, Why: "the square is not free"}
}

// Close implements [match.Player].
func (c *Client) Close() error { return c.process.Close("END") }
