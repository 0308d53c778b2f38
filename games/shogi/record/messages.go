package record

import "github.com/yomikiri/yomikiri/internal/bilingual"

// Where an error is, and what there is none of.
var (
	errLine     = bilingual.Message{English: "line %d: %v", Japanese: "%d行目: %v"}
	errColumn   = bilingual.Message{English: "line %d, column %d: %v", Japanese: "%d行%d文字目: %v"}
	errMove     = bilingual.Message{English: "move %.300q: %v", Japanese: "指し手 %.300q: %v"}
	errNoPly    = bilingual.Message{English: "no position after %d moves: the record has %d", Japanese: "%d手目の局面がありません（棋譜は%d手）"}
	errNoRecord = bilingual.Message{English: "no records: want KIF, KI2, CSA, or SFEN with a position on each line", Japanese: "棋譜がありません（KIF、KI2、CSA、一行一局面の SFEN）"}
	errAfterEnd = bilingual.Message{English: "a move after the end of the game", Japanese: "終局の後に指し手があります"}
)

// What is wrong in CSA.
var (
	errNoCSA     = bilingual.Message{English: "CSA: no record: want a position (PI, P1 to P9, P+ or P-), the side to move (+ or -) or moves as in +7776FU", Japanese: "CSA: 棋譜がありません。局面（PI、P1～P9、P+、P-）、手番（+ か -）、または +7776FU のような指し手が必要です"}
	errCSAPiece  = bilingual.Message{English: "%q is not a piece (FU KY KE GI KI KA HI OU TO NY NK NG UM RY)", Japanese: "%q は駒（FU KY KE GI KI KA HI OU TO NY NK NG UM RY）ではありません"}
	errCSAEnd    = bilingual.Message{English: "%.300q after the end of the game", Japanese: "終局の後に %.300q があります"}
	errStatement = bilingual.Message{English: "%.300q is not a statement of CSA (moves begin with + or -, endings with %%, comments with ')", Japanese: "%.300q は CSA の文ではありません（指し手は + か -、終局は %%、コメントは ' で始まります）"}
	errTurnTwice = bilingual.Message{English: "the side to move is given twice", Japanese: "手番が二度指定されています"}
	errPlacement = bilingual.Message{English: "%.300q, want PI, P1 to P9, P+ or P-", Japanese: "%.300q は PI、P1～P9、P+、P- のどれか"}
	errShortRank = bilingual.Message{English: "rank %d: want 9 squares, got %d", Japanese: "%d段目: マスが9個必要ですが、%d個です"}
	errLongRank  = bilingual.Message{English: "rank %d has more than 9 squares", Japanese: "%d段目のマスが9個を超えています"}
	errRankPiece = bilingual.Message{English: "%.300q, want a piece with + or - before it, or * for an empty square", Japanese: "%.300q: + か - を付けた駒、または空きマスの * が必要です"}
	errNotThere  = bilingual.Message{English: "no such piece stands there at the start", Japanese: "平手の開始局面のそのマスに、その駒はありません"}
	errNeverHeld = bilingual.Message{English: "a %s cannot be in hand", Japanese: "%sは持駒になりません"}
	errSetHas    = bilingual.Message{English: "a set has only %d pieces of the kind %s", Japanese: "%[2]sは一組に%[1]d枚しかありません"}
	errTaken     = bilingual.Message{English: "there is a piece on the square already", Japanese: "そのマスにはすでに駒があります"}
	errCSAPlace  = bilingual.Message{English: "%q, want a square and a piece, as in 55OU", Japanese: "%q: 55OU のようなマスと駒が必要です"}
	errCSASquare = bilingual.Message{English: "%q is not a square (11 to 99, 00 for the hand)", Japanese: "%q はマス（11～99、持駒は 00）ではありません"}
	errCSAMove   = bilingual.Message{English: "%.300q, want a move as in +7776FU, or +0055FU for a drop", Japanese: "%.300q: +7776FU、打つ手なら +0055FU のような指し手が必要です"}
	errCSATurn   = bilingual.Message{English: "%q, but %s is to move", Japanese: "%q とありますが、%sの手番です"}
	errToHand    = bilingual.Message{English: "no move goes to the hand", Japanese: "移動先が持駒（00）になっています"}
	errBecomes   = bilingual.Message{English: "on %v stands a %s, which does not become a %s", Japanese: "%v の駒は%sで、%sにはなりません"}
)

