"""Rules and games."""

from __future__ import annotations

import json
import operator
import os
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._native import Node, State, Stopped

__all__ = ["Diagnostic", "Game", "Plane", "Rules", "RulesError", "Stopped", "load", "loads", "rules_of"]


@dataclass(frozen=True)
class Diagnostic:
    """A problem of the rules. Lines and columns count from 1; they are None for a problem without a place."""

    code: str
    severity: str
    message: str
    label: str
    file: str | None
    line: int | None
    column: int | None
    excerpt: str
    help: str | None
    related: Sequence[Mapping[str, Any]]

    @staticmethod
    def _of(document: Mapping[str, Any]) -> "Diagnostic":
        fields = Diagnostic.__dataclass_fields__
        return Diagnostic(**{name: document.get(name) for name in fields})  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message} [{self.code}]"


class RulesError(ValueError):
    """Rules with errors. The message shows every problem with its excerpt; `diagnostics` are the same as objects."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic]):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


@dataclass(frozen=True)
class Plane:
    """A part of an observation, with a name and a shape."""

    name: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size(self) -> int:
        size = 1
        for length in self.shape:
            size *= length
        return size

    def of(self, observation: Any) -> Any:
        """Returns the plane of an observation, as a view of the array in its own shape."""
        return observation[..., self.offset : self.offset + self.size].reshape(observation.shape[:-1] + self.shape)


class Rules:
    """Checked rules of one game, which make games for numbers of seats and options."""

    def __init__(self, native: _native.Ruleset):
        self._native = native

    @property
    def name(self) -> str:
        """The game and its variants: `cliff-race+short`."""
        return self._native.name

    @property
    def digest(self) -> str:
        """Identifies all texts of the rules."""
        return self._native.digest

    @property
    def seats(self) -> list[int]:
        """The numbers of seats that the game allows."""
        return self._native.seats

    def options(self, seats: int | None = None) -> dict[str, Any]:
        """Returns every option with its default for a number of seats."""
        return self._native.options(self.seats[0] if seats is None else seats)

    def changed(self, overlay: str, name: str) -> "Rules":
        """Returns the rules with an overlay, given as text, on top. Raises RulesError."""
        title, files, roots = self._native.texts()
        path = f"{title}/variants/{name}.yaml"
        return _checked(_native.Ruleset.of_texts, f"{title}+{name}", [*files, (path, overlay)], [*roots, path])

    def warnings(self) -> list[Diagnostic]:
        """Returns what the check advises, although the rules have no errors."""
        return [Diagnostic._of(found) for found in self._native.warnings()]

    def game(
        self,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        returns: str | None = None,
    ) -> "Game":
        """Compiles the game; without `seats`, for the smallest number.

        `returns` is "result" (winners share 1, the others -1) or "points" (the number by which seats are ranked).
        By default, points count in games whose whole tree is small and in which they add up to zero at every end.
        """
        points = {None: None, "result": False, "points": True}
        if returns not in points:
            raise ValueError('`returns` is "result" or "points"')
        native = self._native.game(seats, None if options is None else dict(options), points[returns])
        return Game(self, native, returns)


def _checked(make: Any, *arguments: Any) -> Rules:
    try:
        return Rules(make(*arguments))
    except _native.Broken as broken:
        message, findings = broken.args
        raise RulesError(message, [Diagnostic._of(found) for found in json.loads(findings)]) from None


def rules_of(name: str | os.PathLike[str], *, folder: str | os.PathLike[str] | None = None) -> Rules:
    """Reads and checks rules: the path of a game's folder, or its name in `folder`; `game+variant` adds variants.

    Without `folder`, names are looked up in the folder `WYRMGATE_RULES`, or in `rules`. Raises RulesError.
    """
    base = os.environ.get("WYRMGATE_RULES", "rules") if folder is None else os.fspath(folder)
    return _checked(_native.Ruleset.find, os.fspath(name), base)


def load(
    name: str | os.PathLike[str],
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    returns: str | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> "Game":
    """Loads a game from a folder: see `rules_of` and `Rules.game`."""
    return rules_of(name, folder=folder).game(seats, options, returns)


def loads(
    text: str | Mapping[str, str],
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    name: str = "game",
    returns: str | None = None,
) -> "Game":
    """Loads a game from the text of its `game.yaml`, or from several texts by path, the root of the game first."""
    files = [("game.yaml", text)] if isinstance(text, str) else list(text.items())
    return _checked(_native.Ruleset.of_texts, name, files, [files[0][0]]).game(seats, options, returns)


class Game:
    """A game for a number of seats and options. Games and states are independent: share a game freely."""

    def __init__(self, rules: Rules, native: _native.Game, returns: str | None):
        self.rules = rules
        self._native = native
        self._wanted = returns
        _games[native.made_of()[0]] = self
        self._planes: tuple[Plane, ...] | None = None

    def __repr__(self) -> str:
        return f"<wyrmgate.Game {self.name}, {self.seats} seats, {self.num_actions} actions>"

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: Any) -> "Game":
        return self  # nothing in a game changes

    def __reduce__(self) -> Any:
        texts = self.rules._native.texts()
        return _restored, (texts, self.seats, self.options, self._wanted)

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def seats(self) -> int:
        return self._native.seats

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given; the others have their defaults."""
        return self._native.options

    @property
    def num_actions(self) -> int:
        """How many actions there are. An action has the same number in every position and every game.

        An action is a whole choice, unless `is_factored`.
        """
        return self._native.num_actions

    @property
    def is_factored(self) -> bool:
        """Whether an action is a part of a choice: first the option, then each value, because whole choices would
        be more than 2**20. The same seat acts until its choice is complete."""
        return self._native.is_factored

    @property
    def max_game_length(self) -> int:
        """The maximum number of actions in a game."""
        return self._native.max_game_length

    @property
    def has_hidden_information(self) -> bool:
        return self._native.has_hidden_information

    @property
    def has_chance(self) -> bool:
        return self._native.has_chance

    @property
    def has_simultaneous_decisions(self) -> bool:
        return self._native.has_simultaneous_decisions

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self._native.observation_size

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The parts of an observation, in order."""
        if self._planes is None:
            self._planes = tuple(Plane(name, tuple(shape), at) for name, shape, at in self._native.planes())
        return self._planes

    def plane(self, name: str) -> Plane:
        """Returns the plane with this name."""
        for plane in self.planes:
            if plane.name == name:
                return plane
        raise KeyError(f"no plane `{name}`; there are " + ", ".join(plane.name for plane in self.planes))

    @property
    def action_space(self) -> list[dict[str, Any]]:
        """Every option of every decision, with the domain of each argument."""
        return self._native.action_space()

    def describe_action(self, action: int) -> str:
        """Returns an action in words: `move piece=fire-2`."""
        return self._native.describe_action(whole("action", action))

    def clauses(self) -> list[tuple[str, str]]:
        """Returns the clauses of the rules: ids and texts."""
        return self._native.clauses()

    @staticmethod
    def seed_of_game(seed: int | str, number: int) -> str:
        """Returns the seed of game `number` of many, as 64 hexadecimal digits."""
        return _native.Game.seed_of_game(seed, whole("number", number))

    @property
    def returns(self) -> dict[str, Any]:
        """What the ends are worth: `measure`, the bounds `low` and `high` (None if unknown), `zero_sum`."""
        return self._native.returns_info()

    def new_state(self, seed: int | str = 0) -> State:
        """Begins a game. The seed is a whole number or 64 hexadecimal digits; it decides all of chance."""
        return self._native.new_state(seed)

    def new_node(self) -> Node:
        """Begins a game whose chance the caller answers: for solvers and hosts with chance nodes."""
        return self._native.new_node()

    def from_bytes(self, data: bytes) -> State:
        """Restores a state from `State.to_bytes`. It has no history, so bots that search cannot play in it."""
        return self._native.from_bytes(data)

    def simulate(
        self, games: int = 1000, *, players: Sequence[str] = (), seed: int | str = 0, threads: int = 1
    ) -> dict[str, Any]:
        """Plays games between bots, or at random without `players`: wins, lengths, failures, as `wyrmgate simulate`."""
        return self._native.simulate(whole("games", games), seed, list(players), whole("threads", threads, 1))

    def perft(self, depth: int, *, seed: int | str | None = None, threads: int = 1) -> list[dict[str, int]]:
        """Counts the nodes of the game tree after each number of decisions. Every outcome of chance is expanded,
        unless a seed decides it."""
        return self._native.perft(whole("depth", depth, 0, 2**32), seed, whole("threads", threads, 1))


def whole(name: str, value: Any, low: int = 0, below: int = 2**63) -> int:
    """Returns a whole number in a range. Raises ValueError, or TypeError if it is none, with the name of the argument."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` is {value!r}; it must be a whole number") from None
    if not low <= number < below:
        raise ValueError(f"`{name}` is {number}; it counts from {low} below {below}")
    return number


# Games by what their states share, so that many states are pickled with one game, and restored into one.
_games: "weakref.WeakValueDictionary[int, Game]" = weakref.WeakValueDictionary()
_RESTORED_MAX = 32
_restored_games: dict[str, Game] = {}


def _game_of(native: _native.Game) -> Game:
    key, rules, points = native.made_of()
    game = _games.get(key)
    if game is None:
        game = Game(Rules(rules), native, {None: None, True: "points", False: "result"}[points])
    return game


def _restored(texts: Any, seats: int, options: Mapping[str, Any], returns: str | None) -> Game:
    name = json.dumps([texts, seats, options, returns])
    game = _restored_games.pop(name, None)
    if game is None:
        game = _checked(_native.Ruleset.of_texts, *texts).game(seats, options, returns)
    while len(_restored_games) >= _RESTORED_MAX:
        _restored_games.pop(next(iter(_restored_games)))
    _restored_games[name] = game
    return game


def _restored_state(game: Game, data: bytes, past: Any, begun: list[int]) -> State:
    state = game.from_bytes(data)
    state._recall(past, begun)
    return state
