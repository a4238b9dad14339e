#!/usr/bin/env python3
"""Measures what a move costs when there are more nodes and more Redis masters.

    benches/scale/growth.py                        one Redis, then clusters with up to 8 nodes and 8 masters
    benches/scale/growth.py --sizes 1x1,1x1c,1x3 --rounds 5
                                                   NODES x MASTERS; one master is a Redis without a cluster, and with
                                                   `c` a cluster of one
    benches/scale/growth.py --sizes 8*1x1,8x8      eight systems that share nothing but the cores, and one of that size
    benches/scale/growth.py --server target/shipped/wyrmgate --json

Nodes and masters share the cores of this machine, so moves per second tell nothing about growth. Measured is the work:
CPU time of the nodes and of the masters for a move, and commands that the masters ran for it. Many processes on few cores
also cost more because they take turns; therefore a system is compared with as many small ones that share nothing. If a
move costs the same in both, moves per second grow linearly wherever each process has a core of its own. The column
`computed` is what they can serve then: as much as the busiest process can. `busiest` is the work of the busiest master in
even shares: 1 is even.

Every node has the same load: connections that play games of their own, sent by the program of `cargo bench --bench http`
(`cargo bench --no-run --bench http` builds it). Everything listens on free ports of 127.0.0.1, keeps nothing on disk,
and is stopped at the end. Shown are medians of the rounds, in each of which all sizes are measured.

Exit code 1 if something does not start or a load fails, 2 on misuse.
"""

import argparse
import collections
import contextlib
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benches"))
from processes import cpu_seconds, free_port  # noqa: E402

GIVE_UP = 60.0
SIZES = "1x1,1x1c,1x3,4*1x1,4x4,8*1x1,8x8"
COLUMNS = ("moves", "node_us", "redis_us", "commands", "busiest", "computed")
Size = collections.namedtuple("Size", "name copies nodes masters is_cluster")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=os.path.join(ROOT, "target/release/wyrmgate"), help="[target/release/wyrmgate]")
    parser.add_argument("--load", default=newest_load(), help="the program of `cargo bench --bench http` [the newest]")
    parser.add_argument("--sizes", default=SIZES, help=f"nodes x masters [{SIZES}]")
    parser.add_argument("--connections", type=int, default=16, help="connections to each node [16]")
    parser.add_argument("--seconds", type=float, default=4.0, help="seconds of load for each size and round [4]")
    parser.add_argument("--rounds", type=int, default=3, help="[3]")
    parser.add_argument("--json", action="store_true", help="one JSON object for each size")
    wanted = parser.parse_args()
    sizes = [re.fullmatch(r"(?:([1-9]\d?)\*)?([1-9]\d?)x([1-9]\d?)(c?)", size) for size in wanted.sizes.split(",")]
    if not all(sizes) or any(size[3] == "2" for size in sizes):
        parser.error("state sizes such as 1x1, 1x1c, 4x4 or 8*1x1; a cluster has one master, or at least three")
    wanted.sizes = [Size(size[0], int(size[1] or 1), int(size[2]), int(size[3]), bool(size[4]) or size[3] != "1") for size in sizes]
    if not wanted.load or not os.path.exists(wanted.server):
        parser.error("build the programs first: cargo build --release && cargo bench --no-run --bench http")
    return wanted


def newest_load():
    built = glob.glob(os.path.join(ROOT, "target/release/deps/http-*"))
    return max((path for path in built if os.access(path, os.X_OK) and "." not in os.path.basename(path)), key=os.path.getmtime, default=None)


@contextlib.contextmanager
def running(command, **settings):
    process = subprocess.Popen(command, **settings)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def cli(port, *arguments):
    done = subprocess.run(["redis-cli", "-p", str(port), *arguments], capture_output=True, text=True)
    return done.stdout


def until(good, what):
    began = time.monotonic()
    while not good():
        if time.monotonic() - began > GIVE_UP:
            sys.exit(f"{what} does not start")
        time.sleep(0.05)


def start_masters(stack, count, is_cluster):
    """Redis servers, each with its port, by themselves or as a cluster without replicas."""
    masters = []
    for _ in range(count):
        port = free_port()
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command += ["--maxmemory-policy", "noeviction", "--dir", stack.enter_context(tempfile.TemporaryDirectory())]
        command += ["--cluster-enabled", "yes"] if is_cluster else []
        masters.append((port, stack.enter_context(running(command, stdout=subprocess.DEVNULL))))
        until(lambda: "PONG" in cli(port, "ping"), "a Redis server")
    if is_cluster:
        join([port for port, _ in masters])
    return masters


