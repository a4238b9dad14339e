"""`python -m wyrmgate.arena`"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from typing import Any

from ..game import RulesError, rules_of
from . import report
from . import suites
from .changes import KINDS, changes
from .contest import Budget, Contest, Entry
from .journal import JournalError
from .players import player_of
from .rating import ratings
from .running import run

EXAMPLES = """\
examples:
  python -m wyrmgate.arena play --game tic-tac-toe --player greedy --player random --games 20 --out results
  python -m wyrmgate.arena play --suite wyrm-50 --player me=chat:my-model@http://127.0.0.1:8000/v1 --player greedy --out results
  python -m wyrmgate.arena play --game pig+short --player mcp:./agent --player search-1 --max-tokens 100000 --out results
  python -m wyrmgate.arena changes gallery/chess --count 5 --kinds direction,condition
  python -m wyrmgate.arena suite --list

players: random, greedy, search-1 to search-3, python:MODULE:FUNCTION, chat:MODEL@URL, mcp:COMMAND; NAME=… names one
exit codes: 0 complete; 1 wrong rules, settings or journal, or games failed because a player did not answer;
2 wrong arguments; 3 a budget is used up; 130 interrupted. The same command continues where it stopped.
"""
FAILED, EXHAUSTED, INTERRUPTED = 1, 3, 130


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "python -m wyrmgate.arena", description="Players against each other, over games, variants and seeds.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    commands = top.add_subparsers(dest="command", required=True)

    def command(name: str, about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=about, description=about, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        made.add_argument("--rules", metavar="FOLDER", help="folder of games (default: $WYRMGATE_RULES or rules)")
        made.add_argument("--json", action="store_true", help="print one JSON object")
        return made

    play = command("play", "Plays a contest, or what is left of it.")
    play.add_argument("--game", action="append", default=[], metavar="GAME[+VARIANT][:SEATS]", help="a game; may be repeated")
    play.add_argument("--suite", choices=suites.NAMES, help="the games of a suite")
    play.add_argument("--player", action="append", default=[], required=True, metavar="[NAME=]PLAYER", help="may be repeated")
    play.add_argument("--games", type=_positive, default=1, help="seeds for each game and group of players (1)")
    play.add_argument("--seed", type=int, default=0, help="decides the seeds of all games (0)")
    play.add_argument("--out", required=True, metavar="FOLDER", help="folder of the journal, the tables and the report")
    play.add_argument("--parallel", type=_positive, default=1, help="games at once (1)")
    play.add_argument("--unlisted", action="store_true", help="do not list choices: players must know what is legal")
    play.add_argument("--attempts", type=_positive, default=3, help="answers to a decision before one is drawn (3)")
    play.add_argument("--max-tokens", type=_positive, help="budget of the contest")
    play.add_argument("--max-seconds", type=float, help="budget of the contest")
    play.add_argument("--max-moves", type=_positive, default=2_000, help="decisions of a game; longer ones are drawn (2000)")
    play.add_argument("--timeout", type=float, default=60.0, help="seconds for an answer (60)")
    play.add_argument("--retries", type=int, default=4, help="repetitions of a request that fails (4)")

    make = command("changes", "Prints overlays, each with a changed rule and a sentence about it.")
    make.add_argument("game")
    make.add_argument("--seats", type=_positive)
    make.add_argument("--count", type=_positive, default=3)
    make.add_argument("--seed", type=int, default=0)
    make.add_argument("--parts", type=_positive, default=1, help="rules that change at once (1)")
    make.add_argument("--kinds", default=",".join(KINDS), help=f"from {','.join(KINDS)}")

    about = command("suite", "Lists a suite, or makes it and its baselines again.")
    about.add_argument("name", nargs="?", default="wyrm-50", choices=suites.NAMES)
    about.add_argument("--list", action="store_true", help="list its games (the default)")
    about.add_argument("--write", action="store_true", help="make it again from the rules")
    about.add_argument("--baselines", action="store_true", help="let random, greedy and search-1 play it again")
    about.add_argument("--games", type=_positive, default=1, help="seeds of the baselines (1)")
    about.add_argument("--parallel", type=_positive, default=1, help="games at once (1)")
    return top


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return number


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code."""
    given = parser().parse_args(arguments)
    try:
        return {"play": _play, "changes": _changes, "suite": _suite}[given.command](given)
    except (RulesError, JournalError, ValueError, OSError, ImportError, AttributeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of} games ", end="" if done < of else "\n", file=sys.stderr, flush=True)


