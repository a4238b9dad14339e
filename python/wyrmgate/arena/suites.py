"""The suite `wyrm-50`: does a player follow the rules that it is given?

Level 1 has 16 games as they are. Level 2 has 18 games with one changed rule, level 3 has 16 with two, made by `arena.changes`
with fixed seeds: numbers, directions, conditions, order and scoring. A player reads the changed clauses and a sentence for
each change. What counts is how its share of illegal moves and its rating change from level to level: who plays by memory
falls, and who reads stays.

The rules of each game are pinned by their digest. `python -m wyrmgate.arena suite --write` makes the suite again after rules
have changed, and its baselines with bots.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from ..game import rules_of
from .changes import changes
from .contest import Entry

NAMES = ("wyrm-50",)
SEED = 50
# How many games each level has, and from which: the first in which changes of the level pass.
SIZES = {1: 16, 2: 18, 3: 16}
LEVELS: dict[int, tuple[str, ...]] = {
    1: (
        "tic-tac-toe", "connect-four", "nim", "pig", "breakthrough", "othello", "hex", "oware", "goofspiel", "kuhn-poker",
        "leduc-poker", "nine-mens-morris", "night-market", "magic-dragon", "mount-drago", "way-of-the-dragon",
    ),
    2: (
        "connect-four", "nim", "pig", "breakthrough", "othello", "oware", "goofspiel", "kuhn-poker", "leduc-poker",
        "nine-mens-morris", "night-market", "magic-dragon", "mount-drago", "way-of-the-dragon", "draughts", "liars-dice",
        "sneaky-dragons", "yahtzee", "tic-tac-toe", "hearts", "gin-rummy", "havannah", "hex",
    ),
    3: (
        "breakthrough", "connect-four", "othello", "oware", "goofspiel", "leduc-poker", "nine-mens-morris", "night-market",
        "magic-dragon", "mount-drago", "way-of-the-dragon", "liars-dice", "yahtzee", "sneaky-dragons", "nim", "draughts",
        "hearts", "kuhn-poker", "gin-rummy", "cribbage", "coup", "hex", "havannah", "tic-tac-toe", "pig",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Suite:
    """Named entries, and what bots reached in them."""

    name: str
    entries: tuple[Entry, ...]
    baselines: dict[str, Any]


def suite(name: str = "wyrm-50", folder: str | None = None) -> Suite:
    """Returns a suite. Games are looked up in `folder` as in `rules_of`. Raises ValueError for an unknown name."""
    if name not in NAMES:
        raise ValueError(f"there is no suite `{name}`; there are {', '.join(NAMES)}")
    files = resources.files(__package__).joinpath("data")
    rows = json.loads(files.joinpath(f"{name}.json").read_text("utf-8"))
    found = files.joinpath(f"{name}.baselines.json")
    baselines = json.loads(found.read_text("utf-8")) if found.is_file() else {}
    entries = (Entry(**{**row, "changes": tuple(row["changes"]), "folder": folder}) for row in rows)
    return Suite(name, tuple(entries), baselines)


def made(folder: str | None = None, told: Callable[[str], None] = lambda line: None) -> list[Entry]:
    """Makes the entries of `wyrm-50` from the rules in `folder`."""
    entries = []
    for level, games in LEVELS.items():
        for number, game in enumerate(games):
            if sum(entry.level == level for entry in entries) == SIZES[level]:
                break
            rules = rules_of(game, folder=folder)
            seats = rules.seats[0]
            if level == 1:
                entry = Entry(game, seats, level=1, name=game, digest=rules.digest)
            else:
                found = changes(rules, seats, seed=SEED + 100 * level + number, parts=level - 1)
                if not found:
                    continue
                name = f"{game}+changed-{level}"
                digest = rules.changed(found[0].overlay, f"changed-{level}").digest
                entry = Entry(game, seats, None, found[0].overlay, (found[0].sentence,), level, name, digest)
            told(f"level {level}: {entry.label} {' '.join(entry.changes)}")
            entries.append(entry)
    if len(entries) != sum(SIZES.values()):
        raise ValueError(f"changes pass in only {len(entries)} games; add games or choose another seed")
    return entries


def write(name: str, file: str, document: Any) -> Path:
    """Writes a file of a suite into the package, and returns its path."""
    path = Path(__file__).parent / "data" / f"{name}{file}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def rows(entries: list[Entry]) -> list[dict[str, Any]]:
    """Returns entries as they are stored."""
    return [{key: value for key, value in asdict(entry).items() if key != "folder"} for entry in entries]
