#!/usr/bin/env python3
"""Instructions of a move over HTTP under valgrind: of all of them, or by function.

    cargo build --release --locked
    benches/http/instructions.py                          instructions a move, by store in memory
    benches/http/instructions.py --include actions,view   of a move that asks for more
    CARGO_PROFILE_RELEASE_STRIP=none cargo build --release --locked && benches/http/instructions.py --functions 60

The same games are begun twice and played to the end once, and once not at all; the difference is what the moves cost,
without the start of the server, sessions and seats.
"""

import argparse
import collections
import http.client
import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parent.parent.parent


class Connection(http.client.HTTPConnection):
    """Sends head and body in one packet, as other clients do."""

    def _send_output(self, message_body=None, encode_chunked=False):
        head = b"\r\n".join([*self._buffer, b"", b""])
        self._buffer.clear()
        self.send(head + (message_body or b""))


def call(connection, method, path, token="", body=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection.request(method, path, body if body is None else json.dumps(body), headers)
    return json.loads(connection.getresponse().read())


def play(address, game, games, include, plays):
    """Begins games, and plays them with the first choice each time. Returns the number of moves."""
    connection = Connection(address)
    moves = 0
    for _ in range(games):
        session = call(connection, "POST", "/v1/sessions", body={"game": game, "seats": ["open", "open"]})
        path = f"/v1/sessions/{session['id']}"
        tokens = [call(connection, "PUT", f"{path}/seats/{seat}", body={})["token"] for seat in (1, 2)]
        state = call(connection, "GET", path)
        query = f"?include={include}" if include else ""
        while plays and state["owing"]:
            seat = state["owing"][0]
            choice = {"id": f"{state['version']}.{seat}.0"}
            state = call(connection, "POST", f"{path}/moves{query}", tokens[seat - 1], choice)
            moves += 1
    return moves


def count(binary, args, plays, out):
    """Returns the instructions of a server that sees the games, and the number of moves. It has no other game: it looks
    after the files of its rules at times that have nothing to do with moves."""
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    game = next(path.parent for path in ROOT.glob(f"rules/**/{args.game}/game.yaml"))
    shutil.copytree(game, f"{out}-rules/{args.game}")
    serve = ["serve", "--listen", "127.0.0.1:0", "--workers", "1", "--rules", f"{out}-rules", "--store", "memory"]
    server = subprocess.Popen([*tool, binary, *serve], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    said = []
    address = None
    for line in server.stdout:
        said.append(line)
        if found := re.search(r"127\.0\.0\.1:\d+", line):
            address = found.group()
            break
    if not address:
        raise SystemExit("".join(said) + server.stderr.read())
    moves = play(address, args.game, args.games, args.include, plays)
    server.send_signal(signal.SIGTERM)
    _, errors = server.communicate()
    return int(re.search(r"Collected : (\d+)", errors).group(1)), moves


def functions(out, inclusive):
    """Instructions by function: its own, or with what it calls."""
    command = ["callgrind_annotate", "--threshold=100", *(["--inclusive=yes"] if inclusive else []), out]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    spent = collections.Counter()
    for line in text.splitlines():
        if found := re.match(r"\s*([\d,]+)\s+\([ \d.]+%\)\s+\S*?:(.*?)( \[.*)?$", line):
            spent[re.sub(r"::h[0-9a-f]{16}|'2", "", found.group(2))] += int(found.group(1).replace(",", ""))
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "target/release/wyrmgate"))
    parser.add_argument("--game", default="way-of-the-dragon")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--include", default="")
    parser.add_argument("--functions", type=int, default=0, help="also list so many functions, by what they and their calls take")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outs = [f"{folder}/{plays}" for plays in (0, 1)]
        (idle, _), (busy, moves) = [count(args.binary, args, bool(plays), out) for plays, out in enumerate(outs)]
        print(f"{(busy - idle) / moves:,.0f} instructions a move, of {moves} moves of {args.game}")
        for inclusive in (True, False) if args.functions else ():
            print("with what they call" if inclusive else "\nalone")
            before, after = [functions(out, inclusive) for out in outs]
            after.subtract(before)
            for name, spent in after.most_common(args.functions):
                print(f"{spent / moves:10,.0f}  {name}")


if __name__ == "__main__":
    main()
