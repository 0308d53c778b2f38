package tsume

import "github.com/yomikiri/yomikiri/internal/bilingual"

// What is wrong with a problem, or with its intended line.
var (
	errNoDefender   = bilingual.Message{English: "%s, the defender, has no king on the board", Japanese: "玉方（%s）の玉が盤上にありません"}
	errNoAttacker   = bilingual.Message{English: "%v, the attacker, has no king on the board, which a %v needs", Japanese: "%[2]vには攻方（%[1]v）の玉が必要です"}
	errNotInCheck   = bilingual.Message{English: "%s, the defender, is to move but not in check", Japanese: "玉方（%s）の手番ですが、王手がかかっていません"}
	errDefends      = bilingual.Message{English: "the defender is to move; a problem that is judged begins with the attacker", Japanese: "玉方の手番です。検討する問題は攻方から始まります"}
	errBrinkmate    = bilingual.Message{English: "the defender is to move; a brinkmate begins with the attacker", Japanese: "玉方の手番です。必至問題は攻方から始まります"}
	errIntended     = bilingual.Message{English: "the intended line, move %d: %v", Japanese: "作意の%d手目: %v"}
	errNoCheck      = bilingual.Message{English: "%v gives no check", Japanese: "%v は王手ではありません"}
	errNoProblems   = bilingual.Message{English: "no problems: want SFEN with a position on each line, KIF, KI2 or CSA", Japanese: "問題がありません（一行一局面の SFEN、KIF、KI2、CSA）"}
	errDeclared     = bilingual.Message{English: "declared length %q: want a number of plies", Japanese: "手数 %q が数ではありません"}
	errRecord       = bilingual.Message{English: "record %d: %v", Japanese: "%d番目の棋譜: %v"}
	errHouse        = bilingual.Message{English: "%q: want %s, perhaps followed by points as in phone,last-move=unsound", Japanese: "%q: %s のどれか（phone,last-move=unsound のように項目も指定できます）"}
	errUnreadHouse  = bilingual.Message{English: "%q: there is no such house, since its own rules could not be read; want %s", Japanese: "%q の規約は原文を読めていないため、ありません。%s のどれか"}
	errValue        = bilingual.Message{English: "%s=%s: want %s", Japanese: "%s=%s: %s のどれか"}
	errOtherSearch  = bilingual.Message{English: "the checkpoint is of another search", Japanese: "別の探索のチェックポイントです"}
	errOtherProblem = bilingual.Message{English: "%s: %v, of the problem %s", Japanese: "%s: %v（問題 %s）"}
	errOtherCount   = bilingual.Message{English: "%s: %v, which counts futile interpositions in another way", Japanese: "%s: %v（無駄合の数え方が違います）"}
	errOtherKeys    = bilingual.Message{English: "%s: %v, by a version that numbers positions in another way", Japanese: "%s: %v（局面番号の違う版によるものです）"}
	errPoint        = bilingual.Message{English: "%q: want one of the points %s, interposition and indirect", Japanese: "%q: 項目は %s、interposition、indirect のどれか"}
)
