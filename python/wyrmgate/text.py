"""Games as conversations, for training and evaluation of language models: what a seat reads, and what it answers.

    env = wyrmgate.text.Env(wyrmgate.load("rules/gallery/connect-four"), opponents="greedy")
    text = env.reset(seed=7)
    while not env.is_over:
        text = env.step("0").text
    print(env.reward)

`wyrmgate.textarena`, `wyrmgate.inspect_ai` and `wyrmgate.openenv` are the hosts of such games. A text holds
only what its seat may know.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ._native import State
from .arena.answers import NUMBER, Refused, read
from .arena.table import LABELS_MAX, LINES_MAX, ROOM, rules_text
from .game import Game

__all__ = ["Env", "Step", "Table"]


@dataclass(frozen=True)
class Step:
    """What follows an answer: the next text, the reward of this step, whether the game is over, and why the answer was
    refused, if it was."""

    text: str
    reward: float
    is_over: bool
    refused: Refused | None = None


class Table:
    """A game whose seats read texts and answer in words."""

    def __init__(self, game: Game, changes: Sequence[str] = (), room: int = ROOM):
        self.game, self.room = game, room
        self.rules = rules_text(game, changes)
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The position. It knows everything, hidden or not."""
        if self._state is None:
            raise RuntimeError("call `reset` first")
        return self._state

    def reset(self, seed: int | str) -> None:
        self._state = self.game.new_state(seed)
        self._news: list[list[str]] = [[] for _ in range(self.game.seats)]

    def text(self, seat: int) -> str:
        """Returns what a seat reads now: the news since it last acted, the position, and its choices if it acts next."""
        news = self._news[seat][-LINES_MAX:]
        head = "\n".join(["Since your last turn:", *news, "", ""]) if news else ""
        return head + self.state.text(seat, self.room)

    def take(self, number: int) -> None:
        """Takes the choice with this number, and tells all seats."""
        seat = self.state.seat
        told = self.state.take_told(number)
        for other, lines in enumerate(told):
            self._news[other] = lines if other == seat else self._news[other] + lines

    def answer(self, said: str) -> Refused | None:
        """Takes what the seat that acts next answers. Returns why it is refused, if it is."""
        state = self.state
        number = NUMBER.fullmatch(said.strip())
        # The number of a listed choice needs no list, unless choices read as numbers.
        if number and number[1] and int(number[2]) < state.count():
            self.take(int(number[2]))
            return None
        found = read(state, said, state.decision(LABELS_MAX))
        if isinstance(found, Refused):
            return found
        self.take(found)
        return None


class Env:
    """One seat against bots. After `attempts` refused answers in a row, the seat has lost: the game is over with the lowest
    return (-1 if it has no bound)."""

    def __init__(
        self,
        game: Game,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        *,
        changes: Sequence[str] = (),
        attempts: int = 3,
        room: int = ROOM,
    ):
        others = game.seats - 1
        self.opponents = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(self.opponents) != others:
            raise ValueError(f"`opponents` names {len(self.opponents)} bots; there are {others} other seats")
        if not 0 <= seat < game.seats:
            raise ValueError(f"`seat` is {seat}; seats count from 0 below {game.seats}")
        self.table, self.seat, self.attempts = Table(game, changes, room), seat, attempts
        self._lost: float | None = None
        self._refused = 0

    @property
    def rules(self) -> str:
        """The rules, for a system prompt."""
        return self.table.rules

    @property
    def is_over(self) -> bool:
        return self._lost is not None or self.table.state.is_over

    @property
    def reward(self) -> float:
        """What the game is worth to the seat; 0 before the end."""
        return self._lost if self._lost is not None else self.table.state.returns()[self.seat]

    def reset(self, seed: int | str = 0) -> str:
        """Begins a game and returns the first text; equal seeds begin equal games."""
        self.table.reset(seed)
        self._dice, self._lost, self._refused = random.Random(seed), None, 0
        self._advance()
        return self.table.text(self.seat)

    def step(self, said: str) -> Step:
        """Takes an answer. A refused one changes nothing; the text says why, and shows the position again."""
        if self.is_over:
            raise RuntimeError("the game is over; call `reset`")
        refused = self.table.answer(said)
        if refused:
            self._refused += 1
            if self._refused >= self.attempts:
                low = self.table.game.returns["low"]
                self._lost = -1.0 if low is None else float(low)
                return Step(f"That is refused: {refused.message}. You have lost.", self._lost, True, refused)
            text = f"That is refused: {refused.message}\n{self.table.text(self.seat)}"
            return Step(text, 0.0, False, refused)
        self._refused = 0
        self._advance()
        return Step(self.table.text(self.seat), self.reward, self.is_over)

    def _advance(self) -> None:
        """Lets the others play until the seat acts or the game is over."""
        state = self.table.state
        while not state.is_over and state.seat != self.seat:
            other = state.seat - (state.seat > self.seat)  # type: ignore[operator]
            self.table.take(state.bot_choice(self.opponents[other], self._dice.getrandbits(63)))
