#!/usr/bin/env python3
"""Write positions and their legal moves as OpenSpiel sees them, in Upstar's notation.

    python3 scripts/openspiel_legal.py [--positions-per-size N] [--seed S] [--out FILE]

Needs `pip install open_spiel`. Random games are played in OpenSpiel on many sizes of Clobber and on
Othello 8x8. Each game gives one position: the first its start, the following ones later and later
plies, the last tenth their ends. A line of the output is

    GAME POSITION TO_MOVE MOVE MOVE ...       moves in Upstar's order, `pass` for a forced pass
    GAME POSITION TO_MOVE over                the game is finished

The sample that the tests read is written by the defaults:

    python3 scripts/openspiel_legal.py --out crates/games/tests/data/openspiel-legal.txt

OpenSpiel numbers the rows of Clobber from the bottom and lets `o` begin, who stands on its a1.
Exchanging the stones and reversing the order of the rows makes that Upstar's board, and the names
of cells carry over unchanged. Its Othello agrees with Upstar: row 1 on top, `x` begins.
"""

import argparse
import pathlib
import random
import re
import sys

# Up to 128 cells; OpenSpiel ends at 26 columns. 8x8 and 4x16 have 64 cells, 5x13 has one more.
CLOBBER_SIZES = [
    (1, 6), (1, 12), (1, 26), (12, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 4), (4, 5), (5, 4),
    (5, 5), (5, 6), (6, 6), (7, 7), (8, 8), (9, 9), (10, 10), (2, 20), (20, 2), (2, 26), (3, 12),
    (4, 16), (5, 13), (8, 11), (11, 11), (12, 10), (8, 16), (16, 8), (42, 3),
]  # fmt: skip
DIRECTIONS = [(-1, 0), (0, -1), (1, 0), (0, 1)]  # up, left, down, right
PASS = 64


def clobber_start_text(rows, cols):
    """Upstar's start position: `x` where row + column is even, row 1 on top."""
    return "|".join("".join("xo"[(r + c) % 2] for c in range(cols)) for r in range(rows))


def clobber_start(pyspiel, rows, cols):
    """OpenSpiel's start state. It cannot play on a single row or column, so such a board becomes
    the lowest row or the left column of a board of two, whose other half is empty."""
    height, width = max(rows, 2), max(cols, 2)
    game = pyspiel.load_game(f"clobber(rows={height},columns={width})")
    if (rows, cols) == (height, width):
        return game.new_initial_state()
    upstar = [row.ljust(width, ".") for row in clobber_start_text(rows, cols).split("|")]
    upstar += ["." * width] * (height - rows)
    return game.new_initial_state("0" + exchange("".join(reversed(upstar))))


def exchange(stones):
    return stones.translate(str.maketrans("xo", "ox"))


def clobber_position(state, rows, cols):
    """OpenSpiel prints the highest row first, each after its number, then the column letters."""
    height, width = max(rows, 2), max(cols, 2)
    printed = [row[-width:] for row in str(state).splitlines()[height - rows : height]]
    return "|".join(exchange(row[:cols]) for row in reversed(printed))


def clobber_moves(state, position, mover):
    grid = position.split("|")

    def order(move):
        from_col, from_row, to_col, to_row = re.fullmatch(r"(\D)(\d+)(\D)(\d+)", move).groups()
        row, col = int(from_row) - 1, ord(from_col) - ord("a")
        to_row, to_col = int(to_row) - 1, ord(to_col) - ord("a")
        assert grid[row][col] == mover and grid[to_row][to_col] == exchange(mover), (position, move)
        return row, col, DIRECTIONS.index((to_row - row, to_col - col))

    return sorted((state.action_to_string(action) for action in state.legal_actions()), key=order)


def othello_position(state):
    """OpenSpiel prints `1 - - - o x - - - 1` for a row, with a line of letters above and below."""
    rows = [row.split()[1:-1] for row in str(state).splitlines() if row[0].isdigit()]
    return "|".join("".join(row).replace("-", ".") for row in rows)


def othello_moves(state):
    actions = sorted(state.legal_actions())  # cell ids count row by row from a1
    names = ["pass" if a == PASS else "abcdefgh"[a % 8] + str(a // 8 + 1) for a in actions]
    assert names == [state.action_to_string(action) for action in actions], names
    return names


def random_game(start, rng):
    """All states of one random game, from the start to the end."""
    states = [start]
    while not states[-1].is_terminal():
        states.append(states[-1].child(rng.choice(states[-1].legal_actions())))
    return states


def line(game, states, ply, rows=8, cols=8):
    """The line for the state after `ply` moves; passes count, so the sides always alternate."""
    state, mover = states[ply], "xo"[ply % 2]
    assert state.is_terminal() or state.current_player() == ply % 2
    if game == "clobber":
        position = clobber_position(state, rows, cols)
        moves = clobber_moves(state, position, mover)
    else:
        position = othello_position(state)
        moves = othello_moves(state)
    assert state.is_terminal() == (not moves), str(state)
    return " ".join([game, position, mover, *(moves or ["over"])])


def spread(count, games):
    """One ply from each of `count` games: the start, evenly onward, ends from the last tenth."""
    for i in range(count):
        states = next(games)
        yield states, min(len(states) - 1, round(i / max(1, 0.9 * (count - 1)) * (len(states) - 1)))


def clobber_lines(pyspiel, rows, cols, count, seed):
    rng = random.Random(f"clobber {rows}x{cols} {seed}")
    start = clobber_start(pyspiel, rows, cols)
    assert clobber_position(start, rows, cols) == clobber_start_text(rows, cols), str(start)
    games = iter(lambda: random_game(start, rng), None)
    return [line("clobber", states, ply, rows, cols) for states, ply in spread(count, games)]


def othello_lines(pyspiel, count, seed):
    """Three times `count` positions over all plies, then `count` forced passes and half as many
    games that ended with empty cells, each from a game of its own."""
    rng = random.Random(f"othello {seed}")
    start = pyspiel.load_game("othello").new_initial_state()
    assert othello_position(start).split("|")[3:5] == ["...ox...", "...xo..."], str(start)
    games = iter(lambda: random_game(start, rng), None)
    lines = [line("othello", states, ply) for states, ply in spread(3 * count, games)]
    passes, ends = [], []
    while len(passes) < count or len(ends) < count // 2:
        states = next(games)
        plies = [i for i, s in enumerate(states) if s.legal_actions() == [PASS]]
        if plies and len(passes) < count:
            passes.append(line("othello", states, rng.choice(plies)))
        elif len(ends) < count // 2 and "." in othello_position(states[-1]):
            ends.append(line("othello", states, len(states) - 1))
    return lines + passes + ends


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions-per-size", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--out", metavar="FILE", help="standard output if not given")
    args = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        sys.exit("openspiel_legal: the module pyspiel is missing; pip install open_spiel")

    count, seed = args.positions_per_size, args.seed
    lines = [
        "# Positions and their legal moves by OpenSpiel, in Upstar's notation and order of moves:",
        "# GAME POSITION TO_MOVE MOVE MOVE ..., or `over` for the moves of a finished game.",
        f"# OpenSpiel {pyspiel.__version__}, seed {seed}, {count} positions per size, none twice.",
        "# Written by scripts/openspiel_legal.py.",
    ]
    for rows, cols in CLOBBER_SIZES:
        lines += clobber_lines(pyspiel, rows, cols, count, seed)
    lines += othello_lines(pyspiel, count, seed)
    text = "\n".join(dict.fromkeys(lines)) + "\n"
    if args.out:
        pathlib.Path(args.out).write_text(text, encoding="ascii", newline="\n")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
