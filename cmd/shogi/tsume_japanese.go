package shogi

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// languages are the values of --lang.
var languages = []string{"auto", "en", "ja"}

// wantsJapanese reports whether texts are to be in Japanese: by --lang, or if that is auto by the environment.
func wantsJapanese(lang string) (bool, error) {
	switch lang {
	case "auto":
		for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
			if value := os.Getenv(name); value != "" {
				return strings.HasPrefix(value, "ja"), nil
			}
		}
		return false, nil
	case "en", "ja":
		return lang == "ja", nil
	}
	return false, fmt.Errorf("--lang %q: want %s", lang, strings.Join(languages, ", "))
}

// phrase is what the texts of tsume say, with what it is in Japanese.
type phrase struct {
	english  *regexp.Regexp
	japanese string
}

func phrases(pairs ...string) (list []phrase) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, phrase{regexp.MustCompile(pairs[i]), pairs[i+1]})
	}
	return list
}

// pointPhrases are those of points of rules, and of what decides them.
func pointPhrases() []phrase {
	list := phrases(`\bdefault: `, `標準: `, `\bchosen: `, `指定: `)
	for _, p := range tsume.Points() {
		list = append(list, phrases(`: `+p.String()+`([)\]])`, `: `+p.Japanese()+`$1`)...)
	}
	return list
}

// resultPhrases are those of results. Moves, which are between them, have none.
var resultPhrases = append(pointPhrases(), phrases(
	`no help self mate in (\d+) pl(?:y|ies)`, `${1}手以内の協力自玉詰なし`, `no help mate in (\d+) pl(?:y|ies)`, `${1}手以内の協力詰なし`,
	`no self mate in (\d+) pl(?:y|ies)`, `${1}手以内の自玉詰なし`,
	`no help self mate`, `協力自玉詰なし`, `no help mate`, `協力詰なし`, `no self mate`, `自玉詰なし`,
	`help self mate in (\d+)`, `協力自玉詰${1}手`, `help mate in (\d+)`, `協力詰${1}手`, `self mate in (\d+)`, `自玉詰${1}手`,
	`, unique`, `、唯一解`, `, more than ([\d,]+) solutions?`, `、${1}解を超える`, `, (\d+) solutions`, `、${1}解`, `, (\d+) cooks?`, `、余詰$1`,
	`, others not decided`, `、他は未判定`,
	`(?m)^    solution (\d+)  `, `    解$1  `, `(?m)^    cook at move (\d+), `, `    余詰 ${1}手目 `, `(?m)^    equal defence at move (\d+), `, `    変同 ${1}手目 `,
	`(unsound|blemish|remark): [^()\n]* \(([^)\n]*)\)`, `$1: $2`,
	`at most (\d+) pl(?:y|ies)`, `${1}手以下`,
	`(\d+) pl(?:y|ies)`, `${1}手`,
	` at move (\d+), `, ` ${1}手目 `,
	`mate in at most (\d+)`, `${1}手以下の詰み`,
	`no brinkmate in ([\d,]+) moves?`, `${1}手以内の必至なし`,
	`brinkmate in ([\d,]+) moves?`, `${1}手必至`,
	`mate already`, `すでに詰みがある`,
	`mate in (\d+)`, `${1}手詰`,
	`no mate`, `不詰`,
	`not decided: whether there is a mate`, `未判定: 詰むかどうか`,
	`not decided: the main line`, `未判定: 本手順`,
	`, (\d+) moves, the first`, `、$1手、最初は`,
	`, longer than (\d+)`, `、${1}手より長い`,
	`, main line (\d+)`, `、本手順${1}手`,
	` \((\d+) as composers count\)`, `（無駄合を除いて${1}手）`,
	`as composers count  `, `無駄合を除く手順  `,
	`, (\S+) left in hand`, `、持駒余り $1`,
	`, certain`, `、確認済み`,
	`, not confirmed`, `、未確認`,
	` \(declared (\d+)\)`, `（表示は${1}手）`,
	`([\d,]+) nodes?`, `${1}局面`,
	`([\d.]+) s\b`, `${1}秒`,
	`hands as given; with --hands rest the defender has the rest of the set`, `持駒は表示のとおり（--hands rest で残り駒は玉方）`,
	`black has the rest of the set in hand`, `残り駒は先手の持駒`,
	`white has the rest of the set in hand`, `残り駒は後手の持駒`,
	`(?m)^    move (\d+)  `, `    ${1}手目  `,
	`([\d,]+) problems: ([\d,]+) sound, ([\d,]+) unsound, ([\d,]+) not decided`, `${1}題: 完全 $2、不完全 $3、未判定 $4`,
	`(?m)^( *[\d,]+  )[^()\n]* \(([^)\n]*)\)$`, `$1$2`,
	`not decided`, `未判定`, `unsound`, `不完全`, `sound`, `完全`, `blemish`, `キズ`, `remark`, `参考`, `unknown`, `不明`,
	`([\d,]+) of ([\d,]+) problems`, `${2}題中${1}題`, `([\d,]+) problems?`, `${1}題`, `, (\d+) not solved`, `、未解決 $1`,
	`(?m)^    proof  `, `    証明  `, `(?m)^proof  `, `証明  `,
)...)

