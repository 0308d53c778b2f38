package gomoku

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// SGF is a game in SGF (Smart Game Format), FF[4] with GM[4], as a tree of nodes. The game that was played goes from each
// node to its first child.
type SGF struct {
	Line          int // of the text, where the game begins; 1 is the first
	Rows, Columns int
	root          *sgfNode
}

// sgfNode is a node of a tree.
type sgfNode struct {
	line       int
	properties []sgfProperty
	children   []*sgfNode
}

// sgfProperty is a property of a node, such as B[hh]. Its values are as they mean, without escapes.
type sgfProperty struct {
	name   string
	values []string
}

// value returns the first value of a property, and whether the node has it.
func (n *sgfNode) value(name string) (string, bool) {
	for _, p := range n.properties {
		if p.name == name && len(p.values) > 0 {
			return p.values[0], true
		}
	}
	return "", false
}

// set gives a node a property in place of one that it has.
func (n *sgfNode) set(name, value string) {
	for i := range n.properties {
		if n.properties[i].name == name {
			n.properties[i].values = []string{value}
			return
		}
	}
	n.properties = append(n.properties, sgfProperty{name, []string{value}})
}

// has reports whether a node has one of some properties.
func (n *sgfNode) has(names ...string) bool {
	return slices.ContainsFunc(n.properties, func(p sgfProperty) bool { return slices.Contains(names, p.name) })
}

// move returns the square of a move, and who makes it.
func (n *sgfNode) move() (text string, side Side, found bool) {
	for side, name := range sgfSides {
		if text, found := n.value(name); found {
			return text, Side(side), true
		}
	}
	return "", 0, false
}

// sgfSides are the properties of moves, and sgfStones those of stones that are set up.
var (
	sgfSides  = [2]string{"B", "W"}
	sgfStones = [2]string{"AB", "AW"}
)

// IsSGF reports whether a text begins like gomoku in SGF: of other games, Go among them, it is not.
func IsSGF(text string) bool {
	if !strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), sgfBlanks), "(") {
		return false
	}
	s := sgfScanner{text: text, line: 1}
	tree, _ := s.next()
	if tree == nil {
		return false
	}
	game, _ := tree.value("GM")
	return strings.Trim(game, sgfBlanks) == "4"
}

const sgfBlanks = " \t\v\f\r\n"

// ParseSGF reads the games of a text. Of a game that is broken it returns the nodes before that, with an error.
func ParseSGF(text string) ([]*SGF, error) {
	text = strings.ToValidUTF8(text, "\ufffd")
	s := sgfScanner{text: text, line: 1}
	var list []*SGF
	for {
		root, err := s.next()
		if root != nil {
			r := &SGF{Line: root.line, Rows: 15, Columns: 15, root: root}
			if size, given := root.value("SZ"); given {
				columns, rows, two := strings.Cut(strings.Trim(size, sgfBlanks), ":")
				if !two {
					rows = columns
				}
				var ok, ok2 bool
				r.Columns, ok = parseNumber(columns, minSide, MaxSide)
				r.Rows, ok2 = parseNumber(rows, minSide, MaxSide)
				if !ok || !ok2 {
					return list, fmt.Errorf("SGF line %d: size of the board SZ[%s]: want 2 to 20, or columns:rows", root.line, size)
				}
			}
			list = append(list, r)
		}
		if err != nil || root == nil {
			return list, err
		}
	}
}

// maxSGFDepth is the number of variations within each other that are read.
const maxSGFDepth = 1000

// sgfScanner reads trees.
type sgfScanner struct {
	text string
	at   int
	// line is that of the text before counted.
	line, counted int
}

func (s *sgfScanner) lineOf() int {
	s.line += strings.Count(s.text[s.counted:s.at], "\n")
	s.counted = s.at
	return s.line
}

func (s *sgfScanner) wrong(format string, args ...any) error {
	return fmt.Errorf("SGF line %d: %w", s.lineOf(), fmt.Errorf(format, args...))
}

