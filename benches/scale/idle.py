#!/usr/bin/env python3
"""Counts what a node with nothing to do asks of Redis, by `INFO commandstats`.

    benches/scale/idle.py                                       a minute for each case
    benches/scale/idle.py --seconds 20 --server target/debug/wyrmgate
    benches/scale/idle.py --json

Starts a Redis and a node on free ports of this machine, and stops them. The cases: no sessions; sessions that wait for
players; open streams and long polls besides, of which nobody has anything to tell; sessions in which a clock runs, with an
hour to go. Needs redis-server and redis-cli. Exit code 1 if a case without watchers asks more than 20 commands a second and
one more for each thousand clocks, 2 on misuse.
"""

import argparse
import asyncio
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benches"))
from processes import free_port  # noqa: E402
sys.path.insert(0, os.path.join(ROOT, "benches/http"))
from watchers import ask, raise_limit, watch  # noqa: E402

LOBBY, WATCHERS, CLOCKS = 100, 100, 10_000
IDLE, A_THOUSAND_CLOCKS = 20, 1
# Asked by this program, by the connection that is made for it, or within Redis.
OURS = {"config|resetstat", "info", "hello", "client|setinfo", "config|get"}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each case is observed [60]")
    parser.add_argument("--server", default=os.path.join(ROOT, "target/release/wyrmgate"), help="the program to run")
    parser.add_argument("--json", action="store_true", help="numbers for machines")
    wanted = parser.parse_args()
    if wanted.seconds <= 0 or not os.path.exists(wanted.server):
        parser.error("state some seconds, and a program that exists (cargo build --release)")
    return wanted


def redis(port, *words):
    command = ["redis-cli", "-p", str(port), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def commands(port, seconds):
    """Commands a second, by their names."""
    time.sleep(3)
    redis(port, "config", "resetstat")
    time.sleep(seconds)
    found = re.findall(r"cmdstat_(\S+?):calls=(\d+)", redis(port, "info", "commandstats"))
    return {name: round(int(calls) / seconds, 2) for name, calls in found if name not in OURS}


def create(port, order, seats):
    session = f"/v1/sessions/{ask(port, 'POST', '/v1/sessions', order)['id']}"
    for seat in range(1, seats + 1):
        ask(port, "PUT", f"{session}/seats/{seat}", {})
    return session


def create_many(port, count, order, seats):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda _: create(port, order, seats), range(count)))


async def with_watchers(port, sessions, seconds):
    """Half of them are streams, the others wait for a change that does not come."""
    told, writers = [], []
    for number, session in enumerate(sessions):
        if number % 2:
            _, writer = await watch(port, f"{session}/events", told)
        else:
            version = ask(port, "GET", session)["version"]
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"GET {session}/events?after={version} HTTP/1.1\r\nHost: x\r\nPrefer: wait={int(seconds) + 20}\r\n\r\n"
            writer.write(head.encode())
        writers.append(writer)
    counted = await asyncio.to_thread(commands, REDIS_PORT, seconds)
    for writer in writers:
        writer.close()
        await writer.wait_closed()
    return counted


def cases(wanted, port):
    order = {"game": "way-of-the-dragon", "seats": ["open", "open"]}
    yield "no sessions", 0, commands(REDIS_PORT, wanted.seconds)
    lobby = create_many(port, LOBBY, order, 1)
    yield f"{LOBBY} sessions that wait for players", 0, commands(REDIS_PORT, wanted.seconds)
    counted = asyncio.run(with_watchers(port, lobby[:WATCHERS], wanted.seconds))
    yield f"{WATCHERS} idle streams and long polls besides", None, counted
    create_many(port, CLOCKS, {**order, "clock": {"decision_ms": 3_600_000}}, 2)
    yield f"{CLOCKS} sessions with running clocks besides", CLOCKS, commands(REDIS_PORT, wanted.seconds)


def main():
    wanted = options()
    raise_limit(WATCHERS + 200)
    started, is_good, told = [], True, []
    with tempfile.TemporaryDirectory() as folder:
        try:
            server = ["redis-server", "--port", str(REDIS_PORT), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
            started.append(subprocess.Popen(server, stdout=subprocess.DEVNULL))
            time.sleep(1)
            node = [wanted.server, "serve", "--listen", "127.0.0.1:0", "--rules", os.path.join(ROOT, "rules")]
            node += ["--store", f"redis://127.0.0.1:{REDIS_PORT}"]
            started.append(subprocess.Popen(node, stdout=subprocess.PIPE, text=True))
            listening = next(line for line in started[-1].stdout if "listening on" in line)
            port = int(listening.rsplit(":", 1)[1])
            for name, clocks, counted in cases(wanted, port):
                total = round(sum(counted.values()), 1)
                is_good &= clocks is None or total <= IDLE + clocks / 1000 * A_THOUSAND_CLOCKS
                told.append({"case": name, "commands_per_second": total, "by_name": counted})
                if not wanted.json:
                    names = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
                    print(f"{name}: {total} commands a second ({names})", flush=True)
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()
    if wanted.json:
        print(json.dumps(told))
    sys.exit(0 if is_good else 1)


REDIS_PORT = free_port()

if __name__ == "__main__":
    main()
