"""OpenSpiel both ways: its states as ours, our agents as its bots.

>>> import pyspiel
>>> from upstar.openspiel import Bot, from_openspiel
>>> game = pyspiel.load_game("clobber(rows=4,columns=5)")
>>> from_openspiel(game.new_initial_state()).solve().winner
'x'
>>> Bot("mcts:100").step(game.new_initial_state()) in game.new_initial_state().legal_actions()
True
"""

import pyspiel

from upstar._upstar import Agent, Game, State


def game_of(game: "pyspiel.Game") -> Game:
    """Our game for one of OpenSpiel's: Clobber of any size, or Othello.

    OpenSpiel's first player has the stones `o` in Clobber, one of them in the lower left corner, ours `x`; the numbers
    of moves are the same.
    """
    kind, parameters = game.get_type().short_name, game.get_parameters()
    if kind == "clobber":
        rows, columns = parameters["rows"], parameters["columns"]
        stones = [("xo" * columns)[(rows - row + 1) % 2 :][:columns] for row in range(rows)]
        return Game("clobber", "|".join(stones))
    if kind == "othello":
        return Game("othello", "8x8")
    raise ValueError(f"Upstar plays clobber and othello, not {kind}")


def from_openspiel(state: "pyspiel.State") -> State:
    """The same position of ours, with the same moves behind it."""
    return game_of(state.get_game()).start().play(*state.history())


class Bot(pyspiel.Bot):
    """An agent of ours that plays OpenSpiel's games."""

    def __init__(self, spec: str, seed: int = 1) -> None:
        pyspiel.Bot.__init__(self)
        self._agent = Agent(spec)
        self._seed = seed
        self._turn = 0

    def step(self, state: "pyspiel.State") -> int:
        """The number of the move that it chooses."""
        self._turn += 1
        seed = self._seed * 1_000_003 + self._turn
        return self._agent.choose(from_openspiel(state), seed=seed).action

    def restart_at(self, state: "pyspiel.State") -> None:
        """Nothing is remembered from one move to the next."""
