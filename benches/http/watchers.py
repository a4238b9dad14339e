#!/usr/bin/env python3
"""Opens many idle watchers of one session, and tells what each costs the server.

    benches/http/watchers.py                          10,000 watchers
    benches/http/watchers.py --watchers 500 --server target/debug/wyrmgate
    benches/http/watchers.py --json

Starts a server of its own (a release build, kept in memory) on a free port of this machine. Watchers and server need an
open file for each watcher: raise `ulimit -n` where that is too low. Exit code 1 if a watcher could not be opened or was
not told of the change, 2 on misuse.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benches"))
from processes import cpu_seconds  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=10_000, help="how many [10000]")
    parser.add_argument("--server", default=os.path.join(ROOT, "target/release/wyrmgate"), help="the program to run")
    parser.add_argument("--rules", default=os.path.join(ROOT, "tests/fixtures/rules"), help="its rules")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds in which nothing happens [20]")
    parser.add_argument("--json", action="store_true", help="numbers for machines")
    wanted = parser.parse_args()
    if wanted.watchers < 1 or not os.path.exists(wanted.server):
        parser.error("state at least one watcher, and a program that exists (cargo build --release)")
    return wanted


def raise_limit(files):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        sys.exit(f"{files} open files are needed, and `ulimit -Hn` is {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, files), hard))


def start(wanted):
    command = [wanted.server, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--rules", wanted.rules]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            return server, int(found[1])
    sys.exit("the server does not start")


def ask(port, method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def resident(server):
    """Bytes of memory that the server has."""
    with open(f"/proc/{server.pid}/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


async def watch(port, path, told):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode())
    await reader.readuntil(b"event: snapshot")
    return asyncio.create_task(hear(reader, told)), writer


async def hear(reader, told):
    try:
        await reader.readuntil(b"event: change")
        told.append(time.monotonic())
    except (asyncio.IncompleteReadError, ConnectionError):
        pass


async def measure(wanted, server, port):
    seats = {"game": "toll", "seats": ["open", "open"]}
    session = f"/v1/sessions/{ask(port, 'POST', '/v1/sessions', seats)['id']}"
    tokens = [ask(port, "PUT", f"{session}/seats/{seat}", {})["token"] for seat in (1, 2)]
    before, told, watchers = resident(server), [], []
    began = time.monotonic()
    for first in range(0, wanted.watchers, 200):
        batch = range(first, min(first + 200, wanted.watchers))
        watchers += await asyncio.gather(*(watch(port, f"{session}/events", told) for _ in batch))
    opening = time.monotonic() - began
    used = cpu_seconds(server)
    await asyncio.sleep(wanted.idle)
    idle = (cpu_seconds(server) - used) / wanted.idle if wanted.idle else 0.0
    after = resident(server)
    moved = time.monotonic()
    move = asyncio.to_thread(ask, port, "POST", f"{session}/moves", {"id": "3.1.0"}, tokens[0])
    answered = time.monotonic() - moved if await move else 0.0
    await asyncio.wait([task for task, _ in watchers], timeout=60)
    last = max(told, default=moved) - moved
    for _, writer in watchers:
        writer.close()
    return {
        "watchers": wanted.watchers,
        "told": len(told),
        "bytes_each": (after - before) // wanted.watchers,
        "opening_s": round(opening, 2),
        "idle_processor": round(idle, 4),
        "move_answered_s": round(answered, 4),
        "last_told_s": round(last, 3),
    }


def run(wanted, measure):
    """Returns what `measure` finds out about a server that runs for it alone."""
    raise_limit(wanted.watchers + 200)
    server, port = start(wanted)
    try:
        return asyncio.run(measure(wanted, server, port))
    finally:
        server.terminate()
        server.wait()


def main():
    wanted = options()
    measured = run(wanted, measure)
    if wanted.json:
        print(json.dumps(measured))
    else:
        print(f"{measured['watchers']} watchers, opened in {measured['opening_s']} s")
        print(f"{measured['bytes_each'] / 1024:.1f} KiB of the server's memory each")
        print(f"{measured['idle_processor'] * 100:.1f} % of a core while nothing happens")
        print(f"a move was answered after {measured['move_answered_s'] * 1000:.0f} ms, and all {measured['told']} were "
              f"told after {measured['last_told_s'] * 1000:.0f} ms")
    sys.exit(0 if measured["told"] == wanted.watchers else 1)


if __name__ == "__main__":
    main()
