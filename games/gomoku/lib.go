package gomoku

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/yomikiri/yomikiri/games/pgn"
	"github.com/yomikiri/yomikiri/games/sgf"
)

// A library of RenLib has a head of 20 bytes and then the nodes of a tree, a node before its children, and these before its
// siblings. A node is
//
//	square  flags  [0 1]  [comment]  [text on the board]
//
// The square is 0 for none, or the column from 1 in the low four bits and the row from the top, counted from 0, in the high
// ones. Comments and texts end with a zero byte, and with a second one if their length with the first is odd.
const (
	libHead = 20

	libText    = 0x01 // two bytes and a text on the board follow
	libComment = 0x08
	libOld     = 0x20 // a comment, in old versions
	libLeaf    = 0x40 // there are no children
	libSibling = 0x80

	libSide = 15
	// mostLibNodes bounds the memory that a library takes.
	mostLibNodes = 1 << 20
	// mostLibDepth is more than the squares of the board.
	mostLibDepth = 1000
)

const libMagic = "\xffRenLib\xff"

// IsLib reports whether a file that begins so is a library of RenLib.
func IsLib(begin []byte) bool { return strings.HasPrefix(string(begin), libMagic) }

// ParseLib reads a library of RenLib as a tree in SGF, with its variations, comments and texts on squares. The game that was
// played goes from each node to its first child. Of a broken library it returns the nodes before that, with an error.
//
// A library does not name its encoding. Texts that are not UTF-8 are Chinese if all bytes of the library that are not ASCII come
// in pairs as in GB2312, and else Latin-1, where letters such as ä are mostly alone.
func ParseLib(data []byte) (*sgf.Record, error) {
	l := libScanner{data: data, at: libHead, chinese: true}
	r, err := l.tree()
	if !l.chinese {
		l = libScanner{data: data, at: libHead}
		r, err = l.tree()
	}
	return r, err
}

// tree reads a library.
func (l *libScanner) tree() (*sgf.Record, error) {
	data := l.data
	r := &sgf.Record{Line: 1, Root: new(sgf.Node)}
	for _, p := range [][2]string{{"FF", "4"}, {"GM", NumberSGF}, {"CA", "UTF-8"}, {"SZ", "15"}} {
		r.Root.Set(p[0], p[1])
	}
	if !IsLib(data) || len(data) < libHead {
		return r, errors.New("RenLib: want a head of 20 bytes")
	}
	// begun are the nodes that may get children, each of which may get a sibling too.
	begun, sibling := []*sgf.Node{r.Root}, []bool{false}
	for number := 1; len(begun) > 0; number++ {
		depth := len(begun)
		switch {
		case l.at == len(data) && number == 1:
			return r, nil
		case number > mostLibNodes:
			return r, fmt.Errorf("RenLib: more than %d nodes", mostLibNodes)
		case depth > mostLibDepth:
			return r, fmt.Errorf("RenLib: node %d: more than %d moves", number, mostLibDepth)
		}
		n, flags, err := l.node(depth)
		if err != nil {
			return r, fmt.Errorf("RenLib: node %d, byte %d: %w", number, l.at, err)
		}
		if _, _, moves := n.Move(); !moves && number == 1 { // the root
			r.Root.Properties = append(r.Root.Properties, n.Properties...)
			if flags&libLeaf != 0 {
				return r, nil
			}
			continue
		}
		parent := begun[depth-1]
		parent.Children = append(parent.Children, n)
		sibling[depth-1] = flags&libSibling != 0
		if flags&libLeaf == 0 {
			begun, sibling = append(begun, n), append(sibling, false)
			continue
		}
		for len(begun) > 0 && !sibling[len(begun)-1] {
			begun, sibling = begun[:len(begun)-1], sibling[:len(begun)-1]
		}
	}
	return r, nil
}

// libScanner reads nodes.
type libScanner struct {
	data    []byte
	at      int
	chinese bool // all texts so far may be Chinese
}

// node reads a node at a depth, from 1.
func (l *libScanner) node(depth int) (n *sgf.Node, flags byte, err error) {
	if len(l.data)-l.at < 2 {
		return nil, 0, errors.New("the library is cut off")
	}
	square := l.data[l.at]
	flags = l.data[l.at+1]
	l.at += 2
	n = new(sgf.Node)
	column, row := int(square&15), int(square>>4)
	text := ""
	switch {
	case square == 0:
	case column == 0 || row >= libSide:
		return nil, 0, fmt.Errorf("there is no square %#02x", square)
	default:
		text = string([]byte{'a' + byte(column-1), 'a' + byte(row)})
		n.Set("BW"[(depth-1)%2:(depth-1)%2+1], text)
	}
	if flags&libText != 0 {
		if l.at += 2; l.at > len(l.data) {
			return nil, 0, errors.New("the library is cut off")
		}
	}
	if flags&(libComment|libOld) != 0 {
		comment, err := l.text()
		if err != nil {
			return nil, 0, err
		}
		n.Set("C", comment)
	}
	if flags&libText != 0 {
		label, err := l.text()
		if err != nil {
			return nil, 0, err
		}
		if text != "" {
			n.Set("LB", text+":"+label)
		}
	}
	return n, flags, nil
}

// text reads a text. A backspace divides the title of a comment from its lines.
func (l *libScanner) text() (string, error) {
	for end := l.at; end < len(l.data); end++ {
		if l.data[end] != 0 {
			continue
		}
		text := l.decode(l.data[l.at:end])
		if end++; (end-l.at)%2 == 1 {
			end++
		}
		l.at = min(end, len(l.data))
		return strings.ReplaceAll(strings.ReplaceAll(strings.Trim(text, "\b"), "\r\n", "\n"), "\b", "\n"), nil
	}
	return "", errors.New("a text does not end: a zero byte is missing")
}

// decode returns a text in UTF-8.
func (l *libScanner) decode(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	if l.chinese = l.chinese && isGB2312(text); l.chinese {
		if decoded, err := simplifiedchinese.GBK.NewDecoder().Bytes(text); err == nil {
			return string(decoded)
		}
	}
	return pgn.Decode(text)
}

// isGB2312 reports whether a text consists of ASCII and of pairs of bytes as in GB2312.
func isGB2312(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < utf8.RuneSelf {
			continue
		}
		if i++; text[i-1] < 0xa1 || text[i-1] > 0xf7 || i == len(text) || text[i] < 0xa1 || text[i] == 0xff {
			return false
		}
	}
	return true
}
