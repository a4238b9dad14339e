#!/usr/bin/env python3
"""A player that sleeps until a webhook wakes it: it costs nothing between two decisions, and would run on any host of functions.

    wyrmgate serve --webhooks --webhook-allow http://127.0.0.1:9000
    webhook_player.py http://127.0.0.1:8080 mount-drago 9000

Creates a session against built-in bots, registers a webhook for `decision.owed`, and chooses at random whenever it is called.
`webhook_receiver.py` verifies the signatures. A message may arrive twice or late; the version in the choice's id makes that
harmless: an old choice is refused (412), and the next message follows."""
import json
import queue
import random
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from webhook_receiver import is_genuine

messages = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    """Answers at once and leaves the work to the main thread, because a sender does not wait long."""

    secret = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.secret, self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            messages.put((self.headers["webhook-id"], json.loads(body)))

    def log_message(self, *_):
        pass


def call(server, method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    request = urllib.request.Request(server + path, body and json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def choose_all(server, session, token):
    """Makes all choices that this seat owes. Each receipt has the next ones."""
    now = call(server, "GET", session + "/view?include=actions", token=token)
    while now["decisions"]:
        choice = random.choice(now["decisions"][0]["choices"])
        try:
            now = call(server, "POST", session + "/moves?include=actions", {"id": choice["id"]}, token)
        except urllib.error.HTTPError as error:
            if error.code not in (409, 412):
                raise
            return  # the session went on without this choice; another message follows if one is owed


def main(server, game, port):
    receiver = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    rivals = ["random"] * (call(server, "GET", "/v1/games/" + game)["players"][0] - 1)
    created = call(server, "POST", "/v1/sessions", {"game": game, "seats": ["open", *rivals]})
    session, owner = "/v1/sessions/" + created["id"], created["owner_token"]
    hook = {"url": f"http://127.0.0.1:{receiver.server_port}/", "events": ["decision.owed", "session.finished"]}
    Receiver.secret = call(server, "POST", session + "/webhooks", hook, owner)["secret"]
    Thread(target=receiver.serve_forever, daemon=True).start()
    token = call(server, "PUT", session + "/seats/1", {"name": "webhook_player.py"})["token"]
    seen = set()
    while True:
        ident, message = messages.get()
        if ident in seen:
            continue
        seen.add(ident)
        if message["type"] == "session.finished":
            print(f"{len(seen)} messages:", json.dumps(call(server, "GET", session)["outcome"]))
            return
        choose_all(server, session, token)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
