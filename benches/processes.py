"""Ports and CPU time of the processes that the benchmarks start."""

import contextlib
import socket
import time

# Above its port, a server of a Redis Cluster has a second one for the others.
BUS = 10_000


def free_port():
    """A port of this machine that is free, as is the one that a Redis Cluster would need besides."""
    while True:
        with socket.socket() as probe, socket.socket() as bus:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
            with contextlib.suppress(OSError, OverflowError):
                bus.bind(("127.0.0.1", port + BUS))
                return port


def cpu_seconds(process):
    """Seconds of CPU time of all threads of a process; its clock is known by its number."""
    return time.clock_gettime((~process.pid << 3) | 2)
