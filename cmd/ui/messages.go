package ui

import "github.com/yomikiri/yomikiri/internal/bilingual"

// What is wrong with files.
var (
	interrupted  = bilingual.Message{English: "interrupted", Japanese: "中断しました"}
	notSolved    = bilingual.Message{English: "not solved within the limits", Japanese: "制限内では解けません（--time、--nodes で延長）"}
	noName       = bilingual.Message{English: "the name of a file is empty", Japanese: "ファイル名が空です"}
	noFile       = bilingual.Message{English: "there is no such file or directory", Japanese: "ファイルがありません"}
	notPermitted = bilingual.Message{English: "permission denied", Japanese: "アクセスが許可されていません"}
	isDirectory  = bilingual.Message{English: "is a directory; want a file", Japanese: "ディレクトリです。ファイルが必要です"}
	isFile       = bilingual.Message{English: "is a file, or lies in one; want a directory", Japanese: "ファイルです。ディレクトリが必要です"}
	diskFull     = bilingual.Message{English: "the disk is full", Japanese: "ディスクに空きがありません"}
	tooLarge     = bilingual.Message{English: "more than %d MiB", Japanese: "%d MiB を超えています"}
	longLine     = bilingual.Message{English: "a line of the input is too long", Japanese: "入力の行が長すぎます"}
	notText      = bilingual.Message{English: "this is not a text file", Japanese: "テキストファイルではありません"}
)

// What is wrong with flags and arguments.
var (
	wrongFlag       = bilingual.Message{English: "--%s %v; see %s --help", Japanese: "--%s %v（%s --help を参照）"}
	wrongFlags      = bilingual.Message{English: "%v; see %s --help", Japanese: "%v（%s --help を参照）"}
	noFlag          = bilingual.Message{English: "%[1]v%[3]s", Japanese: "--%[2]s というフラグはありません%[3]s"}
	noValue         = bilingual.Message{English: "%[1]v", Japanese: "--%[2]s には値が必要です"}
	wrongValue      = bilingual.Message{English: "--%s %q: want %v", Japanese: "--%s %q: %vが必要です"}
	wantNumber      = bilingual.Message{English: "a whole number", Japanese: "整数"}
	wantCount       = bilingual.Message{English: "a whole number, 0 or more", Japanese: "0以上の整数"}
	wantTime        = bilingual.Message{English: "a time, such as 90s or 5m", Japanese: "90s や 5m のような時間"}
	wantBool        = bilingual.Message{English: "true or false", Japanese: "true か false"}
	wantWhen        = bilingual.Message{English: "auto, always or never", Japanese: "auto、always、never のどれか"}
	wantPercents    = bilingual.Message{English: "three percentages that rise, such as 5,10,20", Japanese: "5,10,20 のような大きくなる3つの百分率"}
	notTime         = bilingual.Message{English: "%q: want a time, such as 90s or 5m", Japanese: "%q: 90s や 5m のような時間が必要です"}
	notWhole        = bilingual.Message{English: "%q: want a whole number from %d to %d", Japanese: "%q: %d から %d までの整数が必要です"}
	notBytes        = bilingual.Message{English: "want a number of bytes, such as 12GiB or 512MiB", Japanese: "12GiB や 512MiB のような大きさが必要です"}
	littleMemory    = bilingual.Message{English: "want at least %s", Japanese: "%s 以上が必要です"}
	lessMemory      = bilingual.Message{English: "this machine has %s of memory", Japanese: "このコンピューターのメモリは %s です"}
	wantName        = bilingual.Message{English: "%q: want the name of a file", Japanese: "%q: ファイル名が必要です"}
	outputDirectory = bilingual.Message{English: "%q is a directory: want the name of a file", Japanese: "%q はディレクトリです。ファイル名が必要です"}
	notRegular      = bilingual.Message{English: "%q: not a regular file", Japanese: "%q: 通常のファイルではありません"}
	cannotWrite     = bilingual.Message{English: "%q: cannot write to the directory %s: %v", Japanese: "%q: ディレクトリ %s に書き込めません: %v"}
	wrongArguments  = bilingual.Message{English: "%v; usage: %s", Japanese: "%v（使い方: %s）"}
	emptyArgument   = bilingual.Message{English: "argument %d is empty", Japanese: "%d番目の引数が空です"}
	fewArguments    = bilingual.Message{English: "requires at least %[1]s, only received %[3]d", Japanese: "引数が%[2]d個以上必要ですが、%[3]d個です"}
)
