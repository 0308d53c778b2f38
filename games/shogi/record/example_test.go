package record_test

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/shogi/record"
)

func ExampleAppendJapanese() {
	start, moves, err := shogi.ParsePosition("startpos moves 7g7f 3c3d 8h2b+ 3a2b")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := shogi.NewBoard(start)
	for _, m := range moves {
		fmt.Println(m, string(record.AppendJapanese(nil, b, m)))
		b.Do(m)
	}
	// Output:
	// 7g7f ▲7六歩
	// 3c3d △3四歩
	// 8h2b+ ▲2二角成
	// 3a2b △同銀
}

func ExampleParseKIF() {
	games, err := record.ParseKIF([]byte(`手合割：平手
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
	r := games[0]
	fmt.Println(r.Moves, r.Names[shogi.Black], r.Times, r.Result == record.WhiteWins)

	games, err = record.ParseKIF([]byte("手合割：平手\n   1 ７五歩(77)\n"))
	fmt.Println(err, games[0].Err)
	// Output:
	// [7g7f 3c3d] somebody [16s 0s] true
	// <nil> KIF: line 2, column 6: move "７五歩(77)": the pawn on 7g cannot go to 7e
}
