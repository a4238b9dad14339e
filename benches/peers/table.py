"""Sets the results of all engines side by side: playouts and steps per CPU second, and ratios to this engine.

    python3 table.py RESULTS.jsonl
"""

import json
import math
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
        if "wyrmgate" in result:
            print(f"{game:<14}" + "".join(cell(result, column) for column in COLUMNS))
    steps = {game: result for game, result in games.items() if "openspiel_steps" in result}
    if steps:
        tell_steps(steps)


def tell_steps(games):
    print("\nsteps per CPU second, with all choices found at every step\n")
    print(f"{'':<18}{'wyrmgate':>14}{'openspiel':>14}{'ratio':>8}")
    ratios = []
    for game, result in games.items():
        own, other = result["steps_per_cpu_second"], result["openspiel_steps"]
        ratios.append(own / other)
        print(f"{game:<18}{own:>14,.0f}{other:>14,.0f}{own / other:>8.2f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{'geometric mean':<18}{'':>28}{mean:>8.2f}")


if __name__ == "__main__":
    main()