// errorPhrases are those of errors, the longer ones first.
var errorPhrases = phrases(
	`interrupted after (\d+) of ([\d,]+) problems?`, `中断しました（${2}題中${1}題まで）`,
	`interrupted after ([\d,]+) problems?`, `中断しました（${1}題まで）`,
	`(\d+) of ([\d,]+) problems? could not be read`, `${2}題中${1}題が読めません`,
	`(\d+) of ([\d,]+) problems? `, `${2}題中${1}題: `,
	`not decided within the limits`, `制限内では判定できません（--time、--nodes で延長）`,
	`unknown: a limit was reached`, `不明: 制限に達しました`,
	`the defender is to move; a problem that is judged begins with the attacker`, `玉方の手番です。検討する問題は攻方から始まります`,
	`the intended line, move (\d+): (\S+) gives no check`, `作意の${1}手目 $2 は王手ではありません`,
	`the intended line, move (\d+)`, `作意の${1}手目`,
	`(black|white), the attacker, has no king on the board, which a help self mate needs`, `協力自玉詰には攻方（$1）の玉が必要です`,
	`(black|white), the attacker, has no king on the board, which a self mate needs`, `自玉詰には攻方（$1）の玉が必要です`,
	`(black|white), the defender, has no king on the board`, `玉方（$1）の玉が盤上にありません`,
	`(black|white), the defender, is to move but not in check`, `玉方（$1）の手番ですが、王手がかかっていません`,
	`there is no king on the board`, `盤上に玉がありません`,
	`there are (\d+) pieces of the kind (\S+) on the board and in the hands, but a set has (\d+)`, `$2 が${1}枚あります（一組は${3}枚）`,
	`(black|white) has two unpromoted pawns on file (\d)`, `$1 が${2}筋で二歩です`,
	`(black|white) has an unpromoted pawn on file (\d) already`, `$1 が${2}筋で二歩です`,
	`(black|white)'s (\w+) on (\S+) could never move`, `$1 の $2（$3）は行き所のない駒です`,
	`a (\w+) on (\S+) could never move, so it must promote`, `$1（$2）は成らなければなりません`,
	`a (\w+) on (\S+) could never move`, `$1（$2）は行き所のない駒です`,
	`a pawn dropped here would mate, which is illegal`, `打歩詰です`,
	`(black|white), who is to move, has no piece on (\S+)`, `$2 に$1 の駒がありません`,
	`(black|white), who is to move, has no (\w+) in hand`, `$1 の持駒に $2 がありません`,
	`the (\w+) on (\S+) cannot go to (\S+)`, `$2 の $1 は $3 へ動けません`,
	`(black|white)'s king would still be in check from (\S+)`, `$1 の玉に $2 から王手がかかったままです`,
	`(black|white) is in check from (\S+), but (?:black|white) is to move`, `手番でない$1 の玉に $2 から王手がかかっています`,
	`no problems: want SFEN with a position on each line, KIF, KI2 or CSA`, `問題がありません（一行一局面の SFEN、KIF、KI2、CSA）`,
	`no records: want KIF, KI2, CSA, or SFEN with a position on each line`, `棋譜がありません（KIF、KI2、CSA、一行一局面の SFEN）`,
	`no position after (\d+) moves: the record has (\d+)`, `${1}手目の局面がありません（棋譜は${2}手）`,
	`declared length ("[^"]*"): want a number of plies`, `手数 $1 が数ではありません`,
	`want 3 or 4 fields, got (\d+): board, side to move, hands and perhaps the number of the move, as in`, `項目が${1}個です。盤面、手番、持駒（と手数）が必要です。例:`,
	`side to move ("[^"]*"), want b \(black\) or w \(white\)`, `手番 $1 は b（先手）か w（後手）`,
	`want 9 ranks with / between, got (\d+)`, `/ で区切った段が9段必要ですが、${1}段です`,
	`rank (\w): want 9 squares, got (\d+)`, `段 $1: マスが9個必要ですが、${2}個です`,
	`there is no such file or directory`, `ファイルがありません`,
	`no mate; proof files can record mates only, so none was written`, `不詰のため、証明は書き出しません`,
	`no mate; there is no line for the KIF file, so none was written`, `不詰のため、KIF は書き出しません`,
	`--(\S+): a file is for one problem, and there are (\d+)`, `--$1 は一題用ですが、${2}題あります`,
	`\bline (\d+), column (\d+)`, `${1}行${2}文字目`, `\bline (\d+)`, `${1}行目`, `\brecord (\d+)`, `${1}番目の棋譜`,
	// Not in the names of files.
	`(^|[ (])black([ ,:')]|$)`, `${1}先手$2`, `(^|[ (])white([ ,:')]|$)`, `${1}後手$2`, `^interrupted\b`, `中断しました`,
)

// say returns a text in the language that is wanted.
func (c *tsumeCommand) say(text string) string {
	if !c.japanese {
		return text
	}
	return translated(text, resultPhrases)
}

func translated(text string, phrases []phrase) string {
	for _, p := range phrases {
		text = p.english.ReplaceAllString(text, p.japanese)
	}
	return text
}

// japaneseError is an error with its message in Japanese.
type japaneseError struct {
	error
	text string
}

func (e *japaneseError) Error() string { return e.text }
func (e *japaneseError) Unwrap() error { return e.error }

// inJapaneseError returns an error whose message is in Japanese, as far as that is known.
func inJapaneseError(err error) error {
	if err == nil {
		return nil
	}
	return &japaneseError{err, translated(ui.Message(err), errorPhrases)}
}
