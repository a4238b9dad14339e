"""What generated requests cannot guess: games that exist, sessions with people at the table, their tokens, legal choices.

Without it nearly every generated request ends at "not found". Requests that are wrong on purpose are left as they are.
"""

import json
import random
import urllib.request

import schemathesis
from schemathesis.generation import GenerationMode

TABLES = 12
WITH_GAME = {"/v1/sessions", "/v1/steps", "/v1/simulations"}


class Tables:
    """Sessions to be played with, made when the first request is sent."""

    def __init__(self, server):
        self.server = server.rstrip("/")
        self.games = [game["name"] for game in self.ask("GET", "/v1/games")["items"]]
        self.guests = [self.ask("POST", "/v1/players", {})["token"] for _ in range(3)]
        self.sessions = [self.open() for _ in range(TABLES)]

    def ask(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def open(self):
        wanted = {"game": random.choice(self.games), "forks": "always", "undo": random.choice(["free", "agreed"])}
        wanted["spectators"] = {"policy": "live"}
        made = self.ask("POST", "/v1/sessions", wanted)
        tokens = [made["owner_token"], made.get("spectator_token")]
        for seat in made["seats"][: random.choice([1, 9, 9, 9])]:
            guest = random.choice([None, *self.guests])
            taken = self.ask("PUT", f"/v1/sessions/{made['id']}/seats/{seat['seat']}", {}, guest)
            tokens.append(taken["token"])
        return made["id"], tokens

    def some(self):
        """A session and one of its tokens, now and then none. Tables that are gone are laid again."""
        at = random.randrange(len(self.sessions))
        session, tokens = self.sessions[at]
        try:
            self.ask("GET", f"/v1/sessions/{session}", token=tokens[0])
        except OSError:
            self.sessions[at] = session, tokens = self.open()
        return session, random.choice([*tokens[2:], *tokens[2:], *tokens, None])

    def guest(self, forgets):
        """The credential of a player; of one that nobody else is, if it is to be forgotten."""
        return self.ask("POST", "/v1/players", {})["token"] if forgets else random.choice(self.guests)

    def choice(self, session, token):
        """The id of a legal choice of this token's seat, if it owes one."""
        try:
            owed = self.ask("GET", f"/v1/sessions/{session}/actions?limit=100", token=token)["items"]
        except (OSError, KeyError):
            return None
        choices = [choice["id"] for decision in owed for choice in decision.get("choices", [])]
        return random.choice(choices) if choices else None


tables = None


@schemathesis.hook
def before_call(context, case, kwargs):
    global tables
    meta = case.meta
    if meta is None or meta.generation.mode != GenerationMode.POSITIVE or random.random() < 0.2:
        return
    if tables is None:
        tables = Tables(case.operation.base_url or kwargs["base_url"])
    path = case.operation.path
    if path in WITH_GAME and isinstance(case.body, dict) and case.body.get("game") is not None:
        case.body = {**case.body, "game": random.choice(tables.games)}
        if random.random() < 0.8:
            for member in ("options", "variant", "seats", "choice"):
                case.body.pop(member, None)
    if path.startswith("/v1/players/me"):
        guest = tables.guest(case.operation.method.upper() == "DELETE")
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {guest}"}
    if path == "/v1/session-batches" and case.operation.method.upper() == "GET":
        case.query = {**(case.query or {}), "ids": ",".join(random.choice(tables.sessions)[0] for _ in range(3))}
    if path.endswith("/events"):
        # A stream never ends, and Schemathesis waits for its end.
        case.headers = {**(case.headers or {}), "Accept": "application/json"}
    if not isinstance(case.path_parameters, dict):
        return
    if "game" in case.path_parameters:
        case.path_parameters["game"] = random.choice(tables.games)
    if "session" in case.path_parameters:
        session, token = tables.some()
        case.path_parameters["session"] = session
        if token:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
        if path.endswith(("/moves", "/action-checks")) and random.random() < 0.7:
            chosen = tables.choice(session, token)
            case.body = {"id": chosen} if chosen else case.body
