#!/usr/bin/env python3
"""Plays any game of any server to the end, choosing at random.
bot.py http://127.0.0.1:8080 GAME           creates a session against built-in bots
bot.py http://127.0.0.1:8080 SESSION SEAT   takes a seat of a session that somebody created"""
import json, random, sys, urllib.error, urllib.request

server, name, seat = (sys.argv + ["1"])[1:4]
headers = {"Content-Type": "application/json", "Prefer": "wait=20"}

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server + path, data, headers, method=method)
    return json.load(urllib.request.urlopen(request))

if len(sys.argv) < 4:
    rivals = ["random"] * (call("GET", "/v1/games/" + name)["players"][0] - 1)
    name = call("POST", "/v1/sessions", {"game": name, "seats": ["open"] + rivals})["id"]
session = "/v1/sessions/" + name
headers["Authorization"] = "Bearer " + call("PUT", session + "/seats/" + seat, {"name": "bot.py"})["token"]
while not (view := call("GET", session + "/view?include=actions"))["outcome"]:
    if view["decisions"]:
        choice = random.choice(view["decisions"][0]["choices"])
        try:
            call("POST", session + "/moves", {"id": choice["id"]})
        except urllib.error.HTTPError as error:
            if error.code != 412:  # 412: the session has changed meanwhile, so look again
                raise
    else:  # somebody else decides: wait until something happens
        call("GET", "%s/events?limit=1&after=%d" % (session, view["version"]))
print(json.dumps(view["outcome"]))
