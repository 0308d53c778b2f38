package record

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// decode returns the text of a file in UTF-8, with or without a byte order mark, or
// in Shift_JIS. Japanese text in Shift_JIS is in practice never valid UTF-8.
func decode(data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data), nil
	}
	text, err := japanese.ShiftJIS.NewDecoder().Bytes(data)
	if err == nil {
		if at := bytes.IndexRune(text, utf8.RuneError); at >= 0 {
			err = fmt.Errorf("line %d", 1+bytes.Count(text[:at], []byte("\n")))
		}
	}
	if err != nil {
		return "", fmt.Errorf("the text is neither UTF-8 nor Shift_JIS: %w", err)
	}
	return string(text), nil
}
