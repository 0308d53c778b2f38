package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// batch answers for the positions in a file, or on standard input if its name is -, with
// a JSON record each: lines with a position, or whole games if the game reads a notation of
// them. What cannot be read is reported and skipped. A position that the database does not
// hold is unknown.
func (q *query) batch(name string) error {
	in, err := ui.OpenText(q.Command, name)
	if err != nil {
		return err
	}
	defer in.Close()
	name = ui.InputName(name)
	b := batch{ctx: q.Context(), lines: bufio.NewReaderSize(in, maxLine), out: bufio.NewWriter(q.OutOrStdout()), complain: func(err error) {
		fmt.Fprintf(q.ErrOrStderr(), "%s: %s: %s\n", q.Root().Name(), name, ui.Message(err))
	}}
	begin, err := b.begin()
	switch {
	case err != nil:
	case len(begin) == 0:
		err = ui.Usage(errors.New("there is no position in it"))
	case !ui.IsText(begin):
		err = ui.Usage(ui.ErrNotText)
	default:
		if read := records.In(q.game.Asked, begin); read != nil {
			err = q.records(&b, read)
		} else {
			err = q.lines(&b)
		}
	}
	if err != nil && errors.Is(err, ui.ErrUsage) {
		err = ui.Usage(fmt.Errorf("%s: %w", name, err))
	}
	return errors.Join(err, b.out.Flush())
}

// lines answers for lines with a position each.
func (q *query) lines(b *batch) error {
	asked := q.game.Asked
	var total, unknown uint64
	err := b.run(func(number int, text string) error {
		p, err := games.ReadPosition(asked.Board, text)
		if err != nil {
			return ui.Usage(err)
		}
		a, err := q.lookUp(b, asked.PositionText(p))
		if err != nil {
			return err
		}
		total++
		if a.Category == db.Unknown && a.Error == "" {
			unknown++
		}
		a.LineNumber = number
		return ui.WriteRecord(b.out, a)
	})
	if err != nil {
		return err
	}
	if err := b.damage(total); err != nil {
		return err
	}
	err = b.unread(total, "position")
	if unknown > 0 {
		notHeld := fmt.Errorf("%d of %s: %w", unknown, ui.Counted(total, "position"), db.ErrNotHeld)
		if err == nil {
			return notHeld
		}
		err = ui.Usage(fmt.Errorf("%w; %w", err, notHeld))
	}
	return err
}

// records answers for every position of whole games. A position that the database does
// not hold is no error, since nearly every game begins outside.
func (q *query) records(b *batch, read func([]byte) iter.Seq2[app.Recorded, error]) error {
	text, err := ui.ReadWhole(b.ctx, b.lines)
	if err != nil {
		return err
	}
	asked := q.game.Asked
	number, total := 0, uint64(0)
	for r, err := range read(text) {
		number++
		if err != nil {
			b.skip(fmt.Errorf("game %d: %w", number, err))
			continue
		}
		p := r.From
		for ply := range len(r.Moves) + 1 {
			if b.ctx.Err() != nil {
				return b.ctx.Err()
			}
			a, err := q.lookUp(b, asked.PositionText(p))
			if err != nil {
				return err
			}
			total++
			a.Record, a.LineNumber, a.Ply = number, r.Line, &ply
			if ply < len(r.Moves) {
				a.Played = asked.MoveText(p, r.Moves[ply])
				p = asked.Play(p, r.Moves[ply])
			}
			if err := ui.WriteRecord(b.out, a); err != nil {
				return err
			}
		}
	}
	if number == 0 {
		return ui.Usage(errors.New("there is no game in it"))
	}
	if err := b.damage(total); err != nil {
		return err
	}
	return b.unread(uint64(number-b.skipped), "game")
}

// lookUp answers for a position of the game that the user asked for. If a block of the database is
// damaged, the answer says so: others may be intact.
func (q *query) lookUp(b *batch, position string) (*lookedUp, error) {
	p, err := held(q.game, position)
	if err == nil {
		var a *db.Answer
		if a, err = q.database.Answer(p, [2]int{}); err == nil {
			return &lookedUp{Answer: a, LeftOut: q.game.LeftOut(), Verification: q.verification}, nil
		}
	}
	answer := &lookedUp{Answer: db.NotHeld(q.game.Name(), position, err), LeftOut: q.game.LeftOut(), Verification: q.verification}
	switch {
	case errors.Is(err, db.ErrCorrupt):
		b.damaged++
		answer.Reason, answer.Error = "", err.Error()
	case !errors.Is(err, db.ErrNotHeld):
		return nil, err
	}
	return answer, nil
}

