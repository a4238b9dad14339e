#!/usr/bin/env python3
"""Plays games over HTTP, one after the other, both looking and moving as clients do.

    benches/http/play.py 127.0.0.1:8080                  every game of the server, a few sessions each
    benches/http/play.py 127.0.0.1:8080 --seconds 5      for about so long

For `./dist`, which tells the compiler what a server does most; it prints how many moves were made. Moves are the first
listed ones, so the same server plays the same. Exit code 1 if the server refuses anything.
"""

import argparse
import http.client
import itertools
import json
import sys
import time

# Maximum number of moves: a game that does not end by itself is abandoned.
MOVES_MAX = 300
# A player reads the view once in this number of moves, as a person would who has come late.
LOOK_EVERY = 8


class Client:
    """One kept-alive connection."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=30)

    def ask(self, method, path, body=None, token=None, **headers):
        """The answer's document; leaves the program if the server refuses."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = "Bearer " + token
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        self.connection.request(method, path, body=body, headers=headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status >= 400:
            sys.exit(f"{method} {path}: {response.status} {answer.decode()}")
        return json.loads(answer) if "json" in response.headers.get("Content-Type", "") else None


def games(client):
    """Names and the fewest seats, of games and their variants."""
    for game in client.ask("GET", "/v1/games")["items"]:
        yield game["name"], min(game["players"])


def play(client, game, seats):
    """One session from its creation to its end; the number of moves."""
    session = client.ask("POST", "/v1/sessions", {"game": game, "seats": ["open"] * seats})
    path = "/v1/sessions/" + session["id"]
    tokens = [client.ask("PUT", f"{path}/seats/{seat + 1}", {})["token"] for seat in range(seats)]
    now = client.ask("GET", path)
    for number in range(MOVES_MAX):
        if not now["owing"]:
            break
        seat = now["owing"][0]
        token = tokens[seat - 1]
        keyed = {}
        if number % LOOK_EVERY == 0:
            client.ask("GET", f"{path}/view?include=actions", token=token)
            client.ask("GET", f"{path}/actions", token=token)
            client.ask("GET", f"{path}/events?after={max(0, now['version'] - 3)}", token=token)
            keyed = {"Idempotency_Key": f"move-{number}"}
        now = client.ask("POST", f"{path}/moves", {"id": f"{now['version']}.{seat}.0"}, token=token, **keyed)
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="where the server listens: HOST:PORT")
    parser.add_argument("--seconds", type=float, default=3.0, help="no session begins later [3]")
    wanted = parser.parse_args()
    client = Client(wanted.address)
    until = time.monotonic() + wanted.seconds
    moves = 0
    for game, seats in itertools.cycle(list(games(client))):
        if time.monotonic() > until:
            break
        moves += play(client, game, seats)
    print(f"{moves} moves")


if __name__ == "__main__":
    main()
