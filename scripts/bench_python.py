#!/usr/bin/env python3
"""The speed of the Python package, beside the program's and OpenSpiel's.

    scripts/bench_python.py [UPSTAR]

UPSTAR is the program [upstar]; OpenSpiel and PyTorch are compared with where they are installed. By processor time,
each figure the median of five, both sides in turns.
"""

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import upstar as up


def median(work: Callable[[], object], rounds: int = 5) -> float:
    """The median of the processor times."""
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return statistics.median(times)


def flat(batch: up.Batch) -> tuple[np.ndarray, np.ndarray]:
    """A network that takes no time."""
    return np.zeros(batch.mask.shape, np.float32), np.zeros(len(batch), np.float32)


def playouts(program: str) -> None:
    words = [program, "bench", "playouts", "clobber", "6x6", "--seconds", "1", "--json"]
    state = up.Game("clobber", "6x6").start()
    batch, single, ours, array = [], [], [], []
    for _ in range(5):
        told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        batch.append(1e6 / told["games_per_second"])
        single.append(1e6 / told["single_games_per_second"])
        ours.append(median(lambda: up.tally(state, 1_000_000), 3))
        array.append(median(lambda: up.playouts(state, 1_000_000), 3))
    for name, program_time, package in [
        ("tally", statistics.median(batch), statistics.median(ours)),
        ("playouts", statistics.median(single), statistics.median(array)),
    ]:
        print(f"1 million random games, {name}: program {program_time:.3f} s, Python {package:.3f} s, "
              f"{package / program_time:.2f}")


def encode() -> None:
    states = [up.Game("clobber", "6x6").start()] * 10_000
    seconds = median(lambda: up.encode(states))
    print(f"encode: {36 * len(states) / seconds / 1e6:.0f} million cells a second")


def search() -> None:
    state = up.Game("clobber", "6x6").start()
    player = up.Puct(flat, sims=50_000)
    seconds = median(lambda: player.search(state))
    print(f"Puct with a network that takes no time: {50_000 / seconds:,.0f} simulations a second")


def solve_many() -> None:
    try:
        import pyspiel
    except ImportError:
        return
    generator = random.Random(1)
    game = pyspiel.load_game("clobber(rows=3,columns=4)")
    theirs = []
    while len(theirs) < 10_000:
        state = game.new_initial_state()
        for _ in range(generator.randrange(1, 4)):
            if not state.is_terminal():
                state.apply_action(generator.choice(state.legal_actions()))
        theirs.append(state)
    from upstar.openspiel import from_openspiel

    ours = [from_openspiel(state) for state in theirs]

    def wins(state: "pyspiel.State") -> bool:
        return any(not wins(state.child(action)) for action in state.legal_actions())

    def by_search() -> list[bool]:
        return [wins(state) for state in theirs]

    def by_solver() -> list[bool]:
        return [answer.winner == state.side_to_move
                for answer, state in zip(up.solve_many(ours), ours)]

    assert by_search() == by_solver()
    slow, fast = median(by_search, 3), median(by_solver, 3)
    print(f"10,000 positions: OpenSpiel in Python {slow:.2f} s, solve_many {fast:.3f} s, {slow / fast:.0f} times")


def torch_share() -> None:
    try:
        from upstar.torch import to_torch
    except (ImportError, ValueError):
        return
    design = {"game": "clobber", "model": "resnet", "planes": "free", "width": 64, "depth": 6}
    evaluate = to_torch(up.Network.random(design)).evaluator()
    inside = 0.0

    def timed(batch: up.Batch) -> tuple[np.ndarray, np.ndarray]:
        nonlocal inside
        begun = time.perf_counter()
        judged = evaluate(batch)
        inside += time.perf_counter() - begun
        return judged

    player = up.Puct(timed, sims=2000, planes="free")
    begun = time.perf_counter()
    player.search(up.Game("clobber", "6x6").start())
    whole = time.perf_counter() - begun
    print(f"PyTorch 64x6: {2000 / whole:,.0f} simulations a second, {100 * (1 - inside / whole):.1f} % outside the network")


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else "upstar"
    playouts(program)
    encode()
    search()
    solve_many()
    torch_share()
