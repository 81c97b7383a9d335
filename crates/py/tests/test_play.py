"""Agents, matches, random games, searches with a network of the user's own, self-play."""

import numpy as np
import pytest
from numpy.typing import NDArray

import upstar as up


def flat(batch: up.Batch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A network that knows nothing."""
    return np.zeros(batch.mask.shape, np.float32), np.zeros(len(batch), np.float32)


def test_agents_repeat_with_a_seed() -> None:
    state = up.Game("clobber", "5x5").start()
    agent = up.Agent("mcts:500")
    first = agent.choose(state, seed=7)
    assert agent.choose(state, seed=7).move == first.move
    assert state.child(first) == state.child(first.move) == state.child(int(first.action))
    assert up.Agent("solver").choose(up.Game("clobber", "3x3").start()).proved == "win"
    with pytest.raises(up.UpstarError, match="over"):
        agent.choose(up.Game("clobber", "xx").start())
    with pytest.raises(up.UpstarError):
        up.Agent("mtcs:5")


def test_random_games_agree_in_array_and_tally() -> None:
    state = up.Game("clobber", "4x4").start()
    results = up.playouts(state, 100_000, seed=3)
    assert results.dtype == np.int8 and set(np.unique(results)) == {-1, 1}
    assert np.array_equal(results, up.playouts(state, 100_000, seed=3, threads=2))
    tally = up.tally(state, 100_000, seed=3)
    assert tally["games"] == 100_000
    assert abs(results.mean() - (tally["wins"] - tally["losses"]) / 100_000) < 0.02
    after = state.child("a1b1")
    counted = up.tally(after, 100_000)
    expected = (counted["wins"] - counted["losses"]) / 100_000
    assert abs(up.playouts(after, 100_000).mean() - expected) < 0.02


@pytest.mark.parametrize("planes", ["openspiel", "jans2021-first", "jans2021-second", "free"])
def test_encodings(planes: str) -> None:
    game = up.Game("clobber", "5x6")
    states = [game.start(), game.start().child("a1b1")]
    shown, mask = up.encode(states, planes)  # type: ignore[arg-type]
    assert shown.shape == (2, 3, 5, 6) and shown.dtype == np.float32
    assert mask.shape == (2, 120)
    for row, state in enumerate(states):
        assert np.flatnonzero(mask[row]).tolist() == state.legal_actions()
    if planes == "openspiel":
        assert np.array_equal(shown[1].ravel(), states[1].observation_tensor())
    with pytest.raises(up.UpstarError, match="different games or boards"):
        up.encode([game.start(), up.Game("clobber", "6x5").start()])
    with pytest.raises(up.UpstarError, match="two sides"):
        up.encode([up.Game("clobber:colors=3", "3x3").start()])


def test_network_actions_are_ours() -> None:
    order = up.Game("clobber", "2x2").network_actions()
    assert order[:4] == [0, 3, 2, 1] and sorted(order) == list(range(16))
    assert up.Game("othello", "4x4").network_actions()[-1] == -1


def test_a_search_finds_a_proved_win() -> None:
    state = up.Game("clobber", "3x3").start()
    found = up.Puct(flat, sims=5000, batch=8).search(state)
    assert found.proved == 1 and state.child(found.action).solve().winner == "x"
    assert found.policy(1.0).sum() == pytest.approx(1) and found.policy(0)[found.action] == 1
    assert up.Puct(flat, sims=50, exact=9).search(state).proved == 1


def test_searches_share_batches() -> None:
    game = up.Game("clobber", "4x4")
    states = [game.start(), game.start().child("a1b1"), game.start().play("a1b1", "a2b2")]
    sizes: list[int] = []

    def counting(batch: up.Batch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        sizes.append(len(batch))
        return flat(batch)

    together = up.Puct(counting, sims=100, batch=32).search_many(states)
    assert max(sizes) > 8
    assert all(found.simulations == 100 for found in together)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda batch: None,
        lambda batch: (np.zeros((1, 1), np.float32), np.zeros(1, np.float32)),
        lambda batch: (np.full(batch.mask.shape, np.nan, np.float32), np.zeros(len(batch), np.float32)),
    ],
)
def test_wrong_networks_are_refused(wrong: object) -> None:
    with pytest.raises(up.UpstarError, match="evaluate returne?d?"):
        up.Puct(wrong, sims=10).search(up.Game("clobber", "3x4").start())  # type: ignore[arg-type]


def test_matches_of_words_searches_and_functions() -> None:
    game = up.Game("clobber", "4x4")
    word = up.match(game, "mc:30", "random", games=20, seed=3)
    again = up.match(game, up.Agent("mc:30"), "random", games=20, seed=3, threads=2)
    assert (word.a_wins, word.b_wins) == (again.a_wins, again.b_wins) and word.a_wins > 10
    own = up.match(game, up.Puct(flat, sims=300, exact=10), lambda state: state.legal_actions()[0], games=10)
    assert own.a_wins >= 8 and own.a_forfeits == 0
    lost = up.match(game, lambda state: "a1a1", "random", games=2)
    assert lost.a_forfeits == 2
    with pytest.raises(ZeroDivisionError):
        up.match(game, lambda state: 1 // 0, "random", games=2)
    with pytest.raises(up.UpstarError, match="a player is"):
        up.match(game, 5, "random", games=2)  # type: ignore[arg-type]


def test_self_play_gives_targets() -> None:
    game = up.Game("clobber", "3x4")
    player = up.Puct(flat, sims=20)
    games = {played.id: played for played in up.selfplay(game, player, ids=range(6), seed=2)}
    alone = list(up.selfplay(game, player, ids=[4], seed=2, parallel=1))[0]
    assert sorted(games) == list(range(6))
    assert alone.states[0] == games[4].states[0] and len(alone.policies[0]) == 48
    for played in games.values():
        assert len(played.states) == len(played.policies) == len(played.targets())
        assert set(played.targets()) <= {1.0, -1.0}
