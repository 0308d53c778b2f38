package variant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Positions are written in Forsyth-Edwards notation as the variants of chess have it: the rows from the top, with
// digits for empty squares, * for walls, + before a promoted piece that has a letter of its own when it is not, ~ after
// a promoted pawn that is captured as a pawn; hands in brackets; the side to move; castlings and gates; squares on which
// a piece can be captured in passing; the checks that are left; and two counters that are not read.

// squareName returns the name of a square, such as a1.
func (g *core) squareName(s int) string {
	return string(rune('a'+s%g.files)) + strconv.Itoa(s/g.files+1)
}

// parseSquare reads the name of a square at the beginning of a text, and returns the rest.
func (g *core) parseSquare(text string) (s int, rest string, ok bool) {
	if len(text) < 2 {
		return 0, text, false
	}
	file, n := int(text[0])-'a', 1
	for n < len(text) && n < 3 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	rank, err := strconv.Atoi(text[1:n])
	if err != nil || file < 0 || file >= g.files || rank < 1 || rank > g.ranks {
		return 0, text, false
	}
	return (rank-1)*g.files + file, text[n:], true
}

// letter returns the letter of a kind: upper case for white.
func (g *core) letter(kind, side int) byte {
	l := g.kinds[kind].letter
	if side == 0 {
		l -= 'a' - 'A'
	}
	return l
}

