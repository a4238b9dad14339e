#!/usr/bin/env python3
"""A club of many players on several nodes. It keeps nothing but its operator key, and any node may die while it plays.

    wyrmgate key club --scopes create,players        # prints the key and its entry for the file of --keys
    python3 examples/club.py http://127.0.0.1:8080,http://127.0.0.1:8081 wg_key_… tic-tac-toe 200

Every two members play a game. The club acts for each member on one stream over all of the member's games."""
import collections
import http.client
import itertools
import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request

NODES, KEY, GAME, MEMBERS = itertools.cycle(sys.argv[1].split(",")), sys.argv[2], sys.argv[3], int(sys.argv[4])
ROUND = f"round-{int(time.time())}"
GONE = (OSError, http.client.HTTPException, ValueError)  # a node died, perhaps in the middle of an answer


def ask(method, path, member=None, body=None, last=None):  # one node after the other, until one answers
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    headers.update({name: value for name, value in {"Act-As": member, "Last-Event-ID": last}.items() if value})
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            request = urllib.request.Request(next(NODES) + path, data, headers, method=method)
            return urllib.request.urlopen(request, timeout=60)
        except GONE as problem:
            if getattr(problem, "code", 503) not in (429, 500, 502, 503):
                raise
        time.sleep(0.1)


def read(*request, **more):
    try:
        return json.load(ask(*request, **more))
    except (http.client.HTTPException, ValueError):  # only half an answer
        return read(*request, **more)


def move(member, session):  # unless it is made already
    actions = read("GET", f"/v1/sessions/{session}/actions", member)
    choices = [choice for decision in actions["items"] for choice in decision["choices"]]
    try:
        if choices:
            read("POST", f"/v1/sessions/{session}/moves", member, {"id": random.choice(choices)["id"]})
    except urllib.error.HTTPError as problem:
        if problem.code not in (403, 409, 412):  # the first attempt was made, although its answer got lost
            raise


def messages(member):  # for ever: another node goes on where one has ended
    event = last = None
    while True:
        try:
            for line in ask("GET", "/v1/players/me/events", member, last=last):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                last = value if name == "id" else last
                event = value if name == "event" else event
                if name == "data" and event != "bye":
                    yield event, json.loads(value)
        except GONE:
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
# The names of the games make the request harmless when it is repeated, until all of them exist.
games = [{"game": GAME, "seats": [{"player": member, "name": member} for member in pair], "labels": {
    "tags": [ROUND], "external_id": f"{ROUND}-{board}"}} for board, pair in enumerate(zip(members[::2], members[1::2]))]
made = [{}]
while not all("session" in item for item in made):
    made = read("POST", "/v1/session-batches", body={"sessions": games})["items"]
for player in players:
    player.join()
points = collections.Counter()
for item in made:
    session = read("GET", f"/v1/sessions/{item['session']['id']}")
    points.update({session["seats"][seat - 1]["name"]: 1 for seat in session["outcome"]["winners"]})
print(f"{len(made)} games of {MEMBERS} members are over; {len(points)} members won")
