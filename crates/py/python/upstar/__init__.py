"""Clobber and Othello: exact results with proof, combinatorial values, agents, analysis, training.

>>> import upstar as up
>>> state = up.Game("clobber", "4x5").start()
>>> state.solve().winner
'x'

Words, position texts and the keys of dictionaries are those of the program `upstar`.
"""

from upstar._upstar import (
    Agent,
    Answer,
    Batch,
    Choice,
    Game,
    Network,
    Puct,
    SearchResult,
    SolveWorker,
    State,
    Thermograph,
    UpstarError,
    Value,
    Worker,
    __version__,
    analyse,
    cgt,
    check,
    encode,
    fingerprint,
    playouts,
    results,
    review,
    solve_many,
    tally,
    value,
)
from upstar._command import command
from upstar._match import MatchResult, match
from upstar._progress import progress
from upstar._run import Plan, Run
from upstar._selfplay import PlayedGame, selfplay
from upstar._tournament import tournament

__all__ = [
    "Agent",
    "Answer",
    "Batch",
    "Choice",
    "Game",
    "MatchResult",
    "Network",
    "Plan",
    "PlayedGame",
    "Puct",
    "Run",
    "SearchResult",
    "SolveWorker",
    "State",
    "Thermograph",
    "UpstarError",
    "Value",
    "Worker",
    "__version__",
    "analyse",
    "cgt",
    "check",
    "command",
    "encode",
    "fingerprint",
    "match",
    "playouts",
    "progress",
    "results",
    "review",
    "selfplay",
    "solve_many",
    "tally",
    "tournament",
    "value",
]