// AppendPosition implements [games.Game].
func (g *core) AppendPosition(dst []byte, p Position) []byte {
	for rank := g.ranks - 1; rank >= 0; rank-- {
		free := 0
		flush := func() {
			if free > 0 {
				dst = strconv.AppendInt(dst, int64(free), 10)
			}
			free = 0
		}
		for file := range g.files {
			c := p.cells[rank*g.files+file]
			if c == empty {
				free++
				continue
			}
			flush()
			if c == wall {
				dst = append(dst, '*')
				continue
			}
			m, side := g.men[(c-firstMan)>>1], int(c-firstMan)&1
			switch {
			case m.origin < 0:
				dst = append(dst, g.letter(int(m.kind), side))
			case g.kinds[m.origin].promoted == m.kind:
				dst = append(dst, '+', g.letter(int(m.origin), side))
			default:
				dst = append(dst, g.letter(int(m.kind), side), '~')
			}
		}
		flush()
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	if g.hasHands() {
		dst = append(dst, '[')
		for side := range 2 {
			for k, n := range p.hands[side] {
				for range n {
					dst = append(dst, g.letter(k, side))
				}
			}
		}
		dst = append(dst, ']')
	}
	dst = append(dst, ' ', "wb"[p.turn], ' ')
	return append(g.appendState(dst, &p), " 0 1"...)
}

// appendState appends the fields between the side to move and the counters.
func (g *core) appendState(dst []byte, p *Position) []byte {
	dst = append(dst, g.rights(p)...)
	dst = append(dst, ' ')
	if p.passing.empty() {
		dst = append(dst, '-')
	}
	for s := p.passing; !s.empty(); {
		dst = append(dst, g.squareName(s.pop())...)
	}
	if !p.passing.empty() && g.behind(p, p.passing.first()) != int(p.passed) {
		dst = append(dst, g.squareName(int(p.passed))...) // it does not stand on the same file
	}
	if g.rules.checkCounting {
		dst = fmt.Appendf(dst, " %d+%d", p.checks[0], p.checks[1])
	}
	switch p.last {
	case aPass:
		dst = append(dst, " pass"...)
	case twoPasses:
		dst = append(dst, " passes"...)
	}
	return dst
}

// hasHands reports whether pieces can be in hand.
func (g *core) hasHands() bool { return g.rules.hands() }

func (r *Rules) hands() bool {
	return !r.freeDrops && (r.drops || r.capturesToHand || r.seirawan)
}

// rights returns the field of castlings and gates.
func (g *core) rights(p *Position) []byte {
	var out []byte
	for i, rook := range p.rooks {
		if rook == noSquare {
			continue
		}
		side := i / 2
		letter := "KQkq"[i]
		if g.rules.chess960 && g.outerRook(p, side, i%2 == 0) != int(rook) {
			letter = "Aa"[side] + byte(int(rook)%g.files)
		}
		out = append(out, letter)
	}
	for side := range 2 {
		gates := p.gates[side]
		for _, rook := range p.rooks[2*side : 2*side+2] {
			if rook != noSquare { // its letter stands for its gate, and the king's
				gates.remove(int(rook))
				gates.remove(int(p.kings[side]))
			}
		}
		for s := gates; !s.empty(); {
			out = append(out, "Aa"[side]+byte(s.pop()%g.files))
		}
	}
	if p.last == winningCastling {
		out = append(out, '!')
	}
	if out == nil {
		return []byte{'-'}
	}
	return out
}

// outerRook returns the square of the outermost rook of a side that K or Q means, or -1.
func (g *core) outerRook(p *Position, side int, kingside bool) int {
	r := g.rules
	rank := r.castlingRank
	if side == 1 {
		rank = g.ranks - 1 - rank
	}
	isRook := func(file int) bool {
		c := p.cells[rank*g.files+file]
		return c >= firstMan && int(c-firstMan)&1 == side && r.castlingRooks[side].has(g.kinds[g.men[(c-firstMan)>>1].kind].slot)
	}
	if kingside {
		for file := min(r.castlingRookFiles[0], g.files-1); file >= 0; file-- {
			if isRook(file) {
				return rank*g.files + file
			}
		}
		return -1
	}
	for file := r.castlingRookFiles[1]; file < g.files; file++ {
		if isRook(file) {
			return rank*g.files + file
		}
	}
	return -1
}

// ParsePosition implements [games.Game]. A position without counters, or with other fields left out, is read too.
func (g *core) ParsePosition(text string) (Position, error) {
	p := nowhere()
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return p, fmt.Errorf("an empty text, want a position such as %q", g.rules.start)
	}
	placement, hands, hasHands := strings.Cut(fields[0], "[")
	if n := strings.LastIndexByte(placement, '/'); !hasHands && g.hasHands() && strings.Count(placement, "/") == g.ranks {
		placement, hands, hasHands = placement[:n], placement[n+1:]+"]", true // as servers write the hands
	}
	if err := g.parsePlacement(&p, placement); err != nil {
		return p, err
	}
	if hasHands {
		if err := g.parseHands(&p, hands); err != nil {
			return p, err
		}
	}
	fields = fields[1:]
	if len(fields) > 0 {
		switch fields[0] {
		case "w":
		case "b":
			p.turn = 1
		default:
			return p, fmt.Errorf("%q: want w or b for the side to move", fields[0])
		}
		fields = fields[1:]
	}
	number := func(text string) bool { _, err := strconv.Atoi(text); return err == nil }
	if len(fields) > 0 && !number(fields[0]) && !strings.Contains(fields[0], "+") {
		if err := g.parseRights(&p, fields[0]); err != nil {
			return p, err
		}
		fields = fields[1:]
		if len(fields) > 0 && !number(fields[0]) && !strings.Contains(fields[0], "+") && !strings.HasPrefix(fields[0], "pass") {
			if err := g.parsePassing(&p, fields[0]); err != nil {
				return p, err
			}
			fields = fields[1:]
		}
	}
	if g.rules.checkCounting {
		p.checks = [2]uint8{1, 1}
	}
	fields, err := g.parseLate(&p, fields)
	if err != nil {
		return p, err
	}
	for _, f := range fields {
		if !number(f) {
			return p, fmt.Errorf("%q after the fields of a position", f)
		}
	}
	if len(fields) > 2 {
		return p, fmt.Errorf("%q: want at most two counters at the end", strings.Join(fields, " "))
	}
	return p, g.check(&p)
}

