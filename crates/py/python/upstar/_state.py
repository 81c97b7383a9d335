"""What pickles of states call."""

from upstar._upstar import Game, State


def replay(game: Game, moves: list[str]) -> State:
    """The position after these moves."""
    return game.start().play(*moves)
