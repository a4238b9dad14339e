"""Agents that are reached by the Model Context Protocol, over the standard streams of their program."""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import threading
import time
from typing import Any

from .players import Answer, EndpointError, Turn

VERSION = "2025-06-18"


class Agent:
    """A program with the tool `choose`, which receives `rules`, `text` and `choices` and returns its choice as text.

    The program is started at the first turn, and again after it has ended.
    """

    is_cached = True

    def __init__(self, command: str, *, timeout: float = 60.0, tool: str = "choose"):
        self.command, self.timeout, self.tool = command, timeout, tool
        self.key = f"mcp:{command}"
        self._program: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._number = 0
        self._lock = threading.Lock()

    def answer(self, turn: Turn) -> Answer:
        began = time.monotonic()
        arguments = {"rules": turn.rules, "text": turn.text, "choices": list(turn.choices)}
        with self._lock:
            try:
                self._start()
                result = self._ask("tools/call", {"name": self.tool, "arguments": arguments})
            except (OSError, ValueError) as error:
                self.close()
                raise EndpointError(f"`{self.command}` does not answer: {error}") from None
        content = result.get("content") or []
        text = "\n".join(str(part.get("text", "")) for part in content if part.get("type") == "text")
        tokens = (result.get("_meta") or {}).get("tokens", 0)
        return Answer(text, tokens if isinstance(tokens, int) else 0, time.monotonic() - began)

    def close(self) -> None:
        """Ends the program."""
        if self._program is not None:
            self._program.kill()
            self._program.wait()
            for stream in (self._program.stdin, self._program.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            self._program = None

    def _start(self) -> None:
        if self._program is not None and self._program.poll() is None:
            return
        self.close()
        self._lines = queue.Queue()
        self._program = subprocess.Popen(
            shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        threading.Thread(target=self._read, args=(self._program.stdout, self._lines), daemon=True).start()
        about = {"name": "wyrmgate.arena", "version": "1"}
        self._ask("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": about})
        self._send({"method": "notifications/initialized"})

    @staticmethod
    def _read(stream: Any, lines: "queue.Queue[str | None]") -> None:
        with contextlib.suppress(ValueError):  # closed by `close`
            for line in stream:
                lines.put(line)
        lines.put(None)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._program is not None and self._program.stdin is not None
        self._program.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._program.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of a request; what else the program says is passed over."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                raise ValueError(f"no answer to `{method}` within {self.timeout} s") from None
            if line is None:
                raise ValueError("the program has ended")
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if not isinstance(message, dict) or message.get("id") != self._number:
                continue
            if not isinstance(message.get("result"), dict):
                raise ValueError(str(message.get("error")))
            return message["result"]
