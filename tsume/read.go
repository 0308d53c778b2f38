package tsume

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Entry is a problem of a file.
type Entry struct {
	Problem
	// Name is what the file calls the problem, or its place in the file.
	Name string
	// Declared is the length that the file gives, 0 if it gives none.
	Declared int
}

// Read reads the problems of a file: a record in KIF or records in CSA, of which
// the start position counts, or lines in SFEN, each with, after tabs, the length
// and the name of the problem if it has them; lines that are empty or begin with
// # are passed over. The format is that of the name's ending, .kif, .csa or
// .sfen, or what the text looks like. An error names the place.
func Read(name string, data []byte) ([]Entry, error) {
	entries, err := read(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s: there is no problem in it", name)
	}
	return entries, nil
}

func read(name string, data []byte) ([]Entry, error) {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	switch formatOf(name, data) {
	case ".kif":
		record, err := shogi.ParseKIF(data)
		if err != nil {
			return nil, err
		}
		return entriesOf(base, []shogi.Record{record})
	case ".csa":
		records, err := shogi.ParseCSA(data)
		if err != nil {
			return nil, err
		}
		return entriesOf(base, records)
	}
	return readSFEN(base, data)
}

// formatOf returns the ending that belongs to the format of a file.
func formatOf(name string, data []byte) string {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".kif", ".kifu":
		return ".kif"
	case ".csa", ".sfen":
		return ext
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case bytes.Count(line, []byte("/")) >= 8 || bytes.HasPrefix(line, []byte("sfen ")):
			return ".sfen"
		case line[0] == 'V' || line[0] == '\'' || line[0] == 'N' || line[0] == '$' || line[0] == 'P' || line[0] == '+':
			return ".csa"
		case line[0] >= 0x80:
			return ".kif"
		}
		return ".sfen"
	}
	return ".sfen"
}

// entriesOf returns the start positions of records as problems.
func entriesOf(base string, records []shogi.Record) ([]Entry, error) {
	var entries []Entry
	for i := range records {
		problem, err := NewProblem(records[i].Start)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		name := base
		if len(records) > 1 {
			name += "-" + strconv.Itoa(i+1)
		}
		entries = append(entries, Entry{Problem: problem, Name: name})
	}
	return entries, nil
}

func readSFEN(base string, data []byte) ([]Entry, error) {
	var entries []Entry
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		entry, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if entry.Name == "" {
			entry.Name = base + "-" + strconv.Itoa(number)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func parseLine(line string) (Entry, error) {
	fields := strings.Split(line, "\t")
	var e Entry
	p, err := shogi.ParseSFEN(strings.TrimPrefix(fields[0], "sfen "))
	if err != nil {
		return e, err
	}
	if e.Problem, err = NewProblem(p); err != nil {
		return e, err
	}
	if len(fields) > 1 && fields[1] != "" && fields[1] != "?" {
		if e.Declared, err = strconv.Atoi(fields[1]); err != nil || e.Declared < 1 {
			return e, fmt.Errorf("length %q, want a number from 1, or ? if it is not known", fields[1])
		}
	}
	if len(fields) > 2 {
		e.Name = fields[2]
	}
	return e, nil
}
