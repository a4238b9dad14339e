"""A server of a version that does not exist yet: passes requests on to a server of today, and adds to its answers an event, codes,
words and members that no client has seen. future.py URL PORT"""

import json
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EVENT = {"type": "meteor-fell", "size": 3, "seat": {"number": 1}}
# Members whose words may become more, as clients of today see them.
WORDS = {"visibility": "friends", "policy": "replays", "kind": "gesture", "forks": "sometimes", "undo": "twice", "durability": "stone"}
PROBLEM = "moon-is-full"


def newer(value):
    """Returns an answer with what a newer version might add."""
    if isinstance(value, list):
        return [newer(element) for element in value]
    if not isinstance(value, dict):
        return value
    told = {name: WORDS[name] if name in WORDS and isinstance(of, str) else newer(of) for name, of in value.items()}
    if isinstance(told.get("events"), list):
        told["events"].append(EVENT)
    if "request_id" in told and "code" in told:
        told["code"] = PROBLEM
    # What depends on the game, such as the arguments of a choice, has the names of the game.
    return {**told, "from_the_future": {"since": 2}} if "version" in told or "seat" in told else told


class Future(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "accept-encoding", "connection")}
        request = urllib.request.Request(self.server.target + self.path, body, headers, method=self.command)
        try:
            given = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            given = error
        media = given.headers.get("Content-Type", "").split(";")[0]
        with given:
            if media == "text/event-stream":
                return self.stream(given)
            text = given.read()
        if media.endswith("json"):
            text = json.dumps(newer(json.loads(text))).encode()
        self.send_response(given.status)
        for name, value in given.headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "date"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def stream(self, given):
        """Passes on a stream line by line; the connection ends with it."""
        self.send_response(given.status)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for line in given:
            if line.startswith(b"data: "):
                line = b"data: " + json.dumps(newer(json.loads(line[6:]))).encode() + b"\n"
            self.wfile.write(line)
            self.wfile.flush()

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Future)
    server.target = sys.argv[1]
    server.serve_forever()
