package sgf

import (
	"slices"
	"strings"
)

// Record is a game, as a tree of nodes. The game that was played goes from each node to its first child.
type Record struct {
	Line int // of the text, where the game begins; 1 is the first
	Root *Node
}

// Node is a node of a tree.
type Node struct {
	Line       int // of the text; 0 if the node is from elsewhere
	Properties []Property
	Children   []*Node
	// idle says that the move of the node is none in the game, such as to resign. [Dialect.Replay] finds out.
	idle bool
}

// Property is a property of a node, such as B[hh]. Its values are as they mean, without escapes.
type Property struct {
	Name   string
	Values []string
}

// The properties of moves, of stones that are set up, and of players.
var (
	sides  = [2]string{"B", "W"}
	stones = [2]string{"AB", "AW"}
	names  = [2]string{"PB", "PW"}
)

// Value returns the first value of a property, and whether the node has it.
func (n *Node) Value(name string) (string, bool) {
	for _, p := range n.Properties {
		if p.Name == name && len(p.Values) > 0 {
			return p.Values[0], true
		}
	}
	return "", false
}

// Set gives a node a property in place of one that it has.
func (n *Node) Set(name, value string) {
	for i := range n.Properties {
		if n.Properties[i].Name == name {
			n.Properties[i].Values = []string{value}
			return
		}
	}
	n.Properties = append(n.Properties, Property{name, []string{value}})
}

// has reports whether a node has one of some properties.
func (n *Node) has(names ...string) bool {
	return slices.ContainsFunc(n.Properties, func(p Property) bool { return slices.Contains(names, p.Name) })
}

// Move returns the value of a move, and who makes it: 0 for Black, 1 for White.
func (n *Node) Move() (text string, side int, found bool) {
	for side, name := range sides {
		if text, found := n.Value(name); found {
			return text, side, true
		}
	}
	return "", 0, false
}

// plays reports whether a node has a move of the game.
func (n *Node) plays() bool {
	_, _, found := n.Move()
	return found && !n.idle
}

// isMove reports whether a property has moves.
func (p *Property) isMove() bool { return p.Name == sides[0] || p.Name == sides[1] }

// separate gives each move of the line that was played a node of its own, where a program has written several in one, or the
// first one in the root. The other properties of a node stay with the move before them, and those of the root in the root.
func (r *Record) separate() {
	first := &Node{Line: r.Root.Line, Children: r.Root.Children}
	var rest []Property
	for _, p := range r.Root.Properties {
		if p.isMove() {
			first.Properties = append(first.Properties, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(first.Properties) > 0 {
		r.Root.Properties, r.Root.Children = rest, []*Node{first}
	}
	for n := r.Root; len(n.Children) > 0; n = n.Children[0] {
		n.Children[0].separate()
	}
}

// separate puts the moves of a node after the first into nodes after it.
func (n *Node) separate() {
	list, children := n.Properties, n.Children
	made := 0
	for _, p := range list {
		if p.isMove() {
			made += len(p.Values)
		}
	}
	if made < 2 {
		return
	}
	n.Properties = nil
	for _, p := range list {
		if !p.isMove() {
			n.Properties = append(n.Properties, p)
			continue
		}
		for _, value := range p.Values {
			if n.has(sides[0], sides[1]) {
				next := &Node{Line: n.Line}
				n.Children = []*Node{next}
				n = next
			}
			n.Properties = append(n.Properties, Property{p.Name, []string{value}})
		}
	}
	n.Children = children
}

// remove removes a property.
func (n *Node) remove(name string) {
	n.Properties = slices.DeleteFunc(n.Properties, func(p Property) bool { return p.Name == name })
}

// is reports whether a node has a property with this first value.
func (n *Node) is(p Property) bool {
	text, found := n.Value(p.Name)
	return found && text == p.Values[0]
}

// comment adds a line to the comment on a node.
func (n *Node) comment(line string) {
	if text, _ := n.Value("C"); text != "" {
		line = text + "\n" + line
	}
	n.Set("C", line)
}

// begins reports whether a line of moves, from n on, is how another node goes on.
func (n *Node) begins(other *Node) bool {
	for other.is(n.Properties[0]) {
		if len(n.Children) == 0 {
			return true
		}
		if len(other.Children) == 0 {
			return false
		}
		n, other = n.Children[0], other.Children[0]
	}
	return false
}

func (n *Node) clone() *Node {
	first := new(Node)
	for to := first; ; to = to.Children[0] {
		to.Line, to.Properties, to.idle = n.Line, slices.Clone(n.Properties), n.idle
		if len(n.Children) == 0 {
			return first
		}
		to.Children = append(to.Children, new(Node))
		for _, child := range n.Children[1:] {
			to.Children = append(to.Children, child.clone())
		}
		n = n.Children[0]
	}
}

// Clone returns a copy.
func (r *Record) Clone() *Record {
	c := *r
	c.Root = r.Root.clone()
	return &c
}

// Names returns the players, Black first.
func (r *Record) Names() (list [2]string) {
	for side, name := range names {
		text, _ := r.Root.Value(name)
		list[side] = strings.Join(strings.Fields(text), " ")
	}
	return list
}

// SetNames sets the players, Black first.
func (r *Record) SetNames(list [2]string) {
	for side, name := range names {
		if list[side] != "" {
			r.Root.Set(name, list[side])
		}
	}
}

// Result is how a game ended: who won, 0 for Black and 1 for White, or nobody.
type Result struct {
	Winner   int
	Drawn    bool
	Resigned bool // the loser did
}

// Result returns the result that the game names, or that of a last move to resign, and whether there is one.
func (r *Record) Result() (result Result, known bool) {
	text, _ := r.Root.Value("RE")
	text = strings.ToUpper(strings.Trim(text, Blanks))
	switch winner, how, won := strings.Cut(text, "+"); {
	case won && (winner == "B" || winner == "W"):
		return Result{Winner: strings.Index("BW", winner), Resigned: strings.HasPrefix(how, "R")}, true
	case text == "0" || text == "DRAW":
		return Result{Drawn: true}, true
	}
	n := r.Root
	for len(n.Children) > 0 {
		n = n.Children[0]
	}
	if text, side, found := n.Move(); found && isResignation(text) {
		return Result{Winner: 1 - side, Resigned: true}, true
	}
	return Result{}, false
}

// SetResult sets the result.
func (r *Record) SetResult(result Result) {
	switch {
	case result.Drawn:
		r.Root.Set("RE", "0")
	case result.Resigned:
		r.Root.Set("RE", sides[result.Winner]+"+R")
	default:
		r.Root.Set("RE", sides[result.Winner]+"+")
	}
}

// Size returns the value of the size of the board, SZ, as columns and rows, which are the same if it has one number; empty
// if the game names none.
func (r *Record) Size() (columns, rows string) {
	size, _ := r.Root.Value("SZ")
	columns, rows, two := strings.Cut(strings.Trim(size, Blanks), ":")
	if !two {
		rows = columns
	}
	return strings.Trim(columns, Blanks), strings.Trim(rows, Blanks)
}
