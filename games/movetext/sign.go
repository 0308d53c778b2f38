package movetext

import "strings"

// Author is the first word of the comments of remarks, and all of the comment of a line of moves. So they can be told from
// what others have written, and replaced.
const Author = "yomikiri"

// Sign returns the comment of a remark. mark is one that was given to the move, or has no other place in the record.
func Sign(mark, text string) string {
	return strings.TrimRight(Author+": "+strings.TrimSpace(mark+" "+text), " ")
}

// Signed reports whether a comment is one of [Sign], and the mark in it, empty if there is none.
func Signed(comment string) (mark string, ours bool) {
	text, ours := strings.CutPrefix(strings.TrimSpace(comment), Author+":")
	if word, _, _ := strings.Cut(strings.TrimSpace(text), " "); ours && word != "" && strings.Trim(word, "!?") == "" {
		mark = word
	}
	return mark, ours
}
