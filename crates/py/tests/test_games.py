"""Games and states, compared with OpenSpiel move by move where it is installed."""

import pickle
import random

import numpy as np
import pytest

import upstar as up


def test_states_are_immutable_hashable_and_picklable() -> None:
    start = up.Game("clobber", "4x5").start()
    after = start.child("a1b1")
    assert str(start) == "xoxox|oxoxo|xoxox|oxoxo"
    assert after != start and after == start.child(after.history()[0])
    assert {start: 1, after: 2}[start.play("a1b1")] == 2
    again = pickle.loads(pickle.dumps(after))
    assert again == after and again.history() == after.history()
    assert pickle.loads(pickle.dumps(start.game)) == start.game
    assert start._repr_svg_().startswith("<svg")


@pytest.mark.parametrize(
    ("name", "position"),
    [("clobber", "3x4"), ("clobber:cannibal", "2x3"), ("othello", "4x4"), ("othello:reversi", "4x4")],
)
def test_a_game_played_by_numbers_ends(name: str, position: str) -> None:
    generator = random.Random(1)
    state = up.Game(name, position).start()
    while not state.is_terminal():
        actions = state.legal_actions()
        assert [state.action_to_string(action) for action in actions] == state.legal_moves()
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == actions
        action = generator.choice(actions)
        assert state.string_to_action(state.action_to_string(action)) == action
        state = state.child(action)
    assert sum(state.returns()) == 0 and state.result is not None
    assert state.current_player() == -4


def test_several_colours_and_solitaire() -> None:
    for name, position in [("clobber:colors=3", "3x3"), ("clobber:solitaire", "3x3")]:
        state = up.Game(name, position).start()
        while not state.is_terminal():
            state = state.child(state.legal_actions()[0])
        assert len(state.returns()) == state.game.num_players()


def test_wrong_texts_are_sentences() -> None:
    for wrong in [("clober", "4x5"), ("clobber", "4y5"), ("othello", "3x3x3")]:
        with pytest.raises(up.UpstarError, match="'|no room|not"):
            up.Game(*wrong)
    state = up.Game("clobber", "2x3").start()
    with pytest.raises(up.UpstarError, match="not legal"):
        state.child("a1a1")
    with pytest.raises(up.UpstarError, match="no move"):
        state.child(10_000)
    with pytest.raises(up.UpstarError, match="another board"):
        state.game.state("xo")


@pytest.mark.parametrize("size", [(3, 4), (5, 6), (8, 8)])
def test_clobber_is_openspiels(size: tuple[int, int]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rows, columns = size
    compare(pyspiel.load_game(f"clobber(rows={rows},columns={columns})"))


def test_othello_is_openspiels() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    compare(pyspiel.load_game("othello"))


def compare(game: "object") -> None:
    from upstar.openspiel import from_openspiel, game_of

    generator = random.Random(7)
    for _ in range(20):
        theirs = game.new_initial_state()  # type: ignore[attr-defined]
        ours = game_of(game).start()
        assert ours.game.num_distinct_actions() == game.num_distinct_actions()  # type: ignore[attr-defined]
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            assert ours.current_player() == theirs.current_player()
            for player in (0, 1):
                seen = np.array(theirs.observation_tensor(player), np.float32)
                assert np.array_equal(ours.observation_tensor(player), seen)
            action = generator.choice(theirs.legal_actions())
            theirs.apply_action(action)
            ours = ours.child(action)
        assert ours.is_terminal() and ours.returns() == theirs.returns()
        assert from_openspiel(theirs) == ours


def test_a_bot_plays_openspiels_game() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from upstar.openspiel import Bot

    state = pyspiel.load_game("clobber(rows=3,columns=4)").new_initial_state()
    bots = [Bot("solver"), Bot("random")]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sorted(state.returns()) == [-1, 1]
