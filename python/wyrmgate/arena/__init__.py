"""Players against each other: language models, agents, bots and functions, over games, variants and seeds.

    from wyrmgate import arena
    contest = arena.Contest(
        [arena.Entry("tic-tac-toe", folder="rules/gallery")],
        {"greedy": arena.Bot("greedy"), "mine": arena.Function(lambda turn: "0")},
        games=10,
    )
    results = arena.run(contest, "results.jsonl")
    print(arena.ratings(results))

`python -m wyrmgate.arena --help` does the same from a shell.

**Fairness.** Each seed is played in every rotation of the seats, so that luck and the first move are the same for all.
**Answers.** A player may answer with the number of a listed choice, with its words, or with `{"option": …, "args": {…}}`.
Other answers are illegal and are counted with the clauses that forbid them; after `attempts` of them the arena draws a choice
at random. **Results.** The journal is a file of JSON lines to which each answer and each game is added at once. The same
contest continues where its journal ends; answers that are in it are not asked for again. **Ratings.** Shares of wins with
Wilson's interval; Elo from a Bradley-Terry model with an interval by resampling games.

`arena.changes` changes one rule of a game at a time; `arena.suites` has the suite `wyrm-50`, which measures with such changes
whether a player follows the rules it is given or those it remembers.
"""

from .chat import Chat
from .contest import Budget, Contest, Entry, Match
from .journal import Journal, JournalError
from .mcp import Agent
from .players import Answer, Bot, EndpointError, Function, Player, Turn, player_of
from .rating import Rating, ratings
from .report import Results, html, tables
from .running import run
from .suites import Suite, suite

__all__ = [
    "Agent",
    "Answer",
    "Bot",
    "Budget",
    "Chat",
    "Contest",
    "EndpointError",
    "Entry",
    "Function",
    "Journal",
    "JournalError",
    "Match",
    "Player",
    "Rating",
    "Results",
    "Suite",
    "Turn",
    "html",
    "player_of",
    "ratings",
    "run",
    "suite",
    "tables",
]
