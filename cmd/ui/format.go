package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// Grouped formats a number with a comma between groups of three digits.
func Grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Counted returns a number and what is counted.
func Counted(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return Grouped(n) + " " + what
}

// tooLong matches a quoted text or a word that is too long to show: the beginning, in a
// group, and the rest.
var tooLong = regexp.MustCompile(`("(?:[^"\\]|\\.){200})(?:[^"\\]|\\.)+|([^\s"]{400})[^\s"]+`)

// Brief shortens what a message quotes, which may be as long as a user's file.
func Brief(message string) string { return tooLong.ReplaceAllString(message, "$1$2...") }

// FileSize formats a number of bytes on disk.
func FileSize(n uint64) string { return memory.Disk(n) }

// Size formats a number of bytes of memory.
func Size(n uint64) string { return memory.Text(n) }

// Seconds formats a duration in a suitable unit.
func Seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 10*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return d.Round(time.Minute).String()
}

// Pad fills a text with blanks up to a number of columns. Colours take none.
func Pad(text string, columns int) string {
	seen := escapes.ReplaceAllString(text, "")
	return text + strings.Repeat(" ", max(columns-utf8.RuneCountInString(seen), 0))
}

// escapes are what colours text.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Table is lines of text, each with a name and a value.
type Table struct{ strings.Builder }

// Line adds a name and a value, which is formatted.
func (t *Table) Line(name, format string, args ...any) {
	fmt.Fprintf(t, "%-16s "+format+"\n", append([]any{name}, args...)...)
}

// Prose adds a line that is wrapped.
func (t *Table) Prose(name, format string, args ...any) {
	t.WriteString(Wrapped(fmt.Sprintf("%-16s "+format, append([]any{name}, args...)...), 17) + "\n")
}

// WriteRecord writes a JSON record on a line of its own.
func WriteRecord(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Plies returns a number of plies as text.
func Plies(n int) string {
	return CountedAs(n, "ply", "plies")
}

// ShellQuoted quotes a word for a shell, if that is necessary.
func ShellQuoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&;|<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// CountedAs returns a number and what is counted, whose plural has another ending.
func CountedAs(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