def join(ports):
    if len(ports) == 1:
        cli(ports[0], "cluster", "addslotsrange", "0", "16383")
    else:
        addresses = [f"127.0.0.1:{port}" for port in ports]
        created = subprocess.run(["redis-cli", "--cluster", "create", *addresses, "--cluster-yes"], capture_output=True, text=True)
        if created.returncode:
            sys.exit(created.stdout + created.stderr)
    until(lambda: all("cluster_state:ok" in cli(port, "cluster", "info") for port in ports), "the cluster")


def start_nodes(stack, count, masters, is_cluster, server):
    """Nodes, each with its address."""
    kind = "redis+cluster" if is_cluster else "redis"
    store = f"{kind}://" + ",".join(f"127.0.0.1:{port}" for port, _ in masters)
    command = [server, "serve", "--listen", "127.0.0.1:0", "--workers", "1", "--rules", os.path.join(ROOT, "rules"), "--store", store]
    nodes = []
    for _ in range(count):
        node = stack.enter_context(running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        line = next((line for line in node.stdout if "listening on" in line), None)
        if line is None:
            sys.exit("a node does not start")
        nodes.append((line.split("http://")[1].strip(), node))
    for address, _ in nodes:
        port = address.split(":")[1]
        until(lambda: subprocess.run(["curl", "-fs", f"http://127.0.0.1:{port}/readyz"], capture_output=True).returncode == 0, "a node")
    return nodes


def commands_run(masters):
    """Commands that each master has run, those that a script runs included."""
    counts = []
    for port, _ in masters:
        calls = re.findall(r"cmdstat_(\S+?):calls=(\d+)", cli(port, "info", "commandstats"))
        counts.append(sum(int(count) for name, count in calls if name.split("|")[0] not in ("info", "ping", "cluster", "config", "command")))
    return counts


def play(nodes, wanted):
    """Moves of all loads together, one load for each node."""
    loads = []
    for address, _ in nodes:
        command = [wanted.load, "--load", address, "--game", "way-of-the-dragon", "--include", ""]
        command += ["--connections", str(wanted.connections), "--seconds", str(wanted.seconds)]
        loads.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    results = [load.communicate()[0] for load in loads]
    if any(load.returncode for load in loads):
        sys.exit("a load failed")
    return sum(json.loads(result)["moves_in_all"] for result in results)


def measure(size, wanted):
    with contextlib.ExitStack() as stack:
        nodes, masters = [], []
        for _ in range(size.copies):
            these = start_masters(stack, size.masters, size.is_cluster)
            nodes += start_nodes(stack, size.nodes, these, size.is_cluster, wanted.server)
            masters += these
        everything = [process for _, process in nodes + masters]
        before, commands = [cpu_seconds(process) for process in everything], commands_run(masters)
        moves = play(nodes, wanted)
        used = [cpu_seconds(process) - start for process, start in zip(everything, before)]
        commands = [after - start for after, start in zip(commands_run(masters), commands)]
    of_nodes, of_masters = used[: len(nodes)], used[len(nodes) :]
    return {
        "moves": moves,
        "node_us": sum(of_nodes) / moves * 1e6,
        "redis_us": sum(of_masters) / moves * 1e6,
        "commands": sum(commands) / moves,
        "busiest": max(of_masters) / sum(of_masters) * len(masters),
        "computed": moves / max(used),
    }


def main():
    wanted = options()
    results = {size: [] for size in wanted.sizes}
    for number in range(1, wanted.rounds + 1):
        for size in wanted.sizes:
            print(f"round {number} of {wanted.rounds}: {size.name}", file=sys.stderr)
            results[size].append(measure(size, wanted))
    rows = []
    for size, rounds in results.items():
        rows.append({"size": size.name} | {name: statistics.median(one[name] for one in rounds) for name in COLUMNS})
    if wanted.json:
        for row in rows:
            print(json.dumps(row))
        return
    print(f"{'size':8}", *(f"{name:>9}" for name in COLUMNS))
    for row in rows:
        texts = [f"{row[name]:9.2f}" if name in ("commands", "busiest") else f"{row[name]:9.1f}" if name.endswith("_us") else f"{row[name]:9.0f}" for name in COLUMNS]
        print(f"{row['size']:8}", *texts)


main()
