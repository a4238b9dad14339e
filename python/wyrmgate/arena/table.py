"""One game between players: what they are asked, how their answers are read, what is noted."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .._native import State
from ..game import Game
from .answers import Refused, form_of, read
from .players import Answer, Player, Turn

# Letters of the lists of choices, and lines of what happened since the last turn of a seat.
ROOM = 4_000
LINES_MAX = 40
LABELS_MAX = 2_000
CHOICES = re.compile(r"\n\d+ choices?\. ")

Ask = Callable[[str, Player, Turn], Answer]
"""Asks the player with this name; a cache and budgets may stand between."""


@dataclass
class MoveRow:
    """A decision of a player."""

    at: int
    seat: int
    player: str
    choices: int
    choice: int
    tokens: int = 0
    seconds: float = 0.0
    is_drawn: bool = False
    refused: list[Refused] = field(default_factory=list)


@dataclass
class Played:
    """A game that is over, or that reached the limit of its moves."""

    is_over: bool
    winners: list[int]
    returns: list[float]
    moves: list[dict[str, Any]]


def rules_text(game: Game, changes: Sequence[str] = ()) -> str:
    """Returns the clauses of a game as a player reads them."""
    lines = [f"The rules of {game.name} for {game.seats} seats:"]
    lines += [f"{name} {text}" for name, text in game.clauses()]
    if changes:
        lines += ["This game is changed:", *changes]
    return "\n".join(lines)


class Table:
    """A game in play."""

    def __init__(self, game: Game, seed: int | str, rules: str, *, is_listed: bool = True):
        self.state: State = game.new_state(seed)
        self.rules, self.is_listed = rules, is_listed
        self._dice = random.Random(f"{seed}")
        self._news: list[list[str]] = [[] for _ in range(game.seats)]
        # The arguments of choices by their words, also of those that are not legal any more.
        self._known: dict[tuple[str, str], dict[str, Any]] = {}

    def play(self, names: Sequence[str], players: Mapping[str, Player], ask: Ask, attempts: int, most: int) -> Played:
        """Plays to the end, or for `most` moves. `names` are the players by seat."""
        state, rows = self.state, []
        while not state.is_over and state.decisions < most:
            seat = state.seat
            assert seat is not None
            row, choice = self._decide(names[seat], players[names[seat]], ask, attempts)
            rows.append(asdict(row))
            self._news[seat] = []
            for other, lines in enumerate(state.take_told(choice)):
                self._news[other] += lines
        winners = [seat - 1 for seat in (state.outcome() or {}).get("winners", [])]
        return Played(state.is_over, winners, state.returns(), rows)

    def _decide(self, name: str, player: Player, ask: Ask, attempts: int) -> tuple[MoveRow, int]:
        state = self.state
        decision = state.decision(LABELS_MAX)
        labels = [choice["label"] for choice in decision["choices"]]
        row = MoveRow(state.decisions, state.seat or 0, name, decision["count"], 0)
        for choice in decision["choices"]:
            self._known[decision["name"], choice["label"].lower()] = form_of(choice)
        text, seed = self._text(decision), self._dice.getrandbits(63)
        for attempt in range(attempts):
            said = text + "".join(
                f"\nYou answered: {refused.answer}\nThat is refused: {refused.message}\n" for refused in row.refused
            )
            answer = ask(name, player, Turn(self.rules, said, tuple(labels), seed + attempt, state.clone(), attempt))
            row.tokens += answer.tokens
            row.seconds += answer.seconds
            found = read(state, answer.text, decision, self._known)
            if isinstance(found, int):
                row.choice = found
                return row, found
            row.refused.append(found)
        row.is_drawn = True
        row.choice = self._dice.randrange(state.count())
        return row, row.choice

    def _text(self, decision: Mapping[str, Any]) -> str:
        state = self.state
        news = self._news[state.seat or 0][-LINES_MAX:]
        head = "Since your last turn:\n" + "\n".join(news) + "\n\n" if news else ""
        if self.is_listed:
            return head + state.text(state.seat, ROOM)
        lines = [head + CHOICES.split(state.text(state.seat, 0))[0]]
        lines.append(f"Say what you choose ({decision['prompt'] or decision['name']}) as JSON. The forms, by an example each:")
        seen = set()
        for choice in decision["choices"]:
            if choice.get("option") not in seen:
                seen.add(choice.get("option"))
                lines.append(f"{json.dumps(form_of(choice))} ({choice['label']})")
        return "\n".join(lines)
