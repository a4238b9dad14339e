"""Games with one rule changed, made from their own definitions.

`changes` reads the places at which mutation testing changes a definition (`wyrmgate mutate`), writes each change as an overlay
with a sentence that says what is different, and keeps those that pass the check and change the play.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..game import Game, Rules, RulesError, Stopped

KINDS = ("number", "direction", "condition", "order", "scoring")
DIRECTIONS = ("left", "right", "north", "south", "east", "west")
ORDER = ("first", "last", "top", "bottom", "most", "least", "min", "max")
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# Random games in which a change must make a difference, the share of games that must still end, and the lengths that they may
# have, compared with the unchanged game.
PROBES = 12
ENDS = 0.9
LENGTHS = (0.4, 3.0)
# Choices of a decision that are compared.
LABELS_MAX = 500
# Letters beside a change that a sentence quotes.
QUOTED = 50
# What nobody plays by: titles, looks, texts, the number of seats and the limits of the engine.
PASSED = ("look", "title", "about", "players", "bound", "scenarios", "texts", "options")


@dataclass(frozen=True)
class Change:
    """A changed rule: the overlay, a sentence for players, and where random games begin to differ."""

    kind: str
    overlay: str
    sentence: str
    seed: int
    decisions: int


@dataclass(frozen=True)
class Edit:
    """One value of the definition with new text: `path` are the keys that lead to it."""

    kind: str
    path: tuple[str, ...]
    value: str
    was: str
    now: str
    clauses: tuple[str, ...]
    numbers: tuple[int, int] | None


def changes(
    rules: Rules, seats: int, *, kinds: Sequence[str] = KINDS, count: int = 1, seed: int = 0, parts: int = 1
) -> list[Change]:
    """Returns up to `count` changes of these kinds, each of `parts` rules at once, drawn by the seed: equal arguments give
    equal changes."""
    base, dice = rules.game(seats), random.Random(f"{rules.name} {seats} {seed}")
    usual = base.simulate(2 * PROBES, seed=1)["length"]["mean"]
    edits = [edit for edit in _edits(rules) if edit.kind in kinds]
    dice.shuffle(edits)
    edits.sort(key=lambda edit: not edit.clauses)  # a rule that a clause states, if there are some
    # Each kind has its turn: numbers would crowd out the others.
    turns = [[edit for edit in edits if edit.kind == kind] for kind in kinds]
    dice.shuffle(turns)
    mixed = [edit for row in range(len(edits)) for turn in turns for edit in turn[row : row + 1]]
    found: list[Change] = []
    used: set[tuple[str, ...]] = set()
    for at, edit in enumerate(mixed):
        if len(found) == count:
            break
        if edit.path in used or parts > 1 and not _tried(rules, base, usual, [edit]):
            continue
        group = [edit]
        for other in mixed[at + 1 :]:
            if len(group) == parts:
                break
            if other.path not in used and all(_apart(one, other) for one in group):
                # Each part must make a difference by itself, too.
                if _tried(rules, base, usual, [other]) and _tried(rules, base, usual, [*group, other]):
                    group = [*group, other]
        change = _tried(rules, base, usual, group) if len(group) == parts else None
        if change:
            found.append(change)
            used.update(one.path for one in group)
    return found


def _apart(one: Edit, other: Edit) -> bool:
    """Whether two edits can stand in one overlay, and change different clauses."""
    shorter = min(len(one.path), len(other.path))
    return one.path[:shorter] != other.path[:shorter] and not set(one.clauses) & set(other.clauses)


def _edits(rules: Rules) -> Iterator[Edit]:
    """Returns every change that can be written as text, in the order of the definition."""
    files = {path: text.encode() for path, text in rules._native.texts()[1]}
    for what, path, start, end in rules._native.mutants():
        data = files[path]
        place = data[start:end].decode()
        now = _rewritten(what, place)
        if now is None or now == place:
            continue
        entry = _entry(data.decode(), len(data[:start].decode()))
        if entry is None or entry.path[0] in PASSED:
            continue
        text = data.decode()
        at = len(data[:start].decode())
        value = text[entry.begin : at] + now + text[at + len(place) : entry.end]
        first = text.rfind("\n", 0, at) + 1
        line = text[first : (text + "\n").find("\n", at)]
        was, after = _quotes(line, at - first, place, now)
        clauses = tuple(re.findall(r"\b[A-Z][A-Z0-9]*-\d+[a-z]?\b", line))
        numbers = re.fullmatch(r"`(-?\d+)` becomes `(-?\d+)`", what)
        yield Edit(
            _kind(what, place, line), entry.path, value, was, after, clauses,
            (int(numbers[1]), int(numbers[2])) if numbers else None,
        )  # fmt: skip


def _rewritten(what: str, place: str) -> str | None:
    """Returns a place of the definition with a change of mutation testing, if it can be made in the text."""
    if found := re.fullmatch(r"`(.+)` becomes `(.+)`", what):
        one, other = found.groups()
        edge = r"(?<![\w<>=!+*/-])" + re.escape(one) + r"(?![\w<>=])" if not one[0].isalnum() else rf"(?<![\w.]){re.escape(one)}(?!\w)"
        if place == one:
            return other
        return re.sub(edge, other, place) if len(re.findall(edge, place)) == 1 else None
    if what == "the condition is negated":
        return f"not ({place})"
    if what == "`where` is left out" and place.startswith("where "):
        return ""
    if what == "`most` and `least` change places":
        words = re.findall(r"\b(?:most|least)\b", place)
        return place.replace(words[0], "least" if words[0] == "most" else "most") if len(words) == 1 else None
    return None


def _kind(what: str, place: str, line: str) -> str:
    if re.search(r"\bscor|\bpoints?\b|\branked\b|\bworth\b|\bbonus\b|\bfinish\b", line):
        return "scoring"
    word = re.fullmatch(r"`(.+)` becomes `.+`", what)
    if word and word[1] in DIRECTIONS:
        return "direction"
    if (word and word[1] in ORDER) or "order" in what or "`most`" in what:
        return "order"
    if word and re.fullmatch(r"-?\d+", word[1]):
        return "number"
    return "condition"


@dataclass(frozen=True)
class _Entry:
    path: tuple[str, ...]
    begin: int
    end: int


def _entry(text: str, at: int) -> _Entry | None:
    """Returns the innermost entry of the block maps of a YAML text that contains a place: its keys and where its value is."""
    open_keys: list[tuple[int, str]] = []
    begin = offset = 0
    is_value = False  # whether the lines below belong to a value that is no block map
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(" "))
        bare = line.strip()
        if bare and not bare.startswith("#"):
            deeper = bool(open_keys) and indent > open_keys[-1][0]
            if not (is_value and deeper):
                if offset > at:
                    break
                while open_keys and indent <= open_keys[-1][0]:
                    open_keys.pop()
                found = re.match(r" *((?:\"[^\"]*\"|[^\s#\[{\"'|>-][^#\[{]*?)):(?=\s|$)", line)
                if not found:
                    return None
                open_keys.append((indent, found[1].strip('"')))
                begin = offset + found.end()
                rest = line[found.end() :].split(" #")[0].strip()
                is_value = bool(rest) and not rest.startswith("&")
        elif offset > at:
            break
        offset += len(line)
    else:
        offset = len(text)
    if not open_keys or not is_value or not begin <= at < offset:
        return None
    return _Entry(tuple(key for _, key in open_keys), begin, offset)


def _quotes(line: str, at: int, place: str, now: str) -> tuple[str, str]:
    """Returns a line around a place before and after its change, without comment and clauses."""
    before, after = line[:at].lstrip(), re.sub(r"\s+#.*", "", line[at + len(place) :])
    before, after = (re.sub(r"\s*\[[A-Z][A-Z0-9]*-\d+[^\]]*\]", "", part) for part in (before, after.rstrip()))
    if len(before) > QUOTED:
        before = "… " + before[-QUOTED:].partition(" ")[2]
    if len(after) > QUOTED:
        after = after[:QUOTED].rpartition(" ")[0] + " …"
    return before + place + after, before + now + after


def _overlay(rules: Rules, edits: Sequence[Edit], texts: dict[str, str]) -> str:
    lines = [f"extends: {rules.name}", "change:"]
    for edit in edits:
        for depth, key in enumerate(edit.path):
            lines.append("  " * (depth + 1) + f'"{key}":')
        head, _, body = edit.value.partition("\n")
        indent = "  " * (len(edit.path) + 1)
        lines[-1] += f" {head.strip()}".rstrip()
        if body.strip():
            lines.append(textwrap.indent(textwrap.dedent(body).rstrip(), indent))
    if texts:
        lines.append("  clauses:")
        lines += [f"    {name}: {_quoted(text)}" for name, text in texts.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _sentence(edit: Edit, texts: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Returns what a player is told, and the clauses as they read now."""
    if edit.numbers:
        for name in edit.clauses:
            if changed := _counted(texts.get(name, ""), *edit.numbers):
                return f"{name} now reads: {changed}", {name: changed}
    where = f"{edit.clauses[0]} is changed" if edit.clauses else f"In `{'.'.join(edit.path)}`"
    sentence = f"{where}: `{edit.now}` in place of `{edit.was}`."
    return sentence, {name: f"{texts[name]} ({edit.now})" for name in edit.clauses[:1] if name in texts}


