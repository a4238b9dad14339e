"""Reads what a player answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._native import State

QUOTED = 200
"""Letters of an answer that are kept."""

SAID = re.compile(r"^(answer|choice|move|my choice|my move)\s*(is)?\s*[:=]\s*", re.I)
NUMBER = re.compile(r"(#\.?)?(\d+)")
NUMBER_AND_WORDS = re.compile(r"#?\.?(\d+)[\s:.)-]+(.+)")
WHOLE = re.compile(r"-?\d+")


@dataclass
class Refused:
    """An illegal answer. `kind` is `unreadable`, `ambiguous`, `not-listed`, or the code of the refusal."""

    kind: str
    clauses: list[str]
    message: str
    answer: str


def form_of(choice: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a listed choice as a player can say it: `{"option": …, "args": {…}}`."""
    return {key: choice[key] for key in ("option", "args") if key in choice}


def last_line(said: str) -> str:
    """Returns the choice that an answer ends with, without marks and words before it."""
    lines = (line.strip(" \t`*.\"'") for line in reversed(said.splitlines()))
    return SAID.sub("", next((line for line in lines if line), "")).strip(" `*\"'")


def read(
    state: State,
    said: str,
    decision: Mapping[str, Any],
    known: Mapping[tuple[str, str], Mapping[str, Any]] = {},
) -> int | Refused:
    """Returns the number of the choice that an answer means, or why it is refused. `known` are choices by decision and words
    that may have been legal before."""
    last, labels = last_line(said), [choice["label"].lower() for choice in decision["choices"]]

    def refused(kind: str, message: str) -> Refused:
        return Refused(kind, [], message, said[-QUOTED:])

    def described(document: str) -> int | Refused:
        try:
            found = state.read_choice(document)
        except ValueError as error:
            return refused("unreadable", f"this is no JSON: {error}")
        if "number" in found:
            return int(found["number"])
        return Refused(found["code"], found["clauses"], found["message"], said[-QUOTED:])

    if last.startswith("{"):
        return described(last)
    if labels.count(last.lower()) == 1:
        return labels.index(last.lower())
    if last.lower() in labels:
        return refused("ambiguous", "several choices read like this; answer with a number")
    if found := NUMBER.fullmatch(last):
        is_sure = found[1] or not any(WHOLE.fullmatch(label) for label in labels)
        if int(found[2]) < decision["count"] and is_sure:
            return int(found[2])
        return refused("not-listed", f"no choice has the number {found[2]}")
    if found := NUMBER_AND_WORDS.fullmatch(last):
        number = int(found[1])
        if number < len(labels) and labels[number] == found[2].lower():
            return number
    if form := known.get((decision["name"], last.lower())):
        return described(json.dumps(form))
    return refused("unreadable", "this is no number of a choice and not its words")