// What is wrong in a diagram or another header of KIF.
var (
	errNoKIF      = bilingual.Message{English: "KIF: no record: want headers (name：value), a diagram or numbered moves", Japanese: "KIF: 棋譜がありません。ヘッダー（名前：値）、盤面図、または手数の付いた指し手が必要です"}
	errHandPiece  = bilingual.Message{English: "%q is not a piece in hand (飛, 角, 金, 銀, 桂, 香 or 歩), want なし if there is none", Japanese: "%q は持駒（飛 角 金 銀 桂 香 歩）ではありません。持駒がなければ「なし」とします"}
	errHandNumber = bilingual.Message{English: "%q is not a number from 一 to 十八", Japanese: "%q は一から十八までの数ではありません"}
	errOneHand    = bilingual.Message{English: "%d of the kind %s in one hand, but a set has %d", Japanese: "持駒の%[2]sが%[1]d枚あります（一組は%[3]d枚）"}
	errBothRest   = bilingual.Message{English: "both sides hold all other pieces", Japanese: "双方の持駒が残り全部になっています"}
	errRowMark    = bilingual.Message{English: "%q, want a space before Black's pieces and empty squares and v before White's", Japanese: "%q: 先手の駒と空きマスの前には空白、後手の駒の前には v が必要です"}
	errRowSquares = bilingual.Message{English: "want 9 squares of two characters each, got %d", Japanese: "2文字のマスが9個必要ですが、%d個です"}
	errRowPiece   = bilingual.Message{English: "%q is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と) or an empty square (・)", Japanese: "%q は駒（玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と）でも空きマス（・）でもありません"}
	errRowEnd     = bilingual.Message{English: "%q, want | after nine squares", Japanese: "%q: 9個のマスの後には | が必要です"}
	errRow        = bilingual.Message{English: "row %d of a diagram of nine", Japanese: "盤面図は9段ですが、%d段目があります"}
	errRows       = bilingual.Message{English: "the diagram must have 9 rows, and has %d", Japanese: "盤面図は9段必要ですが、%d段です"}
	errTurn       = bilingual.Message{English: "手番 %q, want 先手 or 後手", Japanese: "手番 %q は先手か後手"}
	errHandicap   = bilingual.Message{English: "%q is not a handicap, want 平手, 香落ち, 右香落ち, 角落ち, 飛車落ち, 飛香落ち, 二枚落ち to 十枚落ち, or a diagram", Japanese: "%q は手合割（平手、香落ち、右香落ち、角落ち、飛車落ち、飛香落ち、二枚落ち～十枚落ち）ではなく、盤面図もありません"}
)

// What is wrong with moves in Japanese, of KIF and KI2.
var (
	errSuffix      = bilingual.Message{English: "%.300q at the end, want 成, 不成, 打, 上, 寄, 引, 右, 左, 直 or a square as in (77)", Japanese: "末尾の %.300q は 成、不成、打、上、寄、引、右、左、直、または (77) のような移動元"}
	errWanted      = bilingual.Message{English: "want a square and a piece, as in 7六歩 or 同銀", Japanese: "7六歩 や 同銀 のようなマスと駒が必要です"}
	errSquare      = bilingual.Message{English: "%q is not a square (1一 to 9九, or 同)", Japanese: "%q はマス（1一～9九、または同）ではありません"}
	errNoPiece     = bilingual.Message{English: "the piece is missing after the square", Japanese: "マスの後に駒がありません"}
	errPiece       = bilingual.Message{English: "%q is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 成銀 成桂 成香 と)", Japanese: "%q は駒（玉 飛 角 金 銀 桂 香 歩 龍 馬 成銀 成桂 成香 と）ではありません"}
	errOrigin      = bilingual.Message{English: "%.300q, want the square the piece comes from, as in (77)", Japanese: "%.300q: (77) のような移動元が必要です"}
	errMark        = bilingual.Message{English: "%c, but %s is to move", Japanese: "%c とありますが、%sの手番です"}
	errNotSame     = bilingual.Message{English: "同 (the square of the last move), but that did not go to %v", Japanese: "同とありますが、直前の指し手は %v へのものではありません"}
	errFirstSame   = bilingual.Message{English: "同 (the square of the last move), but this is the first move", Japanese: "同とありますが、最初の指し手です"}
	errNoFit       = bilingual.Message{English: "%s, who is to move, has no legal move like that with a %s", Japanese: "手番の%sに、そのような%sの合法手はありません"}
	errTwoFit      = bilingual.Message{English: "this can be %v or %v; say which by 右, 左, 直, 上, 寄 or 引, or by the square it comes from", Japanese: "%v とも %v とも読めます。右、左、直、上、寄、引、または移動元で区別してください"}
	errKIFLine     = bilingual.Message{English: "%.300q is neither a move nor a remark (*)", Japanese: "%.300q は指し手でもコメント（*）でもありません"}
	errFirstNumber = bilingual.Message{English: "the first move has the number %d; want 1 without a diagram", Japanese: "最初の指し手が%d手目です。盤面図がなければ1手目から始まります"}
	errNumber      = bilingual.Message{English: "move number %d, want %d", Japanese: "%d手目とありますが、%d手目のはずです"}
	errNotMove     = bilingual.Message{English: "%.300q is not a move", Japanese: "%.300q は指し手ではありません"}
	errVariation   = bilingual.Message{English: "%.300q: want the number of a move of a line before it", Japanese: "%.300q: それより前の手順にある手数が必要です"}
)

