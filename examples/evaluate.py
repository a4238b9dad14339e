#!/usr/bin/env python3
"""Lets two programs play many games against each other, and prints how often each has won.

    evaluate.py http://127.0.0.1:8080 tic-tac-toe 'python3 examples/choose.py' 'python3 examples/choose.py first'
    evaluate.py http://127.0.0.1:8080 kuhn-poker 'python3 my_program.py' greedy --games 200

A program reads a JSON object per line, {"view": …, "decision": …}, and answers with a line: the `id` of one of the decision's
`choices`. The name of a built-in bot (random, greedy, search-1, …) stands for that bot. Programs change seats after each game."""
import argparse
import http.client
import json
import shlex
import subprocess
import threading
import urllib.parse

BOTS = ["random", "greedy", "search-1", "search-2", "search-3"]


class Client:
    """One connection to a server, which may act for a seat."""

    def __init__(self, server, token=None):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(server).netloc)
        self.headers = {"Content-Type": "application/json", "Prefer": "wait=20"}
        if token:
            self.headers["Authorization"] = "Bearer " + token

    def call(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def get(self, path):
        return self.call("GET", path)[1]


class Program:
    """A process that chooses."""

    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def choose(self, view, decision):
        self.process.stdin.write(json.dumps({"view": view, "decision": decision}) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def play(self, client, session):
        """Plays a seat to the end, with one request per move."""
        now = {"version": 0, "status": "waiting", "decisions": []}
        while now["status"] != "finished":
            if not now["decisions"]:
                page = client.get(f"{session}/events?include=actions,view&after={now['version']}")
                now = (page["items"] or [now])[-1]
                continue
            chosen = self.choose(now["view"], now["decisions"][0])
            status, answer = client.call("POST", session + "/moves?include=actions,view", {"id": chosen})
            if status >= 300 and status != 412:  # 412: the session has changed meanwhile
                raise RuntimeError(f"{chosen!r} was refused: {answer}")
            now = answer if status < 300 else now | {"decisions": []}


def play(server, game, players):
    """Plays one game between players, each a program or the name of a bot. Returns the result of each: 1, 0 or a half."""
    client = Client(server)
    seats = [player if player in BOTS else "open" for player in players]
    session = "/v1/sessions/" + client.call("POST", "/v1/sessions", {"game": game, "seats": seats})[1]["id"]
    threads = []
    for seat, player in enumerate(players, 1):
        if player not in BOTS:
            token = client.call("PUT", f"{session}/seats/{seat}", {})[1]["token"]
            threads.append(threading.Thread(target=player.play, args=(Client(server, token), session)))
            threads[-1].start()
    for thread in threads:
        thread.join()
    version = 0
    while not (over := client.get(session))["outcome"]:  # bots alone, or the last of them
        version = (client.get(f"{session}/events?limit=100&after={version}")["items"] or [{"version": version}])[-1]["version"]
    won = set(over["outcome"]["winners"])
    return [1 / len(won) if seat in won else 0 if won else 0.5 for seat in range(1, len(players) + 1)]


def interval(mean, count, z=1.96):  # Wilson's, at the 95 % level
    middle, width = mean + z * z / 2 / count, z * (mean * (1 - mean) / count + (z / 2 / count) ** 2) ** 0.5
    return [(middle + side * width) / (1 + z * z / count) for side in (-1, 1)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server"), parser.add_argument("game"), parser.add_argument("one"), parser.add_argument("other")
    parser.add_argument("--games", type=int, default=100)
    wish = parser.parse_args()
    both = [name if name in BOTS else Program(name) for name in (wish.one, wish.other)]
    results = [play(wish.server, wish.game, both[::1 - 2 * (n % 2)])[:: 1 - 2 * (n % 2)] for n in range(wish.games)]
    print(f"{wish.games} games of {wish.game}\n{'program':40} {'points':>7}   95 % interval")
    for name, points in zip((wish.one, wish.other), map(sum, zip(*results))):
        low, high = interval(points / wish.games, wish.games)
        print(f"{name:40} {points / wish.games:7.1%}   {low:.1%} to {high:.1%}")
