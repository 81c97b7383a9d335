#!/bin/sh
# How strong `best` is on Clobber: docs/agents.md, "How strong best is". Usage:
#     scripts/measure_best.sh [UPSTAR] > best.txt
# The numbers of games and positions are small; GAMES and POSITIONS multiply them by ten, say.
set -eu
upstar=${1:-upstar}
games=${GAMES:-40}
positions=${POSITIONS:-200}

run() {
    echo "\$ upstar $*"
    "$upstar" "$@"
    echo
}

# Mistakes that the solver proves, in its own games from random openings and in random games.
for size in 4x5 5x5 5x6; do
    run grade clobber $size best --positions "$positions" --openings 4 --threads 1 --mistakes
done
# Games begin with 28 stones.
run grade clobber 6x6 best --positions "$positions" --openings 8 --nodes 20000000 --threads 1 --mistakes
# 200 simulations against a thousand times as many.
for size in 8x8 10x10; do
    run match clobber $size best:sims=200,nodes=20000 mcts:200000 --games "$games" --swap --openings 4 --threads 1
done
# Equal time: one thread each, and two against one.
for size in 8x8 10x10; do
    run match clobber $size best:500ms,threads=1 az:default,time=500ms --games "$games" --swap --openings 4 --threads 1
    run match clobber $size best:500ms az:default,time=500ms --games "$games" --swap --openings 4 --threads 1
    run match clobber $size best:500ms,threads=1 az:default,sims=200 --games "$games" --swap --openings 4 --threads 1
done
