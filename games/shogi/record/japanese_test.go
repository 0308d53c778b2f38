package record

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

const startSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// TestJapanese goes through the ways in which the Japan Shogi Association tells
// pieces apart that can go to the same square (日本将棋連盟, "棋譜の表記方法").
func TestJapanese(t *testing.T) {
	for _, c := range []struct{ sfen, usi, want string }{
		{startSFEN, "7g7f", "▲7六歩"},
		{startSFEN, "4i5h", "▲5八金右"},
		{startSFEN, "6i5h", "▲5八金左"},
		// Golds: the upper one and the one beside.
		{"9/2G6/G8/9/9/9/9/9/k1K6 b - 1", "9c8b", "▲8二金上"},
		{"9/2G6/G8/9/9/9/9/9/k1K6 b - 1", "7b8b", "▲8二金寄"},
		{"4G4/9/4G4/9/9/9/9/9/k1K6 b - 1", "5a5b", "▲5二金引"},
		{"4G4/9/4G4/9/9/9/9/9/k1K6 b - 1", "5c5b", "▲5二金上"},
		// Side by side.
		{"9/G1G6/9/9/9/9/9/9/k1K6 b - 1", "9b8a", "▲8一金左"},
		{"9/G1G6/9/9/9/9/9/9/k1K6 b - 1", "7b8a", "▲8一金右"},
		{"9/9/9/9/9/9/9/4GG3/k1K6 b - 1", "5h5g", "▲5七金直"},
		{"9/9/9/9/9/9/9/4GG3/k1K6 b - 1", "4h5g", "▲5七金右"},
		// Silvers all around.
		{"9/9/3S1S3/9/3SS4/9/9/9/k1K6 b - 1", "5e5d", "▲5四銀直"},
		{"9/9/3S1S3/9/3SS4/9/9/9/k1K6 b - 1", "6e5d", "▲5四銀左上"},
		{"9/9/3S1S3/9/3SS4/9/9/9/k1K6 b - 1", "6c5d", "▲5四銀左引不成"},
		{"9/9/3S1S3/9/3SS4/9/9/9/k1K6 b - 1", "4c5d+", "▲5四銀右成"},
		// Dragons and horses are never 直.
		{"9/+R8/p8/1+R7/9/9/9/9/k1K6 b - 1", "9b8b", "▲8二龍寄"},
		{"9/9/9/9/9/9/9/4+R3+R/k1K6 b - 1", "5h4g", "▲4七龍"},
		{"9/9/9/9/9/9/4+R4/3+R5/k1K6 b - 1", "6h6g", "▲6七龍上"},
		{"9/9/9/9/9/9/9/2+R+R5/k3K4 b - 1", "6h6g", "▲6七龍右"},
		{"9/9/9/9/9/9/9/2+R+R5/k3K4 b - 1", "7h6g", "▲6七龍左"},
		{"9/9/9/9/9/9/9/2+B1+B4/k7K b - 1", "7h6g", "▲6七馬左"},
		// White sees right and left the other way round.
		{"9/g1g6/9/9/9/9/9/9/k1K6 w - 1", "9b8c", "△8三金右"},
		{"9/g1g6/9/9/9/9/9/9/k1K6 w - 1", "7b8c", "△8三金左"},
		// Drops.
		{"k8/9/9/9/9/9/9/4G4/4K4 b G 1", "G*5g", "▲5七金打"},
		{"k8/9/9/9/9/9/9/4G4/4K4 b G 1", "5h5g", "▲5七金"},
		{"k8/9/9/9/9/9/9/4G4/4K4 b G 1", "G*1a", "▲1一金"},
		// Promotion.
		{"k8/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", "▲5三銀成"},
		{"k8/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", "▲5三銀不成"},
		{"k8/9/4S4/9/9/9/9/9/4K4 b - 1", "5c4d", "▲4四銀不成"},
		{"k8/9/4+S4/9/9/9/9/9/4K4 b - 1", "5c4c", "▲4三成銀"},
	} {
		p, err := shogi.ParseSFEN(c.sfen)
		require.NoError(t, err, c.sfen)
		b := shogi.NewBoard(p)
		m, err := b.ParseUSI(c.usi)
		require.NoError(t, err, c.sfen)
		require.Equal(t, c.want, string(AppendJapanese(nil, b, m)), "%s in %s", c.usi, c.sfen)
		back, err := parseJapanese(b, c.want)
		require.NoError(t, err, c.sfen)
		require.Equal(t, m, back, c.want)
	}
}

// TestJapaneseForms reads moves as people and programs write them.
func TestJapaneseForms(t *testing.T) {
	b := shogi.NewBoard(shogi.Start())
	for _, c := range []struct{ text, want string }{
		{"▲７六歩", "7g7f"},
		{"△3四歩", "3c3d"},
		{"☗２二角成(88)", "8h2b+"},
		{"☖同　銀", "3a2b"},
		{"5五角打", "B*5e"},
		{"３三角打", "B*3c"},
		{"同　角生", "5e3c"},
		{"同桂(21)", "2a3c"},
		{"▲４八銀 ", "3i4h"},
	} {
		m, err := parseJapanese(b, c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, m.String(), c.text)
		b.Do(m)
	}
	b = shogi.NewBoard(shogi.Start())
	for _, text := range []string{"▲７六歩", "△3四歩", "２二角成らず(88)"} {
		m, err := parseJapanese(b, text)
		require.NoError(t, err, text)
		b.Do(m)
	}
	for _, text := range []string{"２二同銀(31)", "△2二同　銀", "同２二銀(31)", "同　２二銀"} {
		m, err := parseJapanese(b, text)
		require.NoError(t, err, text)
		require.Equal(t, "3a2b", m.String(), text)
	}
}

