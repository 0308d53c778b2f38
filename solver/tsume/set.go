package tsume

import (
	"bytes"
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
}

// ParseSet reads the problems of a file. It detects the format: SFEN, KIF or CSA.
//
// SFEN files have a problem on each line, in the form of [shogi.ParsePosition]. Two
// columns may follow, separated by tabs: the declared length in plies, which may be
// empty or ?, and an id. Further columns, empty lines and lines that begin with # are
// ignored.
//
// A KIF file has one record, a CSA file any number. The problem is the position after
// ply moves. If ply is 0 and the record ends with mate, its length is the declared
// length. In SFEN, where the moves say which position is meant, ply must be 0.
//
// a says which side attacks in all problems. Errors about a line are a
// [record.SyntaxError].
func ParseSet(data []byte, ply int, a Attacker) ([]Entry, error) {
	switch format(data) {
	case csaFile:
		records, err := record.ParseCSA(data)
		if err != nil {
			return nil, err
		}
		return fromRecords(records, ply, a)
	case kifFile:
		r, err := record.ParseKIF(data)
		if err != nil {
			return nil, err
		}
		return fromRecords([]record.Record{r}, ply, a)
	}
	if ply != 0 {
		return nil, ErrPly
	}
	var set []Entry
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		number++
		text := strings.TrimRight(string(line), "\r\n")
		if trimmed := strings.TrimSpace(text); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		entry, err := parseEntry(text, a)
		if err != nil {
			return nil, &record.SyntaxError{Line: number, Err: err}
		}
		entry.Line = number
		set = append(set, entry)
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("no problems: want SFEN with a position on each line, KIF or CSA")
	}
	return set, nil
}

// ErrPly is returned for SFEN with a number of moves to play.
var ErrPly = errors.New("a number of moves to play is for records in KIF or CSA; in SFEN write the moves after the position")

var byteOrderMark = []byte("\xef\xbb\xbf")

// The formats of files.
const (
	sfenFile = iota
	kifFile
	csaFile
)

// format detects the format by the first line that is not a comment in any of them.
func format(data []byte) int {
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == '\'' {
			continue
		}
		first := bytes.Fields(line)[0]
		switch {
		case bytes.Count(first, []byte("/")) >= 2, string(first) == "sfen", string(first) == "startpos":
			return sfenFile
		case bytes.IndexFunc(first, func(r rune) bool { return r > '~' }) >= 0, first[0] == '*', first[0] == '|':
			return kifFile
		case bytes.IndexByte([]byte("VNP$+-"), first[0]) >= 0:
			return csaFile
		}
		return sfenFile
	}
	return sfenFile
}

func parseEntry(line string, a Attacker) (Entry, error) {
	columns := strings.Split(line, "\t")
	p, err := ParseProblem(columns[0], a)
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{Problem: p}
	if len(columns) > 1 {
		if text := strings.TrimSpace(columns[1]); text != "" && text != "?" {
			entry.Declared, err = strconv.Atoi(text)
			if err != nil || entry.Declared < 1 {
				return Entry{}, fmt.Errorf("declared length %q: want a number of plies", text)
			}
		}
	}
	if len(columns) > 2 {
		entry.ID = strings.TrimSpace(columns[2])
	}
	return entry, nil
}

// ParseProblem reads a problem in the form of [shogi.ParsePosition]: it is the position
// after the moves.
func ParseProblem(text string, a Attacker) (Problem, error) {
	p, err := shogi.Game{}.ParsePosition(text)
	if err != nil {
		return Problem{}, err
	}
	return NewProblem(p, a)
}

func fromRecords(records []record.Record, ply int, a Attacker) ([]Entry, error) {
	set := make([]Entry, len(records))
	for i, r := range records {
		err := fmt.Errorf("no position after %d moves: the record has %d", ply, len(r.Moves))
		if ply >= 0 && ply <= len(r.Moves) {
			if ply == 0 && r.Mate {
				set[i].Declared = len(r.Moves)
			}
			r.Moves = r.Moves[:ply]
			set[i].Problem, err = NewProblem(r.Final(), a)
		}
		if err != nil {
			if len(records) > 1 {
				err = fmt.Errorf("record %d: %w", i+1, err)
			}
			return nil, err
		}
	}
	return set, nil
}
