package sgf

import (
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// node returns the node of a move, that of the last one if there is none. ply is the number of moves before it. before is the
// node before that of the move, nil if there is no such move.
func (r *Record) node(ply int) (before, n *Node) {
	n = r.Root
	made := 0
	for made <= ply && len(n.Children) > 0 {
		before, n = n, n.Children[0]
		if n.plays() {
			made++
		}
	}
	if made <= ply {
		before = nil
	}
	return before, n
}

// Comment adds a line to the comment on a move, or on the end if there is no such move. ply is the number of moves before it.
func (r *Record) Comment(ply int, line string) {
	_, n := r.node(ply)
	n.comment(line)
}

// Remark adds a mark, such as ??, and a comment to a move, and a line of play as a variation instead of it. Each may be
// empty, and a mark or a line that the move has is not added again. ply is the number of moves before the move; if there is no
// such move, the comment is on the end. A mark that is not one of SGF, or of a move that has another, is in the comment alone.
// [Record.Unremark] finds what was added.
func (d *Dialect[P, M]) Remark(r *Record, p P, ply int, mark, comment string, line []M) {
	before, n := r.node(ply)
	switch known, is := marks[mark]; {
	case mark == "" || before == nil || !is:
	case n.is(known):
		mark = ""
	case !n.has("BM", "DO", "IT", "TE"):
		n.Set(known.Name, known.Values[0])
	}
	if mark != "" || comment != "" {
		n.comment(movetext.Sign(mark, comment))
	}
	if before != nil && len(line) > 0 {
		variation := new(Node)
		d.addLine(variation, p, line)
		if !slices.ContainsFunc(before.Children, variation.Children[0].begins) {
			variation.Children[0].Set("C", movetext.Author)
			before.Children = append(before.Children, variation.Children...)
		}
	}
}

// Unremark removes what [Dialect.Remark] has added, also if the text was written and read again. Other variations that leave
// such a line, and comments in it, keep it.
func (r *Record) Unremark() {
	for n := r.Root; ; n = n.Children[0] {
		n.unsign()
		if len(n.Children) == 0 {
			return
		}
		n.Children = slices.DeleteFunc(n.Children, func(child *Node) bool { return child != n.Children[0] && child.added() })
	}
}

// unsign removes the comments and the mark that a remark has given a node.
func (n *Node) unsign() {
	text, found := n.Value("C")
	if !found {
		return
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		mark, ours := movetext.Signed(line)
		if p, known := marks[mark]; known && n.is(p) {
			n.remove(p.Name)
		}
		if !ours {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		n.remove("C")
		return
	}
	n.Set("C", strings.Join(lines, "\n"))
}

// added reports whether the line from a node on is a variation that a remark has added.
func (n *Node) added() bool {
	if text, _ := n.Value("C"); text != movetext.Author {
		return false
	}
	for ; len(n.Children) > 0; n = n.Children[0] {
		if len(n.Children) > 1 || n.Children[0].has("C") {
			return false
		}
	}
	return true
}

// marks are the properties for marks of moves.
var marks = map[string]Property{
	"??": {"BM", []string{"2"}}, "?": {"BM", []string{"1"}}, "?!": {"DO", []string{""}},
	"!?": {"IT", []string{""}}, "!": {"TE", []string{"1"}}, "!!": {"TE", []string{"2"}},
}
