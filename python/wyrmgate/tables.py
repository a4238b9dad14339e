"""Whole games as tables of games, decisions and events, for Arrow, pandas and Parquet.

    played = wyrmgate.tables.play(game, 100, ["greedy", "random"], seed=1)
    played.to_arrow()["games"]          # needs pyarrow
    played.to_pandas()["decisions"]     # needs pyarrow and pandas
    played.to_parquet("folder")

Equal seeds give equal tables, in one process or in many (`wyrmgate.ray`).
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Union

from ._native import State
from .game import Game

__all__ = ["COLUMNS", "Played", "Player", "play", "tournament"]

#: A bot's name, or a function that returns the action of the seat that acts next.
Player = Union[str, Callable[[State], int]]

#: The columns of each table: their types and what they mean. Seats count from 0.
COLUMNS: dict[str, dict[str, tuple[str, str]]] = {
    "games": {
        "game": ("int64", "The number of the game, from `first`."),
        "seed": ("string", "The seed of its chance, in hexadecimal digits."),
        "decisions": ("int32", "How many decisions were made."),
        "winners": ("list<int8>", "The seats that won; none in a drawn game."),
        "returns": ("list<double>", "What the game was worth to each seat."),
    },
    "decisions": {
        "game": ("int64", "The number of the game."),
        "decision": ("int32", "The number of the decision in the game, from 0."),
        "seat": ("int8", "The seat that decided."),
        "player": ("string", "The bot, or the name of the function."),
        "name": ("string", "The decision, as the rules call it."),
        "choices": ("int64", "How many choices there were."),
        "choice": ("int64", "The number of the choice among them, from 0."),
        "action": ("list<int32>", "Its number in the action space; in a factored space, those of its parts."),
        "text": ("string", "The same in words."),
    },
    "events": {
        "game": ("int64", "The number of the game."),
        "decision": ("int32", "The number of the decision that it followed."),
        "number": ("int32", "The number of the event after that decision, from 0."),
        "type": ("string", "The type of the event."),
        "seat": ("int8", "The seat that it is about, if any."),
        "event": ("string", "The event as spectators are told of it, as JSON; seats count from 1 there."),
    },
}


def _empty(name: str) -> dict[str, list[Any]]:
    return {column: [] for column in COLUMNS[name]}


@dataclass
class Played:
    """Games that were played: a list of values for each of the `COLUMNS` of each table."""

    games: dict[str, list[Any]] = field(default_factory=lambda: _empty("games"))
    decisions: dict[str, list[Any]] = field(default_factory=lambda: _empty("decisions"))
    events: dict[str, list[Any]] = field(default_factory=lambda: _empty("events"))

    def extend(self, other: "Played") -> None:
        """Appends the rows of other games."""
        for name in COLUMNS:
            for column, values in getattr(self, name).items():
                values.extend(getattr(other, name)[column])

    def to_arrow(self) -> dict[str, Any]:
        """Returns a `pyarrow.Table` for each table. The metadata of a field has its `description`."""
        import pyarrow as pa  # type: ignore[import-not-found]

        types = {name: pa.type_for_alias(name) for name in ("int8", "int32", "int64", "string", "double")}
        for of in ("int8", "int32", "double"):
            types[f"list<{of}>"] = pa.list_(types[of])
        tables = {}
        for name, columns in COLUMNS.items():
            fields = [
                pa.field(column, types[of], metadata={"description": meaning})
                for column, (of, meaning) in columns.items()
            ]
            tables[name] = pa.table(getattr(self, name), schema=pa.schema(fields))
        return tables

    def to_pandas(self) -> dict[str, Any]:
        """Returns a `pandas.DataFrame` for each table."""
        return {name: table.to_pandas() for name, table in self.to_arrow().items()}

    def to_parquet(self, folder: str | os.PathLike[str]) -> None:
        """Writes `games.parquet`, `decisions.parquet` and `events.parquet` into a folder."""
        import pyarrow.parquet as parquet  # type: ignore[import-not-found]

        os.makedirs(folder, exist_ok=True)
        for name, table in self.to_arrow().items():
            parquet.write_table(table, os.path.join(folder, f"{name}.parquet"))


def play(
    game: Game,
    games: int = 100,
    players: Sequence[Player] = (),
    *,
    seed: int | str = 0,
    first: int = 1,
    events: bool = True,
) -> Played:
    """Plays games and returns every decision and every public event.

    `players` has one player for each seat; without any, all choose at random. Games are numbered from `first`, and each
    has a seed of its own: games 1 to 100 at once are the same as 1 to 50 and 51 to 100. Functions must not depend on
    anything else if equal seeds are to give equal games.
    """
    players = list(players) or ["random"] * game.seats
    if len(players) != game.seats:
        raise ValueError(f"name one player for each of the {game.seats} seats, or none")
    played = Played()
    for number in range(first, first + games):
        _one(game, number, players, game._native.seed_of_game(seed, number), events, played)
    return played


def _one(game: Game, number: int, players: list[Player], seed: str, events: bool, played: Played) -> None:
    state = game.new_state(seed)
    dice = random.Random(seed)
    while not state.is_over:
        at, seat = state.decisions, state.seat
        assert seat is not None
        player = players[seat]
        choices, name = state.count(), state.decision(0)["name"]
        choice, action = _chosen(state, player, dice)
        row = (
            number, at, seat, player if isinstance(player, str) else getattr(player, "__name__", "function"),
            name, choices, choice, action, ", ".join(map(game.describe_action, action)),
        )  # fmt: skip
        _append(played.decisions, row)
        if not events:
            state.take(choice)
            continue
        told: list[Any] = []
        for part in action:
            told = state.step_events(part)
        for count, event in enumerate(told):
            about = event.get("seat")
            about = about - 1 if isinstance(about, int) else None
            _append(played.events, (number, at, count, event["type"], about, json.dumps(event)))
    winners = [seat - 1 for seat in (state.outcome() or {}).get("winners", [])]
    _append(played.games, (number, seed, state.decisions, winners, state.returns()))


def _chosen(state: State, player: Player, dice: random.Random) -> tuple[int, list[int]]:
    """Returns the number of the choice and its action."""
    if isinstance(player, str):
        choice = state.bot_choice(player, dice.getrandbits(63))
        return choice, state.action_of(choice)
    action, copy = [], state.clone()
    decisions = copy.decisions
    while copy.decisions == decisions and not copy.is_over:
        part = player(copy)
        copy.step(part)
        action.append(part)
    return state.choice_of(action), action


def _append(table: dict[str, list[Any]], row: tuple[Any, ...]) -> None:
    for values, value in zip(table.values(), row, strict=True):
        values.append(value)


def tournament(
    game: Game,
    players: Mapping[str, Player],
    games: int = 100,
    *,
    seed: int | str = 0,
    play: Callable[..., Played] = play,
) -> list[dict[str, Any]]:
    """Lets every group of players that fills the seats play `games` games in every order of seats.

    Returns a row for each player, the best one first: `player`, `games`, `mean` (of what a game was worth) and
    `low` and `high`, the bounds of a 95 percent interval. `play` may be `wyrmgate.ray.play`.
    """
    worth: dict[str, list[float]] = {name: [] for name in players}
    for number, seated in enumerate(permutations(players, game.seats)):
        found = play(
            game, games, [players[name] for name in seated], seed=seed, first=number * games + 1, events=False
        )
        for returns in found.games["returns"]:
            for name, value in zip(seated, returns):
                worth[name].append(value)
    rows = []
    for name, values in worth.items():
        mean = sum(values) / len(values) if values else 0.0
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))
        margin = 1.96 * spread / math.sqrt(max(len(values), 1))
        rows.append({"player": name, "games": len(values), "mean": mean, "low": mean - margin, "high": mean + margin})
    return sorted(rows, key=lambda row: -row["mean"])
