#!/usr/bin/env python3
"""A club of many players on several nodes. It keeps nothing but its operator key, and any node may die while it plays.

    wyrmgate key club --scopes create,players        # prints the key and its entry for the file of --keys
    python3 examples/club.py http://127.0.0.1:8080,http://127.0.0.1:8081 wg_key_… tic-tac-toe 200

Every member plays every round against another one. The club creates a round with one request, which it can repeat, and acts for
each member on one stream over all of the member's games. The last line is the table of results.
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
ROUNDS = int(sys.argv[5]) if len(sys.argv) > 5 else 1
SEASON = f"season-{int(time.time())}"
node = itertools.cycle(NODES)


def ask(method, path, member=None, body=None, headers=()):
    """Asks one node after the other until one answers; returns the open response."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **dict(headers)}
    if member:
        headers["Act-As"] = member
    for attempt in range(60):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(next(node) + path, data, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as problem:
            if problem.code not in (429, 500, 502, 503):
                raise
        except OSError:
            pass  # this node is gone
        time.sleep(min(1.0, 0.05 * 2**attempt))
    sys.exit(f"no node answers {method} {path}")


def read(method, path, member=None, body=None):
    with ask(method, path, member, body) as response:
        return json.load(response)


def create(number, members):
    """Pairs the members for a round. The names of the games make a repeated request harmless."""
    pairs = zip(members[::2], members[1::2])
    seats = [[{"player": one, "name": one}, {"player": other, "name": other}] for one, other in pairs]
    games = [{"game": GAME, "seats": pair, "endings": {"aborts": False},
              "labels": {"tags": [SEASON], "external_id": f"{SEASON}-{number}-{board}"}}
             for board, pair in enumerate(seats)]
    made = read("POST", "/v1/session-batches", body={"sessions": games})["items"]
    assert all("session" in item for item in made), made


def move(member, session):
    """Makes a move, unless somebody has made it meanwhile."""
    actions = read("GET", f"/v1/sessions/{session}/actions", member)
    choices = [choice for decision in actions["items"] for choice in decision["choices"]]
    if choices:
        try:
            ask("POST", f"/v1/sessions/{session}/moves", member, {"id": random.choice(choices)["id"]}).close()
        except urllib.error.HTTPError as problem:
            if problem.code not in (403, 409):
                raise


def play(member, games):
    """Follows one stream until all games of the member are over. A new node goes on where the old one ended."""
    over, last = set(), None
    while len(over) < games:
        try:
            after = {"Last-Event-ID": last} if last else {}
            with ask("GET", "/v1/players/me/events", member, headers=after) as stream:
                event = "message"
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name == "id":
                        last = value
                    elif name == "event":
                        event = value
                    elif name == "data" and event == "snapshot":
                        for item in json.loads(value)["sessions"]:
                            session = item["session"]
                            if item["owes"]:
                                move(member, session["id"])
                            elif session["status"] == "finished" and SEASON in session["labels"]["tags"]:
                                over.add(session["id"])
                    elif name == "data" and event != "bye":
                        change = json.loads(value)
                        if event == "finished":
                            over.add(change["session"])
                        elif change["seat"] in change["owing"]:
                            move(member, change["session"])
                    if len(over) >= games:
                        return
        except OSError:
            time.sleep(0.2)


members = [f"member-{number}" for number in range(MEMBERS)]
players = [threading.Thread(target=play, args=(member, ROUNDS), daemon=True) for member in members]
for player in players:
    player.start()
for number in range(ROUNDS):
    random.shuffle(members)
    create(number, members)
for player in players:
    player.join()
points = collections.Counter()
for member in members:
    page = read("GET", "/v1/players/me/sessions?status=finished&limit=100", member)
    mine = [item for item in page["items"] if SEASON in item["session"]["labels"]["tags"]]
    assert len(mine) == ROUNDS, (member, len(mine))
    points[member] = sum(item["seat"] in item["session"]["outcome"]["winners"] for item in mine)
print(f"{ROUNDS} rounds of {MEMBERS} members:", ", ".join(f"{m} {p}" for m, p in points.most_common(5)))