// parseLate reads the checks that are left and passes, and returns the other fields.
func (g *core) parseLate(p *Position, fields []string) ([]string, error) {
	if i := slices.IndexFunc(fields, func(f string) bool { return strings.Contains(f, "+") }); i >= 0 && g.rules.checkCounting {
		white, black, _ := strings.Cut(strings.TrimPrefix(fields[i], "+"), "+")
		w, errW := strconv.Atoi(white)
		b, errB := strconv.Atoi(black)
		if errW != nil || errB != nil || w < 0 || b < 0 || w > 9 || b > 9 {
			return nil, fmt.Errorf("%q: want the checks that are left, such as 3+3", fields[i])
		}
		if fields[i][0] == '+' { // those that were given, of three
			w, b = max(3-w, 0), max(3-b, 0)
		}
		p.checks = [2]uint8{uint8(w), uint8(b)}
		fields = slices.Delete(fields, i, i+1)
	}
	if len(fields) > 0 && strings.HasPrefix(fields[0], "pass") {
		switch fields[0] {
		case "pass":
			p.last = aPass
		case "passes":
			p.last = twoPasses
		default:
			return nil, fmt.Errorf("%q: want pass or passes after the squares of captures in passing", fields[0])
		}
		fields = fields[1:]
	}
	return fields, nil
}

func (g *core) parsePlacement(p *Position, text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != g.ranks {
		return fmt.Errorf("%q has %d rows, want %d", text, len(rows), g.ranks)
	}
	b := board{game: g}
	for i, row := range rows {
		rank, file := g.ranks-1-i, 0
		for j := 0; j < len(row); j++ {
			c := row[j]
			if c >= '0' && c <= '9' {
				n := int(c - '0')
				if j+1 < len(row) && row[j+1] >= '0' && row[j+1] <= '9' {
					j++
					n = 10*n + int(row[j]-'0')
				}
				file += n
				continue
			}
			if file >= g.files {
				return fmt.Errorf("row %d, %q, has more than %d squares", rank+1, row, g.files)
			}
			s := rank*g.files + file
			file++
			if c == '*' {
				b.setWall(s)
				continue
			}
			plus := c == '+'
			if plus {
				if j++; j == len(row) {
					return fmt.Errorf("row %d, %q, ends with a +", rank+1, row)
				}
				c = row[j]
			}
			k, side, err := g.parsePiece(c)
			if err != nil {
				return fmt.Errorf("row %d, %q: %w", rank+1, row, err)
			}
			m := man{int8(k), -1}
			if plus {
				if g.kinds[k].promoted < 0 {
					return fmt.Errorf("row %d, %q: +%c, but %c is not promoted", rank+1, row, c, c)
				}
				m = man{g.kinds[k].promoted, int8(k)}
			}
			if j+1 < len(row) && row[j+1] == '~' {
				j++
				m.origin = g.kindOf[g.rules.mainPawn[side]]
			}
			b.put(s, side, m)
		}
		if file != g.files {
			return fmt.Errorf("row %d, %q, has %d squares, want %d", rank+1, row, file, g.files)
		}
	}
	p.cells = b.cells
	return nil
}

// parsePiece reads the letter of a piece.
func (g *core) parsePiece(c byte) (kind, side int, err error) {
	low := c | 0x20
	for k := range g.kinds {
		if g.kinds[k].letter == low && c|0x20 == low {
			if c == low {
				side = 1
			}
			return k, side, nil
		}
	}
	var letters []byte
	for k := range g.kinds {
		letters = append(letters, g.kinds[k].letter)
	}
	return 0, 0, fmt.Errorf("%q is no piece; want one of %s", c, letters)
}

func (g *core) parseHands(p *Position, text string) error {
	text, closed := strings.CutSuffix(text, "]")
	if !closed {
		return fmt.Errorf("the hands [%s do not end with ]", text)
	}
	if text == "-" {
		return nil
	}
	if text != "" && !g.hasHands() {
		return fmt.Errorf("hands [%s], but %s has none", text, g.name)
	}
	for _, c := range []byte(text) {
		k, side, err := g.parsePiece(c)
		if err != nil {
			return fmt.Errorf("the hands [%s]: %w", text, err)
		}
		if p.hands[side][k] == 255 {
			return fmt.Errorf("more than 255 pieces %c in hand", c)
		}
		p.hands[side][k]++
	}
	return nil
}

