"""Language models behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
from typing import Any

from .players import Answer, EndpointError, Turn

HOW = (
    "You play a game by its rules, which may differ from those you know. Think as long as you need. The last line of your "
    "answer must be your choice alone: the number of a listed choice, its words, or a JSON object in the form shown."
)
# Answers of a server that is busy or restarting.
BUSY = (408, 409, 425, 429, 500, 502, 503, 504)
WAIT_MAX = 30.0
# Bytes of one answer; more is no answer.
BYTES_MAX = 4 << 20


class Chat:
    """A model that answers `POST {url}/chat/completions`. The key comes from the environment variable `key_variable`.

    A request that fails or answers nothing is repeated `retries` times, after `pause` seconds, twice that, and so on, or
    what `Retry-After` says, at most 30 s.
    """

    is_cached = True

    def __init__(
        self,
        model: str,
        url: str,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        pause: float = 1.0,
        max_tokens: int = 1024,
        temperature: float = 0.0,
        key_variable: str = "OPENAI_API_KEY",
    ):
        self.model, self.url = model, url.rstrip("/")
        self.timeout, self.retries, self.pause = timeout, retries, pause
        self.settings: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
        self.key = f"chat:{model}@{self.url} {json.dumps(self.settings, sort_keys=True)}"
        self._token = os.environ.get(key_variable, "")

    def answer(self, turn: Turn) -> Answer:
        messages = [
            {"role": "system", "content": f"{HOW}\n\n{turn.rules}"},
            {"role": "user", "content": turn.text},
        ]
        body = json.dumps({"model": self.model, "messages": messages, **self.settings}).encode()
        began, problem = time.monotonic(), ""
        for attempt in range(self.retries + 1):
            wait = self.pause * 2**attempt * (1 + random.random() / 4)
            try:
                text, tokens = self._ask(body)
                return Answer(text, tokens, time.monotonic() - began)
            except urllib.error.HTTPError as error:
                problem = f"HTTP {error.code}"
                if error.code not in BUSY:
                    break
                after = error.headers.get("Retry-After", "")
                wait = float(after) if after.isdecimal() else wait
            except (OSError, http.client.HTTPException, ValueError) as error:
                problem = f"{type(error).__name__}: {error}"
            if attempt < self.retries:
                time.sleep(min(wait, WAIT_MAX))
        raise EndpointError(f"{self.model} at {self.url} does not answer: {problem}")

    def _ask(self, body: bytes) -> tuple[str, int]:
        """Returns the text and the tokens of one request. Raises ValueError for what is no answer."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(f"{self.url}/chat/completions", body, headers)
        deadline = time.monotonic() + self.timeout
        with urllib.request.urlopen(request, timeout=self.timeout) as response:
            read = b""
            # A server that sends a byte now and then must not hold a game for ever.
            while piece := response.read1(1 << 16):
                read += piece
                if len(read) > BYTES_MAX or time.monotonic() > deadline:
                    raise ValueError("the answer does not end")
        document = json.loads(read)
        try:
            text = document["choices"][0]["message"]["content"]
            tokens = int((document.get("usage") or {}).get("total_tokens") or 0)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ValueError("the answer has no text") from None
        if not isinstance(text, str):
            raise ValueError("the answer has no text")
        return text, tokens
