"""Matches between two players."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from upstar._progress import Tell
from upstar._upstar import Agent, Choice, Game, Puct, State, play_match


class Chooser(Protocol):
    """Anything that chooses moves by number, name or `Choice`."""

    def choose(self, state: State, *, seed: int) -> int | str | Choice: ...


Player: TypeAlias = str | Agent | Puct | Chooser | Callable[[State], int | str | Choice]
"""A specification, an agent, a search with a network of your own, or a function from a state to a move."""


@dataclass(frozen=True)
class MatchResult:
    """What came of a match, from the view of the first player, A."""

    a_wins: int
    b_wins: int
    draws: int
    black_wins: int
    white_wins: int
    games: int
    pairs: list[int] | None
    a_forfeits: int
    b_forfeits: int
    elo: float | None
    elo_error: float | None
    elo_low: float | None
    elo_high: float | None
    los: float | None
    seconds: float
    sprt: dict[str, Any] | None
    complete: bool


def match(
    game: Game,
    a: Player,
    b: Player,
    *,
    games: int = 100,
    swap: bool = True,
    openings: int = 0,
    seed: int = 2015,
    threads: int = 1,
    records: str | os.PathLike[str] | None = None,
    progress: Tell = None,
) -> MatchResult:
    """Plays A against B; with `swap` games come in pairs with exchanged colours.

    `openings` random plies come first, others in each pair. With `records` every game is added to that file, and
    games that are in it already are not played again. The same seed gives the same games for any number of
    threads.

    >>> import upstar as up
    >>> result = up.match(up.Game("clobber", "4x4"), "mc:50", "random", games=20)
    >>> result.a_wins > result.b_wins
    True
    """
    told = play_match(
        game,
        a,
        b,
        games=games,
        swap=swap,
        openings=openings,
        seed=seed,
        threads=threads,
        records=records,
        progress=progress,
    )
    return MatchResult(**told)
