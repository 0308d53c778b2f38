package dfpn

// Debug is temporary.
func (t *Table) Debug(key uint64, hand Hand) (int, uint32, uint32, uint16, uint32) {
	e := t.lookup(key, hand, Unlimited, 1, 1)
	return int(e.kind), e.proof, e.disproof, e.length, e.amount
}
