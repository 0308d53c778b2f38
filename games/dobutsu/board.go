package dobutsu

import "math/bits"

// files is the number of files of every board. A square is numbered from the view of
// the side to move: 3*rank + file, rank 0 its home, file 0 on its left.
const files = 3

// fieldBits is the width of a set of squares in a packed word. Every board has fewer squares.
const (
	fieldBits = 20
	fieldMask = 1<<fieldBits - 1
)

// The files of a board, in all fields of a packed word.
const (
	leftFile   = 0o111111 * (1 + 1<<fieldBits + 1<<(2*fieldBits))
	middleFile = leftFile << 1
)

// board is a board of some number of ranks.
type board struct {
	ranks, squares int
	chicks         int // in the game
	all, home, far uint32
	steps, stepsTo [kinds][32]uint32 // where an animal can step from a square, and from where one can step to it
	chickSteps     [4][64]uint32     // where a chick or hen can step, by its state; empty off the board
}

func (b *board) init(ranks int) {
	b.ranks, b.squares = ranks, files*ranks
	b.all, b.home = 1<<b.squares-1, 1<<files-1
	b.far = b.home << (b.squares - files)
	b.chicks = 2
	if ranks < 4 {
		b.chicks = 0 // no room
	}
	type step struct{ rank, file int }
	diagonal := []step{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
	straight := []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	moves := [kinds][]step{
		kindElephant: diagonal,
		kindGiraffe:  straight,
		kindChick:    {{1, 0}},
		kindHen:      append([]step{{1, 1}, {1, -1}}, straight...),
		kindLion:     append(append([]step{}, diagonal...), straight...),
	}
	for k, list := range moves {
		for from := range b.squares {
			for _, s := range list {
				rank, file := from/files+s.rank, from%files+s.file
				if rank < 0 || rank >= ranks || file < 0 || file >= files {
					continue
				}
				to := files*rank + file
				b.steps[k][from] |= 1 << to
				b.stepsTo[k][to] |= 1 << from
			}
		}
	}
	for sq := range b.squares {
		b.chickSteps[0][sq], b.chickSteps[1][sq] = b.stepsTo[kindChick][sq], b.stepsTo[kindHen][sq]
		b.chickSteps[2][sq], b.chickSteps[3][sq] = b.steps[kindChick][sq], b.steps[kindHen][sq]
	}
}

// total returns how many animals of a kind are in the game, hens counted as chicks.
func (b *board) total(k kind) int {
	if k == kindChick {
		return b.chicks
	}
	return 2
}

// turn returns a set of squares turned by 180 degrees.
func (b *board) turn(set uint32) uint32 { return bits.Reverse32(set) >> (32 - b.squares) }

// turnSquare returns a square turned by 180 degrees.
func (b *board) turnSquare(sq int) int { return b.squares - 1 - sq }

// mirror returns a set of squares with left and right exchanged.
func mirror(set uint32) uint32 {
	return set&(middleFile&fieldMask) | set&(leftFile&fieldMask)<<2 | set>>2&(leftFile&fieldMask)
}

func mirrorSquare(sq int) int { return sq/files*files + files - 1 - sq%files }
