#!/usr/bin/env python3
"""What one session takes in Redis, by how far it has come. Starts a Redis and a node on loopback, lets sessions be played
over HTTP, prints bytes of Redis per session, and stops what it started. Needs redis-server and redis-cli.

    benches/scale/states.py target/release/wyrmgate
    benches/scale/states.py target/release/wyrmgate --stream-node-max-bytes 1024     (more settings of Redis)
"""

import http.client
import json
import pathlib
import socket
import subprocess
import sys
import time

RULES = pathlib.Path(__file__).resolve().parents[2] / "rules"
GAME = "way-of-the-dragon"
# What, moves at most, with a clock, seats taken, sessions.
STATES = [
    ("waits for a player", 0, False, 1, 1000),
    ("20 moves", 20, False, 2, 600),
    ("20 moves and a clock", 20, True, 2, 600),
    ("40 moves", 40, False, 2, 400),
    ("over", 2000, False, 2, 100),
]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def used(port):
    info = subprocess.run(
        ["redis-cli", "-p", str(port), "info", "memory"], capture_output=True, text=True, check=True
    )
    lines = dict(line.split(":", 1) for line in info.stdout.splitlines() if ":" in line)
    return int(lines["used_memory"])


class Service:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address)

    def call(self, method, path, token="", body=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        text = None if body is None else json.dumps(body)
        if text is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, text, headers)
        answer = self.connection.getresponse()
        read = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {read[:200]}")
        return json.loads(read)

    def play(self, moves, clock, seats):
        order = {"game": GAME, "seats": ["open", "open"]}
        if clock:
            order["clock"] = {"decision_ms": 259_200_000}
        path = "/v1/sessions/" + self.call("POST", "/v1/sessions", body=order)["id"]
        claim = lambda seat: self.call("PUT", f"{path}/seats/{seat}", body={})["token"]
        tokens = [claim(seat + 1) for seat in range(seats)]
        now, made = self.call("GET", path), 0
        while now["owing"] and made < moves:
            seat = now["owing"][0]
            choice = {"id": f"{now['version']}.{seat}.0"}
            now, made = self.call("POST", path + "/moves", tokens[seat - 1], choice), made + 1
        return made


def main():
    program, settings = sys.argv[1], sys.argv[2:]
    port = free_port()
    started = []
    try:
        redis = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", *settings]
        started.append(subprocess.Popen(redis, stdout=subprocess.DEVNULL))
        time.sleep(1)
        serve = [program, "serve", "--listen", "127.0.0.1:0", "--rules", str(RULES)]
        node = subprocess.Popen(
            [*serve, "--store", f"redis://127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True
        )
        started.append(node)
        line = next(line for line in node.stdout if "listening on" in line)
        service = Service(line.split("http://")[1].strip())
        service.play(3, False, 2)
        time.sleep(3)
        for name, moves, clock, seats, count in STATES:
            before = used(port)
            made = sum(service.play(moves, clock, seats) for _ in range(count))
            each = (used(port) - before) / count
            print(f"{name}: {count} sessions of {made / count:.0f} moves, {each:,.0f} bytes each")
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
