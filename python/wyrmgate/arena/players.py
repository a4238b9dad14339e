"""Who plays: the protocol, bots and functions."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from .._native import State

BOTS = ("random", "greedy", "search-1", "search-2", "search-3")


class EndpointError(RuntimeError):
    """A player that cannot be reached, or does not answer as it should, after all retries."""


@dataclass(frozen=True)
class Turn:
    """What a player is asked. `rules` and `text` are all that it may know; `state` is for bots, and must not be read."""

    rules: str
    text: str
    choices: tuple[str, ...]
    seed: int
    state: State
    attempt: int = 0


@dataclass(frozen=True)
class Answer:
    """What a player said, and what it cost."""

    text: str
    tokens: int = 0
    seconds: float = 0.0


class Player(Protocol):
    """Anything that answers. `key` identifies it in the journal: equal keys give equal answers to equal questions."""

    key: str
    is_cached: bool

    def answer(self, turn: Turn) -> Answer:
        """Raises EndpointError if there is no answer."""
        ...


class Bot:
    """A built-in bot: `random`, `greedy`, `search-1` to `search-3`."""

    is_cached = False

    def __init__(self, name: str):
        if name not in BOTS:
            raise ValueError(f"there is no bot `{name}`; there are {', '.join(BOTS)}")
        self.key = self.name = name

    def answer(self, turn: Turn) -> Answer:
        began = time.monotonic()
        choice = turn.state.bot_choice(self.name, turn.seed)
        return Answer(f"#{choice}", 0, time.monotonic() - began)


class Function:
    """A Python function of a turn, which returns a number or words of a choice."""

    is_cached = False

    def __init__(self, function: Callable[[Turn], Any], key: str | None = None):
        self.function = function
        self.key = key or f"{function.__module__}:{getattr(function, '__qualname__', 'function')}"

    def answer(self, turn: Turn) -> Answer:
        began = time.monotonic()
        said = self.function(turn)
        return Answer(str(said), 0, time.monotonic() - began)


def guess(turn: Turn) -> int:
    """A function for trials: a random number of a choice."""
    return random.Random(turn.seed).randrange(len(turn.choices))


def player_of(spec: str, **settings: Any) -> Player:
    """Returns the player that a text names: `greedy` (a bot), `python:module:function`, `chat:MODEL@URL` (an
    OpenAI-compatible endpoint), or `mcp:COMMAND` (an agent that serves the tool `choose`). `settings` are those of `Chat`."""
    from .chat import Chat
    from .mcp import Agent

    kind, _, rest = spec.partition(":")
    if kind == "python":
        module, _, name = rest.partition(":")
        return Function(getattr(importlib.import_module(module), name), key=spec)
    if kind == "chat":
        model, _, url = rest.partition("@")
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"`{spec}` names no address; write `chat:MODEL@http://…/v1`")
        return Chat(model, url, **settings)
    if kind == "mcp":
        return Agent(rest, timeout=settings.get("timeout", 60.0))
    return Bot(spec.removeprefix("bot:"))
