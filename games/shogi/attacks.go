package shogi

// role groups the pieces that move alike, so that a square's attackers are found
// with one lookup each. A horse is both a bishop and crowned, a dragon both a rook
// and crowned.
type role uint8

const (
	rolePawn role = iota
	roleKnight
	roleSilver
	roleGold    // and all that move like it
	roleCrowned // king, horse and dragon: one step everywhere
	roleLance
	roleBishop // and horse
	roleRook   // and dragon
	roles
)

// steppers is the number of roles that do not slide; they come first.
const steppers = roleLance

var roleOf = [16]role{
	Pawn: rolePawn, Lance: roleLance, Knight: roleKnight, Silver: roleSilver, Gold: roleGold,
	Bishop: roleBishop, Rook: roleRook, King: roleCrowned,
	PromotedPawn: roleGold, PromotedLance: roleGold, PromotedKnight: roleGold, PromotedSilver: roleGold,
	Horse: roleBishop, Dragon: roleRook,
}

// direction is one of the eight directions of a ray. The opposite of d is d^1.
type direction uint8

const (
	north     direction = iota // towards rank a, Black's forward
	south                      //
	west                       // towards file 9
	east                       //
	northwest                  //
	southeast                  //
	southwest                  //
	northeast                  //
	directions
)

var (
	fileStep = [directions]int{0, 0, 1, -1, 1, -1, 1, -1}
	rankStep = [directions]int{-1, 1, 0, 0, -1, 1, 1, -1}
)

// upward has the bits of the directions in which squares' numbers grow.
const upward = 1<<south | 1<<west | 1<<northwest | 1<<southwest

// Relations between two squares: a direction for neighbours, two kinds of
// knight's jumps, a direction plus far for other squares on a line.
const (
	blackJump = 8
	whiteJump = 9
	far       = 16
	unrelated = 31
)

// stepSet holds, by role, where the steppers of a player go from a square.
type stepSet [steppers]Bitboard

// roleSet is a set of squares for each role.
type roleSet [roles]Bitboard

// Tables of the board.
var (
	steps [2][squares]stepSet

	// relation of a square to another; reach has, by piece, the bits of the relations in
	// which it attacks, in far ones only if nothing stands between.
	relation [squares][squares]uint8
	reach    [32]uint32

	// rays by direction, without the square they start from; empty for the direction
	// unrelated&15.
	ray [16][squares]Bitboard

	// ringFrom holds, by role, the squares from which a piece of a player would
	// attack a square next to a king on an empty board; checkFrom those from
	// which it might move to give check, perhaps by promoting.
	ringFrom  [2][squares]roleSet
	checkFrom [2][squares]roleSet

	bishopLines [squares]Bitboard // squares on a diagonal with a square
	rookLines   [squares]Bitboard // squares on a rank or file with a square

	// slide is what a slider on a line of nine squares attacks, by its place on
	// the line and the occupation of the seven inner squares.
	slide [9][128]uint16

	diagonals [squares][2]Bitboard // the falling and the rising one, whole

	fileBits [9]Bitboard
	farRank  [2]Bitboard // where pawns and lances of a player cannot stand
	farRanks [2]Bitboard // where knights cannot stand
	zone     [2]Bitboard // where a player promotes
)

func init() {
	for s := range Square(squares) {
		if s < loWidth {
			squareBit[s].lo = 1 << s
		} else {
			squareBit[s].hi = 1 << (s - loWidth)
		}
	}
	for s := range Square(squares) {
		bit := squareBit[s]
		fileBits[s.File()-1] = fileBits[s.File()-1].or(bit)
		for c := Black; c <= White; c++ {
			r := s.RankFor(c)
			if r == 1 {
				farRank[c] = farRank[c].or(bit)
			}
			if r <= 2 {
				farRanks[c] = farRanks[c].or(bit)
			}
			if s.InZone(c) {
				zone[c] = zone[c].or(bit)
			}
		}
	}
	initRays()
	initSteps()
	initReach()
	initSlide()
	initNear()
}

