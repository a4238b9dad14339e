#!/usr/bin/env python3
"""A Swiss tournament of programs and built-in bots, with Elo ratings and their intervals.

    tournament.py http://127.0.0.1:8080 kuhn-poker random greedy search-1 'python3 my_program.py' --rounds 5 --pairs 4

Players with equal scores meet in each round, and never twice. A match has several pairs of games: each player has each seat
once in a pair. Programs are as in evaluate.py."""
import argparse
import math

from evaluate import BOTS, Program, play

SCALE = 400 / math.log(10)
PRIOR = 1.0  # virtual draws with an average player, which keep ratings finite


def pair(players, met):
    """Pairs players in the order of their scores. None if everybody has met everybody."""
    if len(players) < 2:
        return []
    first, rest = players[0], players[1:]
    for other in rest:
        if frozenset((first, other)) not in met:
            pairs = pair([player for player in rest if player != other], met)
            if pairs is not None:
                return [(first, other), *pairs]
    return None


def inverse(matrix):
    size = len(matrix)
    rows = [row[:] + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]  # positive definite: no pivot is 0
        for j in range(size):
            if j != i:
                factor = rows[j][i]
                rows[j] = [value - factor * other for value, other in zip(rows[j], rows[i])]
    return [row[size:] for row in rows]


def ratings(count, games):
    """Bradley-Terry strengths by Newton's method, and their standard errors, from (one, other, points of one)."""
    strength = [0.0] * count
    for _ in range(30):
        slope = [PRIOR * (0.5 - 1 / (1 + math.exp(-value))) for value in strength]
        curve = [[0.25 * PRIOR * (i == j) for j in range(count)] for i in range(count)]
        for one, other, points in games:
            expected = 1 / (1 + math.exp(strength[other] - strength[one]))
            weight = expected * (1 - expected)
            slope[one] += points - expected
            slope[other] -= points - expected
            for i, j, sign in [(one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)]:
                curve[i][j] += sign * weight
        covariance = inverse(curve)
        strength = [now + sum(c * s for c, s in zip(row, slope)) for now, row in zip(strength, covariance)]
    return strength, [math.sqrt(covariance[i][i]) for i in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("game")
    parser.add_argument("players", nargs="+")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--pairs", type=int, default=2, help="pairs of games in a match")
    wish = parser.parse_args()
    names, numbers = wish.players, range(len(wish.players))
    players = [name if name in BOTS else Program(name) for name in names]
    scores, games, met, idle = [0.0 for _ in numbers], [], set(), set()
    for number in range(wish.rounds or max(1, math.ceil(math.log2(len(names))))):
        order = sorted(numbers, key=lambda player: -scores[player])
        if len(names) % 2:  # the last one who has not been idle gets the points of a drawn match
            bye = next((player for player in reversed(order) if player not in idle), order[-1])
            idle.add(bye)
            order.remove(bye)
            scores[bye] += wish.pairs
        pairs = pair(order, met)
        if pairs is None:
            print(f"everybody has met everybody after {number} rounds")
            break
        for one, other in pairs:
            met.add(frozenset((one, other)))
            for game in range(2 * wish.pairs):
                seats = (one, other) if game % 2 == 0 else (other, one)
                points = play(wish.server, wish.game, [players[seat] for seat in seats])[seats.index(one)]
                scores[one] += points
                scores[other] += 1 - points
                games.append((one, other, points))
    strength, error = ratings(len(names), games)
    print(f"{len(games)} games of {wish.game}\n{'player':32} {'points':>6} {'Elo':>6}   95 % interval")
    for player in sorted(numbers, key=lambda player: -strength[player]):
        elo, width = SCALE * strength[player], 1.96 * SCALE * error[player]
        print(f"{names[player]:32} {scores[player]:6.1f} {elo:+6.0f}   {elo - width:+.0f} to {elo + width:+.0f}")


if __name__ == "__main__":
    main()
