#!/bin/sh
# Learns the order of moves for Clobber from scratch: three files of weights in the folder given, one for
# single rows, one for two rows, one for all other boards. Takes some minutes. Needs `upstar` on the path.
set -eu
out=${1:?a folder for the weights}
mkdir -p "$out"
learn() { # FILE BOARD…
    file=$1
    shift
    for board in "$@"; do upstar solve clobber "$board" --learn "$file" >/dev/null; done
}
show() { # FILE BOARD…
    file=$1
    shift
    for board in "$@"; do
        printf '%s %s ' "$file" "$board"
        upstar solve clobber "$board" --weights "$file" | tail -n 1
    done
}

row="$out/clobber-1-row.weights"
for _ in 1 2 3 4; do learn "$row" 1x34 1x36 1x38 1x40 1x42 1x44 1x46 1x48; done
learn "$row" 1x50 1x56
for _ in 1 2; do learn "$row" 1x40 1x44 1x48 1x50 1x52 1x54 1x56; done
learn "$row" 1x56 1x58 1x60
show "$row" 1x50 1x56 1x60

two="$out/clobber-2-rows.weights"
for _ in 1 2 3; do learn "$two" 2x12 2x13 2x14 2x15 2x16 2x17; done
learn "$two" 2x18
show "$two" 2x15 2x17

all="$out/clobber.weights"
for _ in 1 2 3; do learn "$all" 4x6 5x5 3x8 4x7 3x9; done
learn "$all" 3x10 5x6 4x7 4x6 5x5 3x8 3x9
show "$all" 4x6 5x5 4x7 3x10
