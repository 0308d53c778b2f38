package shogi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// TestJapanese has results and errors, and what they are in Japanese.
func TestJapanese(t *testing.T) {
	for english, japanese := range map[string]string{
		"mate in at most 15, 6P left in hand  31,679 nodes  0.10 s": "15手以下の詰み、持駒余り 6P  31,679局面  0.10秒",
		"mate in 15 (3 as composers count)  1 node  0.00 s":         "15手詰（無駄合を除いて3手）  1局面  0.00秒",
		"unsound (phone: one-move), 1 ply  24 nodes  0.00 s":        "不完全 (phone: 一手詰の余詰), 1手  24局面  0.00秒",
		"    blemish: equal defence (変同) at move 2, 2b1b, 4 plies":  "    キズ: 変同 2手目 2b1b, 4手",
		"2 problems: 1 sound, 1 unsound, 0 not decided\n":           "2題: 完全 1、不完全 1、未判定 0\n",
		"no mate": "不詰",
		"help mate in 5, unique  91 nodes  0.00 s  G*2d":                 "協力詰5手、唯一解  91局面  0.00秒  G*2d",
		"self mate in 2, 2 cooks, P left in hand\n":                      "自玉詰2手、余詰2、持駒余り P\n",
		"    cook at move 1, 5b2b, 4 plies  5b2b\n":                      "    余詰 1手目 5b2b, 4手  5b2b\n",
		"    equal defence at move 2, N*2e\n":                            "    変同 2手目 N*2e\n",
		"help self mate in 4, 3 solutions\n    solution 2  5b2b\n":       "協力自玉詰4手、3解\n    解2  5b2b\n",
		"unknown, no help mate in 5 plies":                               "不明, 5手以内の協力詰なし",
		"no self mate":                                                   "自玉詰なし",
		"help mate in 3, more than 2 solutions, others not decided  1 s": "協力詰3手、2解を超える、他は未判定  1秒",
		"    not decided: whether there is a mate\n":                     "    未判定: 詰むかどうか\n",
	} {
		require.Equal(t, japanese, translated(english, resultPhrases))
	}
	err := ui.Usage(errors.New("there is no king on the board"))
	require.Equal(t, "盤上に玉がありません", inJapaneseError(err).Error())
	require.Equal(t, ui.ExitUsage, ui.ExitCode(inJapaneseError(err)))
	require.NoError(t, inJapaneseError(nil))
	require.Equal(t, "black.kif: 2行目: 先手 (後手)", translated("black.kif: line 2: black (white)", errorPhrases))

	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "")
	t.Setenv("LANG", "ja_JP.UTF-8")
	for lang, want := range map[string]bool{"auto": true, "en": false, "ja": true} {
		is, err := wantsJapanese(lang)
		require.NoError(t, err)
		require.Equal(t, want, is, lang)
	}
	_, err = wantsJapanese("fr")
	require.ErrorContains(t, err, "want auto, en, ja")
}
