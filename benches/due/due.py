#!/usr/bin/env python3
"""Measures how late due work begins: answers of bots, games of bots beside each other, and clocks beside bots.

    benches/due/due.py wait --server target/release/wyrmgate --moves 40
    benches/due/due.py bots --game chess --bot search-1 --games 4 600 --seconds 20
    benches/due/due.py clocks --games 600 --clocks 100

Each starts its own server on a free port of this machine and stops it. Run it on an idle machine; numbers in milliseconds."""

import argparse
import http.client
import json
import re
import socket
import statistics
import subprocess
import sys
import threading
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


# Milliseconds.
SHORT = 50


class Server:
    def __init__(self, program, store):
        self.port = free_port()
        command = [program, "serve", "--listen", f"127.0.0.1:{self.port}", "--store", store, "--log", "error"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        sys.exit("the server did not start")

    def ask(self, method, path, body=None, token=None, connection=None):
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"content-type": "application/json"} if body is not None else {}
        if "/events" in path:
            headers["prefer"] = "wait=30"
        if token:
            headers["authorization"] = f"Bearer {token}"
        own.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = own.getresponse()
        text = answer.read()
        if not connection:
            own.close()
        kind = answer.headers.get("content-type", "")
        return answer.status, json.loads(text) if "json" in kind and text else text.decode()

    def create(self, **order):
        status, made = self.ask("POST", "/v1/sessions", order)
        if status != 201:
            sys.exit(f"{status} {made}")
        return made

    def moves(self):
        text = self.ask("GET", "/metrics")[1]
        return int(float(re.search(r'^wyrmgate_moves_total\{player="bot"\} (\S+)', text, re.M).group(1)))

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def stop(self):
        self.process.terminate()
        self.process.wait()


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def answers(server, bot, moves, game):
    """How long a person waits for the answer of a bot, move by move."""
    waits = []
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    while len(waits) < moves:
        made = server.create(game=game, seats=["open", bot])
        path = f"/v1/sessions/{made['id']}"
        status, seat = server.ask("PUT", f"{path}/seats/1", {}, connection=connection)
        token = seat["token"]
        while len(waits) < moves:
            decisions = server.ask("GET", f"{path}/actions", token=token, connection=connection)[1]
            if decisions["status"] != "running":
                break
            choices = decisions["items"][0]["choices"]
            choice = choices[(len(waits) * 7) % len(choices)]["id"]
            began = time.perf_counter()
            status, moved = server.ask("POST", f"{path}/moves", {"id": choice}, token, connection)
            version, answered = moved["version"], moved["status"] != "running" or 1 in moved["owing"]
            while not answered:
                status, page = server.ask("GET", f"{path}/events?after={version}", token=token, connection=connection)
                answered = any(1 in item["owing"] or item["status"] != "running" for item in page["items"])
                if page["items"]:
                    version = page["items"][-1]["version"]
            waits.append((time.perf_counter() - began) * 1_000)
    return waits


def wait(args):
    server = Server(args.server, args.store)
    try:
        plain = answers(server, "random", args.moves, args.game)
        thinking = answers(server, args.bot, args.moves, args.game)
    finally:
        server.stop()
    rest = statistics.median(plain)
    print(f"{args.bot}: median {statistics.median(thinking):.0f}, p99 {quantile(thinking, 0.99):.0f}")
    print(f"random (no thought): median {rest:.1f}, p99 {quantile(plain, 0.99):.1f}")
    # A forced move is no thought, and beside a short one the disk shows: both moves are written before anybody is told.
    shares = [one / (one - rest) for one in thinking if one - rest >= SHORT]
    print(f"wait by thought (the wait less that for no thought), of {len(shares)} thoughts of {SHORT} ms or more: ", end="")
    print(f"median {statistics.median(shares):.2f}, p99 {quantile(shares, 0.99):.2f}")


def bots(args):
    for games in args.games:
        server = Server(args.server, args.store)
        try:
            for _ in range(games):
                server.create(game=args.game, seats=[args.bot, args.bot])
            time.sleep(3)
            before, cpu, began = server.moves(), server.cpu(), time.perf_counter()
            time.sleep(args.seconds)
            time_taken = time.perf_counter() - began
            rate, cores = (server.moves() - before) / time_taken, (server.cpu() - cpu) / time_taken
            print(f"{games} games of {args.bot}: {rate:.0f} moves a second, {cores:.2f} cores, {rate / max(cores, 0.01):.0f} moves a CPU second")
        finally:
            server.stop()


def clocks(args):
    server = Server(args.server, args.store)
    late, lock = [], threading.Lock()

    def one(number):
        made = server.create(game=args.game, seats=["open", "open"], clock={"decision_ms": 2_000 + 37 * number % 3_000})
        path = f"/v1/sessions/{made['id']}"
        tokens = [server.ask("PUT", f"{path}/seats/{seat}", {})[1]["token"] for seat in (1, 2)]
        view = server.ask("GET", f"{path}/view", token=tokens[0])[1]
        due, version = view["deadlines"][0], view["version"]
        page = {"items": []}
        while not page["items"]:
            page = server.ask("GET", f"{path}/events?after={version}")[1]
        with lock:
            late.append((instant(page["items"][0]["at"]) - instant(due["at"])) * 1_000)

    try:
        for _ in range(args.games):
            server.create(game=args.game, seats=[args.bot, args.bot])
        time.sleep(3)
        threads = [threading.Thread(target=one, args=(number,)) for number in range(args.clocks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        server.stop()
    print(f"{len(late)} clocks beside {args.games} games of {args.bot}: late by median {statistics.median(late):.0f}, p99 {quantile(late, 0.99):.0f}")


def instant(text):
    from datetime import datetime

    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=["wait", "bots", "clocks"])
    parser.add_argument("--server", default="target/release/wyrmgate")
    parser.add_argument("--store", default="memory")
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--bot", default="search-3")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--games", type=int, nargs="+", default=[4, 600])
    parser.add_argument("--clocks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    if args.measure == "clocks":
        args.games = args.games[-1]
    {"wait": wait, "bots": bots, "clocks": clocks}[args.measure](args)


if __name__ == "__main__":
    main()
