"""Measures OpenSpiel: random games, or simulations of tree search, a CPU second of one thread; or only its version.

Both are OpenSpiel's own C++: the rollouts of its evaluator, and MCTSBot with proved results backed up, 10,000
simulations a search of the start position, as `upstar bench playouts` and `upstar bench mcts` have them.
"""

import sys
import time

import pyspiel

SIMULATIONS = 10_000


def load(name, size):
    rows, cols = size.split("x")
    return pyspiel.load_game("othello" if name == "othello" else f"clobber(rows={rows},columns={cols})")


def rollouts(game, count, seed):
    """Seconds of CPU time for `count` random games: a search of one simulation evaluates its root and nothing else."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 42, False, pyspiel.ChildSelectionPolicy.UCT)
    start, before = game.new_initial_state(), time.process_time()
    bot.mcts_search(start)
    return time.process_time() - before


def playouts(game, seconds):
    count = 16
    while (used := rollouts(game, count, 1)) < min(0.05, seconds):
        count *= 2
    count = max(1, round(count * seconds / used))
    return count / rollouts(game, count, 2)


def mcts(game, seconds):
    searches, start, before = 0, game.new_initial_state(), time.process_time()
    while (used := time.process_time() - before) < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(1, searches + 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, SIMULATIONS, 256, True, 1, False)
        bot.mcts_search(start)
        searches += 1
    return searches * SIMULATIONS / used


if len(sys.argv) == 1:
    print(pyspiel.__version__)
else:
    work, name, size, seconds = sys.argv[1:]
    print({"playouts": playouts, "mcts": mcts}[work](load(name, size), float(seconds)))
