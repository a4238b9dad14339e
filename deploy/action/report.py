#!/usr/bin/env python3
"""What a change of rules does, as Markdown: check, test, and the impact on games that both versions have.

    report.py rules report.md --base main --games 1000

WYRMGATE names the program. Without --base only check and test run. Ends with 1 if the rules have errors or a scenario fails;
an impact is never an error."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("WYRMGATE", "wyrmgate")


def run(*arguments, **options):
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, **options)


def fenced(title, text):
    return f"<details open><summary>{title}</summary>\n\n```text\n{text.strip()}\n```\n\n</details>\n"


def games(folder):
    """The games of a folder by their path in it."""
    files = set(folder.rglob("game.yaml")) - set(folder.rglob("scenarios/game.yaml"))
    return {str(file.parent.relative_to(folder)): file.parent for file in sorted(files)}


def files(folder):
    """The rules of a game, without scenarios and variants, which do not change it."""
    aside = {"scenarios", "variants"}
    found = (file for file in folder.rglob("*.yaml") if not aside & set(file.relative_to(folder).parts))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


def unpack(base, rules, folder):
    """The rules as they were in a commit."""
    archive = subprocess.run(["git", "archive", base, "--", str(rules)], capture_output=True, check=True)
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive.stdout, check=True)
    return pathlib.Path(folder) / rules


def measures(impact):
    for row in impact["rows"]:
        for measure in row["measures"]:
            if measure["significant"]:
                scale, unit = (100, " %") if measure["is_share"] else (1, "")
                base, other = (f"{measure[side]['mean'] * scale:.3g}{unit}" for side in ("base", "other"))
                low, high = (measure["difference"][end] * scale for end in ("low", "high"))
                yield f"| {row['seats']} | {measure['name']} | {base} | {other} | {low:+.3g} to {high:+.3g}{unit} |"


def impact(name, before, after, count):
    """The part of the report about one game."""
    found = run(PROGRAM, "impact", before, after, "--games", count, "--seed", 1, "--json")
    if found.returncode != 0:
        return fenced(f"{name}: the impact could not be measured", found.stderr)
    rows = list(measures(json.loads(found.stdout)))
    if not rows:
        return f"**{name}**: no significant difference in {count} games per number of seats.\n"
    head = ["| seats | | before | after | difference (95 %) |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([f"**{name}**, {count} games per number of seats:\n", *head, *rows, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=pathlib.Path)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--base", default="")
    parser.add_argument("--games", type=int, default=1000)
    wish = parser.parse_args()
    check, test = (run(PROGRAM, command, wish.rules) for command in ("check", "test"))
    passed = check.returncode == 0 and test.returncode == 0
    parts = ["### Rules\n", "All rules are correct, and all scenarios pass.\n" if passed else "**Something is wrong.**\n"]
    for name, ran in (("check", check), ("test", test)):
        if ran.returncode != 0:
            parts.append(fenced(f"wyrmgate {name}", ran.stdout + ran.stderr))
    if wish.base and check.returncode == 0:
        with tempfile.TemporaryDirectory() as folder:
            old, new = games(unpack(wish.base, wish.rules, folder)), games(wish.rules)
            changed = [name for name in new if name in old and files(old[name]) != files(new[name])]
            parts += [f"New: {name}\n" for name in new if name not in old] + [f"Removed: {name}\n" for name in old if name not in new]
            parts += [impact(name, old[name], new[name], wish.games) for name in changed] or ["No game plays differently.\n"]
    wish.report.write_text("\n".join(parts), encoding="utf-8")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
