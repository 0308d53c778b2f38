#!/bin/sh
# Repeats the tables of docs/marks.md:
#
#	lab/marks.sh DIR [FILE ...]
#
# FILE are records of shogi. Programs, games, databases and results are in DIR; what is there is not made again.
set -eu
mkdir -p "${1:?want a folder for the results}"
dir=$(cd "$1" && pwd)
shift
home=$(cd "$(dirname "$0")/.." && pwd)
(cd "$home" && go build -o "$dir/yomikiri" ./cmd/yomikiri && go build -o "$dir/lab" ./lab)

# done_by FILE COMMAND ... runs a command that prints FILE, unless it is there.
done_by() {
	[ -e "$dir/$1" ] || { file=$1; shift; "$@" >"$dir/$file.part" && mv "$dir/$file.part" "$dir/$file"; }
}

# games NAME GAME ... plays games that are kept as NAME.games.
games() {
	name=$1
	shift
	[ -e "$dir/$name.games" ] || { "$dir/yomikiri" match "$@" --seed 1 -q --notation "$dir/$name.part" >/dev/null && mv "$dir/$name.part" "$dir/$name.games"; }
}

solve() { [ -e "$dir/$1.db" ] || "$dir/yomikiri" solve "$@" --db "$dir/$1.db" -q >/dev/null; }

# marks NAME GAME ... compares.
marks() {
	name=$1 game=$2
	shift 2
	done_by "$name.txt" "$dir/lab" marks "$game" "$dir/$name.games" -q "$@"
	printf '\n== %s\n' "$game"
	cat "$dir/$name.txt"
}

games othello othello level=4 level=5 --games 50 --random-plies 8
marks othello othello --last 21 --effort 100000000000
games hex hex:size=5x5 level=1 level=2 --games 200 --random-plies 2
marks hex hex:size=5x5 --effort 1000000000
solve connect4:size=5x5
games connect4 connect4:size=5x5 level=1 level=2 --games 200 --random-plies 6
marks connect4 connect4:size=5x5 --db "$dir/connect4:size=5x5.db"
games gomoku gomoku level=3 level=5 --games 50 --random-plies 4
marks gomoku gomoku --last 16 --effort 200000
solve dobutsu
games dobutsu dobutsu level=2 level=3 --games 60 --random-plies 6
marks dobutsu dobutsu --db "$dir/dobutsu.db"
solve checkers --pieces 4
games checkers checkers level=2 level=3 --games 100 --random-plies 6
marks checkers checkers --db "$dir/checkers.db" --last 30
solve awari --stones 12
games awari awari level=2 level=3 --games 100 --random-plies 6
marks awari awari --db "$dir/awari.db" --last 40
if [ $# -gt 0 ]; then
	done_by shogi.txt "$dir/lab" marks shogi "$@" -q
	printf '\n== shogi\n'
	cat "$dir/shogi.txt"
fi
