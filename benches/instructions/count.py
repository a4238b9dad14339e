#!/usr/bin/env python3
"""Instructions of seeded games under valgrind, compared with those stored in counts.json.

    cargo build --release --locked
    benches/instructions/count.py             compare; fails if a game needs more than the tolerance
    benches/instructions/count.py --update    store what is counted now

Seconds are noisy on shared machines, instructions are not: two runs of the same binary differ by less than one in a
hundred. For each game the same playouts are played as by `wyrmgate bench GAME --playouts N --seed 1`; what loading and
translation cost is taken off by a second run with one playout. They take up to some billion instructions, of which a few
hundred thousand differ from run to run, so small games are played more often: until they take sixty million.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
COUNTS = HERE / "counts.json"
PLAYOUTS = 20
ENOUGH = 60_000_000
TOLERANCE = 0.03


def games():
    """Folders with a game, by their path under rules/."""
    files = sorted((ROOT / "rules").glob("**/game.yaml"))
    folders = [file.parent.relative_to(ROOT / "rules") for file in files]
    return [str(folder) for folder in folders if "scenarios" not in folder.parts]


def bench(binary, game, playouts, *prefix):
    folder = ROOT / "rules" / game
    command = [*prefix, str(binary), "bench", str(folder), "--playouts", str(playouts), "--seed", "1", "--json"]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def instructions(binary, game, playouts):
    with tempfile.NamedTemporaryFile() as out:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}"]
        errors = bench(binary, game, playouts, *tool).stderr
    return int(re.search(r"Collected : (\d+)", errors).group(1))


def per_step(binary, game, before):
    """Instructions a step, without those of starting the program; `before` is what is stored, or None."""

    def steps(playouts):
        return json.loads(bench(binary, game, playouts).stdout)["steps"]

    expected = (before or ENOUGH) * steps(PLAYOUTS) / PLAYOUTS
    many = max(PLAYOUTS, round(ENOUGH / expected))
    spent = {n: instructions(binary, game, n) for n in (1, many)}
    return (spent[many] - spent[1]) / (steps(many) - steps(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target/release/wyrmgate", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("games", nargs="*", help="folders under rules/; all of them if none is named")
    args = parser.parse_args()
    stored = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    slower = []
    for game in sorted(args.games) or games():
        before = stored.get(game)
        now = round(per_step(args.binary, game, before))
        change = f"{now / before - 1:+.1%}" if before else "new"
        print(f"{game:32} {now:>10,} instructions a step  {change}")
        if before and now > before * (1 + TOLERANCE):
            slower.append(game)
        if args.update or before is None:
            stored[game] = now
    if args.update:
        COUNTS.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
    if slower and not args.update:
        sys.exit(f"more than {TOLERANCE:.0%} above what is stored: {', '.join(slower)}")


if __name__ == "__main__":
    main()
