package dobutsu_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/dobutsu"
)

func ExampleNew() {
	g := dobutsu.New()
	p := g.Start()
	fmt.Println(g.Name())
	fmt.Println(string(g.AppendPosition(nil, p)))
	for _, m := range g.AppendMoves(nil, p) {
		fmt.Println(string(g.AppendMove(nil, p, m)))
	}
	// Output:
	// dobutsu
	// gle/1c1/1C1/ELG b -
	// b4a3
	// b4c3
	// c4c3
	// b3b2
}

func ExampleGame_ParsePosition() {
	g := dobutsu.New()
	for _, text := range []string{
		"gle/1c1/1C1/ELG b -",
		"rkb/1p1/1P1/BKR b -", // the same, as online servers write it
		"1l1/H2/2h/1L1 w EGeg",
		"gle/1c1/1C1/ELX b -",
		"gle/1c1/1C1/ELG b E",
	} {
		p, err := g.ParsePosition(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(string(g.AppendPosition(nil, p)))
	}
	// Output:
	// gle/1c1/1C1/ELG b -
	// gle/1c1/1C1/ELG b -
	// 1l1/H2/2h/1L1 w EGeg
	// position "gle/1c1/1C1/ELX b -": rank 4, character 3: 'X' is no animal (L, E, G, C or H) and no number of empty squares (1 to 3)
	// position "gle/1c1/1C1/ELG b E": 3 elephants on the board and in the hands, want 2
}

func ExampleGame_ParseMove() {
	g := dobutsu.New()
	p := g.Start()
	for _, text := range []string{"b3b2", "2a2b", "C*b3"} {
		m, err := g.ParseMove(p, text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(string(g.AppendMove(nil, p, m)))
		p = g.Play(p, m)
	}
	_, err := g.ParseMove(p, "a4a3")
	fmt.Println(err)
	// Output:
	// b3b2
	// b1b2
	// C*b3
	// move "a4a3": not one of the legal moves: a1b1 a1a2 b2b1 b2c2 b2a2 b2c3 b2b3 b2a3 C*b1 C*c2 C*a2 C*c3 C*a3
}

func ExampleGame_AppendBoard() {
	g := dobutsu.New()
	p, err := g.ParsePosition("1l1/g1H/1C1/1LG w Ee")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(g.AppendBoard(nil, p)))
	// Output:
	//     a   b   c
	//   +---+---+---+
	// 1 |   | l |   |   gote, in hand: e, to move
	//   +---+---+---+
	// 2 | g |   | H |
	//   +---+---+---+
	// 3 |   | C |   |
	//   +---+---+---+
	// 4 |   | L | G |   sente, in hand: E
	//   +---+---+---+
}
