"""TextArena environments: every seat of a game is a player that answers in words.

    env = wyrmgate.textarena.Env(wyrmgate.load("rules/gallery/connect-four"))
    env.reset(num_players=2, seed=7)
    player, observation = env.get_observation()
    done, info = env.step("0")
    rewards, games = env.close()

`register("WyrmgateConnectFour-v0", game)` lets `textarena.make` find a game. A player that answers illegally `attempts` times
in a row loses.
"""

from __future__ import annotations

import random
from typing import Any

import textarena as ta  # type: ignore[import-not-found]

from .game import Game
from .text import Table

__all__ = ["Env", "register"]


class Env(ta.Env):
    """A game as TextArena plays it."""

    def __init__(self, game: Game, attempts: int = 3):
        self.game, self.attempts = game, attempts

    def reset(self, num_players: int, seed: int | None = None) -> None:
        if num_players != self.game.seats:
            raise ValueError(f"`num_players` is {num_players}; this game has {self.game.seats}")
        self.table = Table(self.game)
        self.table.reset(random.getrandbits(63) if seed is None else seed)
        self.state = ta.State(num_players=num_players, seed=seed)
        self.state.standard_resets(game_state={}, player_prompt_function=lambda player_id, game_state: self.table.rules)
        self._refused = 0
        self._turn()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        player = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=player, to_id=player)
        refused = self.table.answer(action)
        if refused:
            self._refused += 1
            self.state.step_info["refused"] = refused.message
            self.state.add_observation(f"That is refused: {refused.message}", ta.ObservationType.GAME_ADMIN, to_id=player)
            if self._refused >= self.attempts:
                self.state.game_info[player]["invalid_move"] = True
                self._end([-1.0 if seat == player else 0.0 for seat in range(self.game.seats)])
            return self.state.step()
        self._refused = 0
        self.state.game_info[player]["turn_count"] += 1
        if self.table.state.is_over:
            self._end(self.table.state.returns())
        else:
            self._turn()
        return self.state.step()

    def _turn(self) -> None:
        """Tells the player that acts next what it may know."""
        seat = self.table.state.seat
        assert seat is not None
        self.state.current_player_id = seat
        self.state.add_observation(self.table.text(seat), ta.ObservationType.GAME_BOARD, to_id=seat)

    def _end(self, returns: list[float]) -> None:
        self.state.done = True
        self.state.rewards = dict(enumerate(returns))
        for seat in range(self.game.seats):
            self.state.add_observation(self.table.text(seat), ta.ObservationType.GAME_BOARD, to_id=seat)


def register(name: str, game: Game, attempts: int = 3) -> None:
    """Registers a game for `textarena.make(name)`."""
    from textarena.envs.registration import ENV_REGISTRY, EnvSpec  # type: ignore[import-not-found]

    ENV_REGISTRY[name] = EnvSpec(id=name, entry_point=lambda **_: Env(game, attempts), default_wrappers=None, kwargs={})
