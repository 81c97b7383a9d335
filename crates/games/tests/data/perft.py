#!/usr/bin/env python3
"""Count lines of play with rules written for reading, not for speed: dictionaries of letters.

    python3 perft.py GAME POSITION DEPTH...

prints lines of perft.csv. GAME is clobber, clobber:cannibal, clobber:solitaire, clobber:colors=N,
othello, othello:anti, othello:parallel or othello:reversi; POSITION is a size (the game's own
start), rows joined by bars, or a graph like 'a=x b=o a-b'. Black is to move. A pass is a ply, and a
finished game counts as one line at every greater depth.
"""

import sys

LETTERS = "xotsdp"


def start_text(game, rows, cols):
    if game.startswith("clobber"):
        colors = int(game.partition("=")[2] or 2)
        return "|".join(
            "".join(LETTERS[(r + c) % colors] for c in range(cols)) for r in range(rows)
        )
    square = {"othello": "oxxo", "othello:anti": "xoox", "othello:parallel": "ooxx"}.get(game)
    board = [["."] * cols for _ in range(rows)]
    if square:
        top, left = rows // 2, cols // 2  # counted from 1
        for letter, (r, c) in zip(square, [(0, 0), (0, 1), (1, 0), (1, 1)]):
            board[top + r - 1][left + c - 1] = letter
    return "|".join("".join(row) for row in board)


def read(game, text):
    """Stones by place, neighbours by place, and the size of a grid."""
    if "=" in text:
        words = text.split()
        stones = dict(word.split("=") for word in words if "=" in word)
        joined = [word.split("-") for word in words if "=" not in word]
        near = {v: [b if a == v else a for a, b in joined if v in (a, b)] for v in stones}
        return stones, near, None
    if text[0].isdigit():
        text = start_text(game, *map(int, text.split("x")))
    rows = text.split("|")
    stones = {
        (r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "#"
    }
    near = {
        (r, c): [p for p in [(r - 1, c), (r, c - 1), (r + 1, c), (r, c + 1)] if p in stones]
        for r, c in stones
    }
    return stones, near, (len(rows), len(rows[0]))


def clobber_options(game, near):
    """A position is the stones and the letter to move; its options are the positions after it."""
    players = LETTERS[: int(game.partition("=")[2] or 2)]
    cannibal = game == "clobber:cannibal"

    def moves(stones, mover):
        for place, letter in stones.items():
            if letter == mover:
                for other in near[place]:
                    if stones[other] != "." and (cannibal or stones[other] != mover):
                        yield place, other

    def options(position):
        stones, mover = position
        for place, other in moves(stones, mover):
            after = {**stones, place: ".", other: mover}
            index = players.index(mover)
            turns = players[index + 1 :] + players[: index + 1]
            if len(players) == 2:
                yield after, turns[0]
            else:
                able = [letter for letter in turns if any(moves(after, letter))]
                yield after, (able or turns)[0]

    return options


def othello_options(size):
    """A position is the stones, the letter to move, and the discs in hand (None in Othello)."""
    top, left = size[0] // 2 - 1, size[1] // 2 - 1
    square = [(top + r, left + c) for r in (0, 1) for c in (0, 1)]
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]

    def turned(stones, mover, place):
        found = []
        for down, right in steps:
            line = []
            r, c = place[0] + down, place[1] + right
            while stones.get((r, c), ".") not in (".", mover):
                line.append((r, c))
                r, c = r + down, c + right
            if stones.get((r, c)) == mover:
                found += line
        return found

    def placements(stones, mover, hands):
        if hands and hands[mover] == 0:
            return {}
        open_square = [place for place in square if stones.get(place) == "."]
        if hands and open_square:
            return {place: [] for place in open_square}
        found = {p: turned(stones, mover, p) for p, letter in stones.items() if letter == "."}
        return {place: discs for place, discs in found.items() if discs}

    def options(position):
        stones, mover, hands = position
        other = "o" if mover == "x" else "x"
        mine = placements(stones, mover, hands)
        for place, discs in mine.items():
            after = {**stones, place: mover, **{disc: mover for disc in discs}}
            yield after, other, hands and {**hands, mover: hands[mover] - 1}
        if not mine and placements(stones, other, hands):
            yield stones, other, hands

    return options


def count(options, position, depth):
    if depth == 0:
        return 1
    return sum(count(options, after, depth - 1) for after in options(position)) or 1


def main():
    game, text, *depths = sys.argv[1:]
    stones, near, size = read(game, text)
    if game.startswith("clobber"):
        options, position = clobber_options(game, near), (stones, "x")
    else:
        hands = None
        if game == "othello:reversi":
            placed = sum(letter != "." for letter in stones.values())
            black = -(-len(stones) // 2) - -(-placed // 2)
            hands = {"x": black, "o": len(stones) - placed - black}
        options, position = othello_options(size), (stones, "x", hands)
    for depth in map(int, depths):
        print(f"{game},{text},{depth},{count(options, position, depth)}")


main()
