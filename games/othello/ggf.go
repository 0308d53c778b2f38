package othello

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/sgf"
)

// GGF is a game in GGF (Generic Game Format), as servers write it on a line:
//
//	(;GM[Othello]PB[Ann]PW[Bob]RE[+2.000]BO[8 -------- ... *]B[F5//0.01]W[F6/-1.5/2.1];)
//
// BO is where the game begins: * for black, O for white, and who is to move. A move has the square, an estimate and the seconds
// that it took, of which the last two may be left out. It is written like SGF with all of a game in one node.
type GGF struct {
	Line       int // of the text, where the game begins; 1 is the first
	properties []sgf.Property
	moves      []int // the properties that are moves, once they are replayed
}

var (
	// ggfNumber is the number of games, which servers write before them.
	ggfNumber = regexp.MustCompile(`^\s*(?:[0-9]+\s*)?`)
	ggfBegin  = regexp.MustCompile(`(?i)^\(\s*;\s*GM\s*\[\s*Othello\s*\]`)
)

// IsGGF reports whether a text begins like a game of Othello in GGF.
func IsGGF(begin string) bool {
	begin = strings.TrimPrefix(begin, "\ufeff")
	begin = begin[len(ggfNumber.FindString(begin)):]
	game, is := sgf.GameOf(begin)
	return ggfBegin.MatchString(begin) || is && strings.EqualFold(game, "Othello")
}

// ParseGGF reads the games of a text. Of a game that is broken it returns what is before that, with an error.
func ParseGGF(text string) (list []*GGF, err error) {
	trees, err := sgf.ParseTrees(text)
	for _, tree := range trees {
		r := &GGF{Line: tree.Line}
		for n := tree.Root; ; n = n.Children[0] {
			r.properties = append(r.properties, n.Properties...)
			if len(n.Children) == 0 {
				break
			}
		}
		list = append(list, r)
	}
	if err != nil {
		err = errors.New("GGF" + strings.TrimPrefix(err.Error(), "SGF"))
	}
	return list, err
}

// value returns the value of a property, without blanks, empty if there is none.
func (r *GGF) value(name string) string {
	for _, p := range r.properties {
		if p.Name == name && len(p.Values) > 0 {
			return strings.Trim(p.Values[0], sgf.Blanks)
		}
	}
	return ""
}

// set gives the game a property in place of one that it has, or before the position.
func (r *GGF) set(name, value string) {
	one := sgf.Property{Name: name, Values: []string{value}}
	at := slices.IndexFunc(r.properties, func(p sgf.Property) bool { return p.Name == name })
	if at >= 0 {
		r.properties[at] = one
		return
	}
	at = max(0, slices.IndexFunc(r.properties, func(p sgf.Property) bool { return p.Name == "BO" }))
	r.properties = slices.Insert(r.properties, at, one)
}

// Names returns the players, Black first, each on one line.
func (r *GGF) Names() (list [2]string) {
	for side, name := range []string{"PB", "PW"} {
		list[side] = strings.Join(strings.Fields(r.value(name)), " ")
	}
	return list
}

// Options returns the options of the rules that the game names.
func (r *GGF) Options() []string {
	if size, _, _ := strings.Cut(r.value("BO"), " "); size != "" {
		return []string{optionSize + "=" + size + "x" + size}
	}
	return nil
}

// Result returns the discs that Black has more than White at the end, whether the loser resigned, and whether the game says so.
func (r *GGF) Result() (discs float64, resigned, known bool) {
	text, how, _ := strings.Cut(r.value("RE"), ":")
	discs, err := strconv.ParseFloat(strings.Trim(text, sgf.Blanks), 64)
	return discs, strings.EqualFold(how, "r"), err == nil
}

// ReplayGGF returns the start position and the moves of a game. If one is wrong, it returns those before. It gives the record
// the passes that it leaves out.
func (g *Game) ReplayGGF(r *GGF) (from Position, moves []Move, err error) {
	from, err = g.startGGF(r.value("BO"))
	if err != nil {
		return g.Start(), nil, fmt.Errorf("GGF line %d: BO[%.80s]: %w", r.Line, r.value("BO"), err)
	}
	p := from
	r.moves = nil
	for i := 0; i < len(r.properties); i++ {
		x := r.properties[i]
		side := strings.Index("BW", x.Name)
		if len(x.Name) != 1 || side < 0 || len(x.Values) == 0 {
			continue
		}
		if g.mustPass(p) && side != p.Turn() {
			r.properties = slices.Insert(r.properties, i, sgf.Property{Name: "BW"[p.Turn() : p.Turn()+1], Values: passes[:1]})
			x, side = r.properties[i], p.Turn()
		}
		m, err := g.moveGGF(p, side, x.Values[0])
		if err != nil {
			return from, moves, fmt.Errorf("GGF line %d: move %d, %s[%.20s]: %w", r.Line, len(moves)+1, x.Name, x.Values[0], err)
		}
		r.moves = append(r.moves, i)
		moves, p = append(moves, m), g.Play(p, m)
	}
	return from, moves, nil
}

