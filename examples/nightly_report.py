#!/usr/bin/env python3
"""A balance report for a folder of rules, for a job that runs every night.

    nightly_report.py my-rules report.md
    WYRMGATE=target/release/wyrmgate nightly_report.py rules/gallery report.md --games 500

Plays random games of every game (`wyrmgate audit`), compares each variant with its base (`wyrmgate impact`), and compares with the
night before, whose numbers are in report.json. Ends with 1 if something is wrong: rules with errors, games that do not end, or a
seat that wins more or less often than the night before by more than chance explains. Seats with an unfair chance are noted."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ.get("WYRMGATE", "wyrmgate")


def wyrmgate(*arguments):
    """The JSON of a command. It also prints JSON when it has found problems and ends with 1."""
    ran = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True)
    if ran.returncode > 1 or not ran.stdout:
        sys.exit(f"wyrmgate {' '.join(map(str, arguments))}: {ran.stderr}")
    return json.loads(ran.stdout)


def share(row):
    return f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%})"


def moved(old, new, games):
    """Whether two shares of so many games each differ by four standard errors: a false alarm in a hundred nights or so."""
    mean = (old + new) / 2
    return abs(new - old) > 4 * math.sqrt(max(mean * (1 - mean), 1 / games) * 2 / games)


def audit(folder, games, before, problems):
    """The rows of a game's table, and its numbers for the next night."""
    lines, numbers = [], {}
    for row in wyrmgate("audit", folder, "--games", games, "--defaults")["rows"]:
        if row["failed"]:
            problems.append(f"{folder.name}: {row['failed']} games with {row['seats']} seats did not end")
        for win in row["wins"]:
            key = f"{row['seats']} seats, seat {win['seat']}"
            numbers[key] = win["share"]
            note = f"unfair: {win['fair']:.1%} expected" if win["unfair"] else ""
            if key in before and moved(before[key], win["share"], games):
                note = f"was {before[key]:.1%}"
                problems.append(f"{folder.name}, {key}: wins {share(win)}, the night before {before[key]:.1%}")
            lines.append(f"| {key} | {share(win)} | {row['decisions']['mean']:.1f} | {note} |")
    return lines, numbers


def variants(folder, games):
    """What each variant changes, as far as it is significant."""
    for file in sorted((folder / "variants").glob("*.yaml")):
        if not file.name.endswith(".scenarios.yaml"):
            for row in wyrmgate("impact", folder, file, "--games", games)["rows"]:
                for measure in row["measures"]:
                    if measure["significant"]:
                        base, other = measure["base"]["mean"], measure["other"]["mean"]
                        yield f"- {file.stem}, {row['seats']} seats, {measure['name']}: {base:.3g} → {other:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=pathlib.Path)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=1000)
    wish = parser.parse_args()
    memory = wish.report.with_suffix(".json")
    before = json.loads(memory.read_text()) if memory.exists() else {}
    checked = wyrmgate("check", wish.rules)
    problems = [f"{game['game']}: its rules have errors" for game in checked["games"] if not game["ok"]]
    pages, numbers = [], {}
    for file in sorted(set(wish.rules.rglob("game.yaml")) - set(wish.rules.rglob("scenarios/game.yaml"))):
        lines, numbers[file.parent.name] = audit(file.parent, wish.games, before.get(file.parent.name, {}), problems)
        pages += [f"\n## {file.parent.name}\n", "| | wins (95 %) | decisions | |", "| --- | --- | --- | --- |", *lines, ""]
        pages += variants(file.parent, wish.games)
    verdict = [f"- **{problem}**" for problem in problems] or ["Nothing is wrong."]
    wish.report.write_text("\n".join(["# Balance report\n", *verdict, *pages]) + "\n", encoding="utf-8")
    memory.write_text(json.dumps(numbers, indent=1), encoding="utf-8")
    print(f"{wish.report}: {len(numbers)} games, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