// offset returns the square some files and ranks away, and false if it is not
// on the board.
func offset(s Square, files, ranks int) (Square, bool) {
	f, r := s.File()+files, s.Rank()+ranks
	if f < 1 || f > 9 || r < 1 || r > 9 {
		return NoSquare, false
	}
	return SquareAt(f, r), true
}

func initRays() {
	for a := range Square(squares) {
		for b := range Square(squares) {
			relation[a][b] = unrelated
		}
		for d := range directions {
			to, ok := offset(a, fileStep[d], rankStep[d])
			for n := 1; ok; n++ {
				ray[d][a] = ray[d][a].or(squareBit[to])
				relation[a][to] = uint8(d)
				if n > 1 {
					relation[a][to] += far
				}
				to, ok = offset(to, fileStep[d], rankStep[d])
			}
		}
		for _, side := range []int{-1, 1} {
			if to, ok := offset(a, side, -2); ok {
				relation[a][to] = blackJump
			}
			if to, ok := offset(a, side, 2); ok {
				relation[a][to] = whiteJump
			}
		}
		straight := ray[north][a].or(ray[south][a]).or(ray[west][a]).or(ray[east][a])
		falling := ray[northwest][a].or(ray[southeast][a])
		rising := ray[northeast][a].or(ray[southwest][a])
		rookLines[a] = straight
		bishopLines[a] = falling.or(rising)
		diagonals[a] = [2]Bitboard{falling.or(squareBit[a]), rising.or(squareBit[a])}
	}
}

// stepsOf lists the directions in which Black's pieces step.
var stepsOf = [steppers][]direction{
	rolePawn:    {north},
	roleSilver:  {north, northwest, northeast, southwest, southeast},
	roleGold:    {north, northwest, northeast, west, east, south},
	roleCrowned: {north, south, west, east, northwest, southeast, southwest, northeast},
}

func initSteps() {
	for s := range Square(squares) {
		for c := Black; c <= White; c++ {
			set := &steps[c][s]
			for r, list := range stepsOf {
				for _, d := range list {
					if to, ok := offset(s, fileStep[turned(c, d)], rankStep[turned(c, d)]); ok {
						set[r] = set[r].or(squareBit[to])
					}
				}
			}
			for to, rel := range relation[s] {
				if rel == blackJump+uint8(c) {
					set[roleKnight] = set[roleKnight].or(squareBit[to])
				}
			}
		}
	}
}

// turned returns d for Black, and the opposite direction for White.
func turned(c Color, d direction) direction {
	if c == White {
		return d ^ 1
	}
	return d
}

func initReach() {
	slides := map[Kind][]direction{
		Lance:  {north},
		Bishop: {northwest, southeast, southwest, northeast},
		Rook:   {north, south, west, east},
	}
	slides[Horse], slides[Dragon] = slides[Bishop], slides[Rook]
	for k := Pawn; k < kinds; k++ {
		for c := Black; c <= White; c++ {
			mask := &reach[PieceOf(c, k)]
			r := roleOf[k]
			if k == Horse || k == Dragon {
				r = roleCrowned
			}
			if r < steppers {
				for _, d := range stepsOf[r] {
					*mask |= 1 << turned(c, d)
				}
			}
			if k == Knight {
				*mask |= 1 << (blackJump + c)
			}
			for _, d := range slides[k] {
				d = turned(c, d)
				*mask |= 1<<d | 1<<(far+d)
			}
		}
	}
}

func initSlide() {
	for at := range 9 {
		for inner := range 128 {
			occupied := inner << 1
			for _, step := range []int{-1, 1} {
				for to := at + step; to >= 0 && to < 9; to += step {
					slide[at][inner] |= 1 << to
					if occupied>>to&1 != 0 {
						break
					}
				}
			}
		}
	}
}

func emptyAttacks(c Color, r role, s Square) Bitboard {
	switch r {
	case roleLance:
		return ray[c][s]
	case roleBishop:
		return bishopLines[s]
	case roleRook:
		return rookLines[s]
	}
	return steps[c][s][r]
}

