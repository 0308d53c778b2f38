package shogi

// exchangeValue is what a side loses and the other gains by the capture of a piece: its value
// on the board and in the hand of the other side, in hundredths of a pawn.
var exchangeValue = func() (values [16]int32) {
	for k := Pawn; k < kinds; k++ {
		if k == King {
			values[k] = 30_000
			continue
		}
		values[k] = boardValue[k] + handValue[k.Unpromoted()]
	}
	return values
}()

// promotionValue is what a side gains by the promotion of a piece.
var promotionValue = func() (values [16]int32) {
	for k := Pawn; k <= Rook; k++ {
		values[k] = boardValue[k+Promoted] - boardValue[k]
	}
	return values
}()

// losing reports whether a legal move loses material if both sides then capture on its
// destination with their least valuable pieces for as long as that pays. Pins and checks are
// ignored, and so are promotions after the move.
func (b *Board) losing(m Move) bool {
	us := b.turn & 1
	to := m.To()
	occupied := b.occupied()
	moved := m.Dropped()
	gain := exchangeValue[b.squares[to].Kind()&15]
	if !m.IsDrop() {
		from := m.From()
		moved = b.squares[from].Kind()
		occupied = occupied.without(squareBit[from])
	}
	if m.Promotes() {
		gain += promotionValue[moved&15]
		moved += Promoted
	}
	// balance is what we have gained if the opponent captures the piece and we leave it at
	// that. Whoever is not content with the balance has to capture.
	balance := gain - exchangeValue[moved&15]
	if balance >= 0 {
		return false
	}
	attackers := b.attackers(us^1, to, occupied)
	if attackers.Empty() {
		return false
	}
	attackers = attackers.or(b.attackers(us, to, occupied)).and(occupied)
	side := us ^ 1
	for {
		from, least := b.leastValuable(attackers.and(b.color[side]))
		if least == NoKind {
			break
		}
		attackers = attackers.without(squareBit[from])
		occupied = occupied.without(squareBit[from])
		if d := relation[to][from] & 15; d < uint8(directions) {
			if seen := ray[d][to].and(occupied); !seen.Empty() {
				s := nearest(direction(d), seen)
				if reach[b.squares[s]&31]>>(far+d^1)&1 != 0 {
					attackers = attackers.or(squareBit[s])
				}
			}
		}
		// If the other side captures in turn, it gains the piece that captured just now.
		if side ^= 1; side == us {
			if balance += exchangeValue[least&15]; balance < 0 {
				return true
			}
		} else if balance -= exchangeValue[least&15]; balance >= 0 {
			return false
		}
	}
	return side == us
}

// leastValuable returns the piece among those on the given squares that is worth least.
func (b *Board) leastValuable(set Bitboard) (at Square, kind Kind) {
	least := int32(1 << 30)
	for ; !set.Empty(); set = set.rest() {
		s := set.First()
		k := b.squares[s].Kind()
		if v := exchangeValue[k&15]; v < least {
			at, kind, least = s, k, v
		}
	}
	return at, kind
}