func TestParseJapaneseErrors(t *testing.T) {
	const hands = "k8/9/9/9/4p4/9/9/4GG3/4K4 b GP 1"
	for _, c := range []struct{ sfen, text, want string }{
		{startSFEN, "", "want a square and a piece, as in 7六歩 or 同銀"},
		{startSFEN, "歩", "want a square and a piece, as in 7六歩 or 同銀"},
		{startSFEN, "〇六歩", `"〇六" is not a square (1一 to 9九, or 同)`},
		{startSFEN, "△7六歩", "△, but black is to move"},
		{startSFEN, "7六", "the piece is missing after the square"},
		{startSFEN, "7六x", `'x' is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 成銀 成桂 成香 と)`},
		{startSFEN, "7六歩x", `"x" at the end, want 成, 不成, 打, 上, 寄, 引, 右, 左, 直 or a square as in (77)`},
		{startSFEN, "7六歩(7)", `"(7)", want the square the piece comes from, as in (77)`},
		{startSFEN, "7六歩(87)", "the pawn on 8g cannot go to 7f"},
		{startSFEN, "7六歩(78)", "black, who is to move, has no piece on 7h"},
		{startSFEN, "7五歩", "black, who is to move, has no legal move like that with a pawn"},
		{startSFEN, "7六歩打", "black, who is to move, has no legal move like that with a pawn"},
		{startSFEN, "5八金", "this can be 4i5h or 6i5h; say which by 右, 左, 直, 上, 寄 or 引, or by the square it comes from"},
		{startSFEN, "同歩", "同 (the square of the last move), but this is the first move"},
		{startSFEN, "7六同歩", "同 (the square of the last move), but that did not go to 7f"},
		{startSFEN, "同7六歩", "同 (the square of the last move), but that did not go to 7f"},
		{hands, "5五歩打", "5e is not empty"},
		{hands, "1一歩打", "a pawn on 1a could never move"},
	} {
		p, err := shogi.ParseSFEN(c.sfen)
		require.NoError(t, err)
		_, err = parseJapanese(shogi.NewBoard(p), c.text)
		require.EqualError(t, err, `move "`+c.text+`": `+c.want)
	}
}

// TestJapaneseRoundTrip checks that each legal move has a text of its own that
// is read as that move, in KIF too.
func TestJapaneseRoundTrip(t *testing.T) {
	walk(rand.New(rand.NewPCG(3, 3)), sizes(20, 60), 20, func(b *shogi.Board) {
		p := b.Position()
		moves := b.AppendMoves(nil)
		if len(moves) > 60 {
			moves = moves[:60]
		}
		seen := map[string]shogi.Move{}
		for _, m := range moves {
			text := string(AppendJapanese(nil, b, m))
			require.Zero(t, seen[text], "%s is %v and %v in %v", text, seen[text], m, p)
			seen[text] = m
			back, err := parseJapanese(b, text)
			require.NoError(t, err, "%v in %v", m, p)
			require.Equal(t, m, back, "%s in %v", text, p)
			require.NotContains(t, text, "(")
			text = string(appendKIFMove(nil, b, m))
			back, err = parseJapanese(b, text)
			require.NoError(t, err, "%v in %v", m, p)
			require.Equal(t, m, back, "%s in %v", text, p)
			require.Equal(t, !m.IsDrop(), strings.HasSuffix(text, ")"))
		}
	})
}

func FuzzParseJapanese(f *testing.F) {
	for _, text := range []string{"▲7六歩", "△同　玉", "2三金打", "５八金右", "４二銀引不成(31)", "同成桂", "九九龍左上", "5五"} {
		f.Add(text)
	}
	p, err := shogi.ParseSFEN("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		b := shogi.NewBoard(p)
		b.Do(b.AppendMoves(nil)[0])
		if m, err := parseJapanese(b, text); err == nil {
			require.True(t, b.Legal(m), text)
		}
	})
}

// parseJapanese reads a legal move of the side to move in Japanese notation, with or
// without ▲ or △, such as ▲2三金打, △同　玉, ７六歩 or ２二角成(88), the last with its
// origin as in KIF files. It refuses text that fits several moves.
func parseJapanese(b *shogi.Board, text string) (shogi.Move, error) {
	j, rest, err := scanJapanese(strings.TrimSpace(text))
	m := shogi.NoMove
	if err == nil && rest != "" {
		err = errSuffix.Error(rest)
	}
	if err == nil {
		m, err = j.find(b, shogi.NoSquare)
	}
	if err != nil {
		return shogi.NoMove, fmt.Errorf("move %.300q: %w", text, err)
	}
	return m, nil
}
