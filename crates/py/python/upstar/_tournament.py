"""Tournaments in one call."""

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from upstar._progress import Tell
from upstar._run import Run
from upstar._upstar import Game


def tournament(
    game: Game,
    players: Sequence[str],
    *,
    games: int = 100,
    openings: int = 0,
    seed: int = 2015,
    workers: int = 1,
    folder: str | os.PathLike[str] | None = None,
    progress: Tell = None,
) -> dict[str, Any]:
    """Lets all players, given by their specifications, meet each other in so many games; returns the table, with the
    keys of `upstar tournament --json`.

    With `folder` the games are kept there: an interrupted tournament resumes where it stopped, here or with
    `upstar resume`.

    >>> import upstar as up
    >>> table = up.tournament(up.Game("clobber", "3x4"), ["mc:50", "mc:5", "random"], games=20)
    >>> table["players"][0]["name"], table["games"]
    ('mc:50', 60)
    """
    words: dict[str, object] = {"game": game.name, "position": game.position, "games": games}
    words |= {"openings": openings, "seed": seed}
    words["players"] = [{"agent": player} for player in players]
    with tempfile.TemporaryDirectory() as home:
        config = Path(home, "tournament.toml")
        config.write_text("".join(f"{key} = {_toml(value)}\n" for key, value in words.items()))
        out = Path(folder or Path(home, "run"))
        exists = (out / "config.toml").exists()
        with Run.open(out) if exists else Run.create(out, config=config) as run:
            return list(run.steps(workers=workers, progress=progress))[-1]


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)
