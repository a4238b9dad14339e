"""An environment in the manner of RLCard, without RLCard itself: `reset`, `step`, `run`, states with `legal_actions`.

    env = wyrmgate.rlcard.Env(wyrmgate.load("rules/gallery/leduc-poker"))
    env.set_agents([agent, agent])
    trajectories, payoffs = env.run(is_training=False)
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from ._native import State
from .game import Game

__all__ = ["Env"]


class Env:
    """A game as RLCard's agents play it. States are dictionaries: `obs`, `legal_actions`, `raw_obs`,
    `raw_legal_actions`, `action_record`."""

    def __init__(self, game: Game, seed: int | None = None):
        self.game = game
        self.name = game.name
        self.num_players = game.seats
        self.num_actions = game.num_actions
        self.state_shape = [[game.observation_size]] * game.seats
        self.action_shape = [None] * game.seats
        self.agents: list[Any] = []
        self.timestep = 0
        self._before: list[State] = []
        self._record: list[tuple[int, int]] = []
        self.seed(seed)
        self._state = game.new_state(0)

    def seed(self, seed: int | None = None) -> None:
        self.np_random = np.random.default_rng(seed)

    def set_agents(self, agents: list[Any]) -> None:
        self.agents = agents

    def reset(self) -> tuple[dict[str, Any], int]:
        """Begins a game; returns the state of the first player, and who that is."""
        self._state = self.game.new_state(int(self.np_random.integers(2**63)))
        self._before, self._record = [], []
        player = self.get_player_id()
        return self.get_state(player), player

    def step(self, action: int, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Takes an action; returns the state of the next player, and who that is."""
        self._before.append(self._state.clone())
        self._record.append((self.get_player_id(), int(action)))
        self._state.step(int(action))
        self.timestep += 1
        player = self.get_player_id()
        return self.get_state(player), player

    def step_back(self) -> tuple[dict[str, Any], int] | bool:
        """Takes an action back."""
        if not self._before:
            return False
        self._state = self._before.pop()
        self._record.pop()
        player = self.get_player_id()
        return self.get_state(player), player

    def is_over(self) -> bool:
        return self._state.is_over

    def get_player_id(self) -> int:
        seat = self._state.seat
        return 0 if seat is None else seat

    def get_payoffs(self) -> np.ndarray[Any, Any]:
        return np.array(self._state.returns())

    def get_state(self, player: int) -> dict[str, Any]:
        state = self._state
        legal = state.legal_actions() if state.seat == player else []
        observation = state.observe(player)
        return {
            "obs": observation,
            "legal_actions": OrderedDict((action, None) for action in legal),
            "raw_obs": observation,
            "raw_legal_actions": legal,
            "action_record": list(self._record),
        }

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], np.ndarray[Any, Any]]:
        """Plays a game between the agents; returns what each saw and did, and the payoffs."""
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player] += [state, action]
            state, player = self.step(action)
        for player in range(self.num_players):
            trajectories[player].append(self.get_state(player))
        return trajectories, self.get_payoffs()
