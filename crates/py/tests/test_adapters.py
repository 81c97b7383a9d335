"""PettingZoo's own test, Gymnasium's checker."""

import pytest


def test_pettingzoos_api() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from upstar.pettingzoo import env

    api_test(env("clobber", "4x4"), num_cycles=200, verbose_progress=False)
    api_test(env("othello", "4x4"), num_cycles=200, verbose_progress=False)


def test_gymnasiums_checker() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from upstar.gymnasium import Seat

    check_env(Seat("clobber", "4x4", opponent="random"), skip_render_check=True)
    seat = Seat("clobber", "3x4", opponent="random", player=1)
    _, info = seat.reset(seed=3)
    over = False
    while not over:
        action = int(info["action_mask"].argmax())
        _, reward, over, _, info = seat.step(action)
    assert reward in (-1.0, 1.0)