func (g *core) parseRights(p *Position, text string) error {
	if text == "-" {
		return nil
	}
	r := g.rules
	b := g.newBoard(p)
	for _, c := range []byte(text) {
		side, low := 0, c|0x20
		if c == low {
			side = 1
		}
		rank := r.castlingRank
		if side == 1 {
			rank = g.ranks - 1 - rank
		}
		rook := -1
		switch {
		case c == '!' && r.castlingWins != [4]bool{}:
			p.last = winningCastling
			continue
		case r.castling && low == 'k':
			rook = g.outerRook(p, side, true)
		case r.castling && low == 'q':
			rook = g.outerRook(p, side, false)
		case low >= 'a' && int(low-'a') < g.files:
			rook = rank*g.files + int(low-'a')
		}
		if rook < 0 || !b.sides[side].has(rook) {
			switch {
			case r.castling && !r.gating && (low == 'k' || low == 'q'): // as where a rook was given: there is nothing to castle with
			case r.castling || r.gating:
				return fmt.Errorf("the right %c in %q: no such piece to castle with", c, text)
			}
			continue
		}
		king := g.castlingKing(b, side)
		if king >= 0 && (r.castling && low == 'k' && rook < king || r.castling && low == 'q' && rook > king) {
			if !r.gating {
				continue
			}
			return fmt.Errorf("the right %c in %q: no such piece to castle with", c, text)
		}
		if r.gating && (!r.seirawan || b.inHand(side, -1) > 0 || r.capturesToHand) {
			p.gates[side].add(rook)
			switch {
			case (low == 'k' || low == 'q') && king >= 0:
				p.gates[side].add(king)
			default:
				continue
			}
		}
		if !r.castling || king < 0 || !r.castlingRooks[side].has(g.kinds[b.kind(rook)].slot) {
			continue
		}
		p.kings[side] = uint8(king)
		if rook > king {
			p.rooks[2*side] = uint8(rook)
		} else {
			p.rooks[2*side+1] = uint8(rook)
		}
	}
	return nil
}

// castlingKing returns the square of the piece of a side that castles as a king, or -1.
func (g *core) castlingKing(b *board, side int) int {
	r := g.rules
	k := g.kindOf[r.castlingKing[side]]
	if k < 0 {
		return -1
	}
	rank := r.castlingRank
	if side == 1 {
		rank = g.ranks - 1 - rank
	}
	kings := b.of(side, int(k)).and(g.rankBetween(rank*g.files, rank*g.files+g.files-1))
	if kings.count() == 1 || r.chess960 && !kings.empty() {
		return kings.first()
	}
	if home := rank*g.files + r.castlingKingFile; kings.has(home) {
		return home
	}
	return -1
}

// behind returns the square of the first piece of the side that has moved behind a square, as that side moves, or -1.
func (g *core) behind(p *Position, s int) int {
	them := 1 - int(p.turn)
	for at := s; at >= 0; at = g.at(at, them, step{1, 0}) {
		if c := p.cells[at]; c >= firstMan && int(c-firstMan)&1 == them {
			return at
		}
	}
	return -1
}

func (g *core) parsePassing(p *Position, text string) error {
	if text == "-" {
		return nil
	}
	b := g.newBoard(p)
	them := 1 - int(p.turn)
	for rest := text; rest != ""; {
		s, after, ok := g.parseSquare(rest)
		if !ok {
			return fmt.Errorf("%q: want squares on which a piece can be captured in passing, or -", text)
		}
		rest = after
		switch {
		case b.sides[them].has(s):
			p.passed = uint8(s)
		case g.enPassant[p.turn].has(s):
			p.passing.add(s)
		}
	}
	if p.passed == noSquare && !p.passing.empty() {
		if at := g.behind(p, p.passing.first()); at >= 0 {
			p.passed = uint8(at)
		}
	}
	if p.passed == noSquare {
		p.passing = set{}
	}
	b = g.newBoard(p)
	b.forgetPassing()
	p.passing, p.passed = b.passing, b.passed
	return nil
}

