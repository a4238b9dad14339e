"""Results as tables and as a page."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from .contest import Contest
from .rating import Rating, ratings, wilson

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}td,th{padding:.3rem .8rem;border-bottom:1px solid #ccc;"
    "text-align:right}td:first-child,th:first-child{text-align:left}caption{text-align:left;font-weight:600}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}}"
)


@dataclass
class Results:
    """All games that were played, and why others were not: `failures` by game, and `stopped`, empty if nothing stopped the
    contest."""

    contest: Contest
    games: list[dict[str, Any]]
    failures: dict[str, str]
    wanted: int
    stopped: str = ""

    @property
    def is_complete(self) -> bool:
        return len(self.games) == self.wanted

    def document(self) -> dict[str, Any]:
        """Returns the results as JSON, without single moves."""
        return {
            "complete": self.is_complete,
            "stopped": self.stopped,
            "games": len(self.games),
            "wanted": self.wanted,
            "failures": self.failures,
            "players": [asdict(row) | effort(self.games, row.player) for row in ratings(self.games)],
            "levels": levels(self.games),
            "clauses": clauses(self.games),
        }


def effort(games: Sequence[Mapping[str, Any]], player: str) -> dict[str, Any]:
    """Returns the moves of a player, the share of those with an illegal answer, and tokens and seconds a move."""
    moves = [move for game in games for move in game["moves"] if move["player"] == player]
    count = max(len(moves), 1)
    illegal = sum(bool(move["refused"]) for move in moves)
    low, high = wilson(illegal, len(moves))
    return {
        "moves": len(moves),
        "illegal": illegal / count,
        "illegal_low": low,
        "illegal_high": high,
        "drawn_by_arena": sum(move["is_drawn"] for move in moves) / count,
        "tokens": sum(move["tokens"] for move in moves) / count,
        "seconds": sum(move["seconds"] for move in moves) / count,
    }


def levels(games: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns a row for each level and player, if games have levels: wins, and the share of illegal moves."""
    found = []
    for level in sorted({game["level"] for game in games} - {0}):
        some = [game for game in games if game["level"] == level]
        found += [{"level": level, **asdict(row), **effort(some, row.player)} for row in ratings(some)]
    return found


def clauses(games: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns how often each clause, or for want of one each kind of refusal, refused an answer of each player."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        for move in game["moves"]:
            for refused in move["refused"]:
                for clause in refused["clauses"] or [refused["kind"]]:
                    counts[move["player"], game["entry"], clause] += 1
    return [
        {"player": player, "entry": entry, "clause": clause, "count": count}
        for (player, entry, clause), count in counts.most_common()
    ]


def tables(results: Results) -> dict[str, list[dict[str, Any]]]:
    """Returns the tables `games`, `moves` and `refusals` as rows. `save` writes them."""
    games, moves, refusals = [], [], []
    for game in results.games:
        games.append({key: value for key, value in game.items() if key not in ("moves", "type")} | {"decisions": len(game["moves"])})
        for move in game["moves"]:
            moves.append({"game": game["id"], **{key: value for key, value in move.items() if key != "refused"}})
            refusals += [{"game": game["id"], "at": move["at"], "player": move["player"], **refused} for refused in move["refused"]]
    return {"games": games, "moves": moves, "refusals": refusals}


def save(results: Results, folder: str | os.PathLike[str]) -> list[str]:
    """Writes the tables as Arrow files if pyarrow is there and else as JSON lines, and `report.html`. Returns the paths."""
    os.makedirs(folder, exist_ok=True)
    written = []
    try:
        import pyarrow  # type: ignore[import-not-found]
        from pyarrow import feather
    except ImportError:
        pyarrow = None
    for name, rows in tables(results).items():
        path = os.path.join(folder, f"{name}.{'jsonl' if pyarrow is None else 'arrow'}")
        if pyarrow is None:
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            feather.write_feather(pyarrow.Table.from_pylist(rows), path, compression="uncompressed")
        written.append(path)
    path = os.path.join(folder, "report.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(html(results))
    return [*written, path]


def html(results: Results) -> str:
    """Returns a page of its own with the results."""
    found = results.document()
    parts = ["<h1>Arena</h1>", f"<p>{len(results.games)} of {results.wanted} games are played.</p>"]
    if results.stopped:
        parts.append(f"<p>The contest stopped: {escape(results.stopped)}.</p>")
    if results.failures:
        parts.append(f"<p>{len(results.failures)} games failed, first: {escape(next(iter(results.failures.values())))}</p>")
    parts.append(_table("Players", PLAYER_HEADS, [_player(row) for row in found["players"]]))
    if found["levels"]:
        rows = [[f"level {row['level']}, {row['player']}", *_player(row)[1:]] for row in found["levels"]]
        parts.append(_table("Levels", PLAYER_HEADS, rows))
    entries = [entry.label for entry in results.contest.entries]
    rows = []
    for label in entries:
        shares = {row.player: row for row in ratings([game for game in results.games if game["entry"] == label])}
        rows.append([label, *(_share(shares[name]) if name in shares else "" for name in results.contest.players)])
    parts.append(_table("Share of wins by game", ["game", *results.contest.players], rows))
    if found["clauses"]:
        rows = [[row["player"], row["entry"], row["clause"], str(row["count"])] for row in found["clauses"][:200]]
        parts.append(_table("Illegal answers, by the clause that forbids them", ["player", "game", "clause", "answers"], rows))
    changed = [entry for entry in results.contest.entries if entry.changes]
    if changed:
        parts.append("<h2>Changed rules</h2><ul>")
        parts += [f"<li>{escape(entry.label)}: {escape(' '.join(entry.changes))}</li>" for entry in changed]
        parts.append("</ul>")
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Arena</title><style>{STYLE}</style>\n{body}\n</html>\n'


PLAYER_HEADS = ["player", "games", "wins", "Elo", "moves", "illegal", "drawn by arena", "tokens a move", "seconds a move"]


def _player(row: Mapping[str, Any]) -> list[str]:
    return [
        row["player"],
        str(row["games"]),
        f"{row['share']:.0%} ({row['low']:.0%} to {row['high']:.0%})",
        f"{row['elo']:+.0f} ({row['elo_low']:+.0f} to {row['elo_high']:+.0f})",
        str(row["moves"]),
        f"{row['illegal']:.1%} ({row['illegal_low']:.1%} to {row['illegal_high']:.1%})",
        f"{row['drawn_by_arena']:.1%}",
        f"{row['tokens']:.0f}",
        f"{row['seconds']:.2f}",
    ]


def _share(row: Rating) -> str:
    return f"{row.share:.0%} of {row.games}"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>\n{body}</table>"
