package shogi

import (
	"errors"
	"fmt"
	"strings"
)

// append appends the position in SFEN, without the number of the move.
func (p *Position) append(dst []byte) []byte {
	for rank := range 9 {
		if rank > 0 {
			dst = append(dst, '/')
		}
		empty := byte(0)
		for column := range 9 {
			piece := p.board[9*rank+column]
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
				empty = 0
			}
			if piece&promoted != 0 {
				dst = append(dst, '+')
			}
			dst = append(dst, piece&^promoted)
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
		}
	}
	dst = append(dst, ' ', "bw"[side(p.white)], ' ')
	none := len(dst)
	for us, hand := range p.hands {
		for i, n := range hand {
			if n > 1 {
				dst = fmt.Append(dst, n)
			}
			if n > 0 {
				dst = append(dst, owned(handLetters[i], us == 1))
			}
		}
	}
	if len(dst) == none {
		dst = append(dst, '-')
	}
	return dst
}

// parse reads a position as append writes it, and refuses any other spelling.
func parse(text string) (p Position, err error) {
	fields := strings.Split(text, " ")
	if len(fields) != 3 {
		return p, errors.New("want board, side to move and hands, with a space between")
	}
	rank, column := 0, 0
	bit := byte(0)
	for _, letter := range []byte(fields[0]) {
		switch {
		case letter == '/':
			rank, column = rank+1, 0
		case letter >= '1' && letter <= '9':
			column += int(letter - '0')
		case letter == '+':
			bit = promoted
		case rank > 8 || column > 8 || reach[letter|bit] == [len(directions)]uint8{}:
			return p, fmt.Errorf("%q in the wrong place on the board", letter)
		default:
			p.board[9*rank+column] = letter | bit
			column++
			bit = 0
		}
	}
	p.white = fields[1] == "w"
	number := 0
	for _, letter := range []byte(fields[2]) {
		switch i := inHand(letter); {
		case letter >= '0' && letter <= '9' && number < 10:
			number = 10*number + int(letter-'0')
		case i >= 0:
			p.hands[side(isWhite(letter))][i] = uint8(max(number, 1))
			number = 0
		case letter != '-':
			return p, fmt.Errorf("%q is not a piece in hand", letter)
		}
	}
	// If anything was misread, the text differs.
	if again := p.append(make([]byte, 0, len(text))); string(again) != text {
		return p, fmt.Errorf("read as %q", again)
	}
	return p, p.check()
}

// check refuses positions that the rules exclude.
func (p *Position) check() error {
	var count [len(handLetters)]int
	kings := [2]int{}
	pawns := [2][9]bool{}
	for rank := range 9 {
		for column := range 9 {
			piece := p.board[9*rank+column]
			switch i := inHand(piece); {
			case piece == 0:
			case i >= 0:
				count[i]++
			default:
				kings[side(isWhite(piece))]++
			}
			if stuck(piece, rank) {
				return fmt.Errorf("%q could never move", piece)
			}
			if bare(piece) == 'P' {
				on := &pawns[side(isWhite(piece))][column]
				if *on {
					return fmt.Errorf("two pawns %q on a file", piece)
				}
				*on = true
			}
		}
	}
	for i := range count {
		if n := count[i] + int(p.hands[0][i]) + int(p.hands[1][i]); n > inAll[i] {
			return fmt.Errorf("%d pieces %q: a set has %d", n, handLetters[i], inAll[i])
		}
	}
	switch {
	case kings[0] > 1 || kings[1] > 1 || kings[0]+kings[1] == 0:
		return errors.New("want a king for each side, or for one of them")
	case p.inCheck(!p.white):
		return errors.New("the side that is not to move is in check")
	}
	return nil
}
