"""Which games are played by whom: players × games × seeds × seats."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ..game import Game, rules_of
from .players import Player


@dataclass(frozen=True)
class Entry:
    """A game in a contest: its name or path, with `+variant` if wanted, or with the text of an overlay; `changes` are
    sentences for the players. With `digest`, the rules must be those."""

    game: str
    seats: int | None = None
    options: Mapping[str, object] | None = None
    overlay: str | None = None
    changes: tuple[str, ...] = ()
    level: int = 0
    name: str = ""
    digest: str | None = None
    folder: str | None = None

    @property
    def label(self) -> str:
        return self.name or self.game.rstrip("/").rsplit("/", 1)[-1]

    @cached_property
    def loaded(self) -> Game:
        """The game. Raises RulesError, and ValueError if the digest is another one."""
        rules = rules_of(self.game, folder=self.folder)
        if self.overlay is not None:
            rules = rules.changed(self.overlay, self.label.rsplit("+", 1)[-1])
        if self.digest is not None and rules.digest != self.digest:
            raise ValueError(f"the rules of {self.label} are not those that were measured: {rules.digest[:12]}")
        return rules.game(self.seats, self.options)


@dataclass(frozen=True)
class Match:
    """One game to play: players by seat. Rotations of the same group share their seed."""

    id: str
    entry: int
    seed: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class Budget:
    """Limits of a contest; None: no limit. `moves` limits each game, which then counts as drawn by nobody."""

    tokens: int | None = None
    seconds: float | None = None
    moves: int = 2_000


@dataclass(frozen=True)
class Contest:
    """Every group of players that fills the seats plays `games` seeds in every rotation of the seats."""

    entries: Sequence[Entry]
    players: Mapping[str, Player]
    games: int = 1
    seed: int = 0
    is_listed: bool = True
    attempts: int = 3
    budget: Budget = Budget()

    def matches(self) -> Iterator[Match]:
        """Returns all games in the order in which they begin: all entries once, then again with the next seed."""
        for number in range(self.games):
            for at, entry in enumerate(self.entries):
                game = entry.loaded
                seed = game.seed_of_game(self.seed, number + 1)
                names = list(self.players)
                size = min(game.seats, len(names))
                for group in combinations(names, size):
                    for turn in range(size):
                        seated = tuple(group[(turn + seat) % size] for seat in range(game.seats))
                        yield Match(f"{at}.{number}.{'/'.join(seated)}", at, seed, seated)

    @property
    def digest(self) -> str:
        """Identifies rules, players and settings, so that a journal continues only what it began."""
        described = {
            "entries": [[entry.label, entry.loaded.rules.digest, entry.loaded.seats, entry.loaded.options] for entry in self.entries],
            "players": {name: player.key for name, player in self.players.items()},
            "settings": [self.games, self.seed, self.is_listed, self.attempts, self.budget.moves],
        }
        return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