def _counted(text: str, was: int, now: int) -> str | None:
    """Returns a clause with another number, if it names the number exactly once."""
    one, other = _word(was), _word(now)
    pattern = rf"(?<![\w-])(?:{was}|{one})(?![\w-])" if one else rf"(?<![\w-]){was}(?![\w-])"
    found = re.findall(pattern, text, re.I)
    if len(found) != 1 or other is None and not found[0].isdigit():
        return None
    new = str(now) if found[0].isdigit() else str(other)
    return re.sub(pattern, new.capitalize() if found[0][0].isupper() else new, text, flags=re.I)


def _word(number: int) -> str | None:
    if 0 <= number <= 20:
        return WORDS[number]
    if 20 < number < 100:
        tens, rest = TENS[number // 10 - 2], number % 10
        return f"{tens}-{WORDS[rest]}" if rest else tens
    return None


def _tried(rules: Rules, base: Game, usual: float, edits: Sequence[Edit]) -> Change | None:
    """Returns the change if it passes the check, games still end in usual time, and play differs."""
    texts, sentences, clauses = dict(base.clauses()), [], {}
    for edit in edits:
        sentence, changed = _sentence(edit, texts)
        sentences.append(sentence)
        clauses.update(changed)
    overlay = _overlay(rules, edits, clauses)
    try:
        changed_rules = rules.changed(overlay, "changed")
        game = changed_rules.game(base.seats)
        ended = game.simulate(2 * PROBES, seed=1)
    except (RulesError, ValueError, Stopped):
        return None
    least, most = (usual * times for times in LENGTHS)
    if ended["failed"] > (1 - ENDS) * 2 * PROBES or not least <= ended["length"]["mean"] <= most:
        return None
    for seed in range(PROBES):
        decisions = differs(base, game, seed)
        if decisions is not None:
            kind = edits[0].kind if len(edits) == 1 else "several"
            return Change(kind, overlay, " ".join(sentences), seed, decisions)
    return None


def differs(base: Game, game: Game, seed: int, most: int = 400) -> int | None:
    """Plays the same random game by both rules. Returns after how many decisions they offer other choices, or end
    otherwise; None if they do not."""
    one, other, dice = base.new_state(seed), game.new_state(seed), random.Random(seed)
    while not one.is_over and not other.is_over and one.decisions < most:
        labels, others = _labels(one), _labels(other)
        if one.seat != other.seat or one.count() != other.count() or sorted(labels) != sorted(others):
            return one.decisions
        choice = dice.randrange(len(labels))
        try:
            one.take(choice)
            other.take(others.index(labels[choice]))
        except Stopped:
            return None
    same = one.is_over == other.is_over and one.outcome() == other.outcome()
    return None if same else one.decisions


def _labels(state: object) -> list[str]:
    return [choice["label"] for choice in state.decision(LABELS_MAX)["choices"]]  # type: ignore[attr-defined]
