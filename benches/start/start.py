#!/usr/bin/env python3
"""Starts the server again and again, and tells how long it takes and what it keeps.

    benches/start/start.py                                   the shipped rules, 15 starts
    benches/start/start.py --server old --server new         two programs in turn, for comparing
    benches/start/start.py --game sneaky-dragons --json
    benches/start/start.py --game magic-dragon --copies 1000 --starts 3
                                                             a folder with so many games of the size of one

Every start is a process of its own, kept in memory, on a free port of this machine. Measured from the moment it is
executed:

    livez      the first 200 of `GET /livez`
    session    the first session created, of `--game`
    ready      the first 200 of `GET /readyz`: every game has been read and checked
    cpu        processor time of all threads, when nothing has happened for a while
    edit       with --copies: one file is changed, then the game has other rules
    edit_cpu   processor time for that
    rss, anon  resident memory then (KiB): all of it, and what is no file's; pss shares what others have open too

Shown are medians. Exit code 1 if a server does not start or refuses the session, 2 on misuse.
"""

import argparse
import http.client
import json
import os
import statistics
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benches"))
from processes import cpu_seconds, free_port  # noqa: E402

POLL = 0.0005
GIVE_UP = 30.0
COLUMNS = ("livez_ms", "session_ms", "ready_ms", "cpu_ms", "edit_ms", "edit_cpu_ms", "rss_kib", "anon_kib", "pss_kib")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=15, help="how many of each program [15]")
    parser.add_argument("--server", action="append", help="the program to run, or several [target/release/wyrmgate]")
    parser.add_argument("--rules", default=os.path.join(ROOT, "rules"), help="its rules [rules]")
    parser.add_argument("--game", default="tic-tac-toe", help="the game of the first session [tic-tac-toe]")
    parser.add_argument("--copies", type=int, help="read so many games made from that one, without variants")
    parser.add_argument("--json", action="store_true", help="numbers for machines, one object a program")
    wanted = parser.parse_args()
    wanted.server = wanted.server or [os.path.join(ROOT, "target/release/wyrmgate")]
    missing = [server for server in wanted.server if not os.path.exists(server)]
    if wanted.starts < 1 or missing:
        parser.error("state at least one start, and programs that exist (cargo build --release)")
    return wanted


def copies(folder, wanted):
    """Games with names and titles of their own, so that no two have the same text. The first of them gets the session."""
    source = os.path.join(wanted.rules, wanted.game)
    for number in range(wanted.copies):
        name = f"{wanted.game}-{number}"
        copy = os.path.join(folder, name)
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("scenarios", "variants"))
        root = os.path.join(copy, "game.yaml")
        with open(root) as file:
            lines = file.read().splitlines()
        with open(root, "w") as file:
            for line in lines:
                line = f"game: {name}" if line.startswith("game:") else line
                file.write((f"{line} {number}" if line.startswith("title:") else line) + "\n")
    wanted.rules, wanted.game = folder, f"{wanted.game}-0"


def ruleset(port, game):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=GIVE_UP)
    connection.request("GET", f"/v1/games/{game}")
    body = json.loads(connection.getresponse().read())
    connection.close()
    return body["ruleset"]


def edit(port, server, wanted):
    """Changes one file, and waits for the changed rules."""
    before, busy_before, began = ruleset(port, wanted.game), cpu_seconds(server), time.monotonic()
    with open(os.path.join(wanted.rules, wanted.game, "game.yaml"), "a") as file:
        file.write(f"# edited at {began}\n")
    while ruleset(port, wanted.game) == before:
        if time.monotonic() - began > GIVE_UP:
            sys.exit("the edit is not noticed")
        time.sleep(0.01)
    return {"edit_ms": (time.monotonic() - began) * 1e3, "edit_cpu_ms": (cpu_seconds(server) - busy_before) * 1e3}


def ask(port, method, path, body=None):
    """The status of one request; 0 if nobody listens yet."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=GIVE_UP)
    headers = {"Content-Type": "application/json"} if body else {}
    try:
        connection.request(method, path, body and json.dumps(body), headers)
        return connection.getresponse().status
    except ConnectionRefusedError:
        return 0
    finally:
        connection.close()


def until(port, began, method, path, body=None, good=200):
    """Asks until the answer is good; milliseconds since `began`."""
    while time.monotonic() - began < GIVE_UP:
        status = ask(port, method, path, body)
        if status == good:
            return (time.monotonic() - began) * 1e3
        if status not in (0, 503):
            sys.exit(f"{method} {path} is answered with {status}")
        time.sleep(POLL)
    sys.exit("the server does not start")


def rest(server):
    """Waits until the process has done next to nothing for a while."""
    before = -1.0
    while (now := cpu_seconds(server)) - before > 0.002:
        before = now
        time.sleep(0.5)
    return now


def memory(server):
    with open(f"/proc/{server.pid}/smaps_rollup") as rollup:
        sizes = dict(line.split(":", 1) for line in rollup if ":" in line and line[0].isupper())
    kib = lambda name: int(sizes[name].split()[0])
    return {"rss_kib": kib("Rss"), "anon_kib": kib("Anonymous"), "pss_kib": kib("Pss")}


def once(program, wanted):
    port = free_port()
    command = [program, "serve", "--listen", f"127.0.0.1:{port}", "--store", "memory", "--rules", wanted.rules]
    began = time.monotonic()
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        session = {"game": wanted.game}
        measured = {
            "livez_ms": until(port, began, "GET", "/livez"),
            "session_ms": until(port, began, "POST", "/v1/sessions", session, good=201),
            "ready_ms": until(port, began, "GET", "/readyz"),
            "cpu_ms": rest(server) * 1e3,
        }
        measured |= memory(server)
        return measured | (edit(port, server, wanted) if wanted.copies else {})
    finally:
        server.terminate()
        server.wait()


def main():
    wanted = options()
    with tempfile.TemporaryDirectory() as folder:
        if wanted.copies:
            copies(folder, wanted)
        measure(wanted)


def measure(wanted):
    runs = {program: [] for program in wanted.server}
    for _ in range(wanted.starts):
        for program, of_program in runs.items():  # in turn, so that noise meets all of them
            of_program.append(once(program, wanted))
    shown = [name for name in COLUMNS if wanted.copies or not name.startswith("edit")]
    if not wanted.json:
        print(f"medians of {wanted.starts} starts, first session of {wanted.game}")
        print("".join(f"{name:>12}" for name in shown))
    for program, of_program in runs.items():
        medians = {name: round(statistics.median(run[name] for run in of_program), 1) for name in shown}
        if wanted.json:
            print(json.dumps({"server": program, "starts": wanted.starts, "game": wanted.game, **medians}))
        else:
            print("".join(f"{medians[name]:>12.1f}" for name in shown) + f"  {os.path.relpath(program)}")


if __name__ == "__main__":
    main()
