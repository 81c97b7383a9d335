"""Exact results, proofs and values."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import upstar as up


def negamax(state: up.State) -> str:
    """The winner of a small game of Clobber, by the rules alone."""
    side = state.side_to_move
    other = "o" if side == "x" else "x"
    return side if any(negamax(state.child(a)) == side for a in state.legal_actions()) else other


@pytest.mark.parametrize("position", ["2x3", "3x3", "xo.|oxo", "xxoox"])
def test_winners_and_moves_are_those_of_plain_search(position: str) -> None:
    state = up.Game("clobber", position).start()
    assert state.solve().winner == negamax(state)
    exact = state.moves(exact=True)
    assert exact == {move: negamax(state.child(move)) for move in state.legal_moves()}


def test_scores_limits_and_progress() -> None:
    answer = up.Game("othello", "4x4").start().solve(score=True)
    assert (answer.winner, answer.score, answer.bounds, answer.proved) == ("o", -8, (-8, -8), True)
    board = up.Game("othello", "8x8").start()
    open_answer = board.solve(nodes=1000)
    assert open_answer.winner is None and not open_answer.proved
    told: list[float] = []
    board.solve(time_limit=1, progress=lambda line: told.append(line["nodes"]))
    assert told and told[-1] > 0


def test_an_exception_of_progress_ends_the_work() -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        up.Game("clobber", "8x8").start().solve(progress=stop)


def test_proofs_are_written_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "4x5.proof"
    claim = up.Game("clobber", "4x5").start().prove(file)
    checked = up.check(file)
    same = ("accepted", "game", "position", "to_move", "winner", "move", "nodes", "lemmas", "bytes")
    assert [checked[key] for key in same] == [claim[key] for key in same] and claim["winner"] == "x"
    told = [sys.executable, "-m", "upstar", "check", "--json", str(file)]
    program = json.loads(subprocess.run(told, capture_output=True, text=True, check=True).stdout)
    assert list(program) == list(checked)
    forged = bytearray(file.read_bytes())
    forged[len(forged) // 2] ^= 1
    file.write_bytes(forged)
    with pytest.raises(up.UpstarError):
        up.check(file)


def test_many_positions_at_a_time() -> None:
    game = up.Game("clobber", "3x4")
    positions = [up.Game("clobber", f"random:3x4,seed={seed}").start() for seed in range(200)]
    alone = [state.solve().winner for state in positions]
    for workers in (1, 2):
        answers = up.solve_many(positions, workers=workers)
        assert [answer.winner for answer in answers] == alone
    assert up.solve_many([game.start()])[0].winner == "o"
    assert up.solve_many([]) == []
    hard = [up.Game("othello", "8x8").start()] * 3
    assert [answer.proved for answer in up.solve_many(hard, time_limit=0.2)] == [False] * 3


def test_values_and_their_algebra() -> None:
    value = up.value("xxo.xo")
    assert str(value) == "↑*" and value.ascii == "^*" and value.latex == "\\uparrow\\ast"
    assert [position for position, _ in value.components] == ["xxo", "xo"]
    assert sum((part for _, part in value.components), start=up.cgt("0")) == value
    assert value.temperature == 0 and str(value.atomic_weight) == "1" and value.is_all_small
    up_star, star = up.cgt("^*"), up.cgt("*")
    assert up_star + star == up.cgt("^") and up_star - up_star == 0 and -star == star
    assert up.cgt("^") > 0 and up.cgt("^").confused_with(star) and not up.cgt("^") < star
    assert 3 * up.cgt("^") == up.cgt("3.^") and up.cgt("{3|1}").mean == 2
    hot = up.cgt("{3|1}").thermograph
    assert hot is not None and hot.temperature == 1 and hot.svg().startswith("<svg")
    assert len({up.cgt("^ + *"), up.cgt("^*")}) == 1
    assert len({up.cgt("3"), 3}) == 1 and up.cgt("1000") + up.cgt("1000") == 2000
    with pytest.raises(up.UpstarError):
        up.cgt("{0|")
    with pytest.raises(up.UpstarError):
        up.value("4x4", game="othello")


def test_analysis_and_review() -> None:
    start = up.Game("clobber", "4x4").start()
    analysis = up.analyse(start, time=1.0)
    best = analysis["moves"][0]
    assert best["grade"] == "proved"
    exact = start.moves(exact=True)
    assert all(move["winner"] == exact[move["move"]] for move in analysis["moves"])
    reviewed = up.review(start.play("a1b1", "d1d2", "c1c2"), time=0.5)
    assert [move["move"] for move in reviewed["moves"]] == ["a1b1", "d1d2", "c1c2"]
