#!/bin/sh
# Makes the weights that a game ships with again, games/GAME/weights.bin, from self-play alone:
#
#	games/weights.sh shogi|dobutsu|connect4|checkers|awari|gomoku
#
# docs/learning.md says how long it takes. The weights come out the same as long as the search does.
set -eu
game=${1:?want a game}
cd "$(dirname "$0")/.."
target=$PWD/games/$game/weights.bin
[ -f "$target" ] || { echo "$game: want a game that has weights: shogi, dobutsu, connect4, checkers, awari or gomoku" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/yomikiri" ./cmd/yomikiri
cd "$work"
round() { ./yomikiri train "$game" "$@"; }
case $game in
shogi)
	round --from made --self-play 3000 --out 1.w
	round --from 1.w --self-play 20000 --nodes 300 --seed 2 --random-plies 6 --records 1.w.games --out 2.w
	round --from 2.w --self-play 20000 --nodes 300 --seed 3 --random-plies 6 --scores 0.8 --l1 15 --records 1.w.games,2.w.games --out last.w
	;;
dobutsu)
	round --from made --self-play 6000 --nodes 500 --l1 5 --out 1.w
	round --from 1.w --self-play 6000 --nodes 500 --seed 2 --l1 5 --records 1.w.games --out last.w
	;;
connect4) round --from made --self-play 8000 --nodes 300 --l1 2 --epochs 20 --out last.w ;;
checkers)
	round --from made --self-play 4000 --nodes 200 --plies 250 --scores 0.8 --l1 3 --epochs 15 --out 1.w
	round --from 1.w --self-play 4000 --nodes 200 --plies 250 --seed 2 --scores 0.8 --l1 3 --epochs 15 --records 1.w.games --out last.w
	;;
awari) round --from made --self-play 2000 --nodes 500 --l1 2 --out last.w ;;
gomoku) round --from made --self-play 1500 --random-plies 4 --out last.w ;;
esac
cp last.w "$target"
