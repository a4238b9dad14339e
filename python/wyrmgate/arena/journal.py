"""The journal of a contest: JSON lines, one for each answer and each game, added as they come."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from typing import Any

from .players import Answer, Turn


class JournalError(ValueError):
    """A journal of another contest, or no journal."""


def question(key: str, turn: Turn) -> str:
    """Identifies what a player is asked: equal for equal players, rules, texts and attempts."""
    parts = json.dumps([key, turn.rules, turn.text, list(turn.choices), turn.attempt])
    return hashlib.sha256(parts.encode()).hexdigest()


class Journal:
    """Lines of `{"type": "contest" | "answer" | "game" | "failed", …}`. A line that a kill cut short is removed."""

    def __init__(self, path: str | os.PathLike[str], digest: str):
        self.path, self._lock = os.fspath(path), threading.Lock()
        self.answers: dict[str, Answer] = {}
        self.games: dict[str, dict[str, Any]] = {}
        lines = self._repaired()
        if lines and lines[0].get("type") != "contest":
            raise JournalError(f"{self.path} is no journal of a contest")
        if lines and lines[0].get("digest") != digest:
            raise JournalError(f"{self.path} is of another contest: other rules, players or settings; name another file")
        for line in lines:
            if line["type"] == "answer":
                self.answers[line["question"]] = Answer(line["text"], line["tokens"], line["seconds"])
            elif line["type"] == "game":
                self.games[line["id"]] = line
        self._file = open(self.path, "a", encoding="utf-8")
        if not lines:
            self._add({"type": "contest", "digest": digest, "version": 1})

    def _repaired(self) -> list[dict[str, Any]]:
        """Returns the lines, and cuts off the last one if it has no end."""
        try:
            with open(self.path, "rb+") as file:
                read = file.read()
                whole = read[: read.rfind(b"\n") + 1]
                if len(whole) < len(read):
                    file.truncate(len(whole))
        except FileNotFoundError:
            return []
        try:
            return [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise JournalError(f"{self.path} is no journal: {error}") from None

    def _add(self, line: dict[str, Any]) -> None:
        with self._lock:
            if self._file.closed:
                return
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()

    def add_answer(self, name: str, answer: Answer) -> None:
        self.answers[name] = answer
        self._add({"type": "answer", "question": name, "text": answer.text, "tokens": answer.tokens, "seconds": answer.seconds})

    def add_game(self, line: dict[str, Any]) -> None:
        line = {"type": "game", **line}
        self.games[line["id"]] = line
        self._add(line)

    def add_failure(self, match: str, problem: str) -> None:
        """Notes a game that a player's endpoint ended. It is played again when the contest continues."""
        self._add({"type": "failed", "id": match, "problem": problem})

    def close(self) -> None:
        with self._lock:
            self._file.close()
