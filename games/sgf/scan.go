package sgf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Blanks are the characters that SGF skips.
const Blanks = " \t\v\f\r\n"

// GameOf returns the value of GM, which says of which game a text is that begins so, and reports whether the text looks like
// SGF: with the first node of a tree, which may be cut off.
func GameOf(begin string) (game string, is bool) {
	rest, is := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(begin, "\ufeff"), Blanks), "(")
	if !is || !strings.HasPrefix(strings.TrimLeft(rest, Blanks), ";") {
		return "", false
	}
	s := scanner{text: begin, line: 1}
	tree, _ := s.next(1)
	if tree != nil {
		game, _ = tree.Value("GM")
	}
	return strings.Trim(game, Blanks), true
}

// Parse reads the games of a text. Of a game that is broken it returns the nodes before that, with an error. Along the line that
// was played each move is in a node of its own, after the root.
func Parse(text string) ([]*Record, error) {
	list, err := ParseTrees(text)
	for _, r := range list {
		r.separate()
	}
	return list, err
}

// ParseTrees is [Parse] with the nodes as they are written.
func ParseTrees(text string) ([]*Record, error) {
	text = decode(text)
	s := scanner{text: text, line: 1}
	var list []*Record
	for {
		root, err := s.next(0)
		if root != nil {
			list = append(list, &Record{Line: root.Line, Root: root})
		}
		if err != nil || root == nil {
			return list, err
		}
	}
}

// maxDepth is the number of variations within each other that are read.
const maxDepth = 1000

// scanner reads trees.
type scanner struct {
	text string
	at   int
	// line is that of the text before counted.
	line, counted int
}

func (s *scanner) lineOf() int {
	s.line += strings.Count(s.text[s.counted:s.at], "\n")
	s.counted = s.at
	return s.line
}

func (s *scanner) wrong(format string, args ...any) error {
	return fmt.Errorf("SGF line %d: %w", s.lineOf(), fmt.Errorf(format, args...))
}

// skip skips blanks and returns the letter after them, 0 at the end.
func (s *scanner) skip() byte {
	s.at = len(s.text) - len(strings.TrimLeft(s.text[s.at:], Blanks))
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// next returns the root of the next tree, nil if there is none. What is before it is skipped, as SGF wants it. It stops after
// a number of nodes, unless that is 0.
func (s *scanner) next(most int) (root *Node, err error) {
	at := strings.IndexByte(s.text[s.at:], '(')
	if at < 0 {
		return nil, nil
	}
	s.at += at
	begun := []*Node{} // where the variations leave that are open
	var last *Node     // nil before the first node
	for nodes := 0; most == 0 || nodes < most; {
		switch c := s.skip(); {
		case c == 0:
			return root, s.wrong("the game is not closed: a ) is missing")
		case c == '(':
			if len(begun) == maxDepth {
				return root, s.wrong("more than %d variations within each other", maxDepth)
			}
			if last == nil && len(begun) > 0 {
				return root, s.wrong("a ( after another one, want ; and a node between them")
			}
			begun = append(begun, last)
			s.at++
		case c == ')':
			last, begun = begun[len(begun)-1], begun[:len(begun)-1]
			s.at++
			if len(begun) == 0 {
				if root == nil {
					return nil, s.wrong("a game without a node")
				}
				return root, nil
			}
		case c == ';':
			n := &Node{Line: s.lineOf()}
			s.at++
			nodes++
			err := s.properties(n)
			switch {
			case last == nil && root != nil:
				return root, s.wrong("a second root of the game")
			case last == nil:
				root = n
			default:
				last.Children = append(last.Children, n)
			}
			if last = n; err != nil {
				return root, err
			}
		default:
			letter, _ := utf8.DecodeRuneInString(s.text[s.at:])
			return root, s.wrong("%q: want ; before a node, ( before a variation, or )", letter)
		}
	}
	return root, nil
}

// properties reads the properties of a node. Small letters in their names say nothing.
func (s *scanner) properties(n *Node) error {
	for {
		c := s.skip()
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return nil
		}
		var p Property
		var name []byte
		for ; s.at < len(s.text) && s.text[s.at]|0x20 >= 'a' && s.text[s.at]|0x20 <= 'z'; s.at++ {
			if c := s.text[s.at]; c < 'a' {
				name = append(name, c)
			}
		}
		p.Name = string(name)
		if p.Name == "" || s.skip() != '[' {
			return s.wrong("property %.100q: want capitals and a value, as in B[hh]", p.Name)
		}
		for s.skip() == '[' {
			text, ok := s.bracketed()
			if !ok {
				return s.wrong("a value of %s is not closed: a ] is missing", p.Name)
			}
			p.Values = append(p.Values, text)
		}
		n.Properties = append(n.Properties, p)
	}
}

// bracketed reads a value.
func (s *scanner) bracketed() (string, bool) {
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == ']':
			s.at++
			return b.String(), true
		case c == '\r': // an end of a line is one letter
			if !strings.HasPrefix(s.text[s.at:], "\r\n") {
				b.WriteByte('\n')
			}
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			if rest := s.text[s.at:]; strings.HasPrefix(rest, "\r\n") {
				s.at++
			} else if rest[0] != '\n' && rest[0] != '\r' { // which are not meant
				b.WriteByte(rest[0])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// Append appends the record to dst, in UTF-8.
func (r *Record) Append(dst []byte) []byte {
	r.Root.Set("CA", "UTF-8")
	return append(appendTree(dst, r.Root), '\n')
}

// appendTree appends a node and what comes after it, in brackets.
func appendTree(dst []byte, n *Node) []byte {
	dst = append(dst, '(')
	for i := 0; ; i++ {
		if i > 0 && (i%8 == 0 || n.has("C")) {
			dst = append(dst, '\n')
		}
		dst = append(dst, ';')
		for _, p := range n.Properties {
			dst = append(dst, p.Name...)
			for _, text := range p.Values {
				dst = append(dst, '[')
				dst = append(dst, escapes.Replace(text)...)
				dst = append(dst, ']')
			}
		}
		if len(n.Children) != 1 {
			break
		}
		n = n.Children[0]
	}
	for _, child := range n.Children {
		dst = append(dst, '\n')
		dst = appendTree(dst, child)
	}
	return append(dst, ')')
}

var escapes = strings.NewReplacer(`\`, `\\`, "]", `\]`)
