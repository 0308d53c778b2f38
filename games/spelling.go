package games

import "strings"

// DidYouMean returns a part of an error message about a name that does not exist: a question in
// parentheses about the name most like it, or nothing if none is like it.
func DidYouMean(name string, names []string) string {
	name = strings.ToLower(name)
	best, least := "", 0
	for _, n := range names {
		d := distance(name, n)
		like := d <= (len(n)+1)/3 || name != "" && (strings.HasPrefix(n, name) || strings.HasPrefix(name, n))
		if like && (best == "" || d < least) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// distance returns the least number of bytes to insert, delete or replace, and of neighbours
// to exchange, that turns one word into another.
func distance(a, b string) int {
	// Rows of the table of distances between beginnings of a and b.
	row, before, before2 := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, before, before2 = before2, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before2[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
