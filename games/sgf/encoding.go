package sgf

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// charset is the property that names the encoding of a text.
var charset = regexp.MustCompile(`CA\s*\[\s*([^\]\s]*)\s*\]`)

// encodings are those of texts that are not UTF-8, by their names in small letters without what is between letters and digits.
var encodings = map[string]encoding.Encoding{
	"gb2312": simplifiedchinese.GBK, "gbk": simplifiedchinese.GBK, "gb18030": simplifiedchinese.GB18030,
	"shiftjis": japanese.ShiftJIS, "sjis": japanese.ShiftJIS, "eucjp": japanese.EUCJP,
	"latin1": charmap.Windows1252, "iso88591": charmap.Windows1252, "windows1252": charmap.Windows1252,
}

// decode returns a text in UTF-8. Without a name of the encoding it is Latin-1, as SGF has it.
func decode(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	name := "latin1"
	if found := charset.FindStringSubmatch(text); found != nil {
		name = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(found[1]))
	}
	if e := encodings[name]; e != nil {
		if decoded, err := e.NewDecoder().String(text); err == nil {
			text = decoded
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
