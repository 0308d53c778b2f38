package shogi

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestLanguages has results in both languages.
func TestLanguages(t *testing.T) {
	english, japanese := &tsumeCommand{}, &tsumeCommand{japanese: true}
	for _, c := range []struct {
		say               func(c *tsumeCommand) string
		english, japanese string
	}{
		{
			func(c *tsumeCommand) string {
				return c.answer(&tsume.Solution{Outcome: dfpn.Proven, Length: 15, Longer: 3}) + c.say(sayInHand, "6P") + c.cost(31_679, 0.1)
			},
			"mate in at most 15, longer than 3, 6P left in hand  31,679 nodes  0.10 s", "15手以下の詰み、3手より長い、持駒余り 6P  31,679局面  0.10秒",
		},
		{
			func(c *tsumeCommand) string {
				return c.answer(&tsume.Solution{Outcome: dfpn.Proven, Shortest: true, Length: 15, Composed: 3}) + c.cost(1, 0)
			},
			"mate in 15 (3 as composers count)  1 node  0.00 s", "15手詰（無駄合を除いて3手）  1局面  0.00秒",
		},
		{func(c *tsumeCommand) string { return c.answer(&tsume.Solution{Outcome: dfpn.Disproven}) }, "no mate", "不詰"},
		{func(c *tsumeCommand) string { return c.answer(&tsume.Solution{}) + c.confirmed(true, false) }, "unknown, not confirmed", "不明、未確認"},
		{
			func(c *tsumeCommand) string { return c.handsLine(shogi.WhiteHasRest) },
			"    white has the rest of the set in hand\n", "    残り駒は後手の持駒\n",
		},
		{
			func(c *tsumeCommand) string {
				r := judgedProblem{
					Rules: "phone", Verdict: "unsound", Decided: &judgeRule{"one-move", "phone"}, Length: 1, Declared: 3, Line: []string{"G*1b"}, Nodes: 24,
					Faults: []judgeFault{{
						Kind: "one-move cook", Japanese: "一手詰の余詰", Grade: "unsound", Rule: &judgeRule{"one-move", "phone"},
						judgePlace: judgePlace{Ply: 1, Move: "G*2b"}, Length: 1, Exact: true, Line: []string{"G*2b"},
					}, {Kind: "superfluous piece", Japanese: "不要駒", Grade: "blemish", Rule: &judgeRule{"superfluous", "chosen"}, judgePlace: judgePlace{Square: "1c"}}},
				}
				return r.text(c, shogi.UsualHands)
			},
			"unsound (phone: one-move), 1 ply (declared 3)  24 nodes  0.00 s  G*1b\n" +
				"    unsound: one-move cook (一手詰の余詰) at move 1, G*2b, 1 ply  G*2b  [phone: one-move]\n" +
				"    blemish: superfluous piece (不要駒) on 1c  [chosen: superfluous]\n",
			"不完全（phone: 一手詰の余詰）、1手（表示は3手）  24局面  0.00秒  G*1b\n" +
				"    不完全: 一手詰の余詰 1手目 G*2b、1手  G*2b  ［phone: 一手詰の余詰］\n" +
				"    キズ: 不要駒 1c  ［指定: 不要駒］\n",
		},
		{
			func(c *tsumeCommand) string {
				r := judgedProblem{Verdict: "not decided", Rules: "default", Length: 3, Open: []judgeOpen{
					{"no mate", judgePlace{}}, {"cook", judgePlace{Ply: 3, Move: "5c5b"}}, {"cook", judgePlace{Ply: 1, Move: "G*2b"}}, {"detour", judgePlace{Ply: 1, Move: "G*3b"}},
				}}
				return r.openText(c)
			},
			"    not decided: the main line\n    not decided: cook, 2 moves, the first at move 1, G*2b\n    not decided: detour at move 1, G*3b\n",
			"    未判定: 本手順\n    未判定: 余詰、2手、最初は 1手目 G*2b\n    未判定: 迂回 1手目 G*3b\n",
		},
		{
			func(c *tsumeCommand) string {
				r := solvedGoal{Unique: true}
				return c.say(sayGoal, tsume.Helpmate, 5) + r.verdict(c)
			},
			"help mate in 5, unique", "協力詰5手、唯一解",
		},
		{
			func(c *tsumeCommand) string {
				r := solvedGoal{Length: new(int), Declared: 4, Cooks: make([]goalBranch, 2), InHand: "P"}
				*r.Length = 2
				return c.say(sayGoal, tsume.Selfmate, 2) + r.verdict(c) + c.say(sayCook, 1, "5b2b", c.plies(4), "5b2b") + c.say(sayEqualDefence, 2, "N*2e")
			},
			"self mate in 2, 2 cooks, P left in hand (declared 4)    cook at move 1, 5b2b, 4 plies  5b2b\n    equal defence at move 2, N*2e\n",
			"自玉詰2手、余詰2、持駒余り P（表示は4手）    余詰 1手目 5b2b、4手  5b2b\n    変同 2手目 N*2e\n",
		},
		{
			func(c *tsumeCommand) string {
				more, few := solvedGoal{More: true, Incomplete: true, Others: make([]goalLine, 1)}, solvedGoal{Others: make([]goalLine, 2)}
				return c.say(sayGoal, tsume.HelpSelfmate, 4) + more.verdict(c) + few.verdict(c) + c.say(saySolution, 2, "5b2b")
			},
			"help self mate in 4, more than 2 solutions, others not decided, 3 solutions    solution 2  5b2b\n",
			"協力自玉詰4手、2解を超える、他は未判定、3解    解2  5b2b\n",
		},
		{
			func(c *tsumeCommand) string {
				return c.say(sayNoGoal, tsume.Selfmate) + c.say(sayUnknownBut, c.say(sayNoGoalIn, tsume.Helpmate, c.plies(1)))
			},
			"no self mateunknown, no help mate in 1 ply", "自玉詰なし不明、1手以内の協力詰なし",
		},
		{
			func(c *tsumeCommand) string {
				total := judgeTotal{Problems: 2, Sound: 1, Unsound: 1, Faults: []judgeCount{{"cook", "余詰", 1}}}
				return total.text(c)
			},
			"2 problems: 1 sound, 1 unsound, 0 not decided\n    1  cook (余詰)\n", "2題: 完全 1、不完全 1、未判定 0\n    1  余詰\n",
		},
	} {
		require.Equal(t, c.english, c.say(english))
		require.Equal(t, c.japanese, c.say(japanese))
	}
	for _, w := range []word{verdictWord("sound"), gradeWord("allowed"), kindWord("superfluous piece"), kindWord("no mate"), pointWord("superfluous"), pointWord("one-move"), byWord("default")} {
		require.NotEqual(t, w.String(), w.Japanese(), w)
	}
}

