#!/usr/bin/env python3
"""A club of many players on several nodes. It keeps nothing but its operator key, and any node may die while it plays.

    wyrmgate key club --scopes create,players        # prints the key and its entry for the file of --keys
    python3 examples/club.py http://127.0.0.1:8080,http://127.0.0.1:8081 wg_key_… tic-tac-toe 200

Every two members play a game. The club acts for each member on one stream over all games of that member.
"""
import collections
import itertools
import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request

NODES, KEY, GAME, MEMBERS = sys.argv[1].split(","), sys.argv[2], sys.argv[3], int(sys.argv[4])
ROUND = f"round-{int(time.time())}"
node = itertools.cycle(NODES)


def ask(method, path, member=None, body=None, last=None):
    """Asks one node after the other until one answers; returns the open response."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    headers.update({"Act-As": member} if member else {})
    headers.update({"Last-Event-ID": last} if last else {})
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(60):
        try:
            request = urllib.request.Request(next(node) + path, data, headers, method=method)
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as problem:
            if problem.code not in (429, 500, 502, 503):
                raise
        except OSError:
            pass  # this node is gone
        time.sleep(min(1.0, 0.05 * 2**attempt))
    sys.exit(f"no node answers {method} {path}")


def move(member, session):
    """Makes a move, unless it is made already."""
    actions = json.load(ask("GET", f"/v1/sessions/{session}/actions", member))
    choices = [choice for decision in actions["items"] for choice in decision["choices"]]
    try:
        if choices:
            ask("POST", f"/v1/sessions/{session}/moves", member, {"id": random.choice(choices)["id"]})
    except urllib.error.HTTPError as problem:
        if problem.code not in (403, 409):
            raise


def messages(member):
    """Follows the stream of a member for ever. Another node goes on where one has ended."""
    event = last = None
    while True:
        try:
            for line in ask("GET", "/v1/players/me/events", member, last=last):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                last = value if name == "id" else last
                event = value if name == "event" else event
                if name == "data" and event != "bye":
                    yield event, json.loads(value)
        except OSError:
            time.sleep(0.2)


def play(member):  # until the game of this round is over
    for event, data in messages(member):
        if event == "snapshot":
            for item in data["sessions"]:
                if item["owes"]:
                    move(member, item["session"]["id"])
                elif item["session"]["status"] == "finished" and item["session"]["labels"]["tags"] == [ROUND]:
                    return
        elif event == "finished":
            return
        elif data["seat"] in data["owing"]:
            move(member, data["session"])


members = [f"member-{number}" for number in range(MEMBERS)]
players = [threading.Thread(target=play, args=(member,), daemon=True) for member in members]
for player in players:
    player.start()
# The names of the games make the request harmless when it is repeated.
games = [{"game": GAME, "seats": [{"player": member, "name": member} for member in pair], "labels": {
    "tags": [ROUND], "external_id": f"{ROUND}-{board}"}} for board, pair in enumerate(zip(members[::2], members[1::2]))]
made = json.load(ask("POST", "/v1/session-batches", body={"sessions": games}))["items"]
for player in players:
    player.join()
points = collections.Counter()
for item in made:
    session = json.load(ask("GET", f"/v1/sessions/{item['session']['id']}"))
    points.update({session["seats"][seat - 1]["name"]: 1 for seat in session["outcome"]["winners"]})
print(f"{len(made)} games of {MEMBERS} members are over; {len(points)} members won")
