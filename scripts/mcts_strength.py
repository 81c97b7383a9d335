#!/usr/bin/env python3
"""Play Upstar's tree search against OpenSpiel's MCTSBot at Clobber.

    python3 scripts/mcts_strength.py [--upstar PATH] [--agent mcts:1000] [--simulations 1000]
                                     [--boards 6x6,8x8] [--games 200] [--solve] [--seed 1]

Needs `pip install open_spiel` and `cargo build --release`. Games come in pairs with exchanged
colours, each pair after two random plies of its own. Both search with so many simulations a move;
OpenSpiel's exploration is chosen so that its formula, mean + uct_c * sqrt(ln N / n) with results from
-1 to 1, is Upstar's with results from 0 to 1: uct_c = 2 * sqrt(2) * c with c = 1/sqrt(2). Moves go to
`upstar engine`, which speaks JSON lines. The table shows the share of points of Upstar's agent, with
the standard error from pairs.

OpenSpiel numbers the rows of Clobber from the bottom, lets `o` begin, and has it on a1. Exchanging the
stones and reversing the order of the rows makes that Upstar's board; the names of cells carry over.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess

DEFAULT_UPSTAR = pathlib.Path(__file__).resolve().parent.parent / "target/release/upstar"


class Engine:
    """Upstar by JSON lines."""

    def __init__(self, path, seed):
        command = [str(path), "engine", "--seed", str(seed)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps({"id": 1, **request}) + "\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                raise SystemExit(answer["error"])
            if "progress" not in answer:
                return answer

    def choose(self, board, moves, agent):
        self.ask(command="position", game="clobber", position=board, moves=moves)
        return self.ask(command="choose", agent=agent)["move"]


def play(pyspiel, game, board, engine, agent, bot, opening, ours_first):
    """Plays one game; the moves by name, and whether Upstar won."""
    state = game.new_initial_state()
    names = []
    player = 0
    while not state.is_terminal():
        legal = {state.action_to_string(player, a): a for a in state.legal_actions()}
        if len(names) < len(opening):
            name = opening[len(names)]
        elif (player == 0) == ours_first:
            name = engine.choose(board, names, agent)
        else:
            name = state.action_to_string(player, bot.step(state))
        state.apply_action(legal[name])
        names.append(name)
        player = 1 - player
    return (state.returns()[0] > 0) == ours_first


def openings(game, plies, generator):
    state = game.new_initial_state()
    names = []
    for ply in range(plies):
        action = generator.choice(state.legal_actions())
        names.append(state.action_to_string(ply % 2, action))
        state.apply_action(action)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--upstar", default=DEFAULT_UPSTAR, type=pathlib.Path)
    parser.add_argument("--agent", default="mcts:1000")
    parser.add_argument("--simulations", default=1000, type=int)
    parser.add_argument("--boards", default="6x6,8x8")
    parser.add_argument("--games", default=200, type=int)
    parser.add_argument("--solve", action="store_true", help="OpenSpiel backs proved results up too")
    parser.add_argument("--seed", default=1, type=int)
    arguments = parser.parse_args()
    import pyspiel

    for board in arguments.boards.split(","):
        rows, cols = board.split("x")
        game = pyspiel.load_game(f"clobber(rows={rows},columns={cols})")
        evaluator = pyspiel.RandomRolloutEvaluator(1, arguments.seed)
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(
            game, evaluator, 2.0, arguments.simulations, 1000, arguments.solve,
            arguments.seed, False, policy,
        )
        engine = Engine(arguments.upstar, arguments.seed)
        generator = random.Random(arguments.seed)
        pairs = []
        for _ in range(arguments.games // 2):
            opening = openings(game, 2, generator)
            won = [
                play(pyspiel, game, board, engine, arguments.agent, bot, opening, first)
                for first in (True, False)
            ]
            pairs.append(sum(won) / 2)
        mean = sum(pairs) / len(pairs)
        spread = sum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1)
        error = math.sqrt(spread / len(pairs))
        opponent = "MCTS+Solver" if arguments.solve else "MCTS"
        print(
            f"{board}: {arguments.agent} {100 * mean:.1f} ± {100 * error:.1f} % against OpenSpiel's "
            f"{opponent} with {arguments.simulations} simulations, {2 * len(pairs)} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