def _play(given: argparse.Namespace) -> int:
    entries = list(suites.suite(given.suite, given.rules).entries) if given.suite else []
    for text in given.game:
        name, _, seats = text.rpartition(":") if text.rpartition(":")[2].isdecimal() else (text, "", "")
        entries.append(Entry(name, int(seats) if seats else None, folder=given.rules))
    if not entries:
        raise ValueError("name a game with `--game`, or `--suite`")
    players: dict[str, Any] = {}
    for text in given.player:
        name, _, spec = text.partition("=") if "=" in text.split(":")[0] else (text, "", text)
        if name in players:
            raise ValueError(f"two players are called `{name}`; write NAME=PLAYER")
        players[name] = player_of(spec, timeout=given.timeout, retries=given.retries)
    budget = Budget(given.max_tokens, given.max_seconds, given.max_moves)
    contest = Contest(entries, players, given.games, given.seed, not given.unlisted, given.attempts, budget)
    os.makedirs(given.out, exist_ok=True)
    results = run(contest, os.path.join(given.out, "journal.jsonl"), parallel=given.parallel, progress=_progress)
    # A second Ctrl-C must not take the results of the first one away.
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        written = report.save(results, given.out)
        _print(results, written, given.json)
    finally:
        signal.signal(signal.SIGINT, usual)
    if results.stopped:
        return INTERRUPTED if results.stopped == "interrupted" else EXHAUSTED
    return 0 if results.is_complete else FAILED


def _print(results: report.Results, written: list[str], as_json: bool) -> None:
    if as_json:
        print(json.dumps(results.document() | {"files": written}))
        return
    for row in results.document()["players"]:
        print(
            f"{row['player']}: {row['share']:.0%} of {row['games']} games ({row['low']:.0%} to {row['high']:.0%}), "
            f"Elo {row['elo']:+.0f} ({row['elo_low']:+.0f} to {row['elo_high']:+.0f}), {row['illegal']:.1%} of "
            f"{row['moves']} moves illegal, {row['tokens']:.0f} tokens and {row['seconds']:.3f} s a move"
        )
    for problem in sorted(set(results.failures.values())):
        print(f"failed: {problem}", file=sys.stderr)
    if results.stopped:
        print(f"stopped: {results.stopped}; the same command continues", file=sys.stderr)
    print(f"{len(results.games)} of {results.wanted} games; see {written[-1]}")


def _changes(given: argparse.Namespace) -> int:
    rules = rules_of(given.game, folder=given.rules)
    kinds = given.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise ValueError(f"there is no kind `{unknown[0]}`; there are {', '.join(KINDS)}")
    seats = given.seats or rules.seats[0]
    found = changes(rules, seats, kinds=kinds, count=given.count, seed=given.seed, parts=given.parts)
    if given.json:
        print(json.dumps({"game": rules.name, "seats": seats, "changes": [vars(change) for change in found]}))
    for change in [] if given.json else found:
        print(f"# {change.kind}: {change.sentence}\n# differs after {change.decisions} decisions of seed {change.seed}\n{change.overlay}")
    return 0 if len(found) == given.count else FAILED


def _suite(given: argparse.Namespace) -> int:
    if given.write:
        entries = suites.made(given.rules, lambda line: print(line, file=sys.stderr))
        suites.write(given.name, "", suites.rows(entries))
    found = suites.suite(given.name, given.rules)
    if given.write or given.baselines:
        suites.write(given.name, ".baselines", _baselines(found, given))
        found = suites.suite(given.name, given.rules)
    if given.json:
        print(json.dumps({"name": found.name, "entries": suites.rows(list(found.entries)), "baselines": found.baselines}))
        return 0
    for entry in found.entries:
        print(f"{entry.level} {entry.label}, {entry.seats} seats. {' '.join(entry.changes)}".rstrip())
    return 0


def _baselines(found: suites.Suite, given: argparse.Namespace) -> dict[str, Any]:
    players = {name: player_of(name) for name in ("random", "greedy", "search-1")}
    contest = Contest(found.entries, players, given.games)
    with tempfile.TemporaryDirectory() as folder:
        results = run(contest, os.path.join(folder, "journal.jsonl"), parallel=given.parallel, progress=_progress)
    if not results.is_complete:
        raise ValueError(f"the baselines are not complete: {results.stopped or results.failures}")

    def shares(games: list[dict[str, Any]]) -> dict[str, Any]:
        return {row.player: {"share": round(row.share, 3), "elo": round(row.elo)} for row in ratings(games)}

    by = {entry.label: [game for game in results.games if game["entry"] == entry.label] for entry in found.entries}
    levels = {level: [game for game in results.games if game["level"] == level] for level in suites.LEVELS}
    return {
        "command": f"python -m wyrmgate.arena suite {found.name} --baselines --games {given.games}",
        "games": len(results.games),
        "all": shares(results.games),
        "levels": {str(level): shares(games) for level, games in levels.items()},
        "entries": {name: shares(games) for name, games in by.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
