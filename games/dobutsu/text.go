package dobutsu

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

var kindNames = [kinds]string{"elephant", "giraffe", "chick", "hen", "lion"}

// kindOfLetter reads an animal's letter in either dialect and either case.
func kindOfLetter(letter rune) (kind, bool) {
	if isUpper(letter) {
		letter += 'a' - 'A'
	}
	for _, dialect := range []string{letters, "brptk"} {
		if at := strings.IndexRune(dialect, letter); at >= 0 {
			return kind(at), true
		}
	}
	return 0, false
}

func isUpper(letter rune) bool { return letter >= 'A' && letter <= 'Z' }

// letterOf returns the letter of an animal of sente or gote.
func letterOf(k kind, gote bool) byte {
	if gote {
		return letters[k]
	}
	return letters[k] - 0x20
}

// squareAt returns the square on a file, 0 for a, and a rank, 0 for rank 1, for
// the side to move.
func (b *board) squareAt(file, rank int, gote bool) int {
	if gote {
		return files*rank + files - 1 - file
	}
	return files*(b.ranks-1-rank) + file
}

func (b *board) appendSquare(dst []byte, sq int, gote bool) []byte {
	if gote {
		sq = b.turnSquare(sq)
	}
	return append(dst, 'a'+byte(sq%files), '0'+byte(b.ranks-sq/files))
}

// players returns what sente owns and what gote owns.
func (p *Position) players() (sente, gote *side) {
	if p.gote {
		return &p.theirs, &p.mine
	}
	return &p.mine, &p.theirs
}

// at returns the animal on a square, and whether it is gote's.
func (p *Position) at(sq int) (k kind, gote, ok bool) {
	bit := uint32(1) << sq
	switch {
	case p.mine.all()&bit != 0:
		return p.mine.kindAt(bit), p.gote, true
	case p.theirs.all()&bit != 0:
		return p.theirs.kindAt(bit), !p.gote, true
	}
	return 0, false, false
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	dst = games.AppendRows(dst, g.ranks, files, func(rank, file int) string {
		if k, gote, ok := p.at(g.squareAt(file, rank, p.gote)); ok {
			return string(letterOf(k, gote))
		}
		return ""
	})
	if p.gote {
		dst = append(dst, " w "...)
	} else {
		dst = append(dst, " b "...)
	}
	before := len(dst)
	sente, gote := p.players()
	dst = appendHand(dst, sente, false)
	dst = appendHand(dst, gote, true)
	if len(dst) == before {
		dst = append(dst, '-')
	}
	return dst
}

func appendHand(dst []byte, s *side, gote bool) []byte {
	for k := range kindHen {
		if s.hand[k] > 1 {
			dst = append(dst, '0'+s.hand[k])
		}
		if s.hand[k] > 0 {
			dst = append(dst, letterOf(k, gote))
		}
	}
	return dst
}

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := g.parse(text)
	if err == nil {
		err = g.check(&p)
	}
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func (b *board) parse(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) == 4 && strings.Trim(fields[3], "0123456789") == "" {
		fields = fields[:3] // the move number of an SFEN
	}
	if len(fields) != 3 {
		return Position{}, fmt.Errorf("want 3 fields, got %d: board, side to move and hands, as in gle/1c1/1C1/ELG b -", len(fields))
	}
	var p Position
	switch fields[1] {
	case "b":
	case "w":
		p.gote = true
	default:
		return Position{}, fmt.Errorf("side to move %q, want b (sente) or w (gote)", fields[1])
	}
	if err := b.parseBoard(&p, fields[0]); err != nil {
		return Position{}, err
	}
	if err := p.parseHands(fields[2]); err != nil {
		return Position{}, err
	}
	return p, nil
}

func (b *board) parseBoard(p *Position, text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != b.ranks {
		return fmt.Errorf("want %d ranks with / between, got %d", b.ranks, len(ranks))
	}
	sente, gote := p.players()
	for rank, line := range ranks {
		file := 0
		promoted := false
		for i, letter := range []rune(line) {
			if letter == '+' && !promoted {
				promoted = true
				continue
			}
			k, ok := kindOfLetter(letter)
			switch {
			case promoted && (!ok || k != kindChick):
				return fmt.Errorf("rank %d: + before %q, but only a chick is promoted", rank+1, letter)
			case promoted:
				k = kindHen
				promoted = false
			case letter >= '1' && letter <= '3':
				file += int(letter - '0')
				continue
			case letter == '.':
				file++
				continue
			case !ok:
				return fmt.Errorf("rank %d, character %d: %q is no animal (L, E, G, C or H) and no number of empty squares (1 to 3)", rank+1, i+1, letter)
			}
			if file < 3 {
				owner := gote
				if isUpper(letter) {
					owner = sente
				}
				owner.board[k] |= 1 << b.squareAt(file, rank, p.gote)
			}
			file++
		}
		if promoted {
			return fmt.Errorf("rank %d ends with +", rank+1)
		}
		if file != 3 {
			return fmt.Errorf("rank %d: want 3 squares, got %d", rank+1, file)
		}
	}
	return nil
}

