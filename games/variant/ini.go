package variant

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// section is a section of a file: the name of a variant, that of the one that it is based on, and what differs.
type section struct {
	name, parent string
	file         string
	line         int
	entries      []entry
}

// entry is a line with a key and its value.
type entry struct {
	key, value string
	line       int
}

// Error says what is wrong in a file of variants, and where.
type Error struct {
	File    string
	Line    int
	Section string // empty outside of sections
	Key     string // empty if it is not about a key
	Reason  string
}

// Error implements error.
func (e *Error) Error() string {
	where := fmt.Sprintf("%s:%d: ", e.File, e.Line)
	if e.Section != "" {
		where += fmt.Sprintf("[%s] ", e.Section)
	}
	if e.Key != "" {
		where += e.Key + ": "
	}
	return where + e.Reason
}

var sectionName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// readSections reads the sections of a file. Of a key that a section has twice the last value counts.
func readSections(file string, r io.Reader) ([]*section, error) {
	var list []*section
	seen := map[string]int{}
	scanner := bufio.NewScanner(r)
	line := 0
	for scanner.Scan() {
		line++
		text := strings.TrimSpace(scanner.Text())
		fail := func(reason string, args ...any) error {
			e := &Error{File: file, Line: line, Reason: fmt.Sprintf(reason, args...)}
			if len(list) > 0 {
				e.Section = list[len(list)-1].name
			}
			return e
		}
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '[':
			name, rest, closed := strings.Cut(text[1:], "]")
			if !closed || strings.TrimSpace(rest) != "" {
				return nil, fail("%q: a section begins with [NAME] or [NAME:PARENT] on a line of its own", text)
			}
			name, parent, child := strings.Cut(name, ":")
			name, parent = strings.TrimSpace(name), strings.TrimSpace(parent)
			if !sectionName.MatchString(name) || child && !sectionName.MatchString(parent) {
				return nil, fail("%q: names of variants have lower-case letters, digits and hyphens", text)
			}
			if first := seen[name]; first != 0 {
				return nil, fail("the variant %s is also in line %d", name, first)
			}
			seen[name] = line
			list = append(list, &section{name: name, parent: parent, file: file, line: line})
		case len(list) == 0:
			return nil, fail("%q stands before the first section, which begins with [NAME]", text)
		default:
			key, value, ok := strings.Cut(text, "=")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
			if !ok || key == "" {
				return nil, fail("%q: want KEY = VALUE", text)
			}
			s := list[len(list)-1]
			s.entries = append(s.entries, entry{key, value, line})
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, line+1, err)
	}
	return list, nil
}
