"""Sets the results of all engines side by side: playouts per CPU second, and ratios to this engine.

    python3 table.py RESULTS.jsonl
"""

import json
import sys

COLUMNS = ["wyrmgate", "by_hand", "openspiel", "boardgame.io"]


def read(path):
    games = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            result = json.loads(line)
            games.setdefault(result["game"], {}).update(result)
    return games


def cell(result, column):
    if column not in result:
        return f"{'–':>12} {'':>7}"
    rate = result[column]
    ratio = "" if column == "wyrmgate" else f"×{result['wyrmgate'] / rate:.3g}"
    return f"{rate:>12,.0f} {ratio:>7}"


def main():
    games = read(sys.argv[1])
    print("random playouts per CPU second; × is how many times as fast wyrmgate is\n")
    print(f"{'':<14}" + "".join(f"{column:>12} {'':>7}" for column in COLUMNS))
    for game, result in games.items():
        print(f"{game:<14}" + "".join(cell(result, column) for column in COLUMNS))


if __name__ == "__main__":
    main()
