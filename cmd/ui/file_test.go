package ui

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

// TestText reads text with and without a byte order mark.
func TestText(t *testing.T) {
	const text = "一、二\nx"
	for name, mark := range map[string]string{"none": "", "UTF-8": "\ufeff"} {
		got, err := io.ReadAll(TextOf(iotest.OneByteReader(strings.NewReader(mark + text))))
		require.NoError(t, err)
		require.Equal(t, text, string(got), name)
	}
	for _, end := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		data, err := unicode.UTF16(end, unicode.UseBOM).NewEncoder().String(text)
		require.NoError(t, err)
		got, err := io.ReadAll(TextOf(iotest.OneByteReader(strings.NewReader(data))))
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	for _, short := range []string{"", "q", "\xef", "\xef\xbb", "\xff", "\xfe", "\xefq\n"} {
		got, err := io.ReadAll(TextOf(strings.NewReader(short)))
		require.NoError(t, err)
		require.Equal(t, short, string(got))
	}
}
