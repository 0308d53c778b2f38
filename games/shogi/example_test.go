package shogi_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/shogi"
)

func ExampleBoard_AppendChecks() {
	p, err := shogi.ParseSFEN("7k1/9/6+R2/9/9/9/9/9/9 b G 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := shogi.NewBoard(p)
	for _, check := range b.AppendChecks(nil) {
		b.Do(check)
		fmt.Println(check, len(b.AppendEvasions(nil)), b.Mated())
		b.Undo()
	}
	// Output:
	// 3c2b 1 false
	// 3c2c 2 false
	// 3c2d 4 false
	// 3c3a 2 false
	// 3c3b 2 false
	// G*1a 1 false
	// G*1b 1 false
	// G*2b 0 true
	// G*3a 2 false
	// G*3b 2 false
}

func ExampleBoard_MateInOne() {
	// A drop of the pawn on 1b would mate, but that is illegal.
	p, err := shogi.ParseSFEN("7lk/7n1/8G/9/9/9/9/9/4K4 b PN 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shogi.NewBoard(p).MateInOne())
	// Output:
	// N*2c true
}

func ExamplePosition_AppendBoard() {
	p, err := shogi.ParseSFEN("7k1/9/6+R2/9/9/9/9/9/9 b Gr2b18p 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(p.AppendBoard(nil)))
	// Output:
	// 後手の持駒：飛　角二　歩十八
	//   ９ ８ ７ ６ ５ ４ ３ ２ １
	// +---------------------------+
	// | ・ ・ ・ ・ ・ ・ ・v玉 ・|一
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|二
	// | ・ ・ ・ ・ ・ ・ 龍 ・ ・|三
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|四
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|五
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|六
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|七
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|八
	// | ・ ・ ・ ・ ・ ・ ・ ・ ・|九
	// +---------------------------+
	// 先手の持駒：金
	// 先手番
}
