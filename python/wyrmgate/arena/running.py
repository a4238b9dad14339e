"""Plays a contest."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import asdict

from .contest import Contest, Match
from .journal import Journal, question
from .players import Answer, EndpointError, Player, Turn
from .report import Results
from .table import Table, rules_text

# Seconds between two looks at the games, and so until Ctrl-C is noticed.
LOOK = 0.05


class Exhausted(Exception):
    """A budget is used up, or the contest was interrupted."""


class Purse:
    """What the players of a contest have used, and may use."""

    def __init__(self, contest: Contest):
        self.limits, self.began = contest.budget, time.monotonic()
        self.tokens = 0
        self.is_closed = False
        self.reason = ""
        self._lock = threading.Lock()

    def spend(self, tokens: int) -> None:
        with self._lock:
            self.tokens += tokens

    def check(self) -> None:
        """Raises Exhausted if nothing more may be asked."""
        if self.is_closed:
            raise Exhausted
        for name, used in (("tokens", self.tokens), ("seconds", time.monotonic() - self.began)):
            limit = getattr(self.limits, name)
            if limit is not None and used >= limit:
                self.reason = name
                raise Exhausted


def run(
    contest: Contest,
    path: str | os.PathLike[str],
    *,
    parallel: int = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Results:
    """Plays what the journal at `path` does not have yet, `parallel` games at once, and returns all results.

    After Ctrl-C, `Results.stopped` is `interrupted`; when a budget is used up, its name. Games of players that cannot be
    reached are in `Results.failures`.
    """
    journal = Journal(path, contest.digest)
    matches = list(contest.matches())
    waiting: queue.Queue[Match] = queue.Queue()
    for match in matches:
        if match.id not in journal.games:
            waiting.put(match)
    purse, failures = Purse(contest), {}
    problems: list[BaseException] = []

    def ask(name: str, player: Player, turn: Turn) -> Answer:
        asked = question(player.key, turn) if player.is_cached else ""
        if asked in journal.answers:
            return journal.answers[asked]
        purse.check()
        answer = player.answer(turn)
        if purse.is_closed:
            raise Exhausted
        purse.spend(answer.tokens)
        if asked:
            journal.add_answer(asked, answer)
        return answer

    def work() -> None:
        while not problems:
            try:
                match = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                journal.add_game(_played(contest, match, ask))
            except EndpointError as error:
                failures[match.id] = str(error)
                journal.add_failure(match.id, str(error))
            except Exhausted:
                return
            except BaseException as error:  # told by the thread that waits
                problems.append(error)
                return

    # Threads of the contest end with the program: an endpoint that is silent must not hold it.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(max(1, parallel))]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            progress(len(journal.games), len(matches))
            for thread in threads:
                thread.join(LOOK / len(threads))
    except KeyboardInterrupt:
        purse.reason = "interrupted"
    finally:
        purse.is_closed = True
        journal.close()
    progress(len(journal.games), len(matches))
    if problems:
        raise problems[0]
    games = [journal.games[match.id] for match in matches if match.id in journal.games]
    return Results(contest, games, failures, len(matches), purse.reason)


def _played(contest: Contest, match: Match, ask: Callable[[str, Player, Turn], Answer]) -> dict[str, object]:
    entry = contest.entries[match.entry]
    table = Table(entry.loaded, match.seed, rules_text(entry.loaded, entry.changes), is_listed=contest.is_listed)
    played = table.play(match.players, contest.players, ask, contest.attempts, contest.budget.moves)
    return {"id": match.id, "entry": entry.label, "level": entry.level, "seed": match.seed, "players": list(match.players), **asdict(played)}
