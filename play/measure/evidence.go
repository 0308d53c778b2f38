package measure

import "math"

// Evidence measures how the attacks of a side are spread over the board (Dempster-Shafer theory). All
// three grow with the uncertainty, in bits.
type Evidence struct {
	N float64 `json:"n"` // non-specificity: how large the attacked regions are
	E float64 `json:"e"` // dissonance: how far apart the attacked regions are
	C float64 `json:"c"` // confusion: how many regions matter
}

// EvidenceOf returns the evidence of the numbers of attacks on each square, row by row. Regions are
// single squares and blocks of 2×2; one counts as much as the attacks on its squares. Without attacks
// all measures are 0.
func EvidenceOf(attacks []uint8, columns int) Evidence {
	rows := len(attacks) / columns
	mass := regions{columns: columns, rows: rows, square: make([]float64, len(attacks)), block: make([]float64, len(attacks))}
	sum := 0.0
	for y := range rows {
		for x := range columns {
			at := y*columns + x
			mass.square[at] = float64(attacks[at])
			if x+1 < columns && y+1 < rows {
				mass.block[at] = mass.square[at] + float64(attacks[at+1]) + float64(attacks[at+columns]) + float64(attacks[at+columns+1])
			}
			sum += mass.square[at] + mass.block[at]
		}
	}
	var e Evidence
	if sum == 0 {
		return e
	}
	add := func(m, plausible float64, size float64) {
		if m == 0 {
			return
		}
		m, plausible = m/sum, plausible/sum
		e.N += m * math.Log2(size)
		e.E -= m * math.Log2(plausible)
		e.C -= m * math.Log2(m/plausible)
	}
	for y := range rows {
		for x := range columns {
			add(mass.square[y*columns+x], mass.meeting(x, y, 1), 1)
			add(mass.block[y*columns+x], mass.meeting(x, y, 2), 4)
		}
	}
	e.E = max(e.E, 0) // not -0
	return e
}

// regions hold what each region counts, by its first square.
type regions struct {
	columns, rows int
	square, block []float64
}

// meeting returns what all regions together count that have a square in common with the region of
// size×size squares that begins at a square: its plausibility.
func (r *regions) meeting(x, y, size int) (sum float64) {
	for j := max(y-1, 0); j < min(y+size, r.rows); j++ {
		for i := max(x-1, 0); i < min(x+size, r.columns); i++ {
			sum += r.block[j*r.columns+i]
			if i >= x && j >= y {
				sum += r.square[j*r.columns+i]
			}
		}
	}
	return sum
}

// OpeningEnds returns the dissonance at which the opening ends: that of one attack on each square of
// the nearer half of the board, the middle row included.
func OpeningEnds(columns, rows int) float64 {
	attacks := make([]uint8, columns*rows)
	for i := rows / 2 * columns; i < len(attacks); i++ {
		attacks[i] = 1
	}
	return EvidenceOf(attacks, columns).E
}

// Phases are where the phases of a game meet, in plies from the start position; 0 where they do not.
type Phases struct {
	Middle int `json:"middle"` // the middle game begins
	End    int `json:"end"`    // the endgame begins
}

// PhasesOf returns the phases of a game by the dissonance of both sides in its positions, the first being
// the start position. The middle game begins when that of a side reaches the threshold, at ply
// book at the earliest. The endgame begins after that, with the largest drop of the dissonance of a
// side from one of its positions to the next, and at ply book at the earliest.
func PhasesOf(dissonance [][2]float64, threshold float64, book int) Phases {
	var p Phases
	for ply := book; ply < len(dissonance); ply++ {
		if max(dissonance[ply][0], dissonance[ply][1]) >= threshold {
			p.Middle = ply
			break
		}
	}
	if p.Middle == 0 {
		return p
	}
	most := 0.0
	for ply := p.Middle + 1; ply < len(dissonance); ply++ {
		for side := range 2 {
			if drop := dissonance[ply-1][side] - dissonance[ply][side]; drop > most {
				most, p.End = drop, ply
			}
		}
	}
	return p
}
