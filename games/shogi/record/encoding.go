package record

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// Encoding is how the text of a file is written in bytes.
type Encoding uint8

// The encodings in which records are written.
const (
	UTF8 Encoding = iota
	ShiftJIS
)

// declaration returns the encoding as the first line of a KIF file declares it.
func (e Encoding) declaration() string { return [...]string{"UTF-8", "Shift_JIS"}[e] }

// encode returns a text in the encoding. Characters that Shift_JIS lacks become ?, and its
// lines end as on Windows, where programs that read no other encoding run.
func (e Encoding) encode(text []byte) []byte {
	if e == UTF8 {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	// An encoder that replaces what it lacks has no errors.
	text, _ = encoding.ReplaceUnsupported(japanese.ShiftJIS.NewEncoder()).Bytes(text)
	return bytes.ReplaceAll(text, []byte{encoding.ASCIISub}, []byte("?"))
}

// InShiftJIS returns a file in KIF, in UTF-8, in Shift_JIS instead, unless it has a character that this lacks.
func InShiftJIS(kif []byte) []byte {
	if _, err := japanese.ShiftJIS.NewEncoder().Bytes(kif); err != nil {
		return kif
	}
	return ShiftJIS.encode(bytes.ReplaceAll(kif, []byte(firstLine(UTF8)), []byte(firstLine(ShiftJIS))))
}

// firstLine is the line of a KIF file that declares its encoding.
func firstLine(e Encoding) string { return "#KIF version=2.0 encoding=" + e.declaration() + "\n" }

// Decode returns the text of a file: in UTF-8 or UTF-16 with a byte order mark, or in
// UTF-8, Shift_JIS, EUC-JP or ISO-2022-JP without one. A byte that does not fit becomes
// U+FFFD: a record is worth reading even if a comment in it is damaged. Further marks, as
// where files were joined, escapes, and the end marks of old systems are left out.
func Decode(data []byte) string {
	text, _ := decode(data)
	return strings.TrimRight(unwanted.Replace(text), "\x00\x1a")
}

// EncodingOf returns the encoding of a file as [Decode] reads it, UTF8 if it is one in which no records are written.
func EncodingOf(data []byte) Encoding {
	_, e := decode(data)
	return e
}

var unwanted = strings.NewReplacer("\ufeff", "", "\x1b", "")

func decode(data []byte) (string, Encoding) {
	if utf16 := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")); utf16 {
		text, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		return string(text), UTF8
	}
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return strings.ToValidUTF8(string(rest), "\ufffd"), UTF8
	}
	if bytes.Contains(data, []byte("\x1b$")) {
		if text, err := japanese.ISO2022JP.NewDecoder().Bytes(data); err == nil {
			return string(text), UTF8
		}
	}
	if utf8.Valid(data) {
		return string(data), UTF8
	}
	// A text of one encoding may be valid in another. In the right one it has the letters of
	// records, and few errors.
	best, is := strings.ToValidUTF8(string(data), "\ufffd"), UTF8
	most := japaneseness(best)
	for _, e := range []encoding.Encoding{japanese.ShiftJIS, japanese.EUCJP} {
		if text, err := e.NewDecoder().Bytes(data); err == nil {
			if n := japaneseness(string(text)); n > most {
				best, most, is = string(text), n, UTF8
				if e == japanese.ShiftJIS {
					is = ShiftJIS
				}
			}
		}
	}
	return best, is
}

// japaneseness says how much a text looks like Japanese: kana and the letters of records
// count for it, and what cannot be decoded against it. Half-width kana, which EUC-JP becomes in
// Shift_JIS, say nothing.
func japaneseness(text string) int {
	n := 0
	for _, letter := range text {
		switch {
		case letter == utf8.RuneError:
			n -= 3
		case letter >= 'ぁ' && letter <= 'ん' || letter >= 'ァ' && letter <= 'ン', strings.ContainsRune("：　・手先後持駒同歩香桂銀金角飛玉王"+kanjiDigits+wideDigits, letter):
			n++
		}
	}
	return n
}
