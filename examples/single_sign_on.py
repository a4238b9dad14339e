#!/usr/bin/env python3
"""Single sign-on: a small OpenID issuer for trying things out, and a user who logs in and plays on two devices.

    python3 examples/single_sign_on.py issuer 9100 issuers.yaml       # writes the file for `--issuers`
    wyrmgate serve --issuers issuers.yaml
    python3 examples/single_sign_on.py play http://127.0.0.1:9100 http://127.0.0.1:8080 ada tic-tac-toe

The issuer takes the place of Keycloak, Entra or Auth0: it publishes its keys (JWKS) and signs tokens (JWT) with Ed25519. It
believes every name; a real one asks for a password. `openssl` makes keys and signs. `POST /rotation` replaces the key: the
next key is published before it signs, and the last one until its tokens have expired, so nobody is logged out."""
import base64
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECONDS = 300  # until a token expires


def encoded(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).decode().rstrip("=")


class Key:
    def __init__(self):
        self.private = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], capture_output=True, check=True).stdout
        public = ["openssl", "pkey", "-pubout", "-outform", "DER"]
        x = encoded(subprocess.run(public, input=self.private, capture_output=True, check=True).stdout[-32:])
        self.published = {"kty": "OKP", "crv": "Ed25519", "x": x, "kid": x[:8], "use": "sig", "alg": "EdDSA"}

    def token(self, claims):
        text = f"{encoded({'alg': 'EdDSA', 'typ': 'JWT', 'kid': self.published['kid']})}.{encoded(claims)}"
        with tempfile.NamedTemporaryFile() as file:
            file.write(text.encode())
            file.flush()
            sign = ["openssl", "pkeyutl", "-sign", "-inkey", "/dev/stdin", "-rawin", "-in", file.name]
            return f"{text}.{encoded(subprocess.run(sign, input=self.private, capture_output=True, check=True).stdout)}"


class Issuer(BaseHTTPRequestHandler):
    keys = []  # the last one, the present one, the next one

    def do_GET(self):
        found = {"issuer": self.server.url, "jwks_uri": self.server.url + "/jwks", "token_endpoint": self.server.url + "/token"}
        self.say({"keys": [key.published for key in self.keys]} if self.path == "/jwks" else found)

    def do_POST(self):
        said = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path == "/rotation":
            Issuer.keys = [*self.keys[-2:], Key()]
            return self.say({"kid": self.keys[1].published["kid"]})
        claims = {"iss": self.server.url, "aud": "wyrmgate", "sub": said["user"], "name": said["user"].title()}
        self.say({"access_token": self.keys[1].token({**claims, "exp": int(time.time()) + SECONDS})})

    def say(self, answer):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


def call(method, url, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
        return json.load(answer)


def play(issuer, server, user, game):
    first, second = (call("POST", issuer + "/token", {"user": user})["access_token"] for _ in range(2))
    rivals = ["random"] * (call("GET", f"{server}/v1/games/{game}")["players"][0] - 1)
    begun = call("POST", server + "/v1/sessions", {"game": game, "seats": [{"player": "me"}, *rivals]}, first)
    print("the first device begins", begun["id"])
    turns = 0
    while waiting := call("GET", server + "/v1/players/me/sessions?status=owing", token=second if turns % 2 else first)["items"]:
        token, session = second if turns % 2 else first, f"{server}/v1/sessions/{waiting[0]['session']['id']}"
        choices = call("GET", session + "/view?include=actions", token=token)["decisions"][0]["choices"]
        call("POST", session + "/moves", {"id": random.choice(choices)["id"]}, token)
        turns += 1
    print(f"after {turns} turns on two devices:", json.dumps(call("GET", f"{server}/v1/sessions/{begun['id']}")["outcome"]))


if sys.argv[1] == "play":
    play(*sys.argv[2:])
else:
    Issuer.keys, issuer = [Key(), Key(), Key()], ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Issuer)
    issuer.url = f"http://127.0.0.1:{issuer.server_port}"
    with open(sys.argv[3], "w") as file:
        json.dump({"issuers": [{"issuer": issuer.url, "audience": "wyrmgate", "jwks": issuer.url + "/jwks"}]}, file)
    issuer.serve_forever()
