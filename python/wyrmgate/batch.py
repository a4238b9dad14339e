"""Many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .game import Game, whole


class Batch:
    """Positions of many games of one kind; a game that ends begins anew with another seed.

    All arrays belong to the batch and are overwritten by the next call; nothing is copied. The interpreter lock is
    released during every call, so threads can each drive a batch.
    """

    def __init__(self, game: Game, size: int, seed: int | str = 0):
        self.game = game
        self.size = size = whole("size", size, 0, 2**31)
        self._seed = seed
        self._native = _native.Batch(game._native, size, seed)
        self.rewards: NDArray[np.float32] = np.zeros((size, game.seats), np.float32)
        self.ended: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self._masks: NDArray[np.int8] | None = None
        self._observations: NDArray[np.float32] | None = None
        self._seats: NDArray[np.int64] = np.zeros(size, np.int64)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<wyrmgate.Batch {self.game.name}, {self.size} games in play, {self.games} have begun>"

    def __getitem__(self, at: int) -> _native.State:
        """Returns a copy of the position of one game. It has no history, so bots that search cannot play in it."""
        if not -self.size <= at < self.size:
            raise IndexError(f"`at` is {at}; the batch has {self.size} games")
        return self._native.states()[at]

    def __eq__(self, other: object) -> bool:
        """Whether both have the same positions, and go on with the same games."""
        if not isinstance(other, Batch):
            return NotImplemented
        same = (self.size, self._seed, self._native.course()) == (other.size, other._seed, other._native.course())
        return same and self._native.states() == other._native.states()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return _restored, (self.game, self.size, self._seed, self._native.states(), self._native.course())

    @property
    def games(self) -> int:
        """How many games have begun."""
        return self._native.games

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Takes an action in each game. Returns the returns of each seat where a game ended, 0 elsewhere, and which
        games ended."""
        self._native.step(actions, self.rewards, self.ended)
        return self.rewards, self.ended

    def step_random(self, steps: int = 1) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Takes random choices in each game, and returns what `step` does, for the last of them."""
        self._native.step_random(whole("steps", steps), self.rewards, self.ended)
        return self.rewards, self.ended

    def masks(self) -> NDArray[np.int8]:
        """Returns 1 for each legal action of each game."""
        if self._masks is None:
            self._masks = np.zeros((self.size, self.game.num_actions), np.int8)
        self._native.masks(self._masks)
        return self._masks

    def legal(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the legal actions of all games in one array, and where those of each game begin: game `i` has
        `actions[starts[i]:starts[i + 1]]`. Much smaller than masks where there are many actions."""
        return self._native.legal()

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """Returns what the seat that acts next may know in each game, or a given seat."""
        if self._observations is None:
            self._observations = np.zeros((self.size, self.game.observation_size), np.float32)
        self._native.observe(self._observations, None if seat is None else whole("seat", seat, 0, self.game.seats))
        return self._observations

    def seats(self) -> NDArray[np.int64]:
        """Returns the seat that acts next in each game."""
        self._native.seats(self._seats)
        return self._seats


def _restored(game: Game, size: int, seed: int | str, states: list[_native.State], course: tuple[int, int]) -> Batch:
    batch = Batch(game, size, seed)
    batch._native.resume(states, course)
    return batch
