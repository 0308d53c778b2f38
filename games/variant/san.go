package variant

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Standard algebraic notation is what people write: Nbd7, exd8=Q+, O-O. A move has the letter of its piece, none for a
// pawn, as much of where it comes from as tells it from other legal moves, x if it captures, and where it goes. Then
// come = and what a pawn becomes, =+ for a promotion to the piece that the variant has for it, =- for the way back; and
// after a slash a wall, or the piece that is brought in. Drops are N@f3, passes --. At the end + is a check, and # a
// move that decides the game.

// sanForm is how much of a move's origin is written.
type sanForm int

const (
	sanShort sanForm = iota
	sanFile
	sanRank
	sanSquare
)

const (
	passText   = "--"
	longestSAN = 40 // bytes, with marks
)

// AppendSAN appends a legal move in standard algebraic notation.
func (g *core) AppendSAN(dst []byte, p Position, m Move) []byte {
	b := g.newBoard(&p)
	var others []Move
	if b.ended() == noResult {
		others = b.legalMoves(nil)
	}
	form := sanShort
	for ; form < sanSquare; form++ {
		text := string(b.appendSAN(nil, m, form))
		if !slices.ContainsFunc(others, func(other Move) bool {
			return other != m && other.to == m.to && string(b.appendSAN(nil, other, form)) == text
		}) {
			break
		}
	}
	return append(b.appendSAN(dst, m, form), b.mark(m)...)
}

// appendSAN appends a move without the mark of a check.
func (b *board) appendSAN(dst []byte, m Move, form sanForm) []byte {
	g := b.game
	to := g.squareName(int(m.to))
	switch m.kind {
	case drop:
		if m.piece != m.hand {
			dst = append(dst, '+')
		}
		dst = append(append(dst, upper(g.kinds[m.hand].letter), '@'), to...)
	case castling:
		dst = append(dst, "O-O"...)
		if m.to < m.from {
			dst = append(dst, "-O"...)
		}
	case pass:
		dst = append(dst, passText...)
	default:
		dst = append(dst, b.sanPiece(m)...)
		from := g.squareName(int(m.from))
		pawnCaptures := b.kind(int(m.from)) == g.pawnIx && b.captures(m)
		if form == sanFile || form == sanSquare || pawnCaptures {
			dst = append(dst, from[0])
		}
		if form == sanRank || form == sanSquare {
			dst = append(dst, from[1:]...)
		}
		if b.captures(m) {
			dst = append(dst, 'x')
		}
		dst = append(dst, to...)
	}
	dst = append(dst, b.sanPromotion(m)...)
	switch {
	case m.gate == noSquare:
	case g.rules.walling != "none":
		dst = append(append(dst, '/'), g.squareName(int(m.gate))...)
	default:
		dst = append(dst, '/', upper(g.kinds[m.gated].letter))
		if m.kind == castling {
			dst = append(dst, g.squareName(int(m.gate))...)
		}
	}
	return dst
}

func upper(letter byte) byte { return letter - ('a' - 'A') }

// sanPiece returns the letter of the piece that moves, + and that of what it was if it has none of its own.
func (b *board) sanPiece(m Move) string {
	g := b.game
	man := b.man(int(m.from))
	switch {
	case int(man.kind) == g.pawnIx:
		return ""
	case man.origin >= 0 && g.kinds[man.origin].promoted == man.kind:
		return "+" + string(rune(upper(g.kinds[man.origin].letter)))
	}
	return string(rune(upper(g.kinds[man.kind].letter)))
}

func (b *board) sanPromotion(m Move) string {
	switch m.kind {
	case promotion:
		return "=" + string(rune(upper(b.game.kinds[m.piece].letter)))
	case piecePromotion:
		return "=+"
	case demotion:
		return "=-"
	}
	return ""
}

// mark returns + for a move that gives check, # for one that decides the game, and otherwise nothing.
func (b *board) mark(m Move) string {
	next := *b
	next.apply(m)
	checks := next.inCheck()
	over := next.ended()
	if over == noResult && !next.canMove(&[]Move{}) {
		over = next.stuck()
	}
	switch {
	case over == win || over == loss:
		return "#"
	case checks:
		return "+"
	}
	return ""
}

// inCheck reports whether the side to move must parry an attack.
func (b *board) inCheck() bool {
	us := int(b.turn)
	return b.checked(us) || b.game.rules.pseudoRoyal && b.pseudoChecked(us)
}

// sanText splits a move as it is written. Ends of moves that say nothing of them are gone before.
var sanText = regexp.MustCompile(`^(\+?[A-Z])?([a-l])?([0-9]{1,2})?[x:×-]?([a-l][0-9]{1,2})(?:=?\(?([A-Za-z])\)?|=?([-+]))?(=)?(?:/([A-Z])|[/,]([a-l][0-9]{1,2}))?$`)

var (
	// castlingWord is a castling; zeros and the lack of dashes are forgiven.
	castlingWord = regexp.MustCompile(`^[Oo0]-?[Oo0](-?[Oo0])?(?:/([A-Z])([a-l][0-9]{1,2})?|[/,]([a-l][0-9]{1,2}))?$`)
	// sanEnd is what annotators write after a move.
	sanEnd = regexp.MustCompile(`(?:[!?]+|e\.?p\.?)$`)
	dashes = strings.NewReplacer("–", "-", "—", "-", "−", "-")
)

