#!/usr/bin/env python3
"""Takes webhooks, believes only what is signed, and prints one line for each message.

    WEBHOOK_SECRET=whsec_… python3 examples/webhook_receiver.py 9000

Standard library only. `is_genuine` is all that another program needs to copy.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET")
OLD_SECONDS = 300
BODY_MAX = 64 * 1024


def is_genuine(secret, headers, body, now=None):
    """Whether a message (bytes) was signed with the secret, not long ago."""
    ident, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs((now or time.time()) - int(sent)) > OLD_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{ident}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(signed).decode()
    found = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in found)


class Receiver(BaseHTTPRequestHandler):
    seen = set()

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), BODY_MAX))
        genuine = is_genuine(SECRET, self.headers, body)
        # Answer first, work later: whoever answers late or not at all is called again.
        self.send_response(204 if genuine else 401)
        self.end_headers()
        ident = self.headers.get("webhook-id")
        if genuine and ident not in self.seen:
            self.seen.add(ident)
            message = json.loads(body)
            data = message["data"]
            print(message["type"], data["version"], *data.get("seats", []), flush=True)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not SECRET:
        sys.exit("WEBHOOK_SECRET is not set: it is the `secret` in the answer that created the webhook")
    with HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver) as server:
        print("listening", flush=True)
        server.serve_forever()
