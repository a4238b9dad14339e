#!/usr/bin/env python3
"""Plays any game of any server to the end, choosing at random, with one request per move.
bot.py http://127.0.0.1:8080 GAME           creates a session against built-in bots
bot.py http://127.0.0.1:8080 SESSION SEAT   takes a seat of a session that somebody created"""
import json, random, sys, urllib.error, urllib.request

server, name, seat = (sys.argv + ["1"])[1:4]
headers = {"Content-Type": "application/json", "Prefer": "wait=20"}

def call(method, path, body=None):
    request = urllib.request.Request(server + path, body and json.dumps(body).encode(), headers, method=method)
    return json.load(urllib.request.urlopen(request))

if len(sys.argv) < 4:
    rivals = ["random"] * (call("GET", "/v1/games/" + name)["players"][0] - 1)
    name = call("POST", "/v1/sessions", {"game": name, "seats": ["open"] + rivals})["id"]
session = "/v1/sessions/" + name
headers["Authorization"] = "Bearer " + call("PUT", session + "/seats/" + seat, {"name": "bot.py"})["token"]
now = {"version": 0, "status": "waiting", "decisions": []}
while now["status"] != "finished":
    if not now["decisions"]:  # somebody else decides: wait until something happens
        now = (call("GET", f"{session}/events?include=actions,view&after={now['version']}")["items"] or [now])[-1]
        continue
    choice, now["decisions"] = random.choice(now["decisions"][0]["choices"]), []
    try:
        now = call("POST", session + "/moves?include=actions,view", {"id": choice["id"]})
    except urllib.error.HTTPError as error:
        if error.code != 412:  # 412: the session has changed meanwhile, so go on from there
            raise
print(json.dumps(now["view"]["outcome"]))
