"""Games spread over a Ray cluster. Equal seeds give the tables of one process, however many workers play, and whichever of
them die on the way.

    ray.init()
    played = wyrmgate.ray.play(game, 10_000, ["greedy", "random"], seed=1)
    rows = wyrmgate.tables.tournament(game, players, play=wyrmgate.ray.play)
"""

from __future__ import annotations

from collections.abc import Sequence

import ray  # type: ignore[import-not-found]

from . import tables
from .game import Game
from .tables import Played, Player

__all__ = ["play", "simulate"]


def _parts(games: int, first: int, chunk: int | None) -> list[tuple[int, int]]:
    """Returns the first number and the count of each chunk."""
    cores = max(int(ray.cluster_resources().get("CPU", 1)), 1)
    chunk = chunk or max(games // (4 * cores), 1)
    ends = range(first, first + games, chunk)
    return [(at, min(chunk, first + games - at)) for at in ends]


def play(
    game: Game,
    games: int = 100,
    players: Sequence[Player] = (),
    *,
    seed: int | str = 0,
    first: int = 1,
    events: bool = True,
    chunk: int | None = None,
    retries: int = 5,
) -> Played:
    """Plays games as `wyrmgate.tables.play` does, in tasks of `chunk` games.

    The task of a worker that dies is repeated elsewhere.
    """

    def some(rules: Game, at: int, count: int, seats: list[Player]) -> Played:
        return tables.play(rules, count, seats, seed=seed, first=at, events=events)

    task = ray.remote(max_retries=retries)(some)
    rules, seats = ray.put(game), ray.put(list(players))
    running = [task.remote(rules, at, count, seats) for at, count in _parts(games, first, chunk)]
    played = Played()
    for part in running:
        played.extend(ray.get(part))
    return played


def simulate(
    game: Game, games: int = 1000, *, players: Sequence[str] = (), seed: int | str = 0, chunk: int | None = None
) -> dict[str, object]:
    """Plays games between bots and returns how many each seat won, and how long the games took."""
    played = play(game, games, players, seed=seed, events=False, chunk=chunk)
    winners = played.games["winners"]
    lengths = played.games["decisions"]
    return {
        "games": games,
        "won": [sum(seat in won for won in winners) for seat in range(game.seats)],
        "drawn": sum(not won for won in winners),
        "decisions": {"least": min(lengths), "mean": sum(lengths) / games, "most": max(lengths)},
    }
