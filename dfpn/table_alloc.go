package dfpn

func newLines(n int) []line { return make([]line, n) }
