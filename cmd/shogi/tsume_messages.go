package shogi

import (
	"fmt"
	"os"
	"strings"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/bilingual"
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

// Results.
var (
	sayMate         = bilingual.Message{English: "mate in %d", Japanese: "%d手詰"}
	sayMateAtMost   = bilingual.Message{English: "mate in at most %d", Japanese: "%d手以下の詰み"}
	sayNoMate       = bilingual.Message{English: "no mate", Japanese: "不詰"}
	sayUnknown      = bilingual.Message{English: "unknown", Japanese: "不明"}
	sayLonger       = bilingual.Message{English: ", longer than %d", Japanese: "、%d手より長い"}
	sayMainLine     = bilingual.Message{English: ", main line %d", Japanese: "、本手順%d手"}
	sayComposed     = bilingual.Message{English: " (%d as composers count)", Japanese: "（無駄合を除いて%d手）"}
	sayComposedLine = bilingual.Message{English: "    as composers count  %s\n", Japanese: "    無駄合を除く手順  %s\n"}
	sayInHand       = bilingual.Message{English: ", %s left in hand", Japanese: "、持駒余り %s"}
	sayCertain      = bilingual.Message{English: ", certain", Japanese: "、確認済み"}
	sayNotConfirmed = bilingual.Message{English: ", not confirmed", Japanese: "、未確認"}
	sayDeclared     = bilingual.Message{English: " (declared %d)", Japanese: "（表示は%d手）"}
	sayNode         = bilingual.Message{English: "%s node", Japanese: "%s局面"}
	sayNodes        = bilingual.Message{English: "%s nodes", Japanese: "%s局面"}
	sayPly          = bilingual.Message{English: "%d ply", Japanese: "%d手"}
	sayPlies        = bilingual.Message{English: "%d plies", Japanese: "%d手"}
	sayCost         = bilingual.Message{English: "  %s  %.2f s", Japanese: "  %s  %.2f秒"}
	sayAtMove       = bilingual.Message{English: "    move %d  %s  %s", Japanese: "    %d手目  %s  %s"}
	sayProof        = bilingual.Message{English: "proof  %s\n", Japanese: "証明  %s\n"}
	sayGivenHands   = bilingual.Message{English: "    hands as given; with --hands rest the defender has the rest of the set\n", Japanese: "    持駒は表示のとおり（--hands rest で残り駒は玉方）\n"}
	sayRest         = bilingual.Message{English: "    %s has the rest of the set in hand\n", Japanese: "    残り駒は%sの持駒\n"}
	sayDone         = bilingual.Message{English: "%d problems, %d not solved", Japanese: "%d題、未解決 %d"}
	sayDoneOne      = bilingual.Message{English: "%d problem, %d not solved", Japanese: "%d題、未解決 %d"}
	sayDoneOf       = bilingual.Message{English: "%d of %s problems, %d not solved", Japanese: "%[2]s題中%[1]d題、未解決 %[3]d"}
)

// Brinkmates.
var (
	sayBrinkmate   = bilingual.Message{English: "brinkmate in %d moves", Japanese: "%d手必至"}
	sayBrinkmate1  = bilingual.Message{English: "brinkmate in %d move", Japanese: "%d手必至"}
	sayNoBrink     = bilingual.Message{English: "no brinkmate in %d moves", Japanese: "%d手以内の必至なし"}
	sayNoBrink1    = bilingual.Message{English: "no brinkmate in %d move", Japanese: "%d手以内の必至なし"}
	sayMateAlready = bilingual.Message{English: "mate already", Japanese: "すでに詰みがある"}
	sayUnknownBut  = bilingual.Message{English: "unknown, %s", Japanese: "不明、%s"}
)

// Other goals.
var (
	sayGoal          = bilingual.Message{English: "%v in %d", Japanese: "%v%d手"}
	sayNoGoal        = bilingual.Message{English: "no %v", Japanese: "%vなし"}
	sayNoGoalIn      = bilingual.Message{English: "no %v in %s", Japanese: "%[2]s以内の%[1]vなし"}
	sayUnique        = bilingual.Message{English: ", unique", Japanese: "、唯一解"}
	saySolutions     = bilingual.Message{English: ", %d solutions", Japanese: "、%d解"}
	sayMoreSolutions = bilingual.Message{English: ", more than %d solutions", Japanese: "、%d解を超える"}
	sayMoreSolution1 = bilingual.Message{English: ", more than %d solution", Japanese: "、%d解を超える"}
	sayCooks         = bilingual.Message{English: ", %d cooks", Japanese: "、余詰%d"}
	sayCook1         = bilingual.Message{English: ", %d cook", Japanese: "、余詰%d"}
	sayOthersOpen    = bilingual.Message{English: ", others not decided", Japanese: "、他は未判定"}
	saySolution      = bilingual.Message{English: "    solution %d  %s\n", Japanese: "    解%d  %s\n"}
	sayCook          = bilingual.Message{English: "    cook at move %d, %s, %s  %s\n", Japanese: "    余詰 %d手目 %s、%s  %s\n"}
	sayEqualDefence  = bilingual.Message{English: "    equal defence at move %d, %s\n", Japanese: "    変同 %d手目 %s\n"}
)

// Judgements.
var (
	sayVerdict     = bilingual.Message{English: "%v", Japanese: "%v"}
	sayRule        = bilingual.Message{English: " (%v: %v)", Japanese: "（%v: %v）"}
	sayHouse       = bilingual.Message{English: " (%s)", Japanese: "（%s）"}
	sayFault       = bilingual.Message{English: "    %v: %v (%s)", Japanese: "    %[1]v: %[2]v"}
	saySquare      = bilingual.Message{English: " on %s", Japanese: " %s"}
	sayMove        = bilingual.Message{English: " at move %d, %s", Japanese: " %d手目 %s"}
	sayThen        = bilingual.Message{English: ", %s", Japanese: "、%s"}
	sayThenAtMost  = bilingual.Message{English: ", at most %s", Japanese: "、%s以下"}
	sayBracket     = bilingual.Message{English: "  [%v: %v]", Japanese: "  ［%v: %v］"}
	sayOpenMate    = bilingual.Message{English: "    not decided: whether there is a mate\n", Japanese: "    未判定: 詰むかどうか\n"}
	sayOpenLine    = bilingual.Message{English: "    not decided: the main line\n", Japanese: "    未判定: 本手順\n"}
	sayOpen        = bilingual.Message{English: "    not decided: %v%s\n", Japanese: "    未判定: %v%s\n"}
	sayOpenMoves   = bilingual.Message{English: "    not decided: %v, %d moves, the first%s\n", Japanese: "    未判定: %v、%d手、最初は%s\n"}
	sayTotal       = bilingual.Message{English: "%d problems: %d sound, %d unsound, %d not decided\n", Japanese: "%d題: 完全 %d、不完全 %d、未判定 %d\n"}
	sayCount       = bilingual.Message{English: "%5d  %v (%s)\n", Japanese: "%5[1]d  %[2]v\n"}
	sayByDefault   = bilingual.Message{English: tsume.DefaultHouse, Japanese: "標準"}
	sayByChoice    = bilingual.Message{English: "chosen", Japanese: "指定"}
	sayNotJudged   = bilingual.Message{English: "not decided within the limits", Japanese: "制限内では判定できません（--time、--nodes で延長）"}
	sayUnread      = bilingual.Message{English: "%d of %s problems could not be read", Japanese: "%[2]s題中%[1]d題が読めません"}
	sayUnread1     = bilingual.Message{English: "%d of %s problem could not be read", Japanese: "%[2]s題中%[1]d題が読めません"}
	sayUnanswered  = bilingual.Message{English: "%d of %s problems %v", Japanese: "%[2]s題中%[1]d題: %[3]v"}
	sayUnanswered1 = bilingual.Message{English: "%d of %s problem %v", Japanese: "%[2]s題中%[1]d題: %[3]v"}
	sayStopped     = bilingual.Message{English: "interrupted after %s problems", Japanese: "中断しました（%s題まで）"}
	sayStopped1    = bilingual.Message{English: "interrupted after %s problem", Japanese: "中断しました（%s題まで）"}
	sayStoppedOf   = bilingual.Message{English: "interrupted after %d of %s problems", Japanese: "中断しました（%[2]s題中%[1]d題まで）"}
	sayStoppedOf1  = bilingual.Message{English: "interrupted after %d of %s problem", Japanese: "中断しました（%[2]s題中%[1]d題まで）"}
	sayNoProof     = bilingual.Message{English: "no mate; proof files can record mates only, so none was written", Japanese: "不詰のため、証明は書き出しません"}
	sayNoKIF       = bilingual.Message{English: "no mate; there is no line for the KIF file, so none was written", Japanese: "不詰のため、KIF は書き出しません"}
	sayOneProblem  = bilingual.Message{English: "--%s: a file is for one problem, and there are %d", Japanese: "--%s は一題用ですが、%d題あります"}
)

// Files of results and checkpoints.
var (
	sayCheckpoint   = bilingual.Message{English: "checkpoint  %s: the same command continues", Japanese: "チェックポイント  %s（同じコマンドで続けられます）"}
	sayContinued    = bilingual.Message{English: "continued after %s nodes and %s", Japanese: "%s局面、%s から再開"}
	errRemove       = bilingual.Message{English: "%v; remove it to begin again", Japanese: "%v。最初から始めるには削除してください"}
	errResultLine   = bilingual.Message{English: "%s, line %d: %v", Japanese: "%s %d行目: %v"}
	errNotAsWritten = bilingual.Message{English: "this is not as it was written, and is not taken over", Japanese: "書き込んだ時と内容が違うため、使いません"}
	errNotRecord    = bilingual.Message{English: "this is not a record", Japanese: "結果の行ではありません"}
	errNoResult     = bilingual.Message{English: "%v of the format %q: name another file", Japanese: "%v（形式 %q）。別のファイルを指定してください"}
	errOtherFormat  = bilingual.Message{English: "this is not a result of the format %q: name another file", Japanese: "形式 %q の結果ではありません。別のファイルを指定してください"}
	errNoJudgement  = bilingual.Message{English: "it is not a result of --judge", Japanese: "--judge の結果ではありません"}
)

// What is wrong with flags.
var (
	errNotation    = bilingual.Message{English: "--notation %q: want usi or japanese", Japanese: "--notation %q: usi か japanese"}
	errAttacker    = bilingual.Message{English: "%q: want auto, black or white", Japanese: "%q: auto、black、white のどれか"}
	errEncoding    = bilingual.Message{English: "--kif-encoding %q: want auto, utf-8 or shift_jis", Japanese: "--kif-encoding %q: auto、utf-8、shift_jis のどれか"}
	errEncodingFor = bilingual.Message{English: "--kif-encoding is for --kif and --book", Japanese: "--kif-encoding は --kif と --book のためのものです"}
	errCertain     = bilingual.Message{English: "--certain does not go with --checkpoint: the second search has other keys", Japanese: "--certain と --checkpoint は併用できません（二度目の探索は別のキーを使います）"}
	errEvery       = bilingual.Message{English: "--checkpoint-every 0: want a time above 0", Japanese: "--checkpoint-every 0: 0より長い時間が必要です"}
	errComposed    = bilingual.Message{English: "--composed goes with --shortest, and not with --count-futile", Japanese: "--composed には --shortest が必要で、--count-futile とは併用できません"}
	errPlies       = bilingual.Message{English: "--%s %d: want a number of %s from 1 to %d", Japanese: "--%[1]s %[2]d: 1 から %[4]d までの手数が必要です"}
	errTogether    = bilingual.Message{English: "--%s does not go with --%s", Japanese: "--%s と --%s は併用できません"}
	errSolutions   = bilingual.Message{English: "--solutions: want a number from 1, with --helpmate or --helpselfmate", Japanese: "--solutions: --helpmate か --helpselfmate とともに、1以上の数が必要です"}
	errJudgeOnly   = bilingual.Message{English: "--%s is for --judge", Japanese: "--%s は --judge のためのものです"}
	errBookResults = bilingual.Message{English: "--book does not go with --results: a book has all problems", Japanese: "--book と --results は併用できません（--book は全問を書き出します）"}
)

// pick returns the message for one or for several.
func pick(n uint64, one, several bilingual.Message) bilingual.Message {
	if n == 1 {
		return one
	}
	return several
}

// say returns a message in the language that is wanted.
func (c *tsumeCommand) say(m bilingual.Message, values ...any) string {
	return m.In(c.japanese, values...)
}

// cost is how many nodes and how much time an answer took.
func (c *tsumeCommand) cost(nodes uint64, seconds float64) string {
	return c.say(sayCost, c.say(pick(nodes, sayNode, sayNodes), ui.Grouped(nodes)), seconds)
}

func (c *tsumeCommand) plies(n int) string { return c.say(pick(uint64(n), sayPly, sayPlies), n) }

// word is a word of a record in JSON, with what it is in Japanese.
type word [2]string

func (w word) String() string   { return w[0] }
func (w word) Japanese() string { return w[1] }

// wordOf returns a word of a record, which is one of the values from the first to last, in both languages. What is
// none of them is the same in both.
func wordOf[T interface {
	~uint8
	String() string
	Japanese() string
}](text string, last T) word {
	for v := T(0); v <= last; v++ {
		if v.String() == text {
			return word{text, v.Japanese()}
		}
	}
	return word{text, text}
}

// The words of records of judgements.
func verdictWord(text string) word { return wordOf(text, tsume.Faulty) }
func gradeWord(text string) word   { return wordOf(text, tsume.Allowed) }
func kindWord(text string) word    { return wordOf(text, tsume.Superfluous) }
func pointWord(text string) word   { return wordOf(text, tsume.PointSuperfluous) }

// byWord is what decides a point of the rules: the name of a house, or one of two words.
func byWord(text string) word {
	for _, m := range []bilingual.Message{sayByDefault, sayByChoice} {
		if m.English == text {
			return word{text, m.Japanese}
		}
	}
	return word{text, text}
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
	return &japaneseError{err, ui.Japanese(err)}
}
