"""Environments of OpenEnv, in process or as a server.

    env = wyrmgate.openenv.Table(wyrmgate.load("rules/gallery/connect-four"), opponents="greedy")
    seen = env.reset(seed=7)
    seen = env.step(wyrmgate.openenv.Said(text="0"))
    app = wyrmgate.openenv.app(wyrmgate.load("rules/gallery/connect-four"))     # for uvicorn
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State  # type: ignore[import-not-found]

from .game import Game
from .text import Env

__all__ = ["Said", "Seen", "Table", "app"]


class Said(Action):
    """An answer: the number of a choice, or its words."""

    text: str


class Seen(Observation):
    """What the seat reads. `refused` says why its last answer was, if it was; `rules` come with the first text of a game."""

    text: str
    rules: str = ""
    refused: str = ""


class Table(Environment):
    """One seat of a game against bots."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: Game, seat: int = 0, opponents: str | Sequence[str] = "random", changes: Sequence[str] = ()):
        super().__init__()
        self._env = Env(game, seat, opponents, changes=changes)
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Seen:
        text = self._env.reset(secrets.randbits(63) if seed is None else seed)
        self._state = State(episode_id=episode_id or secrets.token_hex(8), step_count=0)
        return Seen(text=text, rules=self._env.rules, done=self._env.is_over, reward=0.0)

    def step(self, action: Said, timeout_s: float | None = None, **_: Any) -> Seen:
        step = self._env.step(action.text)
        self._state.step_count += 1
        refused = step.refused.message if step.refused else ""
        return Seen(text=step.text, refused=refused, done=step.is_over, reward=step.reward)

    @property
    def state(self) -> State:
        """The number of steps. It holds nothing of the position, which could tell secrets."""
        return self._state


def app(game: Game, seat: int = 0, opponents: str | Sequence[str] = "random", most: int = 64) -> Any:
    """Returns a server of the game as a FastAPI application, for `most` sessions at once."""
    from openenv.core.env_server import create_fastapi_app

    return create_fastapi_app(lambda: Table(game, seat, opponents), Said, Seen, max_concurrent_envs=most)