// ParseSAN reads a legal move as people write it: see [Game.AppendSAN]. It forgives a missing or superfluous x, mark or
// file, zeros in castlings, a promotion without =, and marks such as !?. A text that fits several moves is refused.
func (g *core) ParseSAN(p Position, text string) (Move, error) {
	fits := g.readSAN(p, text)
	if len(fits) == 1 {
		return fits[0], nil
	}
	if len(fits) > 1 {
		var names []string
		for _, m := range fits {
			names = append(names, string(g.AppendSAN(nil, p, m)))
		}
		return Move{}, fmt.Errorf("move %q: it may be %s", text, strings.Join(names, " or "))
	}
	_, err := games.FindMove(sanNames{g}, p, text, func(string) bool { return false })
	return Move{}, err
}

// readSAN returns the legal moves that a text may mean.
func (g *core) readSAN(p Position, text string) []Move {
	b := g.newBoard(&p)
	if b.ended() != noResult || len(text) > longestSAN {
		return nil
	}
	word, plus := trimSAN(text)
	return b.fitting(b.legalMoves(nil), word, plus)
}

// sanNames is a variant whose moves have their names in algebraic notation, for errors.
type sanNames struct{ *core }

func (g sanNames) AppendMove(dst []byte, p Position, m Move) []byte { return g.AppendSAN(dst, p, m) }

// trimSAN takes what says nothing of a move from its end, and returns how many + are among that.
func trimSAN(text string) (word string, plus int) {
	word = dashes.Replace(strings.TrimSpace(text))
	for {
		short := strings.TrimSpace(sanEnd.ReplaceAllString(word, ""))
		if n := len(short); n > 0 && (short[n-1] == '+' || short[n-1] == '#') && !strings.HasSuffix(short, "=+") {
			if short[n-1] == '+' {
				plus++
			}
			short = short[:n-1]
		}
		if short == word {
			return word, plus
		}
		word = short
	}
}

// fitsSAN reports whether a word may mean a legal move.
func (b *board) fitsSAN(m Move, word string) bool {
	g := b.game
	if m.kind == castling {
		t := castlingWord.FindStringSubmatch(word)
		return t != nil && (t[1] != "") == (m.to < m.from) && b.fitsGate(m, t[2], t[3], t[4])
	}
	if m.kind == pass {
		begin, wall, _ := strings.Cut(word, "/")
		return begin == passText && b.fitsGate(m, "", "", wall)
	}
	if m.kind == drop {
		letter, square, ok := strings.Cut(word, "@")
		if letter == "" && int(m.hand) == g.pawnIx {
			letter = "P"
		}
		want := string(rune(upper(g.kinds[m.hand].letter)))
		if m.piece != m.hand {
			want = "+" + want
		}
		return ok && strings.EqualFold(letter, want) && square == g.squareName(int(m.to))
	}
	t := sanText.FindStringSubmatch(word)
	if t == nil {
		return false
	}
	piece, file, rank, to, letter, sign, stays, gate, wall := t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9]
	from := g.squareName(int(m.from))
	own := b.sanPiece(m)
	isPawn := own == "" || own == "P" && g.pawnIx < 0
	switch {
	case to != g.squareName(int(m.to)),
		file != "" && file != from[:1], rank != "" && rank != from[1:],
		piece != own && !(isPawn && (piece == "" || piece == "P")),
		stays != "" && m.kind != normal:
		return false
	}
	switch m.kind {
	case promotion:
		if letter != "" && upper(letter[0]|0x20) != upper(g.kinds[m.piece].letter) || sign != "" {
			return false
		}
	case piecePromotion:
		// The letter may be that of the piece as it stands then.
		if letter != "" && letter[0]|0x20 != g.kinds[g.kinds[b.kind(int(m.from))].promoted].letter || letter == "" && sign != "+" {
			return false
		}
	case demotion:
		if sign != "-" {
			return false
		}
	default:
		if letter != "" || sign != "" {
			return false
		}
	}
	return b.fitsGate(m, gate, "", wall)
}

// fitsGate reports whether a move sets a wall, or brings in a piece, as a text says: the letter and the square of the piece, or
// the square of the wall.
func (b *board) fitsGate(m Move, letter, at, wall string) bool {
	g := b.game
	switch {
	case m.gate == noSquare:
		return letter == "" && at == "" && wall == ""
	case g.rules.walling != "none":
		return letter == "" && wall == g.squareName(int(m.gate))
	}
	return wall == "" && letter == string(rune(upper(g.kinds[m.gated].letter))) && (at == "" || at == g.squareName(int(m.gate)))
}

// fitting returns the legal moves that a word may mean. A promotion needs not be marked if there is no other such move. plus
// is how many + stand at the end: some programs write one for the promotion of a piece, and another for a check.
func (b *board) fitting(legal []Move, word string, plus int) (fits []Move) {
	var unmarked []Move
	for _, m := range legal {
		if b.fitsSAN(m, word) {
			fits = append(fits, m)
		} else if plus > 0 && m.kind == piecePromotion && b.fitsSAN(m, word+"=+") {
			unmarked = append(unmarked, m)
		}
	}
	promotes := func(m Move) bool { return m.kind == promotion }
	if others := slices.DeleteFunc(slices.Clone(fits), promotes); len(others) > 0 {
		fits = others
	}
	asWritten := func(m Move) bool {
		n := strings.Count(b.mark(m), "+")
		if m.kind == piecePromotion {
			n++
		}
		return n == plus
	}
	switch {
	case len(unmarked) == 0:
	case len(fits) == 0 || !slices.ContainsFunc(fits, asWritten) && slices.ContainsFunc(unmarked, asWritten):
		fits = unmarked
	}
	return fits
}