// moveGGF reads a move of a side.
func (g *Game) moveGGF(p Position, side int, value string) (Move, error) {
	text, _, _ := strings.Cut(value, "/")
	text = strings.Trim(text, sgf.Blanks)
	if turn := p.Turn(); side != turn {
		return 0, fmt.Errorf("it is %s's turn", "BW"[turn:turn+1])
	}
	if isPass(text) {
		text = passText
	}
	return games.ParseMove(g, p, text)
}

// startGGF reads the position in which a game begins.
func (g *Game) startGGF(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return g.Start(), nil
	}
	if size := strconv.Itoa(g.rows); fields[0] != size || g.rows != g.columns {
		return Position{}, fmt.Errorf("a board of size %s, want %dx%d", fields[0], g.rows, g.columns)
	}
	squares := strings.ToUpper(strings.Join(fields[1:], ""))
	if len(squares) == 0 {
		return Position{}, errors.New("want the squares, and who is to move")
	}
	last := len(squares) - 1
	return g.ParsePosition(strings.ReplaceAll(squares[:last]+" "+squares[last:], "*", "X"))
}

// NewGGF returns the record of a game. Names are the players, Black first, of which some may be empty.
func (g *Game) NewGGF(from Position, moves []Move, names [2]string) *GGF {
	r := new(GGF)
	add := func(name, value string) {
		r.properties = append(r.properties, sgf.Property{Name: name, Values: []string{value}})
	}
	add("GM", "Othello")
	add("PC", movetext.Author)
	for i, name := range []string{"PB", "PW"} {
		if names[i] == "" {
			names[i] = "?"
		}
		add(name, names[i])
	}
	add("RE", "?")
	add("TY", strconv.Itoa(g.rows))
	squares := strings.ReplaceAll(string(g.AppendPosition(nil, from)), "X", "*")
	position := strconv.Itoa(g.rows)
	for row := range g.rows {
		position += " " + squares[row*g.columns:(row+1)*g.columns]
	}
	add("BO", position+squares[g.rows*g.columns:])
	p := from
	for _, m := range moves {
		r.moves = append(r.moves, len(r.properties))
		value := passes[0]
		if m != Pass {
			value = strings.ToUpper(g.square(int(m)))
		}
		add("BW"[p.Turn():p.Turn()+1], value)
		p = g.Play(p, m)
	}
	return r
}

// SetResult sets how many discs Black has more than White at the end, and whether the loser resigned.
func (r *GGF) SetResult(discs int, resigned bool) {
	text := fmt.Sprintf("%+d.000", discs)
	if resigned {
		text += ":r"
	}
	r.set("RE", text)
}

// Clone returns a copy.
func (r *GGF) Clone() *GGF {
	c := *r
	c.properties, c.moves = slices.Clone(r.properties), slices.Clone(r.moves)
	return &c
}

// Remark adds a comment (C) to a move of a game that was replayed, or before the first one if ply is -1.
// [GGF.Unremark] finds what was added with [movetext.Sign].
func (r *GGF) Remark(ply int, text string) {
	at := len(r.properties)
	if ply+1 < len(r.moves) {
		at = r.moves[ply+1]
	}
	r.properties = slices.Insert(r.properties, at, sgf.Property{Name: "C", Values: []string{text}})
	for i := ply + 1; i < len(r.moves); i++ {
		r.moves[i]++
	}
}

// Unremark removes the comments that are signed.
func (r *GGF) Unremark() {
	moves := r.moves
	r.moves = nil
	var kept []sgf.Property
	for i, p := range r.properties {
		if p.Name == "C" && len(p.Values) > 0 {
			if _, ours := movetext.Signed(p.Values[0]); ours {
				continue
			}
		}
		if len(r.moves) < len(moves) && moves[len(r.moves)] == i {
			r.moves = append(r.moves, len(kept))
		}
		kept = append(kept, p)
	}
	r.properties = kept
}

// Append appends the record to dst, on a line.
func (r *GGF) Append(dst []byte) []byte {
	dst = append(dst, "(;"...)
	for _, p := range r.properties {
		dst = append(dst, p.Name...)
		for _, value := range p.Values {
			dst = append(dst, '[')
			dst = append(dst, ggfValue.Replace(value)...)
			dst = append(dst, ']')
		}
	}
	return append(dst, ";)\n"...)
}

// ggfValue replaces what a value cannot have: it has no escapes.
var ggfValue = strings.NewReplacer("]", ")", `\`, "/", "\n", " ", "\r", " ")
