package record

import (
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// handicaps are the start positions by 手合割, without the ranks that all share. The side that
// gives the handicap is White and moves first. Of several names of a position the first is
// written.
var handicaps = []struct{ name, board string }{
	{"平手", "lnsgkgsnl/1r5b1"},
	{"香落ち", "lnsgkgsn1/1r5b1"},
	{"左香落ち", "lnsgkgsn1/1r5b1"},
	{"右香落ち", "1nsgkgsnl/1r5b1"},
	{"角落ち", "lnsgkgsnl/1r7"},
	{"飛車落ち", "lnsgkgsnl/7b1"},
	{"飛落ち", "lnsgkgsnl/7b1"},
	{"飛香落ち", "lnsgkgsn1/7b1"},
	{"二枚落ち", "lnsgkgsnl/9"},
	{"三枚落ち", "lnsgkgsn1/9"},
	{"四枚落ち", "1nsgkgsn1/9"},
	{"五枚落ち", "2sgkgsn1/9"},
	{"右五枚落ち", "2sgkgsn1/9"},
	{"左五枚落ち", "1nsgkgs2/9"},
	{"六枚落ち", "2sgkgs2/9"},
	{"左七枚落ち", "2sgkg3/9"},
	{"右七枚落ち", "3gkgs2/9"},
	{"八枚落ち", "3gkg3/9"},
	{"十枚落ち", "4k4/9"},
}

// handicap returns the start position of a 手合割. Digits may have any form, and ち at the end
// may be missing, as in 6枚落; what follows the name, such as a remark, does not count.
func handicap(name string) (shogi.Position, bool) {
	name = strings.Map(func(letter rune) rune {
		switch d := digitOf(letter); {
		case strings.ContainsRune(blanks, letter):
			return -1
		case d > 0:
			return []rune(kanjiDigits)[d-1]
		}
		return letter
	}, strings.Replace(name, "10", "十", 1))
	for i, h := range handicaps {
		if !strings.HasPrefix(name, strings.TrimSuffix(h.name, "ち")) {
			continue
		}
		turn := " w -"
		if i == 0 {
			turn = " b -"
		}
		p, err := shogi.ParseSFEN(h.board + "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL" + turn)
		if err != nil {
			panic(err)
		}
		return p, true
	}
	return shogi.Position{}, false
}