func (p *Position) parseHands(text string) error {
	if text == "-" {
		return nil
	}
	sente, gote := p.players()
	count := uint8(0)
	for i, letter := range []rune(text) {
		if letter >= '1' && letter <= '9' && count == 0 {
			count = uint8(letter - '0')
			continue
		}
		k, ok := kindOfLetter(letter)
		if !ok || k >= kindHen {
			return fmt.Errorf("hands %q, character %d: %q is no animal in hand (E, G or C) and no number of them", text, i+1, letter)
		}
		owner := gote
		if isUpper(letter) {
			owner = sente
		}
		const tooMany = 100 // in any position; higher counts are capped
		owner.hand[k] = min(owner.hand[k]+max(count, 1), tooMany)
		count = 0
	}
	if count != 0 {
		return fmt.Errorf("hands %q end with a number", text)
	}
	return nil
}

// check refuses impossible positions.
func (g *Game) check(p *Position) error {
	sente, gote := p.players()
	for _, s := range []struct {
		name string
		*side
	}{{"sente", sente}, {"gote", gote}} {
		if n := bits.OnesCount32(s.board[kindLion]); n != 1 {
			return fmt.Errorf("%s has %d lions on the board, want 1", s.name, n)
		}
	}
	for k := range kindHen {
		n := bits.OnesCount32(p.mine.board[k]|p.theirs.board[k]) + int(p.mine.hand[k]) + int(p.theirs.hand[k])
		one, more := kindNames[k], kindNames[k]+"s"
		if k == kindChick {
			n += bits.OnesCount32(p.mine.board[kindHen] | p.theirs.board[kindHen])
			one, more = "chick or hen", "chicks and hens"
		}
		if want := g.total(k); n == 1 && want != 1 {
			return fmt.Errorf("1 %s on the board and in the hands, want %d", one, want)
		} else if n != want {
			return fmt.Errorf("%d %s on the board and in the hands, want %d", n, more, want)
		}
	}
	if g.try && p.mine.board[kindLion]&g.far != 0 {
		return fmt.Errorf("the lion of the side to move stands on the far rank (%s): the game ended when it got there",
			g.appendSquare(nil, p.mine.lion(), p.gote))
	}
	dead := p.mine.board[kindChick]&g.far | p.theirs.board[kindChick]&g.home
	if dead != 0 && !g.farChicks {
		return fmt.Errorf("a chick on its far rank (%s), which these rules (%s) do not allow",
			g.appendSquare(nil, bits.TrailingZeros32(dead), p.gote), g.name)
	}
	return nil
}

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, p Position, m Move) []byte {
	if k, ok := m.dropped(); ok {
		dst = append(dst, letterOf(k, false), '*')
		return g.appendSquare(dst, int(m.to), p.gote)
	}
	dst = g.appendSquare(dst, int(m.from), p.gote)
	dst = g.appendSquare(dst, int(m.to), p.gote)
	if p.mine.board[kindChick]>>m.from&1 != 0 && g.far>>m.to&1 != 0 {
		dst = append(dst, '+')
	}
	return dst
}

// servers rewrites the text of a move as online servers write it.
var servers = strings.NewReplacer("a", "3", "b", "2", "c", "1", "1", "a", "2", "b", "3", "c", "4", "d", "5", "e", "6", "f", "E", "B", "G", "R", "C", "P")

// ParseMove implements [games.MoveParser]: it reads either dialect. The + of a chick may be
// left out, since a chick always promotes.
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	want := strings.TrimSuffix(text, "+")
	return games.FindMove(g, p, text, func(name string) bool {
		name, promotes := strings.CutSuffix(name, "+")
		if !promotes && want != text {
			return false
		}
		return strings.EqualFold(name, want) || strings.EqualFold(servers.Replace(name), want)
	})
}

// AppendBoard implements [games.Drawer]. Gote's hand stands beside rank 1,
// sente's beside the last one.
func (g *Game) AppendBoard(dst []byte, p Position) []byte {
	const line = "  +---+---+---+\n"
	sente, gote := p.players()
	dst = append(dst, "    a   b   c\n"+line...)
	for rank := range g.ranks {
		dst = append(dst, '1'+byte(rank))
		for file := range files {
			letter := byte(' ')
			if k, gote, ok := p.at(g.squareAt(file, rank, p.gote)); ok {
				letter = letterOf(k, gote)
			}
			dst = append(dst, " | "...)
			dst = append(dst, letter)
		}
		dst = append(dst, " |"...)
		switch rank {
		case 0:
			dst = appendPlayer(dst, "gote", gote, true, p.gote)
		case g.ranks - 1:
			dst = appendPlayer(dst, "sente", sente, false, !p.gote)
		}
		dst = append(dst, '\n')
		dst = append(dst, line...)
	}
	return dst
}

func appendPlayer(dst []byte, name string, s *side, gote, toMove bool) []byte {
	dst = append(dst, "   "...)
	dst = append(dst, name...)
	before := len(dst)
	dst = append(dst, ", in hand: "...)
	empty := len(dst)
	if dst = appendHand(dst, s, gote); len(dst) == empty {
		dst = dst[:before]
	}
	if toMove {
		dst = append(dst, ", to move"...)
	}
	return dst
}
