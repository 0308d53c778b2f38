package records_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
)

// opened opens a game of the program's list: its engines are compiled already.
func opened(t *testing.T, spec string) *app.Game {
	variants, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	name, _, _ := strings.Cut(spec, ":")
	list := slices.Concat(standard.Games, variants)
	i := slices.IndexFunc(list, func(p ui.Plugin) bool { return p.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	g, err := list[i].Open(spec)
	require.NoError(t, err)
	return g
}

// annotated returns games with a remark on each move and on the end. Instead of a move the last legal one is better.
func annotated(g *app.Game, list []records.Game) (games []app.AnnotatedGame) {
	for _, r := range list {
		x := app.AnnotatedGame{Played: r.Recorded}
		p := r.From
		for ply, m := range r.Moves {
			moves := g.AppendMoves(nil, p)
			remark := app.RecordedRemark{Ply: ply, Mark: []string{"?!", "?", "??", ""}[ply%4], Comment: fmt.Sprintf("& remark\n %d ~12 %%", ply)}
			if last := moves[len(moves)-1]; last != m {
				remark.Instead = []app.Move{last}
			}
			x.Remarks = append(x.Remarks, remark)
			p = g.Play(p, m)
		}
		x.Remarks = append(x.Remarks, app.RecordedRemark{Ply: len(r.Moves), Comment: "the end"})
		games = append(games, x)
	}
	return games
}

// unjudged returns games without new remarks.
func unjudged(list []records.Game) (games []app.AnnotatedGame) {
	for _, r := range list {
		games = append(games, app.AnnotatedGame{Played: r.Recorded})
	}
	return games
}

const (
	kifFile = "#KIF version=2.0 encoding=UTF-8\n棋戦：名人戦\n先手：甲\n後手：乙\n備考：x\n*before\n   1 ７六歩(77)   ( 0:05/00:00:05)\n*good\n   2 ３四歩(33)   ( 0:07/00:00:07)\n   3 投了\n\n" +
		"変化：2手\n   2 ８四歩(83)\n*other\n   3 中断\n\n"
	csaFile    = "'CSA encoding=UTF-8\nV2.2\nN+A\nN-B\n$EVENT:x,y\n$OTHER:z\nPI\n+\n'*before\n+7776FU\nT5\n'*after\n-3334FU\nT7\n%TORYO\n"
	pdnFile    = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. 11-15! {good} 22-17 $6 (1... 23-18 2. 8-11) 2. 15-19 1-0\n"
	psqFile    = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1203\nblack.exe\nwhite.exe\n-1\n"
	sgfFile    = "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[A]EV[x];B[hh]BL[10]C[good](;W[ii]TE[1])(;W[aa]))\n"
	pgnFile    = "[Game \"gomoku\"]\n[Round \"1.1\"]\n[First \"A\"]\n[Second \"B\"]\n[Position \"15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x\"]\n[Site \"x\"]\n[Result \"1-0\"]\n1. h8 {good} 1-0\n"
	chessFile  = "[Variant \"Standard\"]\n[White \"A\"]\n[Black \"B\"]\n[X \"y\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:01:00]} 1... e5?? {good} (1... c5 {d} (1... e6)) 2. Nf3 $1 1-0\n"
	blackFile  = "[Variant \"Atomic\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 24\"]\n[Result \"*\"]\n\n{before} 24... Kd7 25. e4 Kd6 *\n"
	matchFile  = "[Game \"chess\"]\n[Round \"1.1\"]\n[First \"A\"]\n[Second \"B\"]\n[Position \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[Site \"x\"]\n[Result \"1-0\"]\n1. e2e4 {good} 1-0\n"
	sgfOthello = "(;FF[4]GM[2]AP[edax:4.4]PB[A]PW[B]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[Void]B[f5];W[d6]C[good];B[c3];)\n"
	sgfHex     = "(;AP[HexGui:0.10.GIT]FF[4]GM[11]SZ[5]PB[A]RE[W+R];B[a2]BL[60];W[swap-pieces];B[c3](;W[d4]LB[a1:x];B[resign])(;W[b2]))\n"
	ggfFile    = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[A]PW[B]RB[2197.01]TI[05:00//02:00]TY[8]RE[-2.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[C5/1.5/0.01]B[d6];)\n"
	transcript = "# A - B\n# a remark\nF5D6C3d3 c4\n\nf5 f6\t0.5\n# the last\n"
	digitLines = "4455352\n12 -3\n"
	libFile    = "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x78\x08good\x00\x00\x69\x80\x87\x40\x68\x40"
	jkfFile    = "{\"header\":{\"棋戦\":\"x\",\"先手\":\"A\",\"後手\":\"B\"},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{\"comments\":[\"before\"]}," +
		"{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"color\":0,\"piece\":\"FU\"},\"time\":{\"now\":{\"m\":0,\"s\":5},\"total\":{\"m\":0,\"s\":5}}}," +
		"{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"color\":1,\"piece\":\"FU\"},\"forks\":[[{\"move\":{\"from\":{\"x\":8,\"y\":3},\"to\":{\"x\":8,\"y\":4},\"color\":1,\"piece\":\"FU\"}}]]}," +
		"{\"special\":\"TORYO\"}]}\n"
	usenLines   = "# A - B\n~0.6y236e7ku4be.r~2.7ku.\n~0.7ku.\n"
	westernFile = "[Sente \"A\"]\n[Gote \"B\"]\n[Event \"x\"]\n\n1. P-7f {good} P-3d 2. Bx2b+ Sx2b resigns\n\n1. P-2f *\n"
	moveList    = "1. h8 2. i9 3.g7\nh8I8\n"
	usiLines    = "position startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n"
)

// TestWrite writes games of each notation in each format, with remarks: the games are the same when they are read again.
func TestWrite(t *testing.T) {
	data, err := os.ReadFile("../../games/shogi/record/testdata/game.kif")
	require.NoError(t, err)
	for _, c := range []struct{ spec, text string }{
		{"shogi", kifFile}, {"shogi", kifFile + kifFile}, {"shogi", csaFile}, {"shogi", csaFile + "/\n" + csaFile}, {"shogi", usiLines}, {"shogi", string(data)},
		{"checkers", pdnFile}, {"checkers", pdnFile + "\n" + pdnFile},
		{"gomoku", psqFile}, {"gomoku", sgfFile}, {"gomoku", sgfFile + sgfFile}, {"gomoku", moveList}, {"gomoku", libFile},
		{"shogi", jkfFile}, {"shogi", jkfFile + jkfFile}, {"shogi", usenLines}, {"shogi", westernFile},
		{"othello", sgfOthello}, {"othello", ggfFile}, {"othello", "2 " + ggfFile + ggfFile}, {"othello", transcript}, {"othello", "startpos moves f5\n"},
		{"othello", "---------------------------XX------XO--------------------------- O;c3\n"}, {"hex:size=5x5,swap=yes", sgfHex}, {"connect4", digitLines},
		{"dobutsu", "startpos moves b3b2\n"}, {"dobutsu", "position startpos moves 2c2b\n"}, {"gomoku", pgnFile},
		{"chess", chessFile}, {"chess", chessFile + "\n" + chessFile}, {"atomic", blackFile}, {"chess:pieces=KPvK", strings.Replace(blackFile, "Atomic", "Chess", 1)},
		{"crazyhouse", "startpos moves e2e4 d7d5 e4d5 d8d5\n"}, {"chess", matchFile},
	} {
		g := opened(t, c.spec)
		list, err := records.Read(t.Context(), g, "file", []byte(c.text))
		require.NoError(t, err, c.text)
		for _, r := range list {
			require.NoError(t, r.Err, c.text)
		}
		for _, format := range records.Formats(g) {
			games := annotated(g, list)
			written := records.Write(g, format, games)
			require.Equal(t, written, records.Write(g, format, games), "writing changes nothing")
			again, err := records.Read(t.Context(), g, "file", written)
			require.NoError(t, err, "%s", written)
			require.Len(t, again, len(list), "%s", written)
			for i, r := range again {
				require.NoError(t, r.Err, "%s", written)
				require.Equal(t, list[i].From, r.From)
				require.Equal(t, list[i].Moves, r.Moves, "%s", written)
				require.Equal(t, list[i].Resigned, r.Resigned, "%s", written)
				if list[i].Format == format {
					require.Equal(t, list[i].Title, r.Title)
				}
			}
			require.Equal(t, string(written), string(records.Write(g, format, annotated(g, again))), "what is there is not added again")
			require.Equal(t, string(written), string(records.Write(g, format, unjudged(again))), "remarks remain if there are no new ones")
			text := shogirecord.Decode(written)
			require.Contains(t, text, "the end")
			require.Contains(t, text, "remark 0 ~12 %")
		}
	}
}

// TestWriteKeeps says what remains of the records, and what the remarks look like.
func TestWriteKeeps(t *testing.T) {
	kif := strings.ReplaceAll(kifFile, "   1 ７六歩", "手数----指手---------消費時間--\n   1 ７六歩")
	for _, c := range []struct{ spec, text, format, want string }{
		{"shogi", kif, "kifu", strings.NewReplacer("備考：x\n先手：甲\n後手：乙\n", "", "先手：甲\n後手：乙\n備考：x\n", "備考：x\n先手：甲\n後手：乙\n手合割：平手\n",
			"*before\n手数----指手---------消費時間--\n", "手数----指手---------消費時間--\n*before\n", "*good\n", "*good\n*yomikiri: ?? worse ~1\n",
			"\n変化：2手\n", "\n変化：2手\n", "   3 中断\n\n", "   3 中断\n\n変化：1手\n   1 ６八玉(59)\n*yomikiri\n   2 ６二玉(51)\n").Replace(kif)},
		{"shogi", csaFile, "csa", strings.Replace(csaFile, "'*after\n", "'*after\n'*yomikiri: ?? worse ~1\n'*yomikiri: (+5968OU -5162OU)\n", 1)},
		{"checkers", pdnFile, "pdn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. 11-15! ?? {good} {yomikiri: ?? worse ~1} ({yomikiri} 1. 11-16 22-17)\n1... 22-17 $6 (1... 23-18 2. 8-11) 2. 15-19 1-0\n"},
		{"gomoku", psqFile, "sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[black.exe]PW[white.exe]\n(;B[hh]BM[2]C[yomikiri: ?? worse ~1]\n;W[ig]C[1.203s])\n(;B[oa]C[yomikiri];W[na]))\n"},
		{"gomoku", pgnFile, "sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[A]PW[B]RE[B+]\n(;B[hh]BM[2]C[yomikiri: ?? worse ~1])\n(;B[oa]C[yomikiri];W[na]))\n"},
		{"chess", chessFile, "pgn", chessFile[:strings.Index(chessFile, "1. e4")] +
			"1. e4?? {[%clk 0:01:00]} {yomikiri: ?? worse ~1} ({yomikiri} 1. Nh3 Nh6)\n1... e5?? {good} (1... c5 {d} (1... e6)) 2. Nf3 $1 1-0\n"},
		{"atomic", blackFile, "pgn", strings.Replace(blackFile, "Kd7 ", "Kd7?? {yomikiri: ?? worse ~1} ({yomikiri} 24... Kf8 25. Kf2)\n", 1)},
		{"crazyhouse", "startpos moves e2e4\n", "pgn", "[Variant \"Crazyhouse\"]\n[Result \"*\"]\n\n1. e4?? {yomikiri: ?? worse ~1} ({yomikiri} 1. Nh3 Nh6) *\n"},
		{"chess", matchFile, "pgn", strings.Replace(matchFile, "1. e2e4 {good}", "1. e2e4?? {good} {yomikiri: ?? worse ~1} ({yomikiri} 1. g1h3 g8h6)", 1) + "\n"},
		{"othello", ggfFile, "ggf", strings.Replace(ggfFile, "[d3//0.01]", "[d3//0.01]C[yomikiri: ?? worse ~1 (e6 f6)]", 1)},
		{"othello", transcript, "moves", "# A - B\n# a remark\n# yomikiri: 1. f5?? worse ~1 (e6 f6)\nf5d6c3d3c4\n"},
		{"shogi", jkfFile, "jkf", `{"header":{"棋戦":"x","先手":"A","後手":"B"},"initial":{"preset":"HIRATE"},"moves":[{"comments":["before"]},{"comments":["yomikiri: ?? worse ~1"],"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},"time":{"now":{"m":0,"s":5},"total":{"m":0,"s":5}},"forks":[[{"comments":["yomikiri"],"move":{"from":{"x":5,"y":9},"to":{"x":6,"y":8},"color":0,"piece":"OU"}},{"move":{"from":{"x":5,"y":1},"to":{"x":6,"y":2},"color":1,"piece":"OU"}}]]},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"color":1,"piece":"FU"},"time":{"now":{"m":0,"s":0},"total":{"m":0,"s":0}},"forks":[[{"move":{"from":{"x":8,"y":3},"to":{"x":8,"y":4},"color":1,"piece":"FU"}}]]},{"special":"TORYO"}]}` + "\n"},
		{"shogi", usenLines, "usen", "# A - B\n# yomikiri: 1. 2g2f?? worse ~1 (5i6h 5a6b)\n~0.6y236e7ku4be.r~2.7ku.\n"},
		{"shogi", westernFile, "psn", "[Sente \"A\"]\n[Gote \"B\"]\n[Event \"x\"]\n\n1. P-7f {good} {yomikiri: ?? worse ~1} {yomikiri: (5i6h 5a6b)} 1... P-3d\n2. Bx2b+ Sx2b resigns\n"},
		{"gomoku", sgfFile, "sgf", "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[A]EV[x]\n(;B[hh]BL[10]C[good\nyomikiri: ?? worse ~1]BM[2]\n(;W[ii]TE[1])\n(;W[aa]))\n(;B[oa]C[yomikiri];W[na]))\n"},
	} {
		g := opened(t, c.spec)
		list, err := records.Read(t.Context(), g, "file", []byte(c.text))
		require.NoError(t, err)
		x := app.AnnotatedGame{Played: list[0].Recorded, Remarks: []app.RecordedRemark{{Mark: "??", Comment: "worse ~1"}}}
		p := x.From
		for range 2 { // the last legal moves
			moves := g.AppendMoves(nil, p)
			m := moves[len(moves)-1]
			x.Remarks[0].Instead = append(x.Remarks[0].Instead, m)
			p = g.Play(p, m)
		}
		format, err := records.FormatOf(g, "out", []app.AnnotatedGame{x})
		require.NoError(t, err)
		if c.format != "kifu" && c.text != pgnFile {
			require.Equal(t, c.format, format)
		}
		require.Equal(t, c.want, string(records.Write(g, c.format, []app.AnnotatedGame{x})))
	}

	// Shift_JIS where the record is, unless something has no place there.
	g := opened(t, "shogi")
	sjis, err := japanese.ShiftJIS.NewEncoder().String(kifFile)
	require.NoError(t, err)
	eucjp, err := japanese.EUCJP.NewEncoder().String(kifFile)
	require.NoError(t, err)
	for _, c := range []struct {
		text, same, format string // same is the format of the record
		utf8               bool
	}{
		{kifFile, "kifu", "kif", true}, {sjis, "kif", "kif", false}, {sjis, "kif", "kifu", true}, {eucjp, "kifu", "kif", true}, {csaFile, "csa", "kif", true},
	} {
		list, err := records.Read(t.Context(), g, "file", []byte(c.text))
		require.NoError(t, err)
		games := annotated(g, list)
		for _, smile := range []bool{false, true} {
			if smile {
				games[0].Remarks[0].Comment = "🙂"
			}
			written := records.Write(g, c.format, games)
			require.Equal(t, c.utf8 || smile, strings.HasPrefix(string(written), "#KIF version=2.0 encoding=UTF-8\n"))
			require.Contains(t, shogirecord.Decode(written), strings.Fields(list[0].Title)[0])
		}
		same, err := records.FormatOf(g, "out", games)
		require.NoError(t, err)
		require.Equal(t, c.same, same)
	}
}

// TestWriteAgain writes games with remarks, and then with others, in the same format: these take the place of the first, and what others
// have written remains.
func TestWriteAgain(t *testing.T) {
	for _, c := range []struct{ spec, format, text string }{
		{"shogi", "kif", kifFile}, {"shogi", "kifu", kifFile}, {"shogi", "csa", csaFile}, {"checkers", "pdn", pdnFile},
		{"checkers", "pdn", strings.Replace(pdnFile, "11-15!", "11-15??", 1)}, {"checkers", "pgn", pdnFile},
		{"gomoku", "sgf", sgfFile}, {"gomoku", "sgf", strings.Replace(sgfFile, "BL[10]", "BM[2]", 1)}, {"gomoku", "sgf", psqFile},
		{"chess", "pgn", chessFile}, {"chess", "pgn", strings.Replace(chessFile, "??", " $4", 1)}, {"atomic", "pgn", blackFile}, {"chess", "pgn", matchFile},
		{"gomoku", "pgn", pgnFile}, {"gomoku", "pgn", strings.Replace(pgnFile, "h8", "h8??", 1)},
	} {
		g := opened(t, c.spec)
		read := func(text []byte) []app.AnnotatedGame {
			list, err := records.Read(t.Context(), g, "file", text)
			require.NoError(t, err, "%s", text)
			require.NoError(t, list[0].Err, "%s", text)
			return unjudged(list)
		}
		plain := records.Write(g, c.format, read([]byte(c.text)))
		plain = records.Write(g, c.format, read(plain)) // as it is read again
		remarks := func(x app.AnnotatedGame, mark string, best int) app.AnnotatedGame {
			last := len(x.Moves) - 1
			p := x.From
			for _, m := range x.Moves[:last] {
				p = g.Play(p, m)
			}
			moves := g.AppendMoves(nil, x.From)
			x.Remarks = []app.RecordedRemark{{Ply: 0, Mark: mark, Comment: "~" + mark, Instead: moves[best : best+1]}}
			if last > 0 {
				x.Remarks = append(x.Remarks, app.RecordedRemark{Ply: last, Mark: mark, Instead: g.AppendMoves(nil, p)[best : best+1]})
			}
			x.Remarks = append(x.Remarks, app.RecordedRemark{Ply: last + 1, Comment: "end ~" + mark})
			return x
		}
		write := func(before []byte, mark string, best int) []byte {
			return records.Write(g, c.format, []app.AnnotatedGame{remarks(read(before)[0], mark, best)})
		}
		first, other := write(plain, "??", 0), write(plain, "?!", 1)
		require.NotEqual(t, string(first), string(other))
		require.Equal(t, string(first), string(write(first, "??", 0)))
		require.Equal(t, string(other), string(write(first, "?!", 1)), "%s", first)
		require.Equal(t, string(first), string(write(other, "??", 0)), "%s", other)

		// A review without faults leaves nothing but what was there.
		x := read(first)
		x[0].Remarks = []app.RecordedRemark{}
		require.Equal(t, string(plain), string(records.Write(g, c.format, x)), "%s", first)
	}
}

// TestWriteAround says that variations of ours to which others have added something remain.
func TestWriteAround(t *testing.T) {
	for _, c := range []struct{ spec, format, text, added, by string }{
		{"shogi", "kifu", kifFile, "*yomikiri\n", "*yomikiri\n*mine\n"},
		{"shogi", "kifu", kifFile, "   2 ６二玉(51)\n", "   2 ６二玉(51)\n\n変化：2手\n   2 ８四歩(83)\n"},
		{"checkers", "pdn", pdnFile, "22-17)", "22-17 {mine})"},
		{"checkers", "pdn", pdnFile, "22-17)", "22-17 (23-19))"},
		{"chess", "pgn", chessFile, "Nh6)", "Nh6 {mine})"},
		{"atomic", "pgn", blackFile, "25. Kf2)", "25. Kf2 (25. e4))"},
		{"gomoku", "sgf", sgfFile, "W[na]", "W[na]C[mine]"},
		{"gomoku", "sgf", sgfFile, ";W[na]", "(;W[na])(;W[ma])"},
	} {
		g := opened(t, c.spec)
		list, err := records.Read(t.Context(), g, "file", []byte(c.text))
		require.NoError(t, err)
		x := unjudged(list[:1])[0]
		p := x.From
		var line []app.Move
		for range 2 { // the last legal moves, or the first ones of checkers
			moves := g.AppendMoves(nil, p)
			m := moves[len(moves)-1]
			line = append(line, m)
			p = g.Play(p, m)
		}
		x.Remarks = []app.RecordedRemark{{Mark: "?", Instead: line}}
		text := string(records.Write(g, c.format, []app.AnnotatedGame{x}))
		require.Contains(t, text, c.added)
		at := strings.LastIndex(text, c.added)
		text = text[:at] + c.by + text[at+len(c.added):]
		list, err = records.Read(t.Context(), g, "file", []byte(text))
		require.NoError(t, err)
		require.NoError(t, list[0].Err)
		x = unjudged(list[:1])[0]
		before := string(records.Write(g, c.format, []app.AnnotatedGame{x}))
		x.Remarks = []app.RecordedRemark{}
		after := string(records.Write(g, c.format, []app.AnnotatedGame{x}))
		require.NotContains(t, after, "yomikiri: ?", c.by)
		require.Equal(t, strings.Count(before, "("), strings.Count(after, "(")) // each variation
		require.Equal(t, strings.Count(before, "変化"), strings.Count(after, "変化"))
	}
}

func TestFormatOf(t *testing.T) {
	g := opened(t, "shogi")
	csa := []app.AnnotatedGame{{Played: app.Recorded{Format: "csa"}}}
	for _, c := range []struct {
		name string
		list []app.AnnotatedGame
		want string
	}{
		{"a.kif", nil, "kif"}, {"a.CSA", nil, "csa"}, {"a.KIFU", csa, "kifu"}, {"a.pgn", nil, "pgn"},
		{"a", nil, "kif"}, {"a", csa, "csa"}, {"a.b/c.txt", csa, "csa"}, {"/dev/stdout", []app.AnnotatedGame{{}}, "kif"},
	} {
		format, err := records.FormatOf(g, c.name, c.list)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, format, c.name)
	}
	_, err := records.FormatOf(g, "a.sgf", nil)
	require.EqualError(t, err, "a.sgf: games of shogi with remarks are written as kif, kifu, csa, jkf, psn, pgn, usi or usen")
	_, err = records.FormatOf(opened(t, "dobutsu"), "a.kif", nil)
	require.EqualError(t, err, "a.kif: games of dobutsu with remarks are written as pgn or usi")
}
