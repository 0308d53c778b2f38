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

func ExampleHand_Covers() {
	var h shogi.Hand
	h = h.With(shogi.Gold).With(shogi.Pawn).With(shogi.Pawn)
	fmt.Println(h.Covers(h.Without(shogi.Pawn)), h.Covers(h.With(shogi.Silver)))
	// Output:
	// true false
}

func ExampleBoard_AppendJapanese() {
	start, moves, err := shogi.ParsePosition("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := shogi.NewBoard(start)
	for _, m := range moves {
		fmt.Println(m, string(b.AppendJapanese(nil, m)))
		b.Do(m)
	}
	// Output:
	// 7g7f ▲7六歩
	// 3c3d △3四歩
	// 8h2b+ ▲2二角成
	// 3a2b △同銀
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

func ExampleParseKIF() {
	r, err := shogi.ParseKIF([]byte(`手合割：平手
先手：somebody
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
   2 ３四歩(33)   ( 0:00/00:00:00)
   3 投了
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header("先手"), r.Moves, r.End)
	fmt.Print(string(r.AppendCSA(nil)))

	_, err = shogi.ParseKIF([]byte("手合割：平手\n   1 ７五歩(77)\n"))
	fmt.Println(err)
	// Output:
	// somebody [7g7f 3c3d] 投了
	// 'CSA encoding=UTF-8
	// V2.2
	// N+somebody
	// PI
	// +
	// +7776FU
	// -3334FU
	// %TORYO
	// KIF: line 2, column 6: move "７五歩(77)": the pawn on 7g cannot go to 7e
}
