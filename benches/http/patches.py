#!/usr/bin/env python3
"""Tells what a move costs the server with many watchers: without any, with plain streams, and with `form=patch`.

    benches/http/patches.py                                    500 watchers of Drakon, 20 moves each way
    benches/http/patches.py --watchers 100 --server target/debug/wyrmgate
    benches/http/patches.py --json

Starts a server of its own on a free port of this machine, kept in memory. Every watcher must be told of every move. What is
counted is the processor time of the server. Exit code 1 if a watcher was not told, 2 on misuse.
"""

import argparse
import asyncio
import json
import os
import sys
import time

from watchers import ROOT, ask, busy, run


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=500, help="how many [500]")
    parser.add_argument("--moves", type=int, default=20, help="moves in each measurement [20]")
    parser.add_argument("--game", default="drakon", help="what is played [drakon]")
    parser.add_argument("--server", default=os.path.join(ROOT, "target/release/wyrmgate"), help="the program to run")
    parser.add_argument("--rules", default=os.path.join(ROOT, "rules"), help="its rules")
    parser.add_argument("--json", action="store_true", help="numbers for machines")
    wanted = parser.parse_args()
    if wanted.watchers < 1 or wanted.moves < 1 or not os.path.exists(wanted.server):
        parser.error("state at least one watcher and move, and a program that exists (cargo build --release)")
    return wanted


class Watcher:
    """A stream, and how many changes it has told."""

    def __init__(self):
        self.told = 0

    async def open(self, port, path):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
        self.writer.write(request.encode())
        await self.reader.readuntil(b"event: snapshot")
        self.task = asyncio.create_task(self.hear())

    async def hear(self):
        rest = b""
        while data := await self.reader.read(1 << 16):
            text = rest + data
            self.told += text.count(b"event: change")
            rest = text[-12:] if not text.endswith(b"event: change") else b""


async def play(port, session, tokens, moves):
    """Makes moves, taking the first choice of whoever is asked, until the game is over; returns how many."""
    made, before = 0, -1
    while before < made < moves:
        before = made
        for token in tokens:
            view = await asyncio.to_thread(ask, port, "GET", f"{session}/view?include=actions", None, token)
            if decisions := view["decisions"]:
                order = {"id": decisions[0]["choices"][0]["id"]}
                await asyncio.to_thread(ask, port, "POST", f"{session}/moves", order, token)
                made += 1
                if made == moves:
                    break
    return made


async def measure(wanted, server, port, form, count):
    body = {"game": wanted.game, "seed": "5" * 64}
    created = ask(port, "POST", "/v1/sessions", body)
    session = f"/v1/sessions/{created['id']}"
    tokens = [ask(port, "PUT", f"{session}/seats/{seat['seat']}", {})["token"] for seat in created["seats"]]
    watchers = [Watcher() for _ in range(count)]
    for first in range(0, count, 100):
        batch = watchers[first:first + 100]
        await asyncio.gather(*(watcher.open(port, f"{session}/events{form}") for watcher in batch))
    version, used = ask(port, "GET", session)["version"], busy(server)
    made = await play(port, session, tokens, wanted.moves)
    wanted_changes = ask(port, "GET", session)["version"] - version
    until = time.monotonic() + 60
    while any(watcher.told < wanted_changes for watcher in watchers) and time.monotonic() < until:
        await asyncio.sleep(0.02)
    cost = (busy(server) - used) / made
    missing = sum(watcher.told < wanted_changes for watcher in watchers)
    for watcher in watchers:
        watcher.writer.close()
    return cost * 1000, missing


async def measure_all(wanted, server, port):
    alone, _ = await measure(wanted, server, port, "", 0)
    plain, missing = await measure(wanted, server, port, "", wanted.watchers)
    patch, lost = await measure(wanted, server, port, "?form=patch", wanted.watchers)
    return {
        "watchers": wanted.watchers,
        "alone_ms": round(alone, 2),
        "plain_ms": round(plain, 2),
        "patch_ms": round(patch, 2),
        "ratio": round(patch / plain, 2),
        "missing": missing + lost,
    }


def main():
    wanted = options()
    measured = run(wanted, measure_all)
    if wanted.json:
        print(json.dumps(measured))
    else:
        print(f"a move costs {measured['alone_ms']} ms of processor time without watchers, {measured['plain_ms']} ms with "
              f"{wanted.watchers} plain streams, {measured['patch_ms']} ms with form=patch: {measured['ratio']} times as much")
    sys.exit(1 if measured["missing"] else 0)


if __name__ == "__main__":
    main()
