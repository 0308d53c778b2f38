package record

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// noise are lines that say nothing about the moves.
var noise = []string{
	"", "　", "# a comment", "*ここで７五歩もある。", "* 1 ７六歩(77)", "&しおり", "盤面回転", "終了日時：2023/06/03 12:00:00", "  ９ ８ ７ ６ ５ ４ ３ ２ １",
	"何か", "持ち時間：各15分", "消費時間：▲10△20", "先手省略名：甲", "http://example.com/a:b", "12月3日", "同様の局面がある", "まで",
}

// appendKI2 appends the moves of a record in KI2, its start as in KIF.
func appendKI2(dst []byte, r *Record, columns int) []byte {
	start := Record{Start: r.Start}
	dst = start.AppendKIF(dst, UTF8)
	b := shogi.NewBoard(r.Start)
	for i, m := range r.Moves {
		dst = AppendJapanese(dst, b, m)
		dst = append(dst, []string{"    ", "\n", "　", ""}[(i%columns+columns-1)%4]...)
		b.Do(m)
	}
	return append(dst, '\n')
}

// TestNoise puts such lines between those of a record, which stays what it is. Comments and
// headers among them are read.
func TestNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range sizes(50, 500) {
		r := randomRecord(rng, rng.IntN(40))
		for _, text := range [][]byte{r.AppendKIF(nil, UTF8), appendKI2(nil, &r, 1+rng.IntN(8))} {
			var noisy []string
			tags, comments := 0, 0
			for _, line := range lines(string(text)) {
				for rng.IntN(3) == 0 {
					more := noise[rng.IntN(len(noise))]
					noisy = append(noisy, more)
					if strings.Contains(more, "：") {
						tags++
					} else if more != "" && strings.Contains("*&", more[:1]) {
						comments++
					}
				}
				noisy = append(noisy, line)
			}
			data := []byte(strings.Join(noisy, "\r\n"))
			got := parseOne(t, data)
			require.Len(t, got.Tags, tags, "%s", data)
			for ply := range got.Comments {
				comments -= len(commentAt(got.Comments, ply))
			}
			require.Zero(t, comments, "%s", data)
			got.Tags, got.Comments = nil, nil
			require.Equal(t, r, got, "%s", data)
		}
	}
}

// TestNoSilentLoss damages a record: a line is removed, repeated or exchanged with the next, or
// a letter of it is. Then either reading stops with an error, or all moves are there.
func TestNoSilentLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	letters := []rune("１２３4５六七八九歩香桂銀金角飛玉馬龍成打同不()+ 　x何▲△右左上0123456789")
	errors := 0
	for range sizes(300, 5000) {
		r := randomRecord(rng, 2+rng.IntN(20))
		if len(r.Moves) < 2 {
			continue
		}
		for i, text := range [][]byte{r.AppendKIF(nil, UTF8), r.AppendCSA(nil), appendKI2(nil, &r, 1+rng.IntN(4))} {
			ki2 := i == 2
			list := lines(string(text))
			at := len(list) - 1 - rng.IntN(min(len(r.Moves), len(list)-1))
			line := []rune(list[at])
			if len(line) == 0 {
				continue
			}
			damaged := slices.Clone(list)
			switch rng.IntN(5) {
			case 0:
				damaged = slices.Delete(damaged, at, at+1)
				// There may have been more moves at the end; before the first, with a diagram,
				// whose moves may begin with any number; and in KI2, which has no numbers.
				if first := strings.Fields(list[at])[0] == "1"; at == len(list)-1 || first || ki2 {
					continue
				}
			case 1:
				damaged = slices.Insert(damaged, at, list[at])
			case 2:
				if at < len(list)-1 {
					damaged[at], damaged[at+1] = damaged[at+1], damaged[at]
				}
			case 3:
				i := rng.IntN(len(line))
				damaged[at] = string(line[:i]) + string(letters[rng.IntN(len(letters))]) + string(line[i+1:])
			default:
				i := rng.IntN(len(line))
				damaged[at] = string(line[:i]) + string(line[i+1:])
			}
			data := []byte(strings.Join(damaged, "\n"))
			records, err := Parse(data, shogi.UsualHands)
			if err != nil || len(records) == 0 || records[0].Err != nil {
				errors++
				continue
			}
			n := 0
			for _, r := range records {
				n += len(r.Moves)
			}
			require.GreaterOrEqual(t, n, len(r.Moves), "%q became %q in\n%s", list[at], damaged[at], data)
		}
	}
	require.Positive(t, errors)
}
