package record

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// A record in USEN (url safe SFEN-extended notation) has lines of play after a ~ each, the first from the start position:
//
//	~0.6y236e7ku4be.r~2.7bq.
//	 │ │            │ └ a variation after two moves
//	 │ └ moves      └ how it ends: the side to move resigns
//	 └ the number of moves before the line
//
// Another start position is before the first ~, in SFEN with _ for /, . for a blank and z for +. A move is a number in three
// digits of base 36: (from*81 + to)*2, and 1 more if the piece promotes. Squares count by files from 1 in ranks from a; from
// 81 on, from stands for a piece in hand.
const (
	usenSquares = 81
	usenDigits  = 3
	usenBase    = 36
)

// usenHand are the pieces in hand, from 90 on.
var usenHand = [...]shogi.Kind{shogi.Gold, shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Bishop, shogi.Rook}

const usenFirstInHand = usenSquares + 9

// usenEndings are the letters for endings; of those of one letter the first is read.
var usenEndings = []struct {
	letter string
	ending Ending
	means  int
}{
	{"r", Resigned, loses}, {"t", TimeUp, loses}, {"i", Illegal, loses}, {"j", Impasse, draws}, {"j", Repetition, draws},
	{"j", Agreed, draws}, {"j", MoveLimit, draws}, {"p", Interrupted, undecided},
}

var usenText = regexp.MustCompile(`^(?:[0-9a-zA-Z_.-]+)?(?:~[0-9]+\.[0-9a-z]*\.[a-z]?)+$`)

// IsUSEN reports whether a line is a record in USEN, of which the moves may be illegal.
func IsUSEN(line string) bool { return usenText.MatchString(line) }

// ParseUSEN reads a record in USEN.
func ParseUSEN(text string, h shogi.Hands) *Record {
	r := new(Record)
	sections := strings.Split(text, "~")
	if len(sections) < 2 {
		r.Err = errNoUSEN.Error()
		return r
	}
	start := shogi.Start()
	if sfen := sections[0]; sfen != "" {
		var err error
		if start, err = shogi.ParseSFEN(strings.NewReplacer("_", "/", ".", " ", "z", "+").Replace(sfen)); err != nil {
			r.Err = fmt.Errorf("USEN: %w", err)
			return r
		}
		start, r.Hands = h.Read(start, shogi.Written{})
	}
	r.Start = start
	lines := []int{}       // of the moves that lead to where reading is: the numbers of their lines
	path := []shogi.Move{} // these moves
	b := shogi.NewBoard(start)
	for i, section := range sections[1:] {
		parts := strings.Split(section, ".")
		ply, err := strconv.Atoi(parts[0])
		switch {
		case len(parts) < 2 || len(parts) > 3 || err != nil || ply < 0:
			err = errUSENParts.Error(section)
		case i == 0 && ply != 0:
			err = errUSENFirst.Error()
		case ply > len(path):
			err = errUSENLate.Error(ply, len(path))
		}
		if err != nil {
			r.Err = errUSENSection.Error(i+1, err)
			return r
		}
		for b.Ply() > ply {
			b.Undo()
		}
		number := 0
		if i > 0 {
			number = len(r.Variations) + 1
		}
		leaves := 0
		if ply < len(lines) {
			leaves = lines[ply]
		} else if ply > 0 {
			leaves = lines[ply-1]
		}
		path, lines = path[:ply], lines[:ply]
		moves, err := usenMoves(b, parts[1])
		for range moves {
			lines = append(lines, number)
		}
		path = append(path, moves...)
		ending, result := NoEnding, NoResult
		if len(parts) == 3 {
			ending, result = usenEnding(parts[2], b.Turn())
		}
		if i == 0 {
			r.Moves, r.Ending, r.Result = moves, ending, result
		} else if len(moves) > 0 {
			r.Variations = append(r.Variations, Variation{Leaves: leaves, Ply: ply, Moves: moves, Ending: ending, Result: result})
		}
		if err != nil {
			r.Err = errUSENMove.Error(i+1, ply+len(moves)+1, err)
			break
		}
	}
	r.Variations = ordered(r.Variations)
	return r
}

// usenMoves reads moves, and makes them on the board.
func usenMoves(b *shogi.Board, text string) (moves []shogi.Move, err error) {
	for ; text != ""; text = text[usenDigits:] {
		if len(text) < usenDigits {
			return moves, errUSENShort.Error(text)
		}
		number, err := strconv.ParseUint(text[:usenDigits], usenBase, 16)
		if err != nil {
			return moves, errUSENDigits.Error(text[:usenDigits])
		}
		from, to := int(number)/2/usenSquares, int(number)/2%usenSquares
		target := shogi.SquareAt(to%9+1, to/9+1)
		var m shogi.Move
		switch {
		case from < usenSquares:
			m = shogi.MoveOf(shogi.SquareAt(from%9+1, from/9+1), target, number%2 == 1)
		case from >= usenFirstInHand && from < usenFirstInHand+len(usenHand):
			m = shogi.DropOf(usenHand[from-usenFirstInHand], target)
		default:
			return moves, errUSENFrom.Error(text[:usenDigits], from)
		}
		if err := b.CheckMove(m); err != nil {
			return moves, fmt.Errorf("%v: %w", m, err)
		}
		b.Do(m)
		moves = append(moves, m)
	}
	return moves, nil
}

// usenEnding returns what a letter says of the end, with a side to move.
func usenEnding(letter string, turn shogi.Color) (Ending, Result) {
	for _, e := range usenEndings {
		if e.letter == letter {
			return e.ending, resultOf(e.means, turn)
		}
	}
	return NoEnding, NoResult
}

// AppendUSEN appends the record to dst in USEN, which has no names, comments or times.
func (r *Record) AppendUSEN(dst []byte) []byte {
	if r.Start != shogi.Start() {
		sfen := strings.TrimSuffix(r.Start.SFEN(), " 1")
		dst = append(dst, strings.NewReplacer("/", "_", " ", ".", "+", "z").Replace(sfen)...)
	}
	b := shogi.NewBoard(r.Start)
	dst = appendUSEN(dst, b, 0, r.Moves, r.Ending)
	for _, v := range ordered(r.Variations) {
		for b.Ply() > v.Ply {
			b.Undo()
		}
		dst = appendUSEN(dst, b, v.Ply, v.Moves, v.Ending)
	}
	return dst
}

// appendUSEN appends a line of play, whose moves it makes on the board.
func appendUSEN(dst []byte, b *shogi.Board, ply int, moves []shogi.Move, ending Ending) []byte {
	dst = fmt.Appendf(dst, "~%d.", ply)
	for _, m := range moves {
		to := m.To()
		number := 0
		if m.IsDrop() {
			number = usenFirstInHand + slices.Index(usenHand[:], m.Dropped())
		} else {
			number = (m.From().Rank()-1)*9 + m.From().File() - 1
		}
		number = (number*usenSquares + (to.Rank()-1)*9 + to.File() - 1) * 2
		if m.Promotes() {
			number++
		}
		digits := strconv.FormatInt(int64(number), usenBase)
		dst = append(dst, strings.Repeat("0", usenDigits-len(digits))+digits...)
		b.Do(m)
	}
	dst = append(dst, '.')
	for _, e := range usenEndings {
		if e.ending == ending {
			return append(dst, e.letter...)
		}
	}
	return dst
}