// skip skips blanks and returns the letter after them, 0 at the end.
func (s *sgfScanner) skip() byte {
	s.at = len(s.text) - len(strings.TrimLeft(s.text[s.at:], sgfBlanks))
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// next returns the root of the next tree, nil if there is none. What is before it is skipped, as SGF wants it.
func (s *sgfScanner) next() (root *sgfNode, err error) {
	at := strings.IndexByte(s.text[s.at:], '(')
	if at < 0 {
		return nil, nil
	}
	s.at += at
	begun := []*sgfNode{} // where the variations leave that are open
	var last *sgfNode     // nil before the first node
	for {
		switch c := s.skip(); {
		case c == 0:
			return root, s.wrong("the game is not closed: a ) is missing")
		case c == '(':
			if len(begun) == maxSGFDepth {
				return root, s.wrong("more than %d variations within each other", maxSGFDepth)
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
			n := &sgfNode{line: s.lineOf()}
			s.at++
			err := s.properties(n)
			switch {
			case last == nil && root != nil:
				return root, s.wrong("a second root of the game")
			case last == nil:
				root = n
			default:
				last.children = append(last.children, n)
			}
			if last = n; err != nil {
				return root, err
			}
		default:
			letter, _ := utf8.DecodeRuneInString(s.text[s.at:])
			return root, s.wrong("%q: want ; before a node, ( before a variation, or )", letter)
		}
	}
}

// properties reads the properties of a node. Small letters in their names say nothing.
func (s *sgfScanner) properties(n *sgfNode) error {
	for {
		c := s.skip()
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return nil
		}
		var p sgfProperty
		for ; s.at < len(s.text) && s.text[s.at]|0x20 >= 'a' && s.text[s.at]|0x20 <= 'z'; s.at++ {
			if c := s.text[s.at]; c < 'a' {
				p.name += string(c)
			}
		}
		if p.name == "" || s.skip() != '[' {
			return s.wrong("property %.100q: want capitals and a value, as in B[hh]", p.name)
		}
		for s.skip() == '[' {
			text, ok := s.bracketed()
			if !ok {
				return s.wrong("a value of %s is not closed: a ] is missing", p.name)
			}
			p.values = append(p.values, text)
		}
		n.properties = append(n.properties, p)
	}
}

// bracketed reads a value.
func (s *sgfScanner) bracketed() (string, bool) {
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

// Names returns the players, Black first.
func (r *SGF) Names() (names [2]string) {
	for side, name := range []string{"PB", "PW"} {
		text, _ := r.root.value(name)
		names[side] = strings.Join(strings.Fields(text), " ")
	}
	return names
}

// Options returns the options of the rules that a record names.
func (r *SGF) Options() []string {
	list := []string{fmt.Sprintf("%s=%dx%d", optionSize, r.Rows, r.Columns)}
	rules, _ := r.root.value("RU")
	for option := range strings.SplitSeq(rules, ",") {
		name, value, _ := strings.Cut(strings.Trim(option, sgfBlanks), "=")
		_, k := parseNumber(value, minK, maxK)
		if name == optionK && k || name == optionRule && (value == ruleExact || value == ruleFree) {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// options returns the options of the rules that are not usual, for RU.
func (g *Game) options() string {
	var list []string
	if g.k != 5 {
		list = append(list, optionK+"="+strconv.Itoa(g.k))
	}
	if g.exact {
		list = append(list, optionRule+"="+ruleExact)
	}
	return strings.Join(list, ",")
}

// ReplaySGF returns the start position and the moves of a game. If one is wrong, it returns those before. It fails if the
// board has another size.
func (g *Game) ReplaySGF(r *SGF) (from Position, moves []Square, err error) {
	if r.Rows != g.rows || r.Columns != g.columns {
		return g.Start(), nil, fmt.Errorf("the record has a board of %d rows and %d columns, want %d and %d", r.Rows, r.Columns, g.rows, g.columns)
	}
	from, list, err := g.setUp(r)
	if err != nil {
		return g.Start(), nil, err
	}
	p := from
	for _, n := range list {
		if n.has(sgfStones[0], sgfStones[1], "AE") {
			return from, moves, fmt.Errorf("SGF line %d: a position that is set up in the middle of a game is not read", n.line)
		}
		text, side, _ := n.move()
		m, err := g.sgfSquare(text)
		if v, finished := g.Outcome(p); err == nil && finished {
			err = fmt.Errorf("the game is over (%v)", v)
		}
		if _, taken := p.At(m); err == nil && taken {
			err = errors.New("the square is not empty")
		}
		if err == nil && side != p.toMove {
			err = fmt.Errorf("it is %v's turn", p.toMove)
		}
		if err != nil {
			return from, moves, fmt.Errorf("SGF line %d: move %d, %s[%.10s]: %w", n.line, len(moves)+1, sgfSides[side], text, err)
		}
		moves = append(moves, m)
		p = g.Play(p, m)
	}
	return from, moves, nil
}

// setUp returns the start position of a game, and the nodes of its moves and of positions that are set up after them.
func (g *Game) setUp(r *SGF) (p Position, moves []*sgfNode, err error) {
	var stones [2]Set
	turn := ""
	for n := r.root; ; n = n.children[0] {
		if _, side, found := n.move(); found {
			if turn == "" && len(moves) == 0 && stones != [2]Set{} {
				turn = sgfSides[side]
			}
			moves = append(moves, n)
		} else if len(moves) > 0 && n.has(sgfStones[0], sgfStones[1], "AE") {
			moves = append(moves, n) // which cannot be replayed
		}
		for _, x := range n.properties {
			side := slices.Index(sgfStones[:], x.name)
			switch {
			case x.name == "PL" && len(x.values) > 0 && len(moves) == 0:
				turn = x.values[0]
			case side < 0 && x.name != "AE" || len(moves) > 0:
				continue
			}
			for _, text := range x.values {
				if x.name == "PL" {
					break
				}
				s, err := g.sgfSquare(text)
				if err != nil {
					return p, nil, fmt.Errorf("SGF line %d: %s[%.10s]: %w", n.line, x.name, text, err)
				}
				for i := range stones {
					stones[i].Remove(s)
				}
				if side >= 0 {
					stones[side].Add(s)
				}
			}
		}
		if len(n.children) == 0 {
			break
		}
	}
	p = NewPosition(stones[Black], stones[White], Black)
	if turn = strings.ToUpper(strings.Trim(turn, sgfBlanks)); strings.HasPrefix(turn, "W") {
		p.toMove = White
	}
	if err := g.check(p); err != nil {
		return p, nil, fmt.Errorf("SGF line %d: %w", r.root.line, err)
	}
	return p, moves, nil
}

// sgfSquare reads a square: two letters, column and row from the top, or as in moves.
func (g *Game) sgfSquare(text string) (Square, error) {
	text = strings.Trim(text, sgfBlanks)
	if len(text) == 2 {
		column, row := int(text[0]|0x20)-'a', int(text[1]|0x20)-'a'
		if column >= 0 && column < g.columns && row >= 0 && row < g.rows {
			return SquareAt(g.rows-1-row, column), nil
		}
	}
	if s, err := g.parseSquare(text); err == nil {
		return s, nil
	}
	return 0, fmt.Errorf("want two letters, aa at the top left to %s", g.sgfText(SquareAt(0, g.columns-1)))
}

// sgfText is a square in SGF.
func (g *Game) sgfText(s Square) string {
	return string([]byte{'a' + byte(s.Column()), 'a' + byte(g.rows-1-s.Row())})
}

// NewSGF returns the record of a game.
func (g *Game) NewSGF(from Position, moves []Square) *SGF {
	r := &SGF{Rows: g.rows, Columns: g.columns, root: new(sgfNode)}
	size := strconv.Itoa(g.columns)
	if g.rows != g.columns {
		size += ":" + strconv.Itoa(g.rows)
	}
	for _, p := range [][2]string{{"FF", "4"}, {"GM", "4"}, {"CA", "UTF-8"}, {"SZ", size}, {"RU", g.options()}} {
		if p[1] != "" {
			r.root.set(p[0], p[1])
		}
	}
	if from != g.Start() {
		for side, name := range sgfStones {
			stones := sgfProperty{name: name}
			for s := range from.stones[side].All() {
				stones.values = append(stones.values, g.sgfText(s))
			}
			if len(stones.values) > 0 {
				r.root.properties = append(r.root.properties, stones)
			}
		}
		r.root.set("PL", sgfSides[from.toMove])
	}
	g.addLine(r.root, from.toMove, moves)
	return r
}

// addLine adds a line of play after a node.
func (g *Game) addLine(n *sgfNode, side Side, moves []Square) {
	for _, m := range moves {
		child := &sgfNode{properties: []sgfProperty{{sgfSides[side], []string{g.sgfText(m)}}}}
		n.children = append(n.children, child)
		n, side = child, side.Opponent()
	}
}

// SetNames sets the players, Black first.
func (r *SGF) SetNames(names [2]string) {
	for side, name := range []string{"PB", "PW"} {
		if names[side] != "" {
			r.root.set(name, names[side])
		}
	}
}

// Clone returns a copy.
func (r *SGF) Clone() *SGF {
	c := *r
	c.root = r.root.clone()
	return &c
}

func (n *sgfNode) clone() *sgfNode {
	first := new(sgfNode)
	for to := first; ; to = to.children[0] {
		to.line, to.properties = n.line, slices.Clone(n.properties)
		if len(n.children) == 0 {
			return first
		}
		to.children = append(to.children, new(sgfNode))
		for _, child := range n.children[1:] {
			to.children = append(to.children, child.clone())
		}
		n = n.children[0]
	}
}

// node returns the node of a move, that of the last one if there is none. ply is the number of moves before it. before is the
// node before that of the move, nil if there is no such move.
func (r *SGF) node(ply int) (before, n *sgfNode) {
	n = r.root
	made := 0
	for made <= ply && len(n.children) > 0 {
		before, n = n, n.children[0]
		if _, _, found := n.move(); found {
			made++
		}
	}
	if made <= ply {
		before = nil
	}
	return before, n
}

// Comment adds a line to the comment on a move, or on the end if there is no such move. ply is the number of moves before it.
func (r *SGF) Comment(ply int, line string) {
	_, n := r.node(ply)
	n.comment(line)
}

// comment adds a line to the comment on a node.
func (n *sgfNode) comment(line string) {
	if text, _ := n.value("C"); text != "" {
		line = text + "\n" + line
	}
	n.set("C", line)
}

// Remark adds a mark, such as ??, and a comment to a move, and a line of play as a variation instead of it. Each may be
// empty, and a mark or a line that the move has is not added again. ply is the number of moves before the move; if there is no
// such move, the comment is on the end. A mark that is not one of SGF, or of a move that has another, is in the comment alone.
// [SGF.Unremark] finds what was added.
func (g *Game) Remark(r *SGF, ply int, mark, comment string, line []Square) {
	before, n := r.node(ply)
	switch p, known := sgfMarks[mark]; {
	case mark == "" || before == nil || !known:
	case n.is(p):
		mark = ""
	case !n.has("BM", "DO", "IT", "TE"):
		n.set(p.name, p.values[0])
	}
	if mark != "" || comment != "" {
		n.comment(movetext.Sign(mark, comment))
	}
	if before != nil && len(line) > 0 {
		_, side, _ := n.move()
		variation := new(sgfNode)
		g.addLine(variation, side, line)
		if !slices.ContainsFunc(before.children, variation.children[0].begins) {
			variation.children[0].set("C", movetext.Author)
			before.children = append(before.children, variation.children...)
		}
	}
}

// Unremark removes what [Game.Remark] has added, also if the text was written and read again. Other variations that leave
// such a line, and comments in it, keep it.
func (r *SGF) Unremark() {
	for n := r.root; ; n = n.children[0] {
		n.unsign()
		if len(n.children) == 0 {
			return
		}
		n.children = slices.DeleteFunc(n.children, func(child *sgfNode) bool { return child != n.children[0] && child.added() })
	}
}

// unsign removes the comments and the mark that a remark has given a node.
func (n *sgfNode) unsign() {
	text, found := n.value("C")
	if !found {
		return
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		mark, ours := movetext.Signed(line)
		if p, known := sgfMarks[mark]; known && n.is(p) {
			n.remove(p.name)
		}
		if !ours {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		n.remove("C")
		return
	}
	n.set("C", strings.Join(lines, "\n"))
}

// remove removes a property.
func (n *sgfNode) remove(name string) {
	n.properties = slices.DeleteFunc(n.properties, func(p sgfProperty) bool { return p.name == name })
}

// added reports whether the line from a node on is a variation that a remark has added.
func (n *sgfNode) added() bool {
	if text, _ := n.value("C"); text != movetext.Author {
		return false
	}
	for ; len(n.children) > 0; n = n.children[0] {
		if len(n.children) > 1 || n.children[0].has("C") {
			return false
		}
	}
	return true
}

// is reports whether a node has a property with this first value.
func (n *sgfNode) is(p sgfProperty) bool {
	text, found := n.value(p.name)
	return found && text == p.values[0]
}

// begins reports whether a line of moves, from n on, is how another node goes on.
func (n *sgfNode) begins(other *sgfNode) bool {
	for other.is(n.properties[0]) {
		if len(n.children) == 0 {
			return true
		}
		if len(other.children) == 0 {
			return false
		}
		n, other = n.children[0], other.children[0]
	}
	return false
}

// sgfMarks are the properties for marks of moves.
var sgfMarks = map[string]sgfProperty{
	"??": {"BM", []string{"2"}}, "?": {"BM", []string{"1"}}, "?!": {"DO", []string{""}},
	"!?": {"IT", []string{""}}, "!": {"TE", []string{"1"}}, "!!": {"TE", []string{"2"}},
}

// AppendSGF appends the record to dst, in UTF-8.
func (r *SGF) AppendSGF(dst []byte) []byte {
	r.root.set("CA", "UTF-8")
	return append(appendTree(dst, r.root), '\n')
}

// appendTree appends a node and what comes after it, in brackets.
func appendTree(dst []byte, n *sgfNode) []byte {
	dst = append(dst, '(')
	for i := 0; ; i++ {
		if i > 0 && (i%8 == 0 || n.has("C")) {
			dst = append(dst, '\n')
		}
		dst = append(dst, ';')
		for _, p := range n.properties {
			dst = append(dst, p.name...)
			for _, text := range p.values {
				dst = append(dst, '[')
				dst = append(dst, sgfEscapes.Replace(text)...)
				dst = append(dst, ']')
			}
		}
		if len(n.children) != 1 {
			break
		}
		n = n.children[0]
	}
	for _, child := range n.children {
		dst = append(dst, '\n')
		dst = appendTree(dst, child)
	}
	return append(dst, ')')
}

var sgfEscapes = strings.NewReplacer(`\`, `\\`, "]", `\]`)
