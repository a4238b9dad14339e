"""A client of a Wyrmgate server, without dependencies.

    client = wyrmgate.Client("http://127.0.0.1:8080")
    session = client.create("way-of-the-dragon", ["open", "random"])
    seat = client.join(session["id"], 1, name="Ada")
    outcome = client.play(session["id"], seat, lambda turn: random.choice(turn["choices"])["id"])

Documents are those of the API, with the types of `wyrmgate.api`; seats count from 1. Writes carry an idempotency key, so a request that
is repeated after a lost connection counts once. `AsyncClient` has the same methods with `await`.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from .api import (
    ActionSpace,
    Choice,
    CreatedSession,
    Decision,
    Game,
    MoveReceipt,
    NewStep,
    Outcome,
    Session,
    Step,
    View,
)

__all__ = ["AsyncClient", "Choice", "Client", "Decision", "Event", "Outcome", "Seat", "ServerError", "Session"]


@dataclass(frozen=True)
class Seat:
    """A seat with its token."""

    number: int
    token: str


@dataclass(frozen=True)
class Event:
    """A message of a stream: `snapshot` or `change`, with its document."""

    kind: str
    id: str
    data: dict[str, Any]


class ServerError(Exception):
    """A problem that the server reports. `code` is stable; `document` is the whole problem."""

    def __init__(self, status: int, document: Mapping[str, Any]):
        self.status = status
        self.document = dict(document)
        self.code = str(document.get("code", ""))
        super().__init__(str(document.get("detail") or document.get("title") or f"status {status}"))


Choose = Callable[[Decision], "str | Mapping[str, Any]"]
_AGAIN = (502, 503, 504)


def _body(choice: str | Mapping[str, Any]) -> dict[str, Any]:
    """Returns the body of a move: the id of a choice, or an option with arguments."""
    return {"id": choice} if isinstance(choice, str) else dict(choice)


class Client:
    """A client that waits for each answer. It can be shared by threads."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        language: str | None = None,
        timeout: float = 30.0,
        tries: int = 4,
    ):
        self.url = url.rstrip("/")
        self.key, self.language, self.timeout, self.tries = key, language, timeout, max(1, tries)

    # ---- requests

    def _open(
        self, method: str, path: str, body: Any, token: str | None, headers: Mapping[str, str], timeout: float
    ) -> Any:
        everything = {"Accept": "application/json", **headers}
        if self.language:
            everything["Accept-Language"] = self.language
        if token or self.key:
            everything["Authorization"] = f"Bearer {token or self.key}"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            everything["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, everything, method=method)
        return urllib.request.urlopen(request, timeout=timeout)

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Sends any request and returns its document. Repeats it if the connection is lost, if the server is not
        ready, or if it asks to wait. Raises ServerError."""
        given = dict(headers or {})
        if method == "POST":
            # The same key in every try: the server performs the request once.
            given.setdefault("Idempotency-Key", uuid.uuid4().hex)
        for attempt in range(1, self.tries + 1):
            wait = 0.1 * 2**attempt
            try:
                with self._open(method, path, body, token, given, self.timeout) as answer:
                    text = answer.read()
                    return json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                problem = _problem(error)
                wait = float(error.headers.get("Retry-After") or wait)
                if attempt == self.tries or not (error.code in _AGAIN or error.code == 429) or wait > self.timeout:
                    raise problem from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if attempt == self.tries:
                    raise
            time.sleep(wait)
        raise AssertionError("unreachable")

    # ---- games and sessions

    def games(self) -> list[Game]:
        """Returns the games that the server offers."""
        items: list[Game] = []
        path: str | None = "/v1/games?limit=100"
        while path:
            page = self.request("GET", path)
            items += page["items"]
            following = page["next"]
            path = following and "/v1/games?" + urllib.parse.urlencode({"limit": 100, "cursor": following})
        return items

    def game(self, name: str) -> Game:
        """Returns a game: seats, options, clauses."""
        return cast(Game, self.request("GET", "/v1/games/" + urllib.parse.quote(name)))

    def step(self, order: NewStep) -> Step:
        """Takes a step of a stateless game, or a list of them: `{"game": "chess"}`, `{"steps": [...]}`."""
        return cast(Step, self.request("POST", "/v1/steps", order))

    def action_space(self, ruleset: str, **query: Any) -> ActionSpace:
        """Returns the fixed action space of a ruleset; `query` may have `seats`, `options` and `numbers`."""
        path = f"/v1/rulesets/{ruleset}/actions"
        return cast(ActionSpace, self.request("GET", path + "?" + urllib.parse.urlencode(query)))

    def create(self, game: str, seats: Sequence[Any], **more: Any) -> CreatedSession:
        """Creates a session: `seats` has "open" or the name of a bot for each seat; `more` are other members of the
        request, such as `options` or `seed`."""
        return cast(CreatedSession, self.request("POST", "/v1/sessions", {"game": game, "seats": list(seats), **more}))

    def session(self, session: str) -> Session:
        return cast(Session, self.request("GET", f"/v1/sessions/{session}"))

    def join(self, session: str, seat: int, *, name: str = "bot", **more: Any) -> Seat:
        """Takes an open seat."""
        # If the response is lost, the repeated request gets the token only with a secret of our own.
        claim = {"name": name, "secret": uuid.uuid4().hex, **more}
        answer = self.request("PUT", f"/v1/sessions/{session}/seats/{seat}", claim)
        return Seat(seat, answer["token"])

    def view(self, session: str, seat: Seat | None = None) -> View:
        """Returns the game as a seat sees it, or as a spectator does."""
        return cast(View, self.request("GET", f"/v1/sessions/{session}/view", token=None if seat is None else seat.token))

    def decisions(self, session: str, seat: Seat) -> list[Decision]:
        """Returns the decisions that the seat owes, with their choices."""
        answer = self.request("GET", f"/v1/sessions/{session}/actions", token=seat.token)
        return cast("list[Decision]", answer["items"])

    def move(self, session: str, seat: Seat, choice: str | Mapping[str, Any]) -> MoveReceipt:
        """Makes a move: the id of a choice, or `{"version": …, "option": …, "args": {…}}`."""
        answer = self.request("POST", f"/v1/sessions/{session}/moves", _body(choice), token=seat.token)
        return cast(MoveReceipt, answer)

    # ---- streams

    def events(self, session: str, seat: Seat | None = None, *, after: int | str | None = None) -> Iterator[Event]:
        """Follows a session: a snapshot, then every change. A lost connection is resumed where it was; the stream ends
        with the session."""
        last = None if after is None else str(after)
        token = None if seat is None else seat.token
        failures = 0
        while True:
            headers = {"Accept": "text/event-stream"}
            if last is not None:
                headers["Last-Event-ID"] = last
            path = f"/v1/sessions/{session}/stream"
            try:
                # Keep-alive comments come more often than this.
                event: Event | None = None
                with self._open("GET", path, None, token, headers, max(self.timeout, 60.0)) as answer:
                    for event in _parsed(line.decode() for line in answer):
                        failures = 0
                        if event.kind == "resync":  # too much was missed: begin again with a snapshot
                            last = None
                        if event.kind not in ("snapshot", "change"):
                            break
                        last = event.id or last
                        yield event
                        if event.kind == "change" and event.data.get("status") in ("finished", "aborted"):
                            return
                    if event is not None and event.kind == "end":
                        return
            except urllib.error.HTTPError as error:
                if error.code not in _AGAIN:
                    raise _problem(error) from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            failures += 1
            if failures > self.tries:
                raise ConnectionError(f"the stream of {session} was lost {failures} times in a row")
            time.sleep(0.1 * 2**failures)

    def play(self, session: str, seat: Seat, choose: Choose) -> Outcome:
        """Plays a seat to the end of the game. `choose` gets each decision and returns the id of a choice, or an option
        with arguments."""
        path = f"/v1/sessions/{session}"
        waiting = {"Prefer": "wait=20"}
        while True:
            view = self.request("GET", path + "/view?include=actions", token=seat.token)
            if view["outcome"]:
                return cast(Outcome, view["outcome"])
            if view["decisions"] and view.get("status", "running") == "running":
                try:
                    self.move(session, seat, choose(view["decisions"][0]))
                except ServerError as error:
                    if error.code not in ("stale-version", "not-your-turn"):
                        raise
            else:
                after = f"{path}/events?limit=1&after={view['version']}"
                self.request("GET", after, token=seat.token, headers=waiting)


def _problem(error: urllib.error.HTTPError) -> ServerError:
    text = error.read()
    try:
        return ServerError(error.code, json.loads(text))
    except ValueError:
        return ServerError(error.code, {"title": text.decode(errors="replace")[:200]})


def _parsed(lines: Iterator[str]) -> Iterator[Event]:
    """Reads server-sent events."""
    kind, identifier = "message", ""
    data: list[str] = []
    for line in lines:
        line = line.rstrip("\r\n")
        if not line:
            if data:
                yield Event(kind, identifier, json.loads("\n".join(data)))
            kind, data = "message", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "id":
            identifier = value
        elif name == "data":
            data.append(value)


class AsyncClient:
    """The same client for asyncio: each request runs in a thread, and many can wait at once."""

    def __init__(self, url: str, **settings: Any):
        self.sync = Client(url, **settings)

    async def request(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """See `Client.request`."""
        return await asyncio.to_thread(lambda: self.sync.request(method, path, body, **more))

    async def games(self) -> list[Game]:
        return await asyncio.to_thread(self.sync.games)

    async def game(self, name: str) -> Game:
        return await asyncio.to_thread(self.sync.game, name)

    async def step(self, order: NewStep) -> Step:
        return await asyncio.to_thread(self.sync.step, order)

    async def action_space(self, ruleset: str, **query: Any) -> ActionSpace:
        return await asyncio.to_thread(lambda: self.sync.action_space(ruleset, **query))

    async def create(self, game: str, seats: Sequence[Any], **more: Any) -> CreatedSession:
        return await asyncio.to_thread(lambda: self.sync.create(game, seats, **more))

    async def session(self, session: str) -> Session:
        return await asyncio.to_thread(self.sync.session, session)

    async def join(self, session: str, seat: int, *, name: str = "bot", **more: Any) -> Seat:
        return await asyncio.to_thread(lambda: self.sync.join(session, seat, name=name, **more))

    async def view(self, session: str, seat: Seat | None = None) -> View:
        return await asyncio.to_thread(self.sync.view, session, seat)

    async def decisions(self, session: str, seat: Seat) -> list[Decision]:
        return await asyncio.to_thread(self.sync.decisions, session, seat)

    async def move(self, session: str, seat: Seat, choice: str | Mapping[str, Any]) -> MoveReceipt:
        return await asyncio.to_thread(self.sync.move, session, seat, choice)

    async def events(
        self, session: str, seat: Seat | None = None, *, after: int | str | None = None
    ) -> AsyncIterator[Event]:
        """See `Client.events`."""
        stream = self.sync.events(session, seat, after=after)
        while (event := await asyncio.to_thread(next, stream, None)) is not None:
            yield event

    async def play(
        self, session: str, seat: Seat, choose: Callable[[Decision], Awaitable[str | Mapping[str, Any]]] | Choose
    ) -> Outcome:
        """See `Client.play`; `choose` may be a coroutine."""
        loop = asyncio.get_running_loop()

        def chosen(decision: Decision) -> str | Mapping[str, Any]:
            choice = choose(decision)
            if asyncio.iscoroutine(choice):
                choice = asyncio.run_coroutine_threadsafe(choice, loop).result()
            return cast("str | Mapping[str, Any]", choice)

        return await asyncio.to_thread(self.sync.play, session, seat, chosen)
