package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/server"
)

// queryBatch answers for the positions that are the lines of a file, or of standard input if
// its name is -, with a JSON record each. A position that the database does not hold is
// unknown.
func (t *typed[G, P, M]) queryBatch(c *cobra.Command, dir, name string) (err error) {
	d, err := t.database(c, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in, err := openInput(c, name)
	if err != nil {
		return err
	}
	defer in.Close()
	b := batch{ctx: c.Context(), lines: bufio.NewReaderSize(in, maxLine), out: bufio.NewWriter(c.OutOrStdout())}
	err = b.run(func(text string) (*db.Answer, error) {
		p, err := t.parseHeld([]string{text})
		if err == nil {
			var a *db.Answer
			if a, err = d.Answer(server.Query{Position: string(t.AppendPosition(nil, p))}); err == nil {
				return a, nil
			}
		}
		if !errors.Is(err, db.ErrNotHeld) {
			return nil, err
		}
		b.unknown++
		return server.NotHeld(t.Name(), text, err), nil
	})
	if err != nil && name != "-" && c.Context().Err() == nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	if err = errors.Join(err, b.out.Flush()); err == nil && b.unknown > 0 {
		err = fmt.Errorf("%d of %s: %w", b.unknown, counted(b.total, "position"), db.ErrNotHeld)
	}
	return err
}

// maxLine is the length of the longest line that is read.
const maxLine = 1 << 16

// batch is positions to answer for, a line each.
type batch struct {
	ctx            context.Context
	lines          *bufio.Reader
	out            *bufio.Writer
	total, unknown uint64
}

// run answers for each line. It flushes its output before it waits for input.
func (b *batch) run(answer func(string) (*db.Answer, error)) error {
	records := json.NewEncoder(b.out)
	for number := 1; ; number++ {
		if b.lines.Buffered() == 0 {
			if err := b.out.Flush(); err != nil {
				return err
			}
		}
		line, err := b.read()
		if errors.Is(err, bufio.ErrBufferFull) {
			return usageError{fmt.Errorf("line %d is longer than %s", number, size(maxLine))}
		}
		if err != nil && err != io.EOF {
			return err
		}
		if text := strings.TrimSpace(line); text != "" {
			a, e := answer(text)
			if e != nil {
				return fmt.Errorf("line %d: %w", number, e)
			}
			b.total++
			if e := records.Encode(a); e != nil {
				return e
			}
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
	return await(b.ctx, next)
}

// listed is a position of a list.
type listed struct {
	Index uint64 `json:"index"`
	*db.Answer
}

// queryValue lists the first positions that have a value.
func (t *typed[G, P, M]) queryValue(c *cobra.Command, dir, value string, limit int, asJSON bool) (err error) {
	v, err := games.ParseValue(value)
	if err != nil {
		return usageError{fmt.Errorf("--value: %w", err)}
	}
	d, err := t.database(c, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	out := bufio.NewWriter(c.OutOrStdout())
	err = d.Find(c.Context(), v, limit, func(index uint64, a *db.Answer) error {
		if asJSON {
			return record(out, listed{index, a})
		}
		_, err := fmt.Fprintf(out, "%-14d %s\n", index, a.Position)
		return err
	})
	return errors.Join(err, out.Flush())
}
