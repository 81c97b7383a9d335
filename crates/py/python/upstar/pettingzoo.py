"""Upstar's games as PettingZoo environments.

>>> from upstar.pettingzoo import env
>>> board = env("clobber", "4x4")
>>> board.reset()
>>> observation, reward, termination, truncation, info = board.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((3, 4, 4), 24)
"""

from typing import Any

import gymnasium.spaces as spaces
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from upstar._upstar import Game, State, UpstarError


def env(game: str = "clobber", position: str = "6x6") -> AECEnv:
    """The environment, with PettingZoo's wrappers against wrong use."""
    raw = wrappers.TerminateIllegalWrapper(Board(game, position), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class Board(AECEnv):
    """A game for two: the agents are `player_0` (x) and `player_1` (o), the actions OpenSpiel's numbers."""

    metadata = {"render_modes": ["ansi"], "name": "upstar_v0", "is_parallelizable": False}

    def __init__(self, game: str = "clobber", position: str = "6x6") -> None:
        super().__init__()
        self.render_mode = "ansi"
        self._game = Game(game, position)
        if self._game.num_players() != 2:
            raise UpstarError(f"{game} is not a game for two")
        self._state: State = self._game.start()
        self.possible_agents = ["player_0", "player_1"]
        actions = self._game.num_distinct_actions()
        shape = tuple(self._game.observation_tensor_shape())
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.reset()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; only who is to move has legal actions."""
        player = self.possible_agents.index(agent)
        shape = self.observation_spaces[agent]["observation"].shape
        seen = self._state.observation_tensor(player).reshape(shape)
        mask = np.zeros(self._game.num_distinct_actions(), np.int8)
        if player == self._state.current_player():
            mask[self._state.legal_actions()] = 1
        return {"observation": seen, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._state = self._game.start()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self._state.is_terminal())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(0, self._state.current_player())]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "a game that goes on needs a move"
        self._cumulative_rewards[agent] = 0.0
        self._state = self._state.child(int(action))
        over = self._state.is_terminal()
        returns = self._state.returns()
        for player, name in enumerate(self.possible_agents):
            self.rewards[name] = returns[player] if over else 0.0
            self.terminations[name] = over
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        self.agent_selection = other if over else self.possible_agents[self._state.current_player()]
        self._accumulate_rewards()

    def render(self) -> str:
        return self._state.observation_string()

    def close(self) -> None:
        """Nothing is open."""

    @property
    def state_now(self) -> State:
        """The position."""
        return self._state


__all__ = ["Board", "env"]
