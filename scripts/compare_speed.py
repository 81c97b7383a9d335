#!/usr/bin/env python3
"""Compare the speed of two builds of upstar, interleaved in one run.

    scripts/compare_speed.py OLD NEW [--rounds 7] [--seconds 1] [--only solve]

Each round runs every bench once with each program, the second round in the
other order, and so on. Printed is, for each figure, the median of both and
their ratio (above 1: the new program is faster), with the spread of the
rounds' ratios. Solving is compared by seconds, because another order of moves
needs other nodes. Run it on a machine that does nothing else.
"""

import argparse
import json
import statistics
import subprocess

BENCHES = [
    ("playouts clobber 6x6", ["games_per_second", "single_games_per_second"]),
    ("playouts othello 8x8", ["games_per_second", "single_games_per_second"]),
    ("perft clobber 6x6", ["nodes_per_second"]),
    ("perft othello 8x8", ["nodes_per_second"]),
    ("mcts clobber 6x6", ["simulations_per_second"]),
    ("mcts othello 8x8", ["simulations_per_second"]),
    ("train clobber 6x6", ["games_per_second"]),
    ("az clobber 5x6", ["evaluations_per_second", "states_per_second"]),
    ("solve clobber 5x5", ["nodes", "seconds"]),
    ("solve othello 5x6", ["nodes", "seconds"]),
]
# Figures of which less is better.
COSTS = ["nodes", "seconds"]


def measure(program: str, bench: str, seconds: float) -> dict[str, float]:
    command = [program, "bench", *bench.split(), "--json"]
    if not bench.startswith("solve"):
        command += ["--seconds", str(seconds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the speed of two builds of upstar.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--only", default="", help="benches whose names contain this")
    options = parser.parse_args()

    measured: dict[tuple[str, str], list[list[float]]] = {}
    for turn in range(options.rounds):
        for bench, figures in BENCHES:
            if options.only not in bench:
                continue
            programs = [options.old, options.new]
            order = [0, 1] if turn % 2 == 0 else [1, 0]
            lines = {which: measure(programs[which], bench, options.seconds) for which in order}
            for figure in figures:
                measured.setdefault((bench, figure), []).append(
                    [float(lines[which][figure]) for which in (0, 1)]
                )

    print(f"{'bench':22} {'figure':24} {'old':>14} {'new':>14} {'ratio':>6}  rounds")
    for (bench, figure), pairs in measured.items():
        old, new = (statistics.median(side) for side in zip(*pairs))
        power = -1 if figure in COSTS else 1
        ratios = [(after / before) ** power for before, after in pairs]
        places = 3 if figure == "seconds" else 0
        print(
            f"{bench:22} {figure:24} {old:14,.{places}f} {new:14,.{places}f} {(new / old) ** power:6.3f}"
            f"  {min(ratios):.2f}-{max(ratios):.2f}"
        )


if __name__ == "__main__":
    main()
