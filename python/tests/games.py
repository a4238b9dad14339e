"""The games that ship."""

from functools import cache
from pathlib import Path

import wyrmgate

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "rules"
GALLERY = RULES / "gallery"

NAMES = sorted(path.parent.name for path in [*RULES.glob("*/game.yaml"), *GALLERY.glob("*/game.yaml")])


@cache
def rules(name: str) -> wyrmgate.Rules:
    folder = RULES / name
    return wyrmgate.rules_of(folder if folder.is_dir() else GALLERY / name)


@cache
def game(name: str, seats: int | None = None, returns: str | None = None) -> wyrmgate.Game:
    return rules(name).game(seats, returns=returns)
