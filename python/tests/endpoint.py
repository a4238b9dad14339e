"""An OpenAI-compatible endpoint that misbehaves, for tests."""

import json
import random
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint(BaseHTTPRequestHandler):
    """Answers with the first listed choice, and with nonsense a third of the time; each fault of `server.faults` has its share
    of the requests."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.asked.append(body)
            fault = server.dice.choice(server.faults)
            is_nonsense = server.dice.random() < server.nonsense
        text = body["messages"][-1]["content"]
        if fault == "slow":
            time.sleep(server.delay)
        if isinstance(fault, int):
            self.send_response(fault)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        choice = "I take square nine hundred." if is_nonsense else server.answer(text)
        document = {"choices": [{"message": {"content": f"Let me think.\n{choice}"}}], "usage": {"total_tokens": 7}}
        sent = {"garbage": b"data: \xff\x00{[", "empty": b"{}", "null": b'{"choices": null}'}.get(fault)
        sent = json.dumps(document).encode() if sent is None else sent
        try:
            self.send_response(200)
            if fault != "drip":
                self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            for _ in range(200 if fault == "drip" else 0):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.02)
            self.wfile.write(sent)
        except OSError:
            pass  # the client has given up


@contextmanager
def endpoint(faults=(None,), nonsense=1 / 3, delay=1.0, answer=lambda text: "0"):
    """Yields the address of an endpoint and its server, which notes what it was asked in `asked`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.daemon_threads = True
    server.faults, server.nonsense, server.delay, server.answer = list(faults), nonsense, delay, answer
    server.dice, server.lock, server.asked = random.Random(5), threading.Lock(), []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
