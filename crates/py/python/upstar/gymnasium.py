"""One side of a game as a Gymnasium environment; an agent of Upstar plays the other.

>>> from upstar.gymnasium import Seat
>>> seat = Seat("clobber", "4x4", opponent="mcts:100")
>>> observation, info = seat.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((3, 4, 4), 24)
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from upstar._upstar import Agent, Game, State, UpstarError


class Seat(gymnasium.Env[NDArray[np.float32], int]):
    """You are one side, by default the one that begins. A reward of 1 or -1 comes at the end; an illegal action
    loses at once."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "clobber",
        position: str = "6x6",
        *,
        opponent: str = "mcts:1000",
        player: int = 0,
    ) -> None:
        self.render_mode = "ansi"
        self._game = Game(game, position)
        if self._game.num_players() != 2:
            raise UpstarError(f"{game} is not a game for two")
        if player not in (0, 1):
            raise UpstarError(f"the players are 0 and 1, not {player}")
        self._opponent = Agent(opponent)
        self._player = player
        self._state = self._game.start()
        shape = tuple(self._game.observation_tensor_shape())
        self.observation_space = spaces.Box(0, 1, shape, np.float32)
        self.action_space = spaces.Discrete(self._game.num_distinct_actions())  # type: ignore[assignment]

    @property
    def state(self) -> State:
        """The position."""
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self._state = self._game.start()
        self._reply()
        return self._observation(), self._info()

    def step(
        self, action: int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        if int(action) not in self._state.legal_actions():
            return self._observation(), -1.0, True, False, self._info()
        self._state = self._state.child(int(action))
        self._reply()
        over = self._state.is_terminal()
        reward = self._state.returns()[self._player] if over else 0.0
        return self._observation(), reward, over, False, self._info()

    def render(self) -> str:
        return self._state.observation_string()

    def _reply(self) -> None:
        while not self._state.is_terminal() and self._state.current_player() != self._player:
            seed = int(self.np_random.integers(2**62))
            self._state = self._state.child(self._opponent.choose(self._state, seed=seed))

    def _observation(self) -> NDArray[np.float32]:
        seen = self._state.observation_tensor(self._player)
        return seen.reshape(self.observation_space.shape)

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self._game.num_distinct_actions(), np.int8)
        if not self._state.is_terminal():
            mask[self._state.legal_actions()] = 1
        return {"action_mask": mask}