// maxLine is the length of the longest line that is read.
const maxLine = 1 << 16

// batch is positions to answer for.
type batch struct {
	ctx      context.Context
	lines    *bufio.Reader
	out      *bufio.Writer
	complain func(error)
	skipped  int    // what could not be read
	damaged  uint64 // positions in damaged blocks, or with moves that lead there
}

// skip complains about something that cannot be read.
func (b *batch) skip(err error) {
	b.skipped++
	b.complain(err)
}

// unread returns an error if something could not be read, besides others that could.
func (b *batch) unread(others uint64, what string) error {
	if b.skipped == 0 {
		return nil
	}
	return ui.Usage(fmt.Errorf("%d of %s could not be read", b.skipped, ui.Counted(uint64(b.skipped)+others, what)))
}

// damage returns an error if the database could not answer for some of all positions.
func (b *batch) damage(all uint64) error {
	if b.damaged == 0 {
		return nil
	}
	return fmt.Errorf("%d of %s: %w", b.damaged, ui.Counted(all, "position"), db.ErrCorrupt)
}

// begin returns the beginning of the input, from the first line with text on: all of it that is
// there; nothing if there is no text.
func (b *batch) begin() ([]byte, error) {
	return ui.Await(b.ctx, func() ([]byte, error) {
		for n := 1; ; n++ {
			held, err := b.lines.Peek(n)
			text := bytes.TrimSpace(held[n-1:]) // what is before that is blank
			switch {
			case len(text) == 0 && err == nil:
			case err == nil || err == io.EOF || errors.Is(err, bufio.ErrBufferFull):
				held, _ = b.lines.Peek(b.lines.Buffered())
				return bytes.TrimSpace(held), nil
			default:
				return text, err
			}
		}
	})
}

// run calls answer for each line with text, with the number of the line. It flushes its output
// before it waits for input. A line that answer finds fault with is skipped.
func (b *batch) run(answer func(number int, text string) error) error {
	for number := 1; ; number++ {
		if b.lines.Buffered() == 0 {
			if err := b.out.Flush(); err != nil {
				return err
			}
		}
		line, err := b.read()
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = b.read()
		}
		if err != nil && err != io.EOF {
			return err
		}
		var wrong error
		if text := strings.TrimSpace(line); long {
			wrong = ui.Usage(fmt.Errorf("line %d is longer than %s", number, ui.Size(maxLine)))
		} else if text != "" {
			if wrong = answer(number, text); wrong != nil {
				wrong = fmt.Errorf("line %d: %w", number, wrong)
			}
		}
		switch {
		case errors.Is(wrong, ui.ErrUsage):
			b.skip(wrong)
		case wrong != nil:
			return wrong
		}
		if err != nil {
			return nil
		}
	}
}

// read returns the next line.
func (b *batch) read() (string, error) {
	if b.ctx.Err() != nil {
		return "", b.ctx.Err()
	}
	next := func() (string, error) {
		line, err := b.lines.ReadSlice('\n')
		return string(line), err
	}
	if held, _ := b.lines.Peek(b.lines.Buffered()); bytes.IndexByte(held, '\n') >= 0 {
		return next()
	}
	return ui.Await(b.ctx, next)
}

// list lists the first positions that have a value.
func (q *query) list(v games.Value, limit int, form *ui.Printing) error {
	out := bufio.NewWriter(q.OutOrStdout())
	err := q.database.Find(q.Context(), v, limit, func(index uint64, a *db.Answer) error {
		return form.Write(out, lookedUp{Index: &index, Answer: a, LeftOut: q.game.LeftOut(), Verification: q.verification}, fmt.Sprintf("%-14d %s\n", index, a.Position))
	})
	if err = errors.Join(err, out.Flush()); err != nil {
		return err
	}
	for _, n := range q.database.DB().Manifest().Content.Total().Counts {
		if all := n.Positions - n.Finished; n.Value == v && all > uint64(limit) {
			fmt.Fprintf(q.ErrOrStderr(), "the first %s of %s; --limit lists more\n", ui.Grouped(uint64(limit)), ui.Counted(all, "position"))
		}
	}
	return nil
}
