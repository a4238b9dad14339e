"""Gymnasium environments: one seat against bots, and many games at once.

    env = wyrmgate.gymnasium.Single(wyrmgate.load("rules/gallery/connect-four"), opponents="greedy")

An observation is what the seat may know (see `Game.planes`); `info["action_mask"]` has 1 for each legal action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from . import _native
from ._native import State
from .game import Game

__all__ = ["Single", "Vector"]


class Single(gymnasium.Env):
    """One seat of a game; bots play the others. An action that is not legal loses the game (`illegal="lose"`) or
    raises (`illegal="raise"`)."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: Game,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        illegal: str = "lose",
        render_mode: str | None = None,
    ):
        others = game.seats - 1
        self.opponents = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(self.opponents) != others:
            raise ValueError(f"name one opponent for each of the {others} other seats")
        if illegal not in ("lose", "raise"):
            raise ValueError('`illegal` is "lose" or "raise"')
        if not 0 <= seat < game.seats:
            raise ValueError(f"there is no seat {seat}; seats count from 0")
        self.game, self.seat, self.illegal, self.render_mode = game, seat, illegal, render_mode
        self.observation_space = spaces.Box(-np.inf, np.inf, (game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(game.num_actions)
        self._lost = game.returns["low"]
        self._state: State | None = None

    @property
    def position(self) -> State:
        """The position in play. It knows everything, hidden or not."""
        if self._state is None:
            raise RuntimeError("call `reset` first")
        return self._state

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Returns the mask of the legal actions, under the name that sb3-contrib looks for."""
        state = self.position
        return np.zeros(self.game.num_actions, np.int8) if state.is_over else state.mask()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def _advance(self) -> None:
        """Lets the others play until the seat acts or the game is over."""
        state = self.position
        while not state.is_over and state.seat != self.seat:
            other = state.seat - (state.seat > self.seat)  # type: ignore[operator]
            state.take(state.bot_choice(self.opponents[other], int(self.np_random.integers(2**63))))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._state = self.game.new_state(int(self.np_random.integers(2**63)))
        self._advance()
        return self.position.observe(self.seat), self._info()

    def step(self, action: int) -> Any:
        state = self.position
        try:
            state.step(int(action))
        except ValueError:
            if self.illegal == "raise":
                raise
            lost = -1.0 if self._lost is None else self._lost
            return state.observe(self.seat), lost, True, False, self._info() | {"illegal": True}
        self._advance()
        reward = state.returns()[self.seat]
        return state.observe(self.seat), reward, state.is_over, False, self._info()

    def render(self) -> str:
        return str(self.position.view(self.seat))


class Vector(VectorEnv):
    """Many games at once, without the interpreter lock: one seat of each, against random opponents. With `seat=None`,
    the actions are those of whichever seat acts next (self-play), and `info["seat"]` says which. A game that ends begins
    anew in the same step; `info["action_mask"]` has the masks. The arrays are overwritten by the next step."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: Game, num_envs: int, seat: int | None = 0, seed: int = 0):
        self.game, self.num_envs, self.seat = game, num_envs, seat
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (game.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = spaces.Box(-np.inf, np.inf, (num_envs, game.observation_size), np.float32)
        self.action_space = spaces.MultiDiscrete([game.num_actions] * num_envs)
        self._seed = seed
        self._rewards = np.zeros((num_envs, game.seats), np.float32)
        self._more = np.zeros((num_envs, game.seats), np.float32)
        self._ended = np.zeros(num_envs, np.bool_)
        self._also = np.zeros(num_envs, np.bool_)
        self._seats = np.zeros(num_envs, np.int64)
        self._masks = np.zeros((num_envs, game.num_actions), np.int8)
        self._observations = np.zeros((num_envs, game.observation_size), np.float32)
        self._begin()

    def _begin(self) -> None:
        self._native = _native.Batch(self.game._native, self.num_envs, self._seed)

    def _look(self) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        self._native.masks(self._masks)
        self._native.seats(self._seats)
        self._native.observe(self._observations, self.seat)
        return self._observations, {"action_mask": self._masks, "seat": self._seats}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._seed = int(seed)
        self._begin()
        if self.seat is not None:
            self._native.advance(self.seat, self._more, self._also)
        return self._look()

    def step(self, actions: Any) -> Any:
        acted = self._seats.copy()
        self._native.step(np.ascontiguousarray(actions, np.int64), self._rewards, self._ended)
        if self.seat is not None:
            self._native.advance(self.seat, self._more, self._also)
            self._rewards += self._more
            self._ended |= self._also
            rewards = self._rewards[:, self.seat].copy()
        else:
            rewards = self._rewards[np.arange(self.num_envs), acted]
        observations, info = self._look()
        info["returns"] = self._rewards
        return observations, rewards, self._ended.copy(), np.zeros(self.num_envs, np.bool_), info
