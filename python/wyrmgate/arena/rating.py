"""Shares and ratings with 95 percent intervals."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Z = 1.959964
SAMPLES = 200
STEPS = 500
CLOSE = 1e-7
# A half-drawn game of each player against one of rating 0, so that who wins all has a finite rating.
PRIOR = 0.5
LIMIT = 1e6


def wilson(wins: float, games: float) -> tuple[float, float]:
    """Returns Wilson's interval of a share."""
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, Z * Z / games
    middle = share + square / 2
    spread = Z * math.sqrt(share * (1 - share) / games + square / games / 4)
    return max(0.0, (middle - spread) / (1 + square)), min(1.0, (middle + spread) / (1 + square))


@dataclass(frozen=True)
class Rating:
    """A player's results. A shared win counts as a part of a win."""

    player: str
    games: int
    wins: float
    share: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float


def ratings(games: Iterable[Mapping[str, Any]]) -> list[Rating]:
    """Returns the ratings of all players in these games, the best first; equal games give equal ratings."""
    games = list(getattr(games, "games", games))
    names = sorted({name for game in games for name in game["players"]})
    wins, played = defaultdict(float), defaultdict(int)
    for game in games:
        for seat, name in enumerate(game["players"]):
            played[name] += 1
            wins[name] += (seat in game["winners"]) / max(len(game["winners"]), 1)
    duels = [_duels(game) for game in games]
    dice, samples = random.Random(1), []
    for _ in range(SAMPLES if len(games) > 1 else 0):
        samples.append(_elo(names, [duels[dice.randrange(len(duels))] for _ in duels]))
    elo = _elo(names, duels)
    rows = []
    for name in names:
        spread = sorted(sample[name] for sample in samples) or [elo[name]]
        low, high = spread[int(0.025 * (len(spread) - 1))], spread[math.ceil(0.975 * (len(spread) - 1))]
        share = wins[name] / played[name]
        rows.append(Rating(name, played[name], wins[name], share, *wilson(wins[name], played[name]), elo[name], low, high))
    return sorted(rows, key=lambda row: (-round(row.elo), row.player))


def _duels(game: Mapping[str, Any]) -> list[tuple[str, str, float]]:
    """Returns a game as duels: each pair of seats of different players, and what the first one got of the duel. A winner
    beats each loser; losers, and winners, draw among themselves. Together they weigh as one game."""
    seated, found = game["players"], []
    for one in range(len(seated)):
        for other in range(one + 1, len(seated)):
            if seated[one] != seated[other]:
                won = (one in game["winners"]) - (other in game["winners"])
                found.append((seated[one], seated[other], 0.5 + won / 2))
    return found


def _elo(names: Sequence[str], games: Iterable[Sequence[tuple[str, str, float]]]) -> dict[str, float]:
    """Returns Elo ratings with mean 0 (Bradley-Terry, by minorization and maximization)."""
    won: dict[tuple[str, str], float] = defaultdict(float)
    for duels in games:
        for one, other, share in duels:
            won[one, other] += share / len(duels)
            won[other, one] += (1 - share) / len(duels)
    strength = dict.fromkeys(names, 1.0)
    rivals = {name: [other for other in names if other != name and won[name, other] + won[other, name] > 0] for name in names}
    for _ in range(STEPS):
        before = dict(strength)
        for name in names:
            gained = PRIOR + sum(won[name, other] for other in rivals[name])
            met = 2 * PRIOR / (strength[name] + 1)
            for other in rivals[name]:
                met += (won[name, other] + won[other, name]) / (strength[name] + strength[other])
            strength[name] = min(max(gained / met, 1 / LIMIT), LIMIT)
        if all(abs(strength[name] / before[name] - 1) < CLOSE for name in names):
            break
    elo = {name: 400 * math.log10(strength[name]) for name in names}
    mean = sum(elo.values()) / max(len(elo), 1)
    return {name: value - mean for name, value in elo.items()}
