#!/usr/bin/env python3
"""A wall of running tables: follows public sessions and writes a page with their boards, anew after every change.

    spectator_wall.py http://127.0.0.1:8080 wall/ --tables 6
    spectator_wall.py http://127.0.0.1:8080 wall/ --sessions ID ID

Open wall/index.html on a screen. The server draws the boards as a spectator sees them; this program knows no game. It ends when
all tables are over."""
import argparse
import html
import json
import pathlib
import threading
import time
import urllib.parse
import urllib.request

PAGE = """<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Wyrmgate</title>
<style>body {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(24em, 1fr)); gap: 1em; font: 1em sans-serif }}
figure {{ margin: 0 }} img {{ width: 100% }}</style>
{}"""


class Wall:
    """Several tables on one page. Each is followed by a thread of its own."""

    def __init__(self, server, folder, sessions):
        self.server, self.folder, self.lock = server, pathlib.Path(folder), threading.Lock()
        self.captions = dict.fromkeys(sessions, "waiting")
        self.folder.mkdir(parents=True, exist_ok=True)

    def open(self, path, **headers):
        return urllib.request.urlopen(urllib.request.Request(self.server + path, headers=headers))

    def messages(self, session):
        """The messages of a session's stream as (kind, data). Reconnects where it was interrupted."""
        last, pause = {}, 2
        while True:
            try:
                path = f"/v1/sessions/{session}/events?fields=version,status,state.turn"
                kind, data = None, None
                for line in self.open(path, Accept="text/event-stream", **last):
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        last = {"Last-Event-ID": value}
                    elif field == "event":
                        kind = value
                    elif field == "data":
                        data = json.loads(value)
                    elif not field and kind:
                        yield kind, data
                        kind = None
            except OSError as problem:
                print(f"{session}: {problem}; again in {pause} s")
            time.sleep(pause)

    def show(self, session, caption):
        picture = self.open(f"/v1/sessions/{session}/board.svg?size=480").read()
        with self.lock:
            (self.folder / f"{session}.svg").write_bytes(picture)
            self.captions[session] = caption
            now = int(time.time() * 1000)
            figures = "".join(
                f'<figure><img src="{session}.svg?{now}" alt=""><figcaption>{html.escape(caption)}</figcaption></figure>\n'
                for session, caption in self.captions.items())
            (self.folder / "index.html").write_text(PAGE.format(figures), encoding="utf-8")

    def follow(self, session):
        for kind, message in self.messages(session):
            if kind in ("snapshot", "change"):
                facts = json.load(self.open("/v1/sessions/" + session))
                names = [seat.get("name") or seat.get("bot") or "open" for seat in facts["seats"]]
                self.show(session, f"{facts['game']}: {', '.join(names)} ({message['status']}, version {message['version']})")
            if kind == "end" or message and message.get("status") == "finished":
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("folder")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--sessions", nargs="*")
    wish = parser.parse_args()
    with urllib.request.urlopen(f"{wish.server}/v1/sessions?status=running&limit={wish.tables}") as answer:
        found = [item["id"] for item in json.load(answer)["items"]]
    wall = Wall(wish.server, wish.folder, wish.sessions or found)
    threads = [threading.Thread(target=wall.follow, args=(session,)) for session in wall.captions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(threads)} tables are over; the page is {wall.folder / 'index.html'}")


if __name__ == "__main__":
    main()
