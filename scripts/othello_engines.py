#!/usr/bin/env python3
"""Plays Othello 8x8 between two GTP programs and counts points, Elo and the processor time of both.

    scripts/othello_engines.py "target/release/upstar gtp othello 8x8 --agent ab:9" "/usr/games/gtp-rhino -l 5" --games 100

Each random opening is played twice with colours swapped. Moves are checked against the rules, which are written here
once more, so neither program is trusted. Rows are counted from the top, as Edax, Egaroucid, GRhino and `upstar gtp` do
for Othello. Forced passes are sent only to programs that take them (GRhino does not). Processor time is read from
/proc: it is the same on a busy machine, which times by the clock are not. Needs only the standard library, and Linux.
"""

import argparse
import math
import os
import random
import shlex
import subprocess

COLUMNS = "abcdefgh"
NEAR = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col]


class Board:
    """Discs of both sides as sets of (row, column); Black begins."""

    def __init__(self):
        self.discs = [{(3, 4), (4, 3)}, {(3, 3), (4, 4)}]
        self.side = 0

    def turned(self, cell):
        own, other = self.discs[self.side], self.discs[1 - self.side]
        if cell in own or cell in other:
            return set()
        all_turned = set()
        for down, right in NEAR:
            line, (row, col) = [], (cell[0] + down, cell[1] + right)
            while (row, col) in other:
                line.append((row, col))
                row, col = row + down, col + right
            if (row, col) in own:
                all_turned.update(line)
        return all_turned

    def moves(self):
        return [(r, c) for r in range(8) for c in range(8) if self.turned((r, c))]

    def play(self, cell):
        turned = self.turned(cell)
        assert turned, f"{name(cell)} is not legal"
        self.discs[self.side] |= turned | {cell}
        self.discs[1 - self.side] -= turned
        self.side = 1 - self.side

    def lead(self):
        """Discs of Black less those of White, empty cells to the winner."""
        black, white = map(len, self.discs)
        empty = 64 - black - white
        return black - white + (empty if black > white else -empty if white > black else 0)


def name(cell):
    return COLUMNS[cell[1]] + str(cell[0] + 1)


class Engine:
    def __init__(self, command):
        self.command = command
        self.program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.takes_passes = "rhino" not in self.ask("name").lower()
        self.moves = 0

    def ask(self, command):
        self.program.stdin.write(command + "\n")
        self.program.stdin.flush()
        lines = []
        while True:
            line = self.program.stdout.readline()
            if not line:
                raise SystemExit(f"{self.command} ended after '{command}'")
            if line.strip():
                lines.append(line.strip())
            elif lines:
                break
        if lines[0].startswith("?"):
            raise SystemExit(f"{self.command} refused '{command}': {lines[0]}")
        return "\n".join(lines).lstrip("= ")

    def seconds(self):
        """Processor time so far, of all its threads."""
        with open(f"/proc/{self.program.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def opening(plies, generator):
    """A line of random moves after which the game goes on."""
    while True:
        board, line = Board(), []
        for _ in range(plies):
            moves = board.moves()
            if not moves:
                break
            line.append(generator.choice(moves))
            board.play(line[-1])
        if len(line) == plies and board.moves():
            return line


def play(engines, line):
    """One game; the first engine is Black. Returns Black's lead."""
    for engine in engines:
        engine.ask("boardsize 8")
        engine.ask("clear_board")
    board, passes, number = Board(), 0, 0
    while passes < 2:
        color = "bw"[board.side]
        if not board.moves():
            for engine in engines:
                if engine.takes_passes and passes == 0:
                    other = Board()
                    other.discs, other.side = board.discs, 1 - board.side
                    if other.moves():
                        engine.ask(f"play {color} pass")
            board.side, passes = 1 - board.side, passes + 1
            continue
        passes = 0
        if number < len(line):
            cell, told = line[number], engines
        else:
            engine = engines[board.side]
            answer = engine.ask(f"genmove {color}").lower()
            engine.moves += 1
            cell, told = (int(answer[1]) - 1, COLUMNS.index(answer[0])), [engines[1 - board.side]]
        for engine in told:
            engine.ask(f"play {color} {name(cell)}")
        board.play(cell)
        number += 1
    return board.lead()


def elo(share):
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share / (1 - share))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("first", help="command of the first program")
    parser.add_argument("second", help="command of the second program")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--plies", type=int, default=6, help="random moves first")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engines = [Engine(shlex.split(options.first)), Engine(shlex.split(options.second))]
    begun = [engine.seconds() for engine in engines]
    counts, pairs = [0, 0, 0], []
    generator = random.Random(options.seed)
    for _ in range(options.games // 2):
        line, pair = opening(options.plies, generator), 0.0
        for swapped in (False, True):
            lead = play(engines[::-1] if swapped else engines, line)
            lead = -lead if swapped else lead
            result = 0 if lead > 0 else 2 if lead < 0 else 1
            counts[result] += 1
            pair += 1 - result / 2
        pairs.append(pair / 2)
    share = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((pair - share) ** 2 for pair in pairs) / len(pairs) / max(1, len(pairs) - 1))
    low, high = elo(share - 1.96 * spread), elo(share + 1.96 * spread)
    print(f"{options.first}  against  {options.second}")
    print(f"won {counts[0]}, drawn {counts[1]}, lost {counts[2]}: {elo(share):+.0f} Elo ({low:+.0f} to {high:+.0f})")
    for engine, before in zip(engines, begun):
        print(f"{1000 * (engine.seconds() - before) / engine.moves:8.2f} ms of processor time a move: {engine.command[0]}")


if __name__ == "__main__":
    main()