// What is wrong in JKF.
var (
	errJKFHeader = bilingual.Message{English: "header: want an object", Japanese: "header はオブジェクトでなければなりません"}
	errJKFTag    = bilingual.Message{English: "header %q: want a text", Japanese: "header の %q は文字列でなければなりません"}
	errJKFStart  = bilingual.Message{English: "JKF: the start position: %v", Japanese: "JKF: 開始局面: %v"}
	errJKFType   = bilingual.Message{English: "%s: a %s, want %s", Japanese: "%s: %s ではなく %s が必要です"}
	errCutOff    = bilingual.Message{English: "the record is cut off", Japanese: "棋譜が途中で切れています"}
	errPreset    = bilingual.Message{English: "preset %q: want HIRATE, KY, KA, HI, HIKY, 2 to 10 or OTHER", Japanese: "preset %q は HIRATE、KY、KA、HI、HIKY、2～10、OTHER のどれか"}
	errNoData    = bilingual.Message{English: "OTHER without data", Japanese: "OTHER に data がありません"}
	errFiles     = bilingual.Message{English: "want 9 files and 2 hands", Japanese: "筋は9個、持駒は2個でなければなりません"}
	errFileRanks = bilingual.Message{English: "file %d: want 9 ranks, got %d", Japanese: "%d筋: マスが9個必要ですが、%d個です"}
	errJKFHand   = bilingual.Message{English: "%d %s in hand", Japanese: "持駒の %[2]s が%[1]d枚あります"}
	errColor     = bilingual.Message{English: "color %d, want 0 (sente) or 1 (gote)", Japanese: "color %d は 0（先手）か 1（後手）"}
	errJKFMove   = bilingual.Message{English: "JKF: move %d: %v", Japanese: "JKF: %d手目: %v"}
	errColorTurn = bilingual.Message{English: "color %d, but %s is to move", Japanese: "color %d とありますが、%sの手番です"}
	errNoTo      = bilingual.Message{English: "to is missing", Japanese: "to がありません"}
	errJKFPiece  = bilingual.Message{English: "piece %s, but on %v is a %s", Japanese: "piece %s とありますが、%v の駒は%sです"}
	errJKFSquare = bilingual.Message{English: "square %d,%d: want x and y from 1 to 9", Japanese: "マス %d,%d の x と y は 1～9"}
)

// What is wrong in USEN.
var (
	errNoUSEN      = bilingual.Message{English: "USEN: want ~ before each line of play, as in ~0.6y236e.r", Japanese: "USEN: 手順の前には ~ が必要です。例: ~0.6y236e.r"}
	errUSENSection = bilingual.Message{English: "USEN: section %d: %v", Japanese: "USEN: %d番目の手順: %v"}
	errUSENMove    = bilingual.Message{English: "USEN: section %d: move %d: %v", Japanese: "USEN: %d番目の手順の%d手目: %v"}
	errUSENParts   = bilingual.Message{English: "%.40q: want a number, moves and an ending with dots between, as in 0.6y236e.r", Japanese: "%.40q: 点で区切った手数、指し手、終局が必要です。例: 0.6y236e.r"}
	errUSENFirst   = bilingual.Message{English: "the first line of play does not begin at 0", Japanese: "最初の手順が0手目から始まっていません"}
	errUSENLate    = bilingual.Message{English: "a line of play after %d moves, and there are %d", Japanese: "%d手目からの手順ですが、指し手は%d手です"}
	errUSENShort   = bilingual.Message{English: "%q: want three digits for a move", Japanese: "%q: 指し手は3桁です"}
	errUSENDigits  = bilingual.Message{English: "%q: want digits and small letters", Japanese: "%q は数字と小文字でなければなりません"}
	errUSENFrom    = bilingual.Message{English: "%q: there is no square or piece in hand with the number %d", Japanese: "%q: 番号 %d のマスも持駒もありません"}
)

// What is wrong in western notation.
var (
	errWesternMove   = bilingual.Message{English: "move %d, %.20q: %v", Japanese: "%d手目 %.20q: %v"}
	errWestern       = bilingual.Message{English: "want a move such as P-7f, Bx2b+ or P*5e", Japanese: "P-7f、Bx2b+、P*5e のような指し手が必要です"}
	errWesternNoFit  = bilingual.Message{English: "%s, who is to move, has no legal move like that", Japanese: "手番の%sに、そのような合法手はありません"}
	errWesternTwoFit = bilingual.Message{English: "this can be %v or %v; say which by the square it comes from, as in %s%v%s%v", Japanese: "%v とも %v とも読めます。%s%v%s%v のように移動元で区別してください"}
)
