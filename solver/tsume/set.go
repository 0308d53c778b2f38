package tsume

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/shogi/record"
)

// Entry is a problem of a set.
type Entry struct {
	Problem
	// ID is the name of the problem in the set, if it has one.
	ID string
	// Line is the line of the problem in an SFEN file, from 1.
	Line int
	// Declared is the length in plies that the set gives, or 0.
	Declared int
	// Moves are the moves that the record gives after the position of the problem, and
	// MovesErr says what follows them that cannot be read.
	Moves    []shogi.Move
	MovesErr error
	// Tags are the headers of the record, and Comments its comments from the problem on, as those
	// of a [record.Record].
	Tags     []record.Tag
	Comments [][]string
	// Err says why there is no problem; it is nil if there is one.
	Err error
}

// FromStart, instead of a number of moves, makes the start position the problem, and all moves
// after it [Entry.Moves].
const FromStart = -1

// ParseSet reads the problems of a file, in any encoding that [record.Decode] knows. It
// detects the format: SFEN, KIF, KI2 or CSA.
//
// SFEN files have a problem on each line, see [ParseLine].
//
// A file in KIF, KI2 or CSA has any number of records. The problem is the position after ply
// moves. If ply is 0 and the record ends with mate, its length is the declared length.
//
// a says which side attacks in all problems. A problem that cannot be read has an error, often
// a [record.SyntaxError]; ParseSet fails if the file has nothing that could be a problem.
func ParseSet(data []byte, ply int, a Attacker) ([]Entry, error) {
	text := record.Decode(data)
	if record.Detect(text) != record.SFEN {
		records, err := record.Parse([]byte(text))
		if err != nil {
			return nil, err
		}
		return fromRecords(records, ply, a), nil
	}
	var set []Entry
	number := 0
	for line := range strings.Lines(text) {
		number++
		if entry, ok := ParseLine(line, number, ply, a); ok {
			set = append(set, entry)
		}
	}
	if len(set) == 0 {
		return nil, errors.New("no problems: want SFEN with a position on each line, KIF, KI2 or CSA")
	}
	return set, nil
}

// ParseLine reads a line of an SFEN file. It has the form of [shogi.ParsePosition]; the problem
// is the position after ply of the moves, or after all if ply is 0; or [FromStart]. Two columns may follow,
// separated by tabs: the declared length in plies, which may be empty or ?, and an id. Further
// columns are ignored. Errors are a [record.SyntaxError] with the number of the line, unless
// that is 0. ok is false for empty lines and those that begin with #.
func ParseLine(line string, number, ply int, a Attacker) (entry Entry, ok bool) {
	if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
		return Entry{}, false
	}
	columns := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	entry = Entry{Line: number}
	if len(columns) > 2 {
		entry.ID = strings.TrimSpace(columns[2])
	}
	r := record.ParseUSI(columns[0])
	err := entry.takeUSI(&r, ply, a)
	if err == nil && len(columns) > 1 {
		if text := strings.TrimSpace(columns[1]); text != "" && text != "?" {
			entry.Declared, err = strconv.Atoi(text)
			if err != nil || entry.Declared < 1 {
				err = fmt.Errorf("declared length %q: want a number of plies", text)
			}
		}
	}
	if err != nil {
		if number > 0 {
			err = &record.SyntaxError{Line: number, Err: err}
		}
		return Entry{ID: entry.ID, Line: number, Err: err}, true
	}
	return entry, true
}

// ParseProblem reads a problem in the form of [shogi.ParsePosition]: it is the position after
// the moves.
func ParseProblem(text string, a Attacker) (Problem, error) {
	var entry Entry
	r := record.ParseUSI(text)
	err := entry.takeUSI(&r, 0, a)
	return entry.Problem, err
}

// takeUSI takes the position after ply moves, or after all if ply is 0.
func (e *Entry) takeUSI(r *record.Record, ply int, a Attacker) error {
	if ply == 0 && r.Err != nil {
		return r.Err
	}
	if ply == 0 {
		ply = len(r.Moves)
	}
	return e.take(r, ply, a)
}

// take takes the position after ply moves, and the moves that follow.
func (e *Entry) take(r *record.Record, ply int, a Attacker) error {
	ply = max(ply, 0) // FromStart
	p, err := r.At(ply)
	if err != nil {
		return err
	}
	if e.Problem, err = NewProblem(p, a); err != nil {
		return err
	}
	if e.MovesErr = r.Err; ply < len(r.Moves) {
		e.Moves = r.Moves[ply:]
	}
	if e.Tags = r.Tags; ply < len(r.Comments) {
		e.Comments = r.Comments[ply:]
	}
	return nil
}

func fromRecords(records []record.Record, ply int, a Attacker) []Entry {
	set := make([]Entry, len(records))
	for i, r := range records {
		err := set[i].take(&r, ply, a)
		switch {
		case err != nil && len(records) > 1:
			err = fmt.Errorf("record %d: %w", i+1, err)
		case err == nil && ply <= 0 && r.Ending == record.Mated && r.Err == nil:
			set[i].Declared = len(r.Moves)
		}
		set[i].Err = err
	}
	return set
}
