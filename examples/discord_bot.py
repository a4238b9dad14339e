#!/usr/bin/env python3
"""A bot for Discord with a table in every channel. It keeps nothing but keys, so any number of copies can run.

    wyrmgate key discord --scopes create,players     # prints the key and its entry for the file of --keys
    WYRMGATE_KEY=wg_key_… DISCORD_PUBLIC_KEY=… python3 examples/discord_bot.py http://127.0.0.1:8080 9000

The "Interactions Endpoint URL" leads here. Commands: `new game`, `join`, `show`, `move choice` (autocomplete) and `resign`. The
newest session with the tag of a channel is its table; people act by their Discord ids. `openssl` verifies who signed."""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVER, PORT, KEY = sys.argv[1], int(sys.argv[2]), os.environ["WYRMGATE_KEY"]
PUBLIC = bytes.fromhex("302a300506032b6570032100" + os.environ["DISCORD_PUBLIC_KEY"])  # an Ed25519 key in DER
VERIFY = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in message -sigfile signature"


def call(method, path, person=None, body=None, raw=False):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"} | ({"Act-As": person} if person else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers, method=method)) as answer:
        return answer.read() if raw else json.load(answer)


def is_genuine(headers, body):
    sent, signature = headers.get("X-Signature-Timestamp", ""), headers.get("X-Signature-Ed25519", "")
    if re.fullmatch("[0-9a-f]{128}", signature):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ("key", PUBLIC), ("message", sent.encode() + body), ("signature", bytes.fromhex(signature)):
                with open(f"{folder}/{name}", "wb") as file:
                    file.write(content)
            return subprocess.run(VERIFY.split(), cwd=folder, capture_output=True).returncode == 0


def said(text, private=False):
    return {"type": 4, "data": {"content": text, "flags": 64 if private else 0, "allowed_mentions": {"parse": []}}}


def turn(table, before=""):
    now = call("GET", table)
    names = {seat["seat"]: seat.get("name") or seat.get("bot") for seat in now["seats"]}
    seats = now["outcome"]["winners"] if now["outcome"] else now["owing"]
    return before + ("Won by: " if now["outcome"] else "To move: ") + (", ".join(names[seat] for seat in seats) or "nobody")


def answer(asked):  # to an interaction: what to say, and a picture or None
    user = asked.get("user") or asked["member"]["user"]
    person, name, tag = user["id"], user.get("global_name") or user["username"], "channel-" + asked["channel_id"]
    command, given = asked["data"]["name"], {option["name"]: option["value"] for option in asked["data"].get("options", [])}
    if command == "new":
        call("POST", "/v1/sessions", None, {"game": given["game"], "labels": {"tags": [tag]}})
    found = call("GET", f"/v1/sessions?tag={tag}&limit=1")["items"]
    if not found or (command in ("new", "join") and not found[0]["open_seats"]):
        return said("There is no free table in this channel: /new", private=True), None
    table = "/v1/sessions/" + found[0]["id"]
    if command in ("new", "join"):
        call("PUT", f"{table}/seats/{found[0]['open_seats'][0]}", person, {"name": name})
        return said(turn(table, f"{name} sits down to {found[0]['game']}. ")), None
    if command == "show":
        return said(turn(table), private=True), call("GET", table + "/board.png?size=600", person, raw=True)
    if command == "resign":
        call("POST", table + "/resignations", person, {})
        return said(turn(table, f"{name} resigns. ")), None
    if asked["type"] == 4:  # the choices that contain the letters typed so far
        decisions, typed = call("GET", table + "/view?include=actions", person)["decisions"], given["choice"].lower()
        fitting = [choice for decision in decisions for choice in decision["choices"] if typed in choice["label"].lower()]
        return {"type": 8, "data": {"choices": [{"name": one["label"][:100], "value": one["id"]} for one in fitting[:25]]}}, None
    receipt = call("POST", table + "/moves", person, {"id": given["choice"]})
    labels = [event["label"] for event in receipt["events"] if event["type"] == "chose" and not receipt["secret"]]
    return said(turn(table, f"{name}: {(labels or ['in secret'])[0]}. ")), None


class Interactions(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            return self.send_error(401)
        asked = json.loads(body)
        try:
            told, picture = ({"type": 1}, None) if asked["type"] == 1 else answer(asked)
        except urllib.error.HTTPError as error:
            told, picture = said(json.load(error).get("detail", "This cannot be done now."), private=True), None
        content, form = json.dumps(told).encode(), "application/json"
        if picture:
            part, form = b'--part\r\nContent-Disposition: form-data; name="%b\r\n\r\n%b\r\n', "multipart/form-data; boundary=part"
            content = part % (b'payload_json"', content) + part % (b'files[0]"; filename="board.png"', picture) + b"--part--\r\n"
        self.send_response(200)
        self.send_header("Content-Type", form)
        self.end_headers()
        self.wfile.write(content)


ThreadingHTTPServer(("127.0.0.1", PORT), Interactions).serve_forever()
