#!/usr/bin/env python3
"""Compare the speed of random games, or of tree search, in Upstar and in OpenSpiel.

    python3 scripts/compare_openspiel.py [--mcts] [--upstar PATH] [--seconds S] [--repeats R] [--markdown]

Needs `pip install open_spiel` and `cargo build --release`. Both programs play uniformly random
games from the start position to the end on one thread. OpenSpiel does so in C++, in the rollouts
of RandomRolloutEvaluator; Upstar in `upstar bench playouts`, one game at a time and in batch. With
--mcts both search the start position, 10,000 simulations at a time with proved results backed up:
OpenSpiel's C++ MCTSBot, and `upstar bench mcts`, also with two threads. One thread is timed by CPU
time, two by the clock. The programs take turns, R times per board for about S seconds each, and the
table shows the best of each, the measurement that other programs on the machine disturbed least.
"""

import argparse
import datetime
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import time

BOARDS = [
    ("clobber", "4x4"),
    ("clobber", "5x5"),
    ("clobber", "6x6"),
    ("clobber", "8x8"),
    ("clobber", "10x10"),
    ("othello", "8x8"),
]
PLAYOUTS = ["board", "OpenSpiel/s", "Upstar single/s", "ratio", "Upstar batch/s", "ratio"]
MCTS = ["board", "OpenSpiel/s", "Upstar/s", "ratio", "lowest ratio", "two threads/one"]
SIMULATIONS = 10_000
DEFAULT_UPSTAR = pathlib.Path(__file__).resolve().parent.parent / "target/release/upstar"


def openspiel_rollouts(pyspiel, game, rollouts, seed):
    """Seconds of CPU time for `rollouts` random games.

    A search of a single simulation does nothing but evaluate its root, which the evaluator does
    with all its rollouts inside one call to C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    policy = pyspiel.ChildSelectionPolicy.UCT
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 42, False, policy)
    start = game.new_initial_state()
    before = time.process_time()
    bot.mcts_search(start)
    return time.process_time() - before


def openspiel_game(pyspiel, name, size):
    if name == "othello":
        return pyspiel.load_game("othello")
    rows, cols = size.split("x")
    return pyspiel.load_game(f"clobber(rows={rows},columns={cols})")


def rollouts_for(pyspiel, game, seconds):
    """How many rollouts take about `seconds`, found by doubling until the clock can tell."""
    rollouts = 16
    while (used := openspiel_rollouts(pyspiel, game, rollouts, 1)) < min(0.05, seconds):
        rollouts *= 2
    return max(1, round(rollouts * seconds / used))


def openspiel_searches(pyspiel, game, seconds, seed):
    """Simulations per CPU second of searches from the start position."""
    searches, start, before = 0, game.new_initial_state(), time.process_time()
    while (used := time.process_time() - before) < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed + searches)
        bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, SIMULATIONS, 256, True, seed, False)
        bot.mcts_search(start)
        searches += 1
    return searches * SIMULATIONS / used


def upstar_bench(upstar, what, name, size, seconds, threads, keys):
    """The values of these keys in what `upstar bench` measures."""
    command = [upstar, "bench", what, name, size]
    command += ["--seconds", str(seconds), "--threads", str(threads), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"compare_openspiel: {' '.join(command)} failed:\n{done.stderr.strip()}")
    try:
        result = json.loads(done.stdout.splitlines()[-1])
        return [result[key] for key in keys]
    except (IndexError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"compare_openspiel: {' '.join(command)} answered {done.stdout!r}: {error!r}")


def upstar_playouts(upstar, name, size, seconds):
    """Games per second, one at a time and in batch."""
    keys = ["single_games_per_second", "games_per_second"]
    return upstar_bench(upstar, "playouts", name, size, seconds, 1, keys)


def measure_mcts(pyspiel, upstar, name, size, seconds, repeats):
    """One row of the table of searches."""
    game = openspiel_game(pyspiel, name, size)
    openspiel, one, two = [], [], []
    for repeat in range(repeats):
        print(f"{name} {size}: {repeat + 1} of {repeats}", file=sys.stderr)
        openspiel.append(openspiel_searches(pyspiel, game, seconds, repeat + 1))
        for threads, rates in ((1, one), (2, two)):
            keys = ["simulations_per_second"]
            rates += upstar_bench(upstar, "mcts", name, size, seconds, threads, keys)
    lowest = min(ours / theirs for ours, theirs in zip(one, openspiel))
    row = [f"{name} {size}", f"{max(openspiel):,.0f}", f"{max(one):,.0f}"]
    return row + [f"{max(one) / max(openspiel):.1f}", f"{lowest:.1f}", f"{max(two) / max(one):.2f}"]


def measure(pyspiel, upstar, name, size, seconds, repeats):
    """One row of the table: board, then rates and their ratios to OpenSpiel's."""
    game = openspiel_game(pyspiel, name, size)
    rollouts = rollouts_for(pyspiel, game, seconds)
    openspiel, single, batch = [], [], []
    for repeat in range(repeats):
        print(f"{name} {size}: {repeat + 1} of {repeats}", file=sys.stderr)
        openspiel.append(rollouts / openspiel_rollouts(pyspiel, game, rollouts, repeat + 1))
        one, many = upstar_playouts(upstar, name, size, seconds)
        single.append(one)
        batch.append(many)
    base, one, many = map(max, (openspiel, single, batch))
    row = [f"{name} {size}", f"{base:,.0f}"]
    return row + [f"{one:,.0f}", f"{one / base:.1f}", f"{many:,.0f}", f"{many / base:.1f}"]


def table(header, rows, markdown):
    """The first column flush left, the others flush right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    lines = [header, rule, *rows] if markdown else [header, *rows]
    left, between, right = ("| ", " | ", " |") if markdown else ("", "  ", "")
    padded = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in lines]
    return "\n".join(left + between.join(row) + right for row in padded)


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mcts", action="store_true", help="tree search, not random games")
    parser.add_argument("--upstar", default=str(DEFAULT_UPSTAR), metavar="PATH",
                        help="the program to measure; default target/release/upstar")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="per measurement")
    parser.add_argument("--repeats", type=int, default=5, metavar="R")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    args = parser.parse_args()
    if args.seconds <= 0 or args.repeats < 1:
        parser.error("--seconds must be above 0 and --repeats at least 1")
    upstar = shutil.which(args.upstar)
    if upstar is None:
        sys.exit(f"compare_openspiel: no program at {args.upstar}; run cargo build --release")
    try:
        import pyspiel
    except ImportError:
        sys.exit("compare_openspiel: the module pyspiel is missing; pip install open_spiel")

    row = measure_mcts if args.mcts else measure
    rows = [row(pyspiel, upstar, *board, args.seconds, args.repeats) for board in BOARDS]
    print(f"{processor()}, {datetime.date.today()}, one thread, OpenSpiel {pyspiel.__version__}")
    what = (
        f"Simulations per second of searches of {SIMULATIONS:,}: OpenSpiel's C++ MCTSBot and\n"
        "Upstar, both with proved results backed up and by CPU time; two threads by the clock.\n"
        if args.mcts
        else "Random games per second from the start position: OpenSpiel's C++ rollouts by CPU time,\n"
        "Upstar one game at a time (single) and many at once (batch), by CPU time.\n"
    )
    print(
        f"{what}Best of {args.repeats} interleaved measurements of about {args.seconds:g} s;"
        " ratio is Upstar to OpenSpiel.\n"
    )
    print(table(MCTS if args.mcts else PLAYOUTS, rows, args.markdown))


if __name__ == "__main__":
    main()
