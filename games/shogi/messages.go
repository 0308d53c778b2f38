package shogi

import "github.com/yomikiri/yomikiri/internal/bilingual"

// What is wrong with a position.
var (
	errNotPiece   = bilingual.Message{English: "%d on %v is not a piece", Japanese: "%[2]v の %[1]d は駒ではありません"}
	errDeadPiece  = bilingual.Message{English: "%s's %s on %v could never move", Japanese: "%sの%s（%v）は行き所のない駒です"}
	errKings      = bilingual.Message{English: "%s has %d kings", Japanese: "%sの玉が%d枚あります"}
	errTwoPawns   = bilingual.Message{English: "%s has two unpromoted pawns on file %d", Japanese: "%sが%d筋で二歩です"}
	errNoKing     = bilingual.Message{English: "there is no king on the board", Japanese: "盤上に玉がありません"}
	errTooMany    = bilingual.Message{English: "there are %d pieces of the kind %s on the board and in the hands, but a set has %d", Japanese: "%[2]sが%[1]d枚あります（一組は%[3]d枚）"}
	errInCheck    = bilingual.Message{English: "%s is in check from %v, but %s is to move", Japanese: "%[3]sの手番ですが、%[1]sの玉に%[2]vから王手がかかっています"}
	errFields     = bilingual.Message{English: "want 3 or 4 fields, got %d: board, side to move, hands and perhaps the number of the move, as in %s", Japanese: "項目が%d個です。盤面、手番、持駒（と手数）が必要です。例: %s"}
	errSide       = bilingual.Message{English: "side to move %q, want b (black) or w (white)", Japanese: "手番 %q は b（先手）か w（後手）"}
	errNumber     = bilingual.Message{English: "number of the move %q, want a number from 1", Japanese: "手数 %q は1以上の数"}
	errRanks      = bilingual.Message{English: "want 9 ranks with / between, got %d", Japanese: "/ で区切った段が9段必要ですが、%d段です"}
	errLetter     = bilingual.Message{English: "rank %c, character %d: %q is not a piece (P, L, N, S, G, B, R or K, with + before it if promoted) or a number of empty squares (1 to 9)", Japanese: "段 %c の%d文字目 %q は駒（P L N S G B R K、成駒は + を前に）でも空きマスの数（1～9）でもありません"}
	errNoPromoted = bilingual.Message{English: "rank %c, character %d: a %s has no promoted side", Japanese: "段 %c の%d文字目: %sは成れません"}
	errPlus       = bilingual.Message{English: "rank %c ends with +", Japanese: "段 %c が + で終わっています"}
	errSquares    = bilingual.Message{English: "rank %c: want 9 squares, got %d", Japanese: "段 %c: マスが9個必要ですが、%d個です"}
	errHandLetter = bilingual.Message{English: "hands %q, character %d: %q is not a piece in hand (P, L, N, S, G, B or R) or a number of them", Japanese: "持駒 %q の%d文字目 %q は駒（P L N S G B R）でも枚数でもありません"}
	errHandAt     = bilingual.Message{English: "hands %q, character %d: %v", Japanese: "持駒 %q の%d文字目: %v"}
	errHandEnd    = bilingual.Message{English: "hands %q end with a number", Japanese: "持駒 %q が数字で終わっています"}
	errHands      = bilingual.Message{English: "%q: want given or rest", Japanese: "%q: given か rest のどちらか"}
	errOneHand    = bilingual.Message{English: "%d of the kind %s in one hand, but a set has %d", Japanese: "持駒の%[2]sが%[1]d枚あります（一組は%[3]d枚）"}
)

// Why a move is not legal, or none.
var (
	errMoveText   = bilingual.Message{English: "move %q: %v", Japanese: "指し手 %q: %v"}
	errMoveNumber = bilingual.Message{English: "after moves, number %d: %v", Japanese: "moves の%d手目: %v"}
	errMoveWanted = bilingual.Message{English: "want two squares as in 7g7f or 8h2b+, or a piece and a square as in P*5e", Japanese: "7g7f や 8h2b+ のようなマス二つ、または P*5e のような駒とマスが必要です"}
	errDropLetter = bilingual.Message{English: "%q is not a piece to drop (P, L, N, S, G, B or R); %v", Japanese: "%q は打てる駒（P L N S G B R）ではありません。%v"}
	errNotSquare  = bilingual.Message{English: "%q is not a square (1a to 9i)", Japanese: "%q はマス（1a～9i）ではありません"}
	errNoDrop     = bilingual.Message{English: "%#x is not a drop", Japanese: "%#x は打つ手ではありません"}
	errNoMove     = bilingual.Message{English: "%#x is not a move", Japanese: "%#x は指し手ではありません"}
	errNoPiece    = bilingual.Message{English: "%s, who is to move, has no piece on %v", Japanese: "%[2]v に%[1]sの駒がありません"}
	errCannotGo   = bilingual.Message{English: "the %s on %v cannot go to %v", Japanese: "%[2]v の%[1]sは %[3]v へ動けません"}
	errOwnPiece   = bilingual.Message{English: "%s has a piece on %v itself", Japanese: "%[2]v に%[1]sの自分の駒があります"}
	errNeverUp    = bilingual.Message{English: "a %s does not promote", Japanese: "%sは成れません"}
	errNoZone     = bilingual.Message{English: "neither %v nor %v lies in the promotion zone of %s", Japanese: "%v も %v も%sの成れる段ではありません"}
	errMustGoUp   = bilingual.Message{English: "a %s on %v could never move, so it must promote", Japanese: "%s（%v）は成らなければなりません"}
	errIntoCheck  = bilingual.Message{English: "the king would be in check on %v", Japanese: "%v では玉に王手がかかります"}
	errStillCheck = bilingual.Message{English: "%s's king would still be in check from %v", Japanese: "%sの玉に%vから王手がかかったままです"}
	errPinned     = bilingual.Message{English: "the %s on %v is pinned: %s's king would be in check", Japanese: "%[2]v の%[1]sを動かすと%[3]sの玉に王手がかかります"}
	errNotDropped = bilingual.Message{English: "a %s cannot be dropped", Japanese: "%sは打てません"}
	errNotInHand  = bilingual.Message{English: "%s, who is to move, has no %s in hand", Japanese: "%sの持駒に%sがありません"}
	errNotEmpty   = bilingual.Message{English: "%v is not empty", Japanese: "%v に駒があります"}
	errDeadDrop   = bilingual.Message{English: "a %s on %v could never move", Japanese: "%s（%v）は行き所のない駒です"}
	errPawnOnFile = bilingual.Message{English: "%s has an unpromoted pawn on file %d already", Japanese: "%sが%d筋で二歩です"}
	errPawnMate   = bilingual.Message{English: "a pawn dropped here would mate, which is illegal", Japanese: "打歩詰です"}
)
