package tsume

import (
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/shogi/record"
)

// Entry is a problem of a set.
type Entry struct {
	Problem
	// Hands says how the hands were read if the text does not show a whole set.
	Hands shogi.Hands
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

// Reading says how problems are read. The zero Reading is ready to use.
type Reading struct {
	// Attacker says which side attacks in all problems.
	Attacker Attacker
	// Hands says how hands are read that are not whole, before the first move, see
	// [shogi.Hands.Read]. With [shogi.RestOfSet] and a certain attacker, the other side is the
	// defender.
	Hands shogi.Hands
	// Ply is the number of moves before the problem, if HasPly is set. Without it, the problem is
	// the position before the first move of a record in KIF, KI2 or CSA, and after the last
	// move of a line in USI.
	Ply    int
	HasPly bool
}

// hands returns the reading of hands with the defender named, if the attacker is known.
func (r Reading) hands() shogi.Hands {
	switch {
	case r.Hands != shogi.RestOfSet:
	case r.Attacker == BlackAttacks:
		return shogi.WhiteHasRest
	case r.Attacker == WhiteAttacks:
		return shogi.BlackHasRest
	}
	return r.Hands
}

// ParseSet reads the problems of a file, in any encoding that [record.Decode] knows. It
// detects the format: SFEN, KIF, KI2 or CSA.
//
// SFEN files have a problem on each line, see [ParseLine].
//
// A file in KIF, KI2 or CSA has any number of records. If the problem is the position before the
// first move and the record ends with mate, its length is the declared length.
//
// A problem that cannot be read has an error, often a [record.SyntaxError]; ParseSet fails if the
// file has nothing that could be a problem.
func ParseSet(data []byte, reading Reading) ([]Entry, error) {
	text := record.Decode(data)
	if record.Detect(text) != record.SFEN {
		records, err := record.Parse([]byte(text), reading.hands())
		if err != nil {
			return nil, err
		}
		return fromRecords(records, reading), nil
	}
	var set []Entry
	number := 0
	for line := range strings.Lines(text) {
		number++
		if entry, ok := ParseLine(line, number, reading); ok {
			set = append(set, entry)
		}
	}
	if len(set) == 0 {
		return nil, errNoProblems.Error()
	}
	return set, nil
}

// ParseLine reads a line of an SFEN file. It has the form of [shogi.ParsePosition]. Two columns may
// follow, separated by tabs: the declared length in plies, which may be empty or ?, and an id. Further
// columns are ignored. Errors are a [record.SyntaxError] with the number of the line, unless
// that is 0. ok is false for empty lines and those that begin with #.
func ParseLine(line string, number int, reading Reading) (entry Entry, ok bool) {
	if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
		return Entry{}, false
	}
	columns := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
	entry = Entry{Line: number}
	if len(columns) > 2 {
		entry.ID = strings.TrimSpace(columns[2])
	}
	err := entry.takeUSI(columns[0], reading)
	if err == nil && len(columns) > 1 {
		if text := strings.TrimSpace(columns[1]); text != "" && text != "?" {
			entry.Declared, err = strconv.Atoi(text)
			if err != nil || entry.Declared < 1 {
				err = errDeclared.Error(text)
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

// ParseProblem reads a problem in the form of [shogi.ParsePosition].
func ParseProblem(text string, reading Reading) (Problem, error) {
	entry, err := ParseEntry(text, reading)
	return entry.Problem, err
}

// ParseEntry is [ParseProblem] that also returns how hands were read, and the moves that follow.
func ParseEntry(text string, reading Reading) (entry Entry, err error) {
	err = entry.takeUSI(text, reading)
	return entry, err
}

// takeUSI takes the problem of a position and its moves.
func (e *Entry) takeUSI(text string, reading Reading) error {
	r := record.ParseUSI(text, reading.hands())
	if !reading.HasPly {
		if r.Err != nil {
			return r.Err
		}
		reading.Ply = len(r.Moves)
	}
	return e.take(&r, reading)
}

// take takes the position after the moves that are to be played, and those that follow.
func (e *Entry) take(r *record.Record, reading Reading) error {
	ply := reading.Ply
	p, err := r.At(ply)
	if err != nil {
		return err
	}
	if e.Problem, err = NewProblem(p, reading.Attacker); err != nil {
		return err
	}
	e.Hands = r.Hands
	if e.MovesErr = r.Err; ply < len(r.Moves) {
		e.Moves = r.Moves[ply:]
	}
	if e.Tags = r.Tags; ply < len(r.Comments) {
		e.Comments = r.Comments[ply:]
	}
	return nil
}

func fromRecords(records []record.Record, reading Reading) []Entry {
	set := make([]Entry, len(records))
	for i, r := range records {
		err := set[i].take(&r, reading)
		switch {
		case err != nil && len(records) > 1:
			err = errRecord.Error(i+1, err)
		case err == nil && reading.Ply == 0 && r.Ending == record.Mated && r.Err == nil:
			set[i].Declared = len(r.Moves)
		}
		set[i].Err = err
	}
	return set
}