func initNear() {
	for c := Black; c <= White; c++ {
		for from := range Square(squares) {
			for r := range roles {
				attacks := emptyAttacks(c, r, from)
				promoting := attacks
				if !zone[c].Has(from) {
					promoting = promoting.and(zone[c])
				}
				for king := range Square(squares) {
					around := steps[c][king][roleCrowned]
					if attacks.meets(around) {
						ringFrom[c][king][r] = ringFrom[c][king][r].or(squareBit[from])
					}
					// Sliders can come from almost everywhere.
					near := r >= roleBishop || attacks.meets(emptyAttacks(c^1, r, king))
					if r <= roleSilver || r == roleLance {
						near = near || promoting.meets(steps[c^1][king][roleGold])
					}
					if near {
						checkFrom[c][king][r] = checkFrom[c][king][r].or(squareBit[from])
					}
				}
			}
		}
	}
}

// between returns the squares between two squares on a file, rank or diagonal,
// and none for others.
func between(a, b Square) Bitboard {
	d := relation[a][b] & 15
	return ray[d][a].and(ray[d^1][b])
}

// rayThrough returns the squares seen from a in the direction of b.
func rayThrough(a, b Square) Bitboard { return ray[relation[a][b]&15][a] }

// nearest returns the first square of set in direction d. All of set must lie in that
// direction from one square.
func nearest(d direction, set Bitboard) Square {
	if upward>>d&1 != 0 {
		return set.First()
	}
	return set.last()
}

// The attacks of sliders: one multiplication gathers the occupation of the line into
// nine bits, the table slide gives the attacked ones, and another multiplication
// spreads them ("kindergarten bitboards").
const (
	everyFile  uint64 = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45 | 1<<54
	everyByte  uint64 = 1 | 1<<8 | 1<<16 | 1<<24 | 1<<32 | 1<<40 | 1<<48
	gatherFile        = 48
	gatherRank        = 54
)

func fileAttacks(s Square, occupied Bitboard) Bitboard {
	file, rank := int(s)/9, int(s)%9
	if file < 7 {
		shift := uint(9 * file)
		return Bitboard{lo: uint64(slide[rank][occupied.lo>>(shift+1)&127]) << (shift & 63)}
	}
	shift := uint(9 * (file - 7))
	return Bitboard{hi: uint64(slide[rank][occupied.hi>>(shift+1)&127]) << (shift & 63)}
}

func rankAttacks(s Square, occupied Bitboard) Bitboard {
	file, rank := int(s)/9, uint(s)%9
	line := (occupied.lo>>(rank&63)&everyFile)*everyByte>>gatherFile&127 | occupied.hi>>(rank&63)&1<<7
	set := uint64(slide[file][line>>1&127])
	return Bitboard{
		lo: (set & 127) * everyByte & everyFile << (rank & 63),
		hi: (set>>7&1 | set>>8<<9) << (rank & 63),
	}
}

func diagonalAttacks(rank int, occupied, line Bitboard) Bitboard {
	x := occupied.and(line)
	index := x.lo*everyFile>>gatherRank | x.hi | x.hi>>9
	set := uint64(slide[rank][index>>1&127])
	return Bitboard{lo: set * everyFile & line.lo, hi: (set | set<<9) & line.hi}
}

func lanceAttacks(c Color, s Square, occupied Bitboard) Bitboard {
	return fileAttacks(s, occupied).and(ray[c][s])
}

func bishopAttacks(s Square, occupied Bitboard) Bitboard {
	rank := int(s) % 9
	lines := &diagonals[s]
	return diagonalAttacks(rank, occupied, lines[0]).or(diagonalAttacks(rank, occupied, lines[1]))
}

func rookAttacks(s Square, occupied Bitboard) Bitboard {
	return fileAttacks(s, occupied).or(rankAttacks(s, occupied))
}

func attacksOf(piece Piece, s Square, occupied Bitboard) Bitboard {
	c := piece.Color()
	switch k := piece.Kind(); k {
	case Lance:
		return lanceAttacks(c, s, occupied)
	case Bishop:
		return bishopAttacks(s, occupied)
	case Rook:
		return rookAttacks(s, occupied)
	case Horse:
		return bishopAttacks(s, occupied).or(steps[c][s][roleCrowned])
	case Dragon:
		return rookAttacks(s, occupied).or(steps[c][s][roleCrowned])
	default:
		return steps[c][s][roleOf[k]]
	}
}
