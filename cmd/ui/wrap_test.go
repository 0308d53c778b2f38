package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrapped(t *testing.T) {
	word := strings.Repeat("w", 39)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one\ntwo\n\nthree", "one two\n\nthree"},
		{word + " " + word + " x", word + " " + word + "\nx"},
		{word + " " + word + "w x", word + " " + word + "w\nx"},
		{word + " " + word + "ww x", word + "\n" + word + "ww x"},
		{"  name   " + word + "\n         " + word + "\n  more   x", "  name   " + word + "\n         " + word + "\n  more   x"},
		{"text:\n\n  command one\n  command two", "text:\n\n  command one\n  command two"},
		{"/" + word + word + word + " x", "/" + word + word + word + "\nx"},
		{strings.Repeat("ō", 39) + " " + word, strings.Repeat("ō", 39) + " " + word},
	} {
		require.Equal(t, c.want, WrappedText(c.text, TextWidth))
		require.Equal(t, c.want, WrappedText(c.want, TextWidth), "again")
	}
}
