package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/internal/memory"
)

// grouped formats a number with a comma between groups of three digits.
func grouped(n uint64) string {
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

// counted returns a number and what is counted.
func counted(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n) + " " + what
}

// tooLong matches a quoted text or a word that is too long to show: the beginning, in a
// group, and the rest.
var tooLong = regexp.MustCompile(`("(?:[^"\\]|\\.){200})(?:[^"\\]|\\.)+|([^\s"]{400})[^\s"]+`)

// brief shortens what a message quotes, which may be as long as a user's file.
func brief(message string) string { return tooLong.ReplaceAllString(message, "$1$2...") }

// size formats a number of bytes.
func size(n uint64) string { return memory.Text(n) }

// seconds formats a duration in a suitable unit.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 10*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return d.Round(time.Minute).String()
}

// table is lines of text, each with a name and a value.
type table struct{ strings.Builder }

func (t *table) line(name, format string, args ...any) {
	fmt.Fprintf(t, "%-16s "+format+"\n", append([]any{name}, args...)...)
}

// prose adds a line that is wrapped.
func (t *table) prose(name, format string, args ...any) {
	t.WriteString(wrapped(fmt.Sprintf("%-16s "+format, append([]any{name}, args...)...), 17) + "\n")
}

// record writes a JSON record on a line of its own.
func record(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// plies returns a number of plies as text.
func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// shellQuoted quotes a word for a shell, if that is necessary.
func shellQuoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&;|<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// countedAs returns a number and what is counted, whose plural has another ending.
func countedAs(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