// TestJapaneseErrors has errors of all that tsume reads, in Japanese: those of a position, a move, a record, a set, the
// intended line, a house and a file, perhaps within others.
func TestJapaneseErrors(t *testing.T) {
	sfen := func(text string) error {
		_, err := shogi.ParseSFEN(text)
		return err
	}
	p, err := shogi.ParseSFEN("8k/9/8G/9/9/9/9/9/9 b G")
	require.NoError(t, err)
	move := func(text string) error {
		_, err := shogi.NewBoard(p).ParseUSI(text)
		return err
	}
	judge := func(text string) error {
		table, err := dfpn.NewFixedTable(1 << 20)
		require.NoError(t, err)
		m, err := shogi.NewBoard(p).ParseUSI(text)
		require.NoError(t, err)
		_, err = tsume.Judge(t.Context(), tsume.Problem{Position: p}, []shogi.Move{m}, table, tsume.JudgeOptions{})
		return err
	}
	house := func(text string) error {
		_, err := tsume.ParseRules(text)
		return err
	}
	set := func(text string) error {
		_, err := tsume.ParseSet([]byte(text), tsume.Reading{})
		return err
	}
	for _, c := range []struct {
		err      error
		japanese string
	}{
		{ui.Usage(sfen("9/9/9/9/9/9/9/9/9 b -")), `SFEN "9/9/9/9/9/9/9/9/9 b -": 盤上に玉がありません`},
		{sfen("8k/9/9/9/9/9/9/9/8P x -"), `手番 "x" は b（先手）か w（後手）`},
		{sfen("P7k/9/9/9/9/9/9/9/9 b -"), "先手の歩（9a）は行き所のない駒です"},
		{sfen("8k/9/9/9/9/9/9/9/8R b -"), "先手の手番ですが、後手の玉に1iから王手がかかっています"},
		{sfen("4k/9/9/9/9/9/9/9/9 b -"), "段 a: マスが9個必要ですが、5個です"},
		{sfen("8k/9/9/9/9/9/9/9/9 b 3R"), "持駒の飛が3枚あります（一組は2枚）"},
		{move("1c1a"), "1c の金は 1a へ動けません"},
		{move("S*1b"), "先手の持駒に銀がありません"},
		{judge("1c2c"), "作意の1手目: 1c2c は王手ではありません"},
		{house("magazine"), `"magazine" の規約は原文を読めていないため、ありません`},
		{house("phone,last=unsound"), `"last": 項目は one-move, `},
		{set(""), "問題がありません"},
		{fmt.Errorf("x.sfen: %w", set("手数＝3\n1 7六歩(77)\n2 9九歩(98)")), "x.sfen: "},
		{sayUnanswered.Error(2, "1,000", errNotJudged), "1,000題中2題: 制限内では判定できません"},
		{sayUnanswered.Error(2, "1,000", ui.ErrLimit), "1,000題中2題: 制限内では解けません"},
		{&fs.PathError{Op: "open", Path: "black.kif", Err: fs.ErrNotExist}, "black.kif: ファイルがありません"},
		{ui.InterruptedError(sayStoppedOf.Error(3, "10")), "中断しました（10題中3題まで）"},
	} {
		require.Error(t, c.err, c.japanese)
		require.Contains(t, inJapaneseError(c.err).Error(), c.japanese)
		require.Equal(t, ui.ExitCode(c.err), ui.ExitCode(inJapaneseError(c.err)))
		require.Equal(t, inJapaneseError(c.err).Error(), ui.Message(inJapaneseError(c.err)))
	}
	require.Equal(t, ui.ExitUnknown, ui.ExitCode(sayUnanswered.Error(2, "10", errNotJudged)))
	require.NoError(t, inJapaneseError(nil))
	require.Equal(t, "bad", inJapaneseError(errors.New("bad")).Error())
}

// TestWantsJapanese has the language by --lang and by the environment.
func TestWantsJapanese(t *testing.T) {
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "")
	t.Setenv("LANG", "ja_JP.UTF-8")
	for lang, want := range map[string]bool{"auto": true, "en": false, "ja": true} {
		is, err := wantsJapanese(lang)
		require.NoError(t, err)
		require.Equal(t, want, is, lang)
	}
	_, err := wantsJapanese("fr")
	require.ErrorContains(t, err, "want auto, en, ja")
}
