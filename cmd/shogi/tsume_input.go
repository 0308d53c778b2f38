package shogi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// tsumeInput is the problems that the arguments name: a position, in one argument or in many,
// or files. All get an id, except a position. Problems that cannot be read are skipped.
type tsumeInput struct {
	problems iter.Seq[tsume.Entry]
	count    int         // of the problems; 0 for those that come on standard input
	single   tsume.Entry // the problem, if there is one
	skipped  int         // how many could not be read
	err      error       // that ended standard input
	complain func(error) // tells about a problem that cannot be read
}

// readProblems reads the problems that the arguments name. Standard input with a position on
// each line is read while the problems are solved, unless whole is set.
func readProblems(cmd *cobra.Command, args []string, reading tsume.Reading, japanese, whole bool) (*tsumeInput, error) {
	in := &tsumeInput{complain: func(err error) {
		if japanese {
			err = inJapaneseError(err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.Root().Name(), ui.Message(err))
	}}
	if isPosition(args) {
		entry, _ := tsume.ParseLine(strings.Join(args, " "), 0, reading)
		return in, in.take([]tsume.Entry{entry})
	}
	if len(args) == 1 && args[0] == "-" && !whole {
		return in, in.readStream(cmd, reading)
	}
	var all []tsume.Entry
	for _, name := range args {
		set, err := builtInSet(name)
		if set == nil && err == nil {
			set, err = readSet(cmd, name, reading)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, set...)
	}
	return in, in.take(all)
}

// builtInSet returns the set of a name that comes with the program, nil if there is none, or a
// file of this name.
func builtInSet(name string) ([]tsume.Entry, error) {
	if _, err := os.Stat(name); err == nil || !slices.Contains(bench.TsumeSets(), name) {
		return nil, nil
	}
	return bench.TsumeSet(name)
}

// take takes the problems of a set that can be read. It fails if there are none.
func (in *tsumeInput) take(set []tsume.Entry) error {
	var good []tsume.Entry
	for _, entry := range set {
		if entry.Err == nil {
			good = append(good, entry)
		}
	}
	if len(good) == 0 && len(set) == 1 {
		return ui.Usage(set[0].Err)
	}
	for _, entry := range set {
		in.skip(entry)
	}
	if len(good) == 0 {
		return in.unread(0)
	}
	in.problems, in.count, in.single = slices.Values(good), len(good), good[0]
	return nil
}

// skip complains about an entry that is no problem, and reports whether it is none.
func (in *tsumeInput) skip(entry tsume.Entry) bool {
	if entry.Err != nil {
		in.skipped++
		in.complain(entry.Err)
	}
	return entry.Err != nil
}

// refuse is skip for a problem that turns out not to be one when it is to be solved. It returns the
// error of the only problem.
func (in *tsumeInput) refuse(entry tsume.Entry, err error) error {
	if in.count == 1 {
		return ui.Usage(err)
	}
	entry.Err = fmt.Errorf("%s: %w", entry.ID, err)
	in.skip(entry)
	return nil
}

// unread returns an error if problems could not be read, besides others that could.
func (in *tsumeInput) unread(others int) error {
	if in.skipped == 0 {
		return nil
	}
	return ui.Usage(pick(uint64(in.skipped+others), sayUnread1, sayUnread).Error(in.skipped, ui.Grouped(uint64(in.skipped+others))))
}

// readStream reads standard input: line by line if the first is a position, and otherwise as
// a file.
func (in *tsumeInput) readStream(cmd *cobra.Command, reading tsume.Reading) error {
	input, err := ui.OpenText(cmd, "-")
	if err != nil {
		return err
	}
	scanner := bufio.NewScanner(input)
	scanner.Buffer(nil, ui.MaxInput)
	next := func() (line string, ok bool) {
		ok, err := ui.Await(cmd.Context(), func() (bool, error) {
			more := scanner.Scan()
			return more, ui.ScanError(scanner)
		})
		if in.err = err; !ok || err != nil {
			return "", false
		}
		return scanner.Text(), true
	}
	var begin []string
	for line, ok := next(); ok; line, ok = next() {
		begin = append(begin, line)
		if text := strings.TrimSpace(line); text == "" || text[0] == '#' {
			continue
		}
		if shogirecord.IsSFEN(line) {
			in.problems = func(yield func(tsume.Entry) bool) {
				number := len(begin)
				for ; ok; line, ok = next() {
					entry, is := tsume.ParseLine(shogirecord.Decode([]byte(line)), number, reading)
					entry = named(entry, "stdin", number)
					number++
					if is && !in.skip(entry) && !yield(entry) {
						return
					}
				}
			}
			return nil
		}
		for line, ok := next(); ok; line, ok = next() {
			begin = append(begin, line)
		}
	}
	if in.err != nil {
		return in.err
	}
	set, err := parseSet(cmd, "stdin", []byte(strings.Join(begin, "\n")), reading)
	if err != nil {
		return err
	}
	return in.take(set)
}

// readSet reads the problems of a file. Those without an id get one from the name of the file
// and the place.
func readSet(cmd *cobra.Command, name string, reading tsume.Reading) ([]tsume.Entry, error) {
	data, err := ui.ReadInput(cmd, name)
	if err != nil {
		return nil, err
	}
	return parseSet(cmd, ui.InputName(name), data, reading)
}

func parseSet(cmd *cobra.Command, name string, data []byte, reading tsume.Reading) ([]tsume.Entry, error) {
	set, err := ui.Await(cmd.Context(), func() ([]tsume.Entry, error) { return tsume.ParseSet(data, reading) })
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, ui.Usage(fmt.Errorf("%s: %w", name, err))
	}
	for i := range set {
		place := i + 1
		if set[i].Line > 0 {
			place = set[i].Line
		}
		if len(set) == 1 {
			place = 0
		}
		set[i] = named(set[i], name, place)
	}
	return set, nil
}

// named returns an entry with an id and an error that name its file and its place there, unless
// that is 0.
func named(entry tsume.Entry, name string, place int) tsume.Entry {
	if entry.Err != nil {
		entry.Err = fmt.Errorf("%s: %w", name, entry.Err)
	}
	if entry.ID == "" {
		entry.ID = filepath.Base(name)
		if place > 0 {
			entry.ID += fmt.Sprintf(":%d", place)
		}
	}
	return entry
}

// isPosition reports whether the arguments are a position rather than files.
func isPosition(args []string) bool {
	if _, err := os.Stat(args[0]); err == nil || args[0] == "-" {
		return false
	}
	fields := shogi.Fields(strings.Join(args, " "))
	if len(fields) > 1 && (fields[0] == "position" || fields[0] == "sfen") {
		return true
	}
	fields = append(fields, "", "")
	first, turn := fields[0], fields[1]
	ranks := strings.Count(first, "/")
	return first == "startpos" || ranks > 0 && (turn == "b" || turn == "w") || ranks >= 7 && first[0] != '/' && filepath.Ext(first) == ""
}
