"""Games that a search plays against itself, to learn from."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from upstar._upstar import Game, Puct, State


@dataclass
class PlayedGame:
    """A game of self-play: its positions, what the search said of each, and how it ended."""

    id: int
    states: list[State] = field(default_factory=list)
    """The positions in which a move was chosen."""
    policies: list[NDArray[np.float32]] = field(default_factory=list)
    """For each the share of visits of every action."""
    values: list[float] = field(default_factory=list)
    """For each the mean result that the search expects for the side to move."""
    returns: list[float] = field(default_factory=list)
    """The result for each player."""

    def targets(self) -> NDArray[np.float32]:
        """For each position the result for the side to move: what a value head learns."""
        signs = [self.returns[state.current_player()] for state in self.states]
        return np.array(signs, np.float32)


def selfplay(
    game: Game,
    player: Puct,
    *,
    ids: Iterable[int],
    seed: int = 1,
    parallel: int = 32,
    temperature: float = 1.0,
    temperature_plies: int = 10,
    noise: tuple[float, float] | None = (1.0, 0.25),
) -> Iterator[PlayedGame]:
    """Plays these games, `parallel` at a time, so that one batch has leaves of many; yields each when it ends.

    A game's moves are drawn by visits with this temperature for so many plies, then the best one is played. Each
    game has a generator of its own from the seed and its id; with the same `parallel` and batch the games repeat.
    `noise` is Dirichlet's alpha and the share of it in the priors of the root.
    """
    waiting = iter(ids)
    active: list[tuple[PlayedGame, State, random.Random]] = []
    while True:
        while len(active) < parallel and (number := next(waiting, None)) is not None:
            active.append((PlayedGame(number), game.start(), random.Random(f"{seed} {number}")))
        if not active:
            return
        found = player.search_many(
            [state for _, state, _ in active],
            noise=noise,
            seeds=[generator.getrandbits(63) for _, _, generator in active],
        )
        still = []
        for (played, state, generator), searched in zip(active, found, strict=True):
            policy = searched.policy(1.0)
            played.states.append(state)
            played.policies.append(policy)
            played.values.append(searched.value)
            action = searched.action
            if len(played.states) <= temperature_plies and temperature > 0:
                shares = searched.policy(temperature)[searched.actions]
                action = generator.choices(searched.actions, weights=shares.tolist())[0]
            after = state.child(action)
            if after.is_terminal():
                played.returns = after.returns()
                yield played
            else:
                still.append((played, after, generator))
        active = still