// check refuses positions that cannot be.
func (g *core) check(p *Position) error {
	b := g.newBoard(p)
	for side, name := range []string{"white", "black"} {
		if n := b.count(side, g.king); g.king >= 0 && n > 1 {
			return fmt.Errorf("%s has %d kings, want at most one", name, n)
		}
	}
	if b.checked(1 - int(p.turn)) {
		return fmt.Errorf("the king of the side that is not to move is in check")
	}
	return nil
}

// AppendMove implements [games.Game]. Moves are written as in the UCI protocol, walls after a slash.
func (g *core) AppendMove(dst []byte, p Position, m Move) []byte {
	from, to := int(m.from), int(m.to)
	switch m.kind {
	case drop:
		if m.piece != m.hand {
			dst = append(dst, '+')
		}
		dst = append(dst, g.kinds[m.hand].letter-('a'-'A'), '@')
		dst = append(dst, g.squareName(to)...)
	case castling:
		if !g.rules.chess960 {
			b := g.newBoard(&p)
			kto, _ := g.castlingSquares(int(p.turn), from, to)
			k := b.kind(from)
			// Where a king could also walk there, castling is written as its move to the rook.
			if !b.motion(quiet, k, int(p.turn), from, b.occupied()).has(kto) {
				to = kto
			}
		}
		if m.gate != noSquare && m.gate == m.to {
			from, to = int(m.to), int(m.from)
		}
		dst = append(dst, g.squareName(from)...)
		dst = append(dst, g.squareName(to)...)
	default:
		dst = append(dst, g.squareName(from)...)
		dst = append(dst, g.squareName(to)...)
	}
	switch {
	case m.kind == promotion:
		dst = append(dst, g.kinds[m.piece].letter)
	case m.kind == piecePromotion:
		dst = append(dst, '+')
	case m.kind == demotion:
		dst = append(dst, '-')
	}
	switch {
	case m.gate == noSquare:
	case g.rules.walling != "none":
		dst = append(dst, '/')
		dst = append(dst, g.squareName(int(m.gate))...)
	default:
		dst = append(dst, g.kinds[m.gated].letter)
	}
	return dst
}

// ParseMove implements [games.MoveParser]. It also reads walls as other programs write them, a2a3,a3b3 for a2a3/b3;
// castlings as moves of the king to its square and to the rook; and algebraic notation, see [Game.ParseSAN].
func (g *core) ParseMove(p Position, text string) (Move, error) {
	if move, wall, ok := strings.Cut(text, ","); ok {
		if _, rest, ok := g.parseSquare(wall); ok && rest != "" && !strings.Contains(rest, ",") {
			return g.ParseMove(p, move+"/"+rest)
		}
	}
	m, err := games.FindMove(g, p, text, func(name string) bool { return name == text })
	if err == nil {
		return m, nil
	}
	switch fits := g.readSAN(p, text); len(fits) {
	case 0:
	case 1:
		return fits[0], nil
	default:
		return g.ParseSAN(p, text) // which says what it may be
	}
	for _, m := range g.AppendMoves(nil, p) {
		if strings.EqualFold(string(g.AppendMove(nil, p, m)), text) || m.kind == castling && m.gate == noSquare && g.castlingText(p, m, text) {
			return m, nil
		}
	}
	return Move{}, err
}

// castlingText reports whether a text is a castling as one of the moves of its king.
func (g *core) castlingText(p Position, m Move, text string) bool {
	kto, _ := g.castlingSquares(int(p.turn), int(m.from), int(m.to))
	for _, to := range []int{kto, int(m.to)} {
		if text == g.squareName(int(m.from))+g.squareName(to) {
			return true
		}
	}
	return false
}
